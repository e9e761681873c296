"""Watches what a box's programs take of the disk; stops whoever writes beyond the limit, or into the host's reserve."""

import os
import signal
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio

from belljar.logs import log
from belljar.safe_files import TooDeep, opened_folder, size_of_tree

# Seconds between two looks, and how much the disk must have filled since the last count to count again.
WATCH = 0.4
WORTH_COUNTING = 16 << 20
# Looks in a row that find the limit passed and nobody writing, until everything is taken for a writer.
PATIENCE = 3
# What a box may grow between two looks while the host's disk is nearly full; a browser's notes are less.
LITTLE = 1 << 20


@dataclass
class DiskWatch:
    """`stops` counts programs that were ended for it."""

    # All that programs may write, and what of it is on a disk of the size of the limit, which needs no watch.
    folders: Sequence[Path]
    sized: Collection[Path]
    limit: int | None
    # Bytes of the host's disk that programs leave free.
    reserve: int
    # Bytes that have been written to a disk of the box's own, and not taken from the host's yet.
    unwritten: Callable[[], int]
    # Whom to stop, if they write.
    programs: Callable[[], Iterable[int]]
    stops: int = 0
    used: int = 0
    _counted_at: int = -WORTH_COUNTING
    _in_vain: int = 0
    # What the box took when the host's disk was last found nearly full.
    _taken_at_last: int | None = None

    def __post_init__(self) -> None:
        self._watched = [folder for folder in self.folders if folder not in self.sized]

    @property
    def is_full(self) -> bool:
        """Whether nothing more may be written where no disk of its own says so by itself."""
        return self.limit is not None and self.used > self.limit

    async def run(self) -> None:
        """For ever: what cannot be looked at this time (no descriptors left, a folder that is gone) may be the next."""
        is_blind = False
        while True:
            try:
                await anyio.to_thread.run_sync(self.look)
                is_blind = False
            except OSError as error:
                if not is_blind:
                    log.warning("jail.disk_unseen", error=str(error))
                is_blind = True
            await anyio.sleep(WATCH)

    def look(self) -> None:
        """Blocks.  Cheap where nothing was written since the last time."""
        if self.limit is not None:
            self._hold_limit(self.limit)
        if self.reserve:
            self._hold_reserve()

    def _hold_limit(self, limit: int) -> None:
        """Count where something changed, and stop whoever writes beyond the limit."""
        filled = self._filled()
        if not self.is_full and filled - self._counted_at < min(WORTH_COUNTING, limit // 16):
            # What was deleted makes room for what is written next.
            self._counted_at = min(self._counted_at, filled)
            return
        used, before = self._count(), self.used
        self.used, self._counted_at = used, filled
        if used > limit:
            self._stop_writers(self._watched, has_grown=used > before, used=used, limit=limit)

    def _hold_reserve(self) -> None:
        """One box that grows is stopped; those that do not are not to blame, and go on."""
        free = min(about.f_bavail * about.f_frsize for about in map(os.statvfs, self._watched)) - self.unwritten()
        if free >= self.reserve:
            self._taken_at_last = None
            return
        taken, before = self._count() + self._on_own_disk(), self._taken_at_last
        self._taken_at_last = taken
        if before is not None and taken > before + LITTLE:
            self._stop_writers(self.folders, has_grown=True, free=free, reserve=self.reserve)

    def _filled(self) -> int:
        about = [os.statvfs(folder) for folder in self._watched]
        return sum({one.f_fsid: (one.f_blocks - one.f_bfree) * one.f_frsize for one in about}.values())

    def _on_own_disk(self) -> int:
        about = next((os.statvfs(folder) for folder in self.sized), None)
        return 0 if about is None else (about.f_blocks - about.f_bfree) * about.f_frsize

    def _count(self) -> int:
        total = 0
        for folder in self._watched:
            try:
                with opened_folder(folder) as top:
                    total += size_of_tree(top)
            except (TooDeep, PermissionError):
                # Made so that it cannot be counted.
                return (self.limit or 0) + total + 1
        return total

    def _stop_writers(self, folders: Sequence[Path], *, has_grown: bool, **about: int) -> None:
        devices = {os.stat(folder).st_dev for folder in folders}
        inside = list(self.programs())
        writers = [pid for pid in inside if _writes_to(pid, devices)]
        self._in_vain = 0 if writers or not has_grown else self._in_vain + 1
        if self._in_vain >= PATIENCE:
            writers, self._in_vain = inside, 0
        stopped = [name for pid in writers if (name := end_program(pid)) is not None]
        self.stops += len(stopped)
        if stopped:
            log.warning("jail.disk_limit", reason="disk", stopped=sorted(set(stopped)), **about)


def programs_below(starter: int, *, is_jailed: bool) -> Iterator[int]:
    """What a starter has started, and what came of that; of a jail without its first process, the starter itself."""
    ours = os.readlink("/proc/self/ns/pid")
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, ValueError):
                text = Path("/proc", name, "stat").read_text(errors="replace")
                parents[int(name)] = int(text.rpartition(")")[2].split()[1])
    for pid in parents:
        above = pid
        while above in parents and above != starter:
            above = parents[above]
        if above == starter and pid != starter and (not is_jailed or _is_inside(pid, ours)):
            yield pid


def _is_inside(pid: int, ours: str) -> bool:
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


def end_program(pid: int) -> str | None:
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
