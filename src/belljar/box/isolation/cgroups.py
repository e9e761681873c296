"""Limits by control groups, version 1 or 2, where this process may make them."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OURS = "belljar"
CPU_PERIOD = 100_000


@dataclass(frozen=True)
class Limits:
    """What all programs of a box may take together; None is no limit."""

    memory_bytes: int | None = None
    processes: int | None = None
    # Of one processor: 1.5 is one and a half.
    cpus: float | None = None
    disk_bytes: int | None = None


@dataclass
class Groups:
    """The groups of one box: into which files a process writes itself, and which limits hold."""

    folders: list[Path] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    _events: Path | None = None

    @property
    def entries(self) -> tuple[Path, ...]:
        return tuple(folder / "cgroup.procs" for folder in self.folders)

    def memory_kills(self) -> int:
        """How many programs the kernel has ended for memory."""
        try:
            words = self._events.read_text().split() if self._events is not None else []
        except OSError:
            return 0
        return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0

    def remove(self) -> None:
        """Empty groups only: the jail has ended when this is called."""
        for folder in self.folders:
            with contextlib.suppress(OSError):
                folder.rmdir()


@contextlib.contextmanager
def make_groups(name: str, limits: Limits) -> Iterator[Groups]:
    """As many of the limits as this host lets us hold; what is not in `held` nobody holds."""
    groups = Groups()
    try:
        if (ROOT / "cgroup.controllers").exists():
            _make_unified(name, limits, groups)
        else:
            _make_separate(name, limits, groups)
        yield groups
    finally:
        groups.remove()


def _make_separate(name: str, limits: Limits, groups: Groups) -> None:
    """Version 1: a hierarchy for each kind."""
    if limits.memory_bytes is not None:
        folder = _folder(ROOT / "memory", name)
        if folder and _write(folder / "memory.limit_in_bytes", limits.memory_bytes):
            # Not there without swap accounting; then swap is what the host has.
            _write(folder / "memory.memsw.limit_in_bytes", limits.memory_bytes)
            groups._events = folder / "memory.oom_control"
            _hold(groups, "memory", folder)
    if limits.processes is not None:
        folder = _folder(ROOT / "pids", name)
        if folder and _write(folder / "pids.max", limits.processes):
            _hold(groups, "processes", folder)
    if limits.cpus is not None:
        folder = _folder(ROOT / "cpu", name)
        if folder and _write(folder / "cpu.cfs_quota_us", int(limits.cpus * CPU_PERIOD)):
            _hold(groups, "cpu", folder)


def _make_unified(name: str, limits: Limits, groups: Groups) -> None:
    """Version 2: below our own group, where root or a manager has delegated it to us."""
    parent = ROOT / OURS if os.geteuid() == 0 else _own_group()
    if parent is None:
        return
    if os.geteuid() == 0:
        _write(ROOT / "cgroup.subtree_control", "+memory +pids +cpu")
        with contextlib.suppress(OSError):
            parent.mkdir(exist_ok=True)
    _write(parent / "cgroup.subtree_control", "+memory +pids +cpu")
    folder = parent / name
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return
    values: tuple[tuple[str, str, object], ...] = (
        ("memory", "memory.max", limits.memory_bytes),
        ("processes", "pids.max", limits.processes),
        ("cpu", "cpu.max", limits.cpus and f"{int(limits.cpus * CPU_PERIOD)} {CPU_PERIOD}"),
    )
    for kind, file, value in values:
        if value is not None and _write(folder / file, value):
            groups.held.add(kind)
    groups._events = folder / "memory.events"
    groups.folders.append(folder)


def _own_group() -> Path | None:
    """The group we are in, if it is ours to divide."""
    try:
        line = Path("/proc/self/cgroup").read_text().strip().splitlines()[-1]
    except (OSError, IndexError):
        return None
    folder = ROOT / line.rpartition("::")[2].lstrip("/")
    return folder if os.access(folder / "cgroup.subtree_control", os.W_OK) else None


def _folder(hierarchy: Path, name: str) -> Path | None:
    folder = hierarchy / OURS / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


def _write(path: Path, value: object) -> bool:
    try:
        path.write_text(str(value))
    except OSError:
        return False
    return True


def _hold(groups: Groups, kind: str, folder: Path) -> None:
    groups.held.add(kind)
    groups.folders.append(folder)
