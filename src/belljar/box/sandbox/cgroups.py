"""Limits by control groups, version 1 or 2, where this process may make them."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OURS = "belljar"
CPU_PERIOD = 100_000
# Of version 1.
_HIERARCHIES = {"memory": "memory", "processes": "pids", "cpu": "cpu"}


@dataclass(frozen=True)
class Limits:
    """What all programs of a box may take together; None is no limit."""

    memory_bytes: int | None = None
    processes: int | None = None
    # Of one processor: 1.5 is one and a half.
    cpus: float | None = None
    disk_bytes: int | None = None

    def lowered_to(self, wanted: "Limits") -> "Limits":
        """What is lower of both, where there is a limit; where there is none, none begins to hold."""
        lower = {
            name: min(now, asked)
            for name, now in vars(self).items()
            if now is not None and (asked := getattr(wanted, name)) is not None
        }
        return replace(self, **lower)


@dataclass
class Groups:
    """The groups of one box: into which files a process writes itself, and which limits hold."""

    folders: list[Path] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    # The file in which the kernel counts whom it killed, open: every health check reads it.
    _events: int | None = None
    # The folder of each limit that is held, and whether all are one and the same.
    _places: dict[str, Path] = field(default_factory=dict)
    _is_unified: bool = False

    @property
    def entries(self) -> tuple[Path, ...]:
        return tuple(folder / "cgroup.procs" for folder in self.folders)

    def hold(self, kind: str, folder: Path, value: float) -> bool:
        """Whether the kernel took the limit."""
        if not _write_limit(kind, folder, value, is_unified=self._is_unified):
            return False
        self.held.add(kind)
        self._places[kind] = folder
        return True

    def memory_files(self) -> tuple[Path, Path] | None:
        """Where the kernel says what of the memory is taken, and what its limit is; None where none is held."""
        folder = self._places.get("memory")
        name = "memory.max" if self._is_unified else "memory.limit_in_bytes"
        return None if folder is None else (folder / "memory.stat", folder / name)

    def lower(self, now: Limits, wanted: Limits) -> list[str]:
        """Lower the limits that are held, where `wanted` is less than `now`; the kinds that would not be lowered.

        Programs run in these groups already: what they have beyond a limit they lose, or the kernel refuses it.
        """
        before, after = _values(now), _values(wanted)
        return [
            kind
            for kind in self.held
            if kind in before and kind in after and after[kind] < before[kind] and not self._lower(kind, after[kind])
        ]

    def _lower(self, kind: str, value: float) -> bool:
        # Version 2 would make room by killing.
        is_too_late = kind == "memory" and self._is_unified and _anonymous(self._places[kind]) > value
        return not is_too_late and self.hold(kind, self._places[kind], value)

    def memory_kills(self) -> int:
        """How many programs the kernel has ended for memory."""
        try:
            words = os.pread(self._events, 4096, 0).split() if self._events is not None else []
        except OSError:
            return 0
        return int(words[words.index(b"oom_kill") + 1]) if b"oom_kill" in words else 0

    def count_kills(self, file: Path) -> None:
        with contextlib.suppress(OSError):
            self._events = os.open(file, os.O_RDONLY)

    def remove(self) -> None:
        """Empty groups only: the jail has ended when this is called."""
        if self._events is not None:
            os.close(self._events)
            self._events = None
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
    for kind, value in _values(limits).items():
        folder = _folder(ROOT / _HIERARCHIES[kind], name)
        if folder and groups.hold(kind, folder, value):
            groups.folders.append(folder)
            if kind == "memory":
                groups.count_kills(folder / "memory.oom_control")


def _make_unified(name: str, limits: Limits, groups: Groups) -> None:
    """Version 2: below our own group, where root or a manager has delegated it to us."""
    groups._is_unified = True
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
    for kind, value in _values(limits).items():
        groups.hold(kind, folder, value)
    groups.count_kills(folder / "memory.events")
    groups.folders.append(folder)


def _values(limits: Limits) -> dict[str, float]:
    """The limits that groups can hold, by kind."""
    values = {"memory": limits.memory_bytes, "processes": limits.processes, "cpu": limits.cpus}
    return {kind: value for kind, value in values.items() if value is not None}


def _write_limit(kind: str, folder: Path, value: float, *, is_unified: bool) -> bool:
    if kind == "processes":
        return _write(folder / "pids.max", int(value))
    if kind == "cpu":
        # All the processors there are need no count of what was used; the group is there to be lowered.
        is_all = value >= (os.cpu_count() or 1)
        quota = int(value * CPU_PERIOD)
        # A group counts as one program where others want the processors too: as many as it may use is fairer.
        if is_unified:
            _write(folder / "cpu.weight", max(1, min(10_000, int(value * 100))))
        else:
            _write(folder / "cpu.shares", max(2, min(262_144, int(value * 1024))))
        if is_unified:
            return _write(folder / "cpu.max", f"{'max' if is_all else quota} {CPU_PERIOD}")
        return _write(folder / "cpu.cfs_quota_us", -1 if is_all else quota)
    if is_unified:
        return _write(folder / "memory.max", int(value))
    if not _write(folder / "memory.limit_in_bytes", int(value)):
        return False
    # Not there without swap accounting; then swap is what the host has.
    swap = folder / "memory.memsw.limit_in_bytes"
    return not swap.exists() or _write(swap, int(value))


def _anonymous(folder: Path) -> int:
    """Memory of the group that can only be had back by ending something."""
    try:
        words = (folder / "memory.stat").read_text().split()
    except OSError:
        return 0
    return int(words[words.index("anon") + 1]) if "anon" in words else 0


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
