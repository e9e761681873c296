"""The jail and its disk, tried by doing it: what bubblewrap and the kernel let a box have here."""

import os
import shutil
import tempfile
from pathlib import Path

from belljar.dependencies import INSTALL_BROWSER
from belljar.doctor.finding import Finding, Level
from belljar.doctor.sandbox import namespace_fix
from belljar.doctor.trial import attempt, attempt_as_self
from belljar.state import closed_to_others

# As a box's own, but for what is of no matter to whether it works: namespaces, mounts, the first process.
_JAIL = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--uid", "1000", "--gid", "1000", "--hostname", "box", "--new-session", "--die-with-parent", "--as-pid-1"),
    *("--clearenv", "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--size", "1048576"),
    *("--tmpfs", "/tmp"),
)  # fmt: skip
_PYTHON = "/usr/bin/python3"
_MKFS = "/usr/sbin/mkfs.ext4"
_SIZE = 8 << 20


def check_jail(state_dir: Path) -> Finding:
    """A whole jail, with what would be its first process, as the user that a box's programs run as."""
    bubblewrap = shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin")
    if bubblewrap is None:
        return Finding(
            "jail", "jail", Level.MISSING, f"none, bubblewrap is not installed: {_without()}", INSTALL_BROWSER
        )
    links = []
    for name in ("bin", "lib", "lib64"):
        if (path := Path("/", name)).is_symlink():
            links += ["--symlink", os.readlink(path), str(path)]
    first = [_PYTHON, "-I", "-S", "-c", "print('in')"]
    outcome = attempt([bubblewrap, *_JAIL, *links, "--remount-ro", "/", "--", *first])
    if outcome.succeeded and outcome.first_line == "in":
        return _check_folders(state_dir)
    detail = f"cannot be made ({outcome.complaint}): {_without()}"
    return Finding("jail", "jail", Level.MISSING, detail, namespace_fix())


def _check_folders(state_dir: Path) -> Finding:
    """A jail can be made; of root's, whether its user is let to the folders of its box."""
    if os.geteuid() != 0:
        return Finding("jail", "jail", Level.OK, "can be made (by user namespaces)")
    how = "a uid of its own for each box"
    existing = next(folder for folder in (state_dir, *state_dir.parents) if folder.exists())
    closed = closed_to_others(existing)
    if closed is None:
        return Finding("jail", "jail", Level.OK, f"can be made ({how})")
    shown = attempt_as_self(["unshare", "--mount", "true"])
    if shown.succeeded:
        return Finding(
            "jail", "jail", Level.OK, f"can be made ({how}; {closed} is closed, and shown to boxes by mounts)"
        )
    detail = f"cannot be made: {closed} is closed to other users, and root may not mount here: {_without()}"
    return Finding("jail", "jail", Level.MISSING, detail, f"an open --state-dir, or chmod o+x {closed}")


def _without() -> str:
    box = "belljar box neither" if os.geteuid() == 0 else "in a box alone programs reach all that you reach"
    return f"belljar serve does not start, {box}, unless told --jail off"


def check_disk_limit() -> Finding:
    """Whether `--max-disk` holds by a disk of that size, or is only watched."""
    reason = "only root may mount one" if os.geteuid() != 0 else _try_image()
    if reason is None:
        detail = "enforced: each box has a disk of the size of --max-disk, 4 GB if not told"
        return Finding("disk-limit", "disk limit", Level.OK, detail)
    detail = f"watched, not enforced: no disk of its own ({reason}); writers are stopped within a second of --max-disk"
    return Finding("disk-limit", "disk limit", Level.OK, detail)


def _try_image() -> str | None:
    """Why no image can be mounted, or None.  The mount ends with the command that made it."""
    if not os.path.exists(_MKFS):
        return "mkfs.ext4 is missing: install the package e2fsprogs"
    with tempfile.TemporaryDirectory(prefix="belljar-trial-") as folder:
        image, place = Path(folder, "image"), Path(folder, "place")
        place.mkdir()
        image.touch()
        os.truncate(image, _SIZE)
        made = attempt_as_self([_MKFS, "-q", "-F", image])
        if not made.succeeded:
            return f"mkfs.ext4: {made.complaint}"
        mounted = attempt_as_self(["unshare", "--mount", "mount", "-o", "loop", image, place])
        # "mount: /tmp/…: mount failed: Operation not permitted.": the place is ours, the reason comes last.
        return None if mounted.succeeded else mounted.complaint.rpartition(": ")[2].rstrip(".")
