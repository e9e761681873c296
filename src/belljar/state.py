"""Where belljar keeps what outlives a process."""

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path

ROOT_STATE_DIR = Path("/var/lib/belljar")


def default_state_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The folder used when `--state-dir` names no other: root's is the system's, anyone else's is their own.

    Nothing is created: whoever writes there first makes it.
    """
    environ = os.environ if environ is None else environ
    if os.geteuid() == 0:
        return ROOT_STATE_DIR
    home = environ.get("XDG_STATE_HOME", "")
    # The XDG rules say that a relative path is to be ignored.
    return (Path(home) if home.startswith("/") else Path.home() / ".local/state") / "belljar"


class StateDirUnusable(Exception):
    """Nothing can be kept there; the message is a sentence for people."""


def make_state_dir(path: Path) -> None:
    """Make the folder, or raise `StateDirUnusable`.  Others may pass through to what is theirs, and not look around."""
    try:
        path.mkdir(mode=0o711, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StateDirUnusable(
            f"Nothing can be kept in {path}: {error.strerror}. Choose another folder with --state-dir."
        ) from error


def make_private_folder(path: Path) -> None:
    """Make the folder, for us alone; one that is there already, and open to others, is shut."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    shut_to_others(path)


def make_private_file(path: Path) -> None:
    """Make the file, empty and for us alone, or shut the one that is there.

    One that is there is not opened: closing a descriptor of an SQLite database would drop the locks that we have on it.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        shut_to_others(path)


def write_private(path: Path, text: str) -> None:
    """Write a file that we alone can read."""
    make_private_file(path)
    path.write_text(text, encoding="utf-8")


def shut_to_others(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        path.chmod(mode & 0o700)


def closed_to_others(path: Path) -> Path | None:
    """The folder on the way to `path` that nobody but its owner may pass: root's boxes run as users of their own."""
    if os.geteuid() != 0:
        return None
    path = path.resolve()
    return next(
        (folder for folder in (*reversed(path.parents), path) if not folder.stat().st_mode & stat.S_IXOTH), None
    )
