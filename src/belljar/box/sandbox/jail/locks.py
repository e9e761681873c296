"""Locks that hosts and containers put before a jail: which is closed, by the words of what failed, and what opens it.

Four are independent of each other, and opening all but one helps nothing: the system-call filter, AppArmor or SELinux,
a masked /proc, and switches of the kernel.  A jail that cannot be made fails at the first that is closed.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from belljar.wire.isolation import Lock

# Switches of the kernel and of distributions, and the value that forbids user namespaces.
_SWITCHES = {
    "kernel.apparmor_restrict_unprivileged_userns": "1",
    "kernel.unprivileged_userns_clone": "0",
    "user.max_user_namespaces": "0",
}
_SECCOMP = (
    "give the container the seccomp profile deploy/seccomp.json (--security-opt seccomp=deploy/seccomp.json; "
    "in Kubernetes put it on the nodes, as the chart's seccompInstaller does)"
)
_APPARMOR = (
    "load deploy/apparmor (apparmor_parser -r) and name it: --security-opt apparmor=belljar; "
    "in Kubernetes serve --kubernetes-apparmor belljar"
)
_SELINUX = "let the container's SELinux type mount in user namespaces, or run it with --security-opt label=disable"
_PROC = (
    "in a container, unmask /proc (--security-opt systempaths=unconfined; "
    "in Kubernetes hostUsers: false and procMount: Unmasked)"
)


@dataclass(frozen=True)
class ClosedLock:
    lock: Lock
    # The one line that opens it.
    remedy: str


def closed_lock(reason: str, root: Path = Path("/")) -> ClosedLock | None:
    """The lock that a jail failed at with these words; None where it was something else."""
    if re.search(r"mount proc", reason):
        return ClosedLock(Lock.PROC, _PROC)
    if re.search(r"No permissions to create new namespace|unshare user ns|Creating new namespace failed", reason):
        return _switch(root) or ClosedLock(Lock.SECCOMP, _SECCOMP)
    if re.search(r"setting up uid map|setting up gid map", reason):
        return _switch(root) or ClosedLock(Lock.APPARMOR, _APPARMOR)
    if re.search(r"Failed to mount tmpfs: Permission denied|Failed to make / slave: Permission denied", reason):
        return ClosedLock(Lock.APPARMOR, _APPARMOR) if _is_under_apparmor(root) else ClosedLock(Lock.SELINUX, _SELINUX)
    if re.search(r"make / slave|unmount old root|pivot_root|Can't set hostname|Failed to mount", reason):
        return ClosedLock(Lock.APPARMOR, _APPARMOR) if _is_under_apparmor(root) else ClosedLock(Lock.SECCOMP, _SECCOMP)
    return None


def _switch(root: Path) -> ClosedLock | None:
    """The switch of this kernel that forbids user namespaces."""
    for name, forbids in _SWITCHES.items():
        if _read(root / "proc/sys" / name.replace(".", "/")) == forbids:
            opens = 10000 if name.startswith("user.") else 1 - int(forbids)
            return ClosedLock(Lock.USER_NAMESPACES, f"sysctl -w {name}={opens}")
    return None


def _is_under_apparmor(root: Path) -> bool:
    """Whether a profile confines us: `docker-default (enforce)`, say."""
    return "(enforce)" in _read(root / "proc/self/attr/current")


def _read(path: Path) -> str:
    try:
        return path.read_text().strip("\x00\n ")
    except OSError:
        return ""
