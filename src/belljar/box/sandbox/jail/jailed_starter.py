"""Runs the starter where programs belong: as the first process of a jail, or without one but never as root."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from belljar.box.process.link import STARTER, RunStarter
from belljar.box.process.program import User
from belljar.box.sandbox.jail.bubblewrap import (
    MOUNTS,
    PYTHON,
    Bind,
    CannotShow,
    Data,
    Jail,
    VisibleFolder,
    entering,
    find_bubblewrap,
    order_to_show,
)
from belljar.box.sandbox.jail.locks import closed_lock
from belljar.box.sandbox.jail.seccomp import MACHINES
from belljar.wire.isolation import Lock

INSTALL = "belljar install browser --yes"


class NoJail(Exception):
    """This host lets us have none: why, and what would help."""

    def __init__(self, reason: str, remedy: str, lock: Lock | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.lock = lock

    @classmethod
    def after(cls, words: str) -> Self:
        """Of a starter that failed with these words."""
        closed = closed_lock(words)
        return cls(words, remedy_for(words), None if closed is None else closed.lock)


def starter_in(jail: Jail, errors: int) -> RunStarter:
    """What `Processes.apart` wants; the words of a jail that fails go to the descriptor `errors`."""
    text = STARTER.read_text()

    def run(connection: socket.socket) -> "subprocess.Popen[bytes]":
        data = Data()
        try:
            return _run(jail.command(text, connection.fileno(), data), [connection.fileno(), *data.descriptors], errors)
        finally:
            data.close()

    return run


@dataclass(frozen=True)
class Unjailed:
    """Programs without a jail: as the box's user where the server is root, else as ourselves."""

    user: User | None
    # Where that user's programs begin.
    home: Path = Path("/")
    # Folders of the box, and those that the operator shares: in reach of that user, wherever they are.
    own: tuple[Path, ...] = ()
    binds: tuple[Bind, ...] = ()
    cgroups: tuple[Path, ...] = ()
    # Of a user that has nothing else to run.
    most_processes: int | None = None
    most_files: int = 16_384

    def command(self, connection: int) -> list[str]:
        python = [sys.executable, "-I", "-S"]
        if self.user is None:
            return [*entering(self.cgroups), *python, str(STARTER), str(connection)]
        shared = [VisibleFolder(bind.source, bind.source, bind.is_read_only, is_shared=True) for bind in self.binds]
        order = order_to_show(self.user, self.own, shared, starter=str(STARTER), home=str(self.home))
        limits = [str(self.most_processes or 0), str(self.most_files)]
        return [*entering(self.cgroups), *python, str(MOUNTS), order or "", str(connection), *limits]


def starter_without(unjailed: Unjailed, errors: int) -> RunStarter:
    """As `starter_in`, where there is no jail."""

    def run(connection: socket.socket) -> "subprocess.Popen[bytes]":
        # Where the server is, unless programs have another user's rights: then `mounts.py` goes to their home.
        command = unjailed.command(connection.fileno())
        return _run(command, [connection.fileno()], errors, cwd=None if unjailed.user is None else "/")

    return run


def _run(
    command: Sequence[str], descriptors: Sequence[int], errors: int, cwd: str | None = "/"
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        pass_fds=descriptors,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )


def check_jail() -> None:
    """Raise `NoJail` for what can be known without trying."""
    if os.uname().machine not in MACHINES:
        raise NoJail(f"no system-call filter is known for {os.uname().machine}", "use an x86_64 or aarch64 machine")
    if find_bubblewrap() is None:
        raise NoJail("bubblewrap is not installed", INSTALL)
    if not os.access(PYTHON, os.X_OK):
        raise NoJail(f"the system has no {PYTHON}, which the jail's first process runs on", "install python3")


# What bubblewrap, `setpriv` and `mounts.py` say when they fail, and what is behind it.
_CAUSES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"source path (\S+): Permission denied", lambda found: f"let other users pass through to {found[1]} (chmod o+x)"),
    (r"CAP_SYS_ADMIN", "give root the capability SYS_ADMIN, or choose a --state-dir that other users may pass through"),
    (r"cannot share that source path", "share a folder that everybody may use, or run as its owner"),
    (r"idmapped|user namespace can be made to share", "share a folder that everybody may use, or run as its owner"),
    (r"setpriv: .*: Operation not permitted|may not become another user",
     "give root the capabilities SETUID and SETGID, or start as an ordinary user"),
)  # fmt: skip


def remedy_for(reason: str, otherwise: str = "") -> str:
    """What would help against a starter that failed with these words; a jail mostly lacks namespaces."""
    for pattern, help in _CAUSES:
        if found := re.search(pattern, reason):
            return help if isinstance(help, str) else help(found)
    closed = closed_lock(reason)
    if closed is not None:
        return closed.remedy
    return otherwise or "let unprivileged users make user namespaces; in a container also mount, umount2 and pivot_root"


__all__ = ["CannotShow", "NoJail", "Unjailed", "check_jail", "remedy_for", "starter_in", "starter_without"]
