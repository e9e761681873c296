"""What this host's kernel says of processes: who lives, whose children they are, what they use.  All of it blocks."""

import os
import select
import signal
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROC = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")
# How long what was in a killed box's groups may take to end.
_GROUP_SECONDS = 2.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class ProcessId:
    """A process for as long as the machine runs: numbers are used again, number and start time are not."""

    pid: int
    start_time: int


@dataclass(frozen=True)
class _Stat:
    id: ProcessId
    parent: int
    is_zombie: bool
    cpu_seconds: float


@cache
def boot_id() -> str:
    return (PROC / "sys/kernel/random/boot_id").read_text().strip()


def identify(pid: int) -> ProcessId | None:
    stat = _stat(pid)
    return None if stat is None else stat.id


def is_alive(process: ProcessId) -> bool:
    """A zombie is not: nothing of it is left but its number."""
    stat = _stat(process.pid)
    return stat is not None and stat.id == process and not stat.is_zombie


def arguments(pid: int) -> list[str]:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
    except OSError:
        return []


def pids() -> list[int]:
    return [int(name) for name in os.listdir(PROC) if name.isdigit()]


def tree(roots: Collection[int]) -> list[ProcessId]:
    """`roots` and all their descendants, each once, as they are now."""
    children: dict[int, list[int]] = {}
    stats: dict[int, _Stat] = {}
    for stat in _stats():
        stats[stat.id.pid] = stat
        children.setdefault(stat.parent, []).append(stat.id.pid)
    found: dict[int, ProcessId] = {}
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        if pid in stats and pid not in found:
            found[pid] = stats[pid].id
            waiting.extend(children.get(pid, ()))
    return list(found.values())


def end(processes: Collection[ProcessId], number: signal.Signals, wait: float) -> list[ProcessId]:
    """Signal them all and wait; those that are still there afterwards.  Signals go through descriptors, which cannot
    hit a process that took over a number."""
    opened = [(process, descriptor) for process in processes if (descriptor := _open(process)) is not None]
    try:
        for _, descriptor in opened:
            try:
                signal.pidfd_send_signal(descriptor, number)
            except ProcessLookupError:
                continue
        _wait([descriptor for _, descriptor in opened], wait)
    finally:
        for _, descriptor in opened:
            os.close(descriptor)
    return [process for process, _ in opened if is_alive(process)]


def open_process(process: ProcessId) -> int | None:
    """A descriptor that becomes readable when the process ends; None when it has."""
    return _open(process)


def memory_and_cpu(processes: Collection[ProcessId]) -> tuple[int, float]:
    memory, cpu = 0, 0.0
    for process in processes:
        try:
            with open(PROC / str(process.pid) / "smaps_rollup", "rb") as file:
                for line in file:
                    if line.startswith(b"Pss:"):
                        memory += int(line.split()[1]) * 1024
                        break
        except OSError:
            continue
        if stat := _stat(process.pid):
            cpu += stat.cpu_seconds
    return memory, cpu


@dataclass(frozen=True)
class OomKills:
    """How many processes the kernel has killed for want of memory, in a group or on the whole host: as `file` says."""

    file: Path
    count: int

    def now(self) -> int:
        """The count of today; that of then if the group is gone."""
        return _oom_kills(self.file, self.count)


def oom_kills(pid: int) -> OomKills:
    """Of the group whose memory the process is counted in, by itself: programs of boxes have groups of their own, and
    what befalls them is not the box's.  Of the host, where a group says nothing.
    """
    try:
        lines = (PROC / str(pid) / "cgroup").read_text().splitlines()
    except OSError:
        lines = []
    places = {kinds: group.lstrip("/") for _, kinds, group in (line.split(":", 2) for line in lines)}
    files = [_CGROUPS / places[""] / "memory.events.local"] if "" in places else []
    if "memory" in places:
        files.insert(0, _CGROUPS / "memory" / places["memory"] / "memory.oom_control")
    file = next((file for file in files if _oom_kills(file, -1) >= 0), PROC / "vmstat")
    return OomKills(file, _oom_kills(file, 0))


def _oom_kills(file: Path, otherwise: int) -> int:
    try:
        words = file.read_text().split()
    except OSError:
        return otherwise
    return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else otherwise


def available_memory() -> int:
    """Bytes a new program could use without pushing others out."""
    for line in (PROC / "meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def free_disk(folder: Path) -> int:
    """Bytes that an ordinary user could still write there."""
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize


def remove_groups(name: str) -> None:
    """Remove the control groups of a box that was killed: it would have removed them itself.

    A box calls them by its id and its process, below a folder of ours (as root) or the group that it was started in.
    """
    for group in groups_of(name):
        left = [process for pid in _members(group) if (process := identify(pid)) is not None]
        end(left, signal.SIGKILL, _GROUP_SECONDS)
        deadline = time.monotonic() + _GROUP_SECONDS
        # A process that has just ended is counted for a moment still.
        while not _is_removed(group) and time.monotonic() < deadline:
            time.sleep(0.01)


def groups_of(name: str) -> list[Path]:
    """The control groups that there are of the box `name`, of whichever process."""
    ours = [*_CGROUPS.glob("belljar"), *_CGROUPS.glob("*/belljar")]
    try:
        own = (PROC / "self/cgroup").read_text().strip().splitlines()[-1].rpartition("::")[2]
    except (OSError, IndexError):
        own = ""
    parents = {*ours, _CGROUPS / own.lstrip("/")}
    return [group for parent in parents for group in parent.glob(f"{name}-*") if group.is_dir()]


def _members(group: Path) -> list[int]:
    try:
        return [int(pid) for pid in (group / "cgroup.procs").read_text().split()]
    except OSError:
        return []


def _is_removed(group: Path) -> bool:
    try:
        group.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _stats() -> Iterator[_Stat]:
    for pid in pids():
        if stat := _stat(pid):
            yield stat


def _stat(pid: int) -> _Stat | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    cpu = (int(fields[11]) + int(fields[12])) / _TICKS
    return _Stat(ProcessId(pid, int(fields[19])), int(fields[1]), fields[0] in (b"Z", b"X"), cpu)


def _open(process: ProcessId) -> int | None:
    try:
        descriptor = os.pidfd_open(process.pid)
    except (ProcessLookupError, OSError):
        return None
    if not is_alive(process):
        os.close(descriptor)
        return None
    return descriptor


def _wait(descriptors: list[int], seconds: float) -> None:
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    left = set(descriptors)
    deadline = time.monotonic() + seconds
    while left and (remaining := deadline - time.monotonic()) > 0:
        for descriptor, _ in poll.poll(remaining * 1000):
            poll.unregister(descriptor)
            left.discard(descriptor)
