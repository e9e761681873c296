"""Runs the starter as the first process of a jail, and tries whether this host lets us."""

import os
import socket
import subprocess
from pathlib import Path

from belljar.box.process.jail import PYTHON, Data, Jail, find_bubblewrap
from belljar.box.process.link import STARTER, RunStarter
from belljar.box.process.seccomp import MACHINES

INSTALL = "belljar install browser --yes"
# Switches of the kernel and of distributions, and the value that forbids user namespaces.
_SWITCHES = {
    "kernel.apparmor_restrict_unprivileged_userns": "1",
    "kernel.unprivileged_userns_clone": "0",
    "user.max_user_namespaces": "0",
}


class NoJail(Exception):
    """This host lets us have none: why, and what would help."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


def starter_in(jail: Jail, errors: int) -> RunStarter:
    """What `Processes.in_jail` wants; the words of a jail that fails go to the descriptor `errors`."""
    text = STARTER.read_text()

    def run(connection: socket.socket) -> "subprocess.Popen[bytes]":
        data = Data()
        try:
            command = jail.command(text, connection.fileno(), data)
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[connection.fileno(), *data.descriptors],
                cwd="/",
                env={"PATH": "/usr/bin:/bin"},
                start_new_session=True,
            )
        finally:
            data.close()

    return run


def check_jail() -> None:
    """Raise `NoJail` for what can be known without trying."""
    if os.uname().machine not in MACHINES:
        raise NoJail(f"no system-call filter is known for {os.uname().machine}", "use an x86_64 or aarch64 machine")
    if find_bubblewrap() is None:
        raise NoJail("bubblewrap is not installed", INSTALL)
    if not os.access(PYTHON, os.X_OK):
        raise NoJail(f"the system has no {PYTHON}, which the jail's first process runs on", "install python3")


def remedy() -> str:
    """The switch of this host that forbids it, or what containers need."""
    for name, forbids in _SWITCHES.items():
        path = Path("/proc/sys", name.replace(".", "/"))
        try:
            if path.read_text().strip() == forbids:
                return f"sysctl -w {name}={10000 if name.startswith('user.') else 1 - int(forbids)}"
        except OSError:
            continue
    return "let unprivileged users make user namespaces; in a container also mount, umount2 and pivot_root"
