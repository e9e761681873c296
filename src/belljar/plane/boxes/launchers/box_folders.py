"""Folders of boxes on this host: made whole, marked with whose they are, and what is worth keeping kept at the end."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from belljar.egress.policy.file import PRESETS
from belljar.plane.boxes.launchers.artifacts import Artifacts
from belljar.plane.boxes.launchers.base import BoxSpec, LaunchError
from belljar.plane.boxes.launchers.lent_profiles import LentProfiles
from belljar.safe_files import remove_folder
from belljar.state import write_private

# How long another control plane may take to remove a box, its grace included.
_OTHERS_WITHIN = 30.0
# In a box's folder: where its programs may connect to, if that takes more than a word.
_POLICY = "egress-policy"


class BoxFolders:
    """All of it blocks, but for what is said of artifacts."""

    def __init__(self, state_dir: Path, mark: str) -> None:
        self.boxes = state_dir / "boxes"
        self.mark = mark
        self.profiles = LentProfiles(self.boxes, state_dir / "profiles")
        self.artifacts = Artifacts(self.boxes, state_dir / "kept")

    def of(self, box_id: str) -> Path:
        return self.boxes / box_id

    def make(self, spec: BoxSpec) -> None:
        """It comes into being whole, so that whoever looks around knows whose it is."""
        folder = self.of(spec.box_id)
        draft = _draft(folder)
        (draft / "run").mkdir(mode=0o700, parents=True)
        (draft / "tmp").mkdir()
        (draft / "mark").write_text(self.mark)
        # Others may pass through, to what a jail's user was given below; only the socket's folder is shut.
        for open_to_pass in (self.boxes, draft):
            open_to_pass.chmod(0o711)
        # As the system's own: programs of the box run under another user.
        (draft / "tmp").chmod(0o1777)
        draft.rename(folder)
        if spec.egress not in PRESETS:
            write_private(folder / _POLICY, spec.egress)
        if spec.profile is not None:
            self.profiles.lend(folder, *spec.profile)

    def egress(self, spec: BoxSpec) -> str:
        """A preset by its name; a policy's text by a file, for its passwords are nobody else's business."""
        return spec.egress if spec.egress in PRESETS else str(self.of(spec.box_id) / _POLICY)

    @contextmanager
    def removing(self, folder: Path) -> Iterator[None]:
        """Remove the folder once the block has ended what runs in it; one control plane does while others wait."""
        with _alone(folder):
            yield
            # What programs filled goes first: on a full disk nothing could be kept otherwise.
            remove_folder(folder / "tmp")
            self.profiles.take_back(folder)
            self.artifacts.keep(folder)
            for left in (folder, _draft(folder)):
                remove_folder(left)
        if folder.exists():
            # Whoever asked tries again: nobody would know of it once the box's row is gone.
            raise LaunchError(f"{folder} cannot be removed")

    def find_all(self) -> list[str]:
        """The boxes that a folder of this installation and place is there for."""
        if not self.boxes.exists():
            return []
        return [folder.name.removeprefix(".") for folder in self.boxes.iterdir() if _read_mark(folder) == self.mark]


def _draft(folder: Path) -> Path:
    """Where a box's folder is made."""
    return folder.with_name(f".{folder.name}")


def _read_mark(folder: Path) -> str:
    try:
        return (folder / "mark").read_text()
    except OSError:
        return ""


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Of control planes that remove one box at once, one does while the others wait."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        yield
        return
    try:
        deadline = time.monotonic() + _OTHERS_WITHIN
        while not _is_locked(descriptor):
            if time.monotonic() > deadline:
                raise TimeoutError(f"another control plane has been removing {folder} for {_OTHERS_WITHIN:g} seconds")
            time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
