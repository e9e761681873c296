"""Isolation, tried by doing it: namespaces, Chromium's own sandbox, the jail and its disk."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from belljar.dependencies import INSTALL_BROWSER, find_chromium
from belljar.doctor.trial import Finding, Level, attempt, attempt_as_self, scratch
from belljar.state import closed_to_others

# Switches of the kernel and of distributions, the value that forbids, and the command that allows.
SWITCHES = (
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    ("/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"),
)  # fmt: skip
CONTAINER_FIX = "in a container, let its seccomp profile allow clone and unshare with namespace flags; not in a chroot"

# Nothing may leave the host for a check: no updates, no look-ups, and a proxy where nobody listens.
QUIET = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
)


def check_user_namespaces(*, inside: Sequence[str] = ()) -> Finding:
    """Whether an unprivileged user gets namespaces that are of use: mapped, with a network of their own.

    Only making one tells: Ubuntu's AppArmor lets the namespace be made and then denies what it is for.
    `inside` is a command to run the trial in, such as a jail's.
    """
    outcome = attempt([*inside, "unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "true"])
    if outcome.succeeded:
        return Finding("user-namespaces", "user namespaces", Level.OK, "an unprivileged user can make them")
    detail = f"an unprivileged user cannot make them ({outcome.complaint}): no jail, no Chromium sandbox"
    return Finding("user-namespaces", "user namespaces", Level.WARNING, detail, namespace_fix())


def check_chromium_sandbox(state_dir: Path, *, inside: Sequence[str] = ()) -> Finding:
    """Chromium loads a blank page without `--no-sandbox`; where it cannot sandbox its renderers it refuses to."""
    program = find_chromium(state_dir)
    if program is None:
        return Finding(
            "chromium-sandbox", "Chromium's sandbox", Level.WARNING, "not tried: there is no Chromium", INSTALL_BROWSER
        )
    with scratch() as profile:
        command: list[str | Path] = [program, *QUIET, f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        outcome = attempt([*inside, *command], timeout=30.0)
    if outcome.succeeded and "<html>" in outcome.output:
        return Finding("chromium-sandbox", "Chromium's sandbox", Level.OK, "can stay on for an unprivileged user")
    reason = "no usable sandbox" if "No usable sandbox" in outcome.errors else outcome.complaint
    detail = f"must be off: Chromium would not start with it ({reason})"
    return Finding("chromium-sandbox", "Chromium's sandbox", Level.WARNING, detail, namespace_fix())


def namespace_fix() -> str:
    for switch, forbids, command in SWITCHES:
        path = Path(switch)
        if path.exists() and path.read_text().strip() == forbids:
            return command
    return CONTAINER_FIX


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
