"""Calls to the kernel, so that no child of this process gets away: prctl and /proc."""

import ctypes
import os
import signal
import time
from collections.abc import Collection

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent dies: should the starter be killed, its children come to us."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def let_orphans_go() -> None:
    """The opposite: for a process that goes on living after its children's runtime."""
    _prctl(PR_SET_CHILD_SUBREAPER, 0)


def hide_memory() -> None:
    """Keep children of the same user from tracing this process or reading its memory and first environment."""
    _prctl(PR_SET_DUMPABLE, 0)


def wipe_variable(name: str) -> None:
    """Overwrite a variable where the kernel shows it: /proc/PID/environ keeps what a program was started with."""
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    address = libc.getenv(name.encode())
    if address:
        ctypes.memset(address, ord("-"), len(ctypes.string_at(address)))


def end_orphans(spared: Collection[int] = (), bound: float = 5.0) -> None:
    """Kill and reap what a dead starter left to us, other starters `spared`; blocks, at most `bound` seconds.

    Its descendants are told from other children of this process by their session: the starter and everything it
    starts have sessions of their own.
    """
    deadline = time.monotonic() + bound
    ours = os.getsid(0)
    while orphans := [pid for pid, session in _children() if session != ours and pid not in spared]:
        for pid in orphans:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, os.WNOHANG)
            except (ProcessLookupError, ChildProcessError):
                continue
        if time.monotonic() > deadline:
            return
        time.sleep(0.005)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _children() -> list[tuple[int, int]]:
    """Our own children, as (pid, session)."""
    found = []
    me = os.getpid()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == me:
            found.append((int(name), int(fields[3])))
    return found
