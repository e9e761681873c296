"""A process runtime for tests, what /proc says about processes, and waiting for it to say something."""

import os
import signal
import subprocess
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from belljar.box.process import Processes, User, open_processes
from belljar.box.sandbox.jail.jailed_starter import Unjailed, starter_without

T = TypeVar("T")

PATIENCE = 20.0
MARK = "TEST_MARK"


@asynccontextmanager
async def processes_as(user: User | None) -> AsyncIterator[Processes]:
    """A process runtime whose programs run as `user`, as those of a box without a jail do; None for ourselves."""
    async with open_processes() as processes:
        starter = starter_without(Unjailed(user), subprocess.DEVNULL)
        async with processes.apart(starter, processes.environment):
            yield processes


def eventually(look: Callable[[], T], what: str = "it", patience: float = PATIENCE) -> T:
    """What `look` gives once that is true; fails after `patience` seconds."""
    deadline = time.monotonic() + patience
    while not (found := look()):
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.02)
    return found


def freeze(pid: int) -> None:
    """Stop a process, and wait until every thread of it has: one that is told runs on until another has heard of it."""
    os.kill(pid, signal.SIGSTOP)

    def is_frozen() -> bool:
        states = [
            _read(pid, f"task/{thread}/stat").rpartition(b") ")[2][:1] for thread in os.listdir(f"/proc/{pid}/task")
        ]
        return set(states) == {b"T"}

    eventually(is_frozen, f"{pid} stops")


def new_mark() -> dict[str, str]:
    """An environment that marks a process and everything it starts, wherever that goes."""
    return {MARK: uuid.uuid4().hex}


def marked(mark: dict[str, str]) -> set[int]:
    """The living processes that carry `mark`; zombies have no environment and are not among them."""
    wanted = f"{MARK}={mark[MARK]}".encode()
    return {pid for pid in pids() if wanted in _read(pid, "environ").split(b"\0")}


def pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def parent_of(pid: int) -> int | None:
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def is_zombie(pid: int) -> bool:
    return _stat(pid)[:1] == [b"Z"]


def command_of(pid: int) -> str:
    return _read(pid, "cmdline").replace(b"\0", b" ").decode("utf-8", "replace")


def descendants(pid: int) -> set[int]:
    parents = {child: parent_of(child) for child in pids()}
    found: set[int] = set()
    while new := {child for child, parent in parents.items() if parent in found | {pid}} - found:
        found |= new
    return found


def starter_of(server: int) -> int:
    """The process that starts everything for a server's callers: in the jail where there is one, else the last."""
    starters = [pid for pid in descendants(server) if _is_starter(command_of(pid).split())]
    jailed = [pid for pid in starters if "/run/belljar/starter.py" in command_of(pid)]
    return max(jailed or starters, key=lambda pid: int(_stat(pid)[19]))


def _is_starter(words: list[str]) -> bool:
    return len(words) > 3 and "python" in words[0] and words[3].endswith(("starter.py", "mounts.py"))


def open_descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except PermissionError:
        pytest.skip("only root can count the descriptors of a server, which hides itself from its own user")


def resident_mb(pid: int) -> float:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def _stat(pid: int) -> list[bytes]:
    return _read(pid, "stat").rpartition(b")")[2].split()


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
