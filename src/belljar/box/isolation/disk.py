"""Watches what a box's programs take of the disk, where no sized disk holds them; stops the writers at the limit."""

import os
import signal
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import structlog

from belljar.beneath import opened_folder
from belljar.trees import TooDeep, size_of_tree

log = structlog.get_logger(__name__)

# Seconds between two looks, and how much the disk must have filled since the last count to count again.
WATCH = 1.0
WORTH_COUNTING = 16 << 20
# Looks in a row that find the limit passed and nobody writing, until everything is taken for a writer.
PATIENCE = 3


@dataclass
class DiskWatch:
    """`stops` counts programs that were ended for it."""

    folders: Sequence[Path]
    limit: int
    stops: int = 0
    used: int = 0
    _counted_at: int = -WORTH_COUNTING
    _in_vain: int = field(default=0)

    async def run(self) -> None:
        while True:
            await anyio.to_thread.run_sync(self.look)
            await anyio.sleep(WATCH)

    def look(self) -> None:
        """Blocks.  Count where something changed, and stop whoever writes beyond the limit."""
        filled = self._filled()
        is_over = self.used > self.limit
        if not is_over and filled - self._counted_at < min(WORTH_COUNTING, self.limit // 16):
            # What was deleted makes room for what is written next.
            self._counted_at = min(self._counted_at, filled)
            return
        used, before = self._count(), self.used
        self.used, self._counted_at = used, filled
        if used > self.limit:
            self._stop_writers(has_grown=used > before)

    def _filled(self) -> int:
        about = [os.statvfs(folder) for folder in self.folders]
        return sum({one.f_fsid: (one.f_blocks - one.f_bfree) * one.f_frsize for one in about}.values())

    def _count(self) -> int:
        total = 0
        for folder in self.folders:
            try:
                with opened_folder(folder) as top:
                    total += size_of_tree(top)
            except TooDeep:
                return self.limit + total + 1
        return total

    def _stop_writers(self, *, has_grown: bool) -> None:
        devices = {os.stat(folder).st_dev for folder in self.folders}
        inside = list(_inside(os.getpid()))
        writers = [pid for pid in inside if _writes_to(pid, devices)]
        self._in_vain = 0 if writers or not has_grown else self._in_vain + 1
        if self._in_vain >= PATIENCE:
            writers, self._in_vain = inside, 0
        stopped = [name for pid in writers if (name := _kill(pid)) is not None]
        self.stops += len(stopped)
        if stopped:
            log.warning(
                "jail.disk_limit", reason="disk", stopped=sorted(set(stopped)), used=self.used, limit=self.limit
            )


def _inside(top: int) -> Iterator[int]:
    """Processes below `top` in a pid namespace of their own, without its first: those are the jail's."""
    ours = os.readlink("/proc/self/ns/pid")
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, ValueError):
                text = Path("/proc", name, "stat").read_text(errors="replace")
                parents[int(name)] = int(text.rpartition(")")[2].split()[1])
    for pid in parents:
        above = pid
        while above in parents and above != top:
            above = parents[above]
        if above == top and pid != top and _is_jailed(pid, ours):
            yield pid


def _is_jailed(pid: int, ours: str) -> bool:
    try:
        if os.readlink(f"/proc/{pid}/ns/pid") == ours:
            return False
        status = Path(f"/proc/{pid}/status").read_text(errors="replace")
    except OSError:
        return False
    numbers = next((line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:")), [])
    return len(numbers) > 1 and numbers[1] != "1"


def _writes_to(pid: int, devices: set[int]) -> bool:
    """Whether it has a regular file on one of these devices open for writing."""
    with suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fdinfo"):
            with suppress(OSError, ValueError):
                about = os.stat(f"/proc/{pid}/fd/{number}")
                if not stat.S_ISREG(about.st_mode) or about.st_dev not in devices or not about.st_nlink:
                    continue
                lines = Path(f"/proc/{pid}/fdinfo/{number}").read_text().splitlines()
                flags = next(int(line.split()[1], 8) for line in lines if line.startswith("flags:"))
                if flags & os.O_ACCMODE != os.O_RDONLY:
                    return True
    return False


def _kill(pid: int) -> str | None:
    """End it; its name, or None where it was gone."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return None
    try:
        name = Path(f"/proc/{pid}/comm").read_text(errors="replace").strip()
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except OSError:
        return None
    finally:
        os.close(handle)
    return name
