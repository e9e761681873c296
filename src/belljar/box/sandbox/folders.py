"""Folders of a box's programs: home, uploads, downloads, thrown-away profiles; and the user they run as."""

import fcntl
import os
import pwd
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import anyio

from belljar.box.process import User
from belljar.logs import log
from belljar.safe_files import give_tree, opened_folder, remove_folder

# Not below 1000 (the system's), not above 60000 (nobody, dynamic users), out of the way of people's accounts.
FIRST_UID = 30_000
HOW_MANY = 1_000
CLAIMS = Path("/run/belljar/uids")


@contextmanager
def claim_user(claims: Path = CLAIMS) -> Iterator[User | None]:
    """A uid that no other box on this host has, for as long as the block; None when we are not root.

    One uid per box: two boxes of one uid could signal and trace each other's programs.  The claim is a file lock, so a
    box that was killed leaves nothing behind that would have to be cleaned up.
    """
    if os.geteuid() != 0:
        yield None
        return
    claims.mkdir(parents=True, exist_ok=True)
    for uid in range(FIRST_UID, FIRST_UID + HOW_MANY):
        claim = None if _has_account(uid) else _claim(claims / str(uid))
        if claim is not None:
            with claim:
                yield User(uid, uid)
            return
    raise RuntimeError(f"all {HOW_MANY} uids from {FIRST_UID} on are taken by boxes")


def _claim(path: Path) -> IO[str] | None:
    """The locked file; None when another box has it."""
    claim = path.open("w")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        claim.close()
        return None
    return claim


def _has_account(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


PREFIX = "belljar-box-"
_LOCK = "lock"
# Of TMPDIR: programs make sockets there, whose paths have 107 characters at most; Chromium's take 46.
LONGEST_TEMPORARY = 60


@dataclass(frozen=True)
class Folders:
    """They live as long as the box does, and belong to the user its programs run as."""

    home: Path
    uploads: Path
    downloads: Path
    profiles: Path
    # Of programs without a jail; with one they have a /tmp of their own.
    temporary: Path
    # Ours alone, on the same disk.
    staging: Path
    user: User | None
    # The disk of a given size that they are on.
    disk: Path | None = None

    def give(self, path: Path) -> None:
        """Make a file or folder the programs' own."""
        if self.user is not None:
            os.chown(path, self.user.uid, self.user.gid, follow_symlinks=False)

    def give_all(self, top: Path) -> None:
        """As `give`, with everything below.  Blocks: call it from a thread."""
        self.give(top)
        if self.user is None:
            return
        # By descriptors: a program that swaps a folder for a link meanwhile must not have us give away what is behind.
        with opened_folder(top) as folder:
            give_tree(folder, self.user.uid, self.user.gid)


@contextmanager
def make_folders(user: User | None, top: Path | None = None) -> Iterator[Folders]:
    """Make the folders of a box, in `top` where there is one already; they are removed when the block ends."""
    disk = top
    with ExitStack() as stack:
        top = stack.enter_context(_top(top))
        is_short = len(str(top)) + len("/tmp") <= LONGEST_TEMPORARY or user is None
        temporary = top if is_short else stack.enter_context(_top(None, place="/tmp"))
        folders = Folders(
            home=top / "home",
            uploads=top / "uploads",
            downloads=top / "downloads",
            profiles=top / "profiles",
            temporary=temporary / "tmp",
            staging=top / "staging",
            user=user,
            disk=disk,
        )
        for path in (folders.home, folders.uploads, folders.downloads, folders.profiles, folders.temporary):
            path.mkdir(mode=0o700)
            folders.give(path)
        folders.staging.mkdir(mode=0o700)
        yield folders


@contextmanager
def _top(path: Path | None, place: str | None = None) -> Iterator[Path]:
    """A claimed folder that others may pass through, below `place` if it has no `path` yet."""
    top = path or Path(tempfile.mkdtemp(prefix=PREFIX, dir=place)).resolve()
    claim = claim_folder(top)
    try:
        os.chmod(top, 0o711)
        yield top
    finally:
        remove_folder(top)
        os.close(claim)


def claim_folder(top: Path) -> int:
    """A lock that holds for as long as this process lives, however it ends; under its name only once it is held."""
    claim = os.open(top / f"{_LOCK}.new", os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(claim, fcntl.LOCK_EX)
    os.rename(top / f"{_LOCK}.new", top / _LOCK)
    return claim


async def remove_stale_folders() -> None:
    """Remove the folders of boxes that were killed: nobody else does, and cookies and downloads are in them."""
    await anyio.to_thread.run_sync(_clear, abandon_on_cancel=True)


def _clear() -> None:
    for top in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if os.lstat(top).st_uid != os.geteuid():
                continue
            claim = os.open(top / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            # Somebody else's, or on its way.
            continue
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            log.info("box.stale_folder_removed", folder=top.name)
            remove_folder(top)
        except BlockingIOError:
            continue
        finally:
            os.close(claim)
