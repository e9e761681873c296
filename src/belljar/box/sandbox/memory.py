"""Watches the memory of a box's programs: before it is used up, the largest renderer is ended, so that nothing else is.

Left to the kernel, one fat page can take everything along: an engine may end all of a container at once
(`memory.oom.group`).  A tab that is ended here comes back, and its caller is told why (`tab_oom`).
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import anyio

from belljar.box.sandbox.disk import end_program
from belljar.logs import log

# Of the limit: beyond it a renderer goes, where it has a good part of it.
FULL = 0.9
GOOD_PART = 0.2
# The next look is when the room left could be used up: a page has been seen to take a gigabyte a second.
FASTEST = 1 << 30
SOONEST, LATEST = 0.1, 1.0
# Seconds until what was freed is seen to be free.
SETTLING = 0.5
# Seconds in which a crash counts as one for memory.
RECENT = 3.0

_CONTAINER = (
    (Path("/sys/fs/cgroup/memory.stat"), Path("/sys/fs/cgroup/memory.max")),
    (Path("/sys/fs/cgroup/memory/memory.stat"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")),
)
# What can only be had back by ending something, by the names of both versions of control groups.
_TAKEN = (("anon", "shmem"), ("total_rss", "total_shmem"))


@dataclass
class MemoryWatch:
    """`ends` counts the renderers that were ended."""

    # None where nobody holds a limit, or it cannot be read.
    group: tuple[Path, Path] | None
    programs: Callable[[], Iterable[int]]
    # How many programs the kernel has ended for memory.
    kernel_kills: Callable[[], int]
    ends: int = 0
    _seen_kills: int = 0
    _ended_at: float = float("-inf")

    async def run(self) -> None:
        if self.group is None:
            return
        is_blind = False
        while True:
            pause = LATEST
            try:
                pause = await anyio.to_thread.run_sync(self.look)
                is_blind = False
            except (OSError, ValueError) as error:
                if not is_blind:
                    log.warning("jail.memory_unseen", error=str(error))
                is_blind = True
            await anyio.sleep(pause)

    def look(self) -> float:
        """End the largest renderer where there is hardly room; the seconds until the next look.  Blocks."""
        assert self.group is not None
        stat, limit_file = self.group
        limit, taken = _limit(limit_file), _taken(stat)
        if limit is None:
            return LATEST
        if taken < limit * FULL:
            return min(LATEST, max(SOONEST, (limit * FULL - taken) / FASTEST))
        self._end_largest(limit, taken)
        return SETTLING

    def was_short(self) -> bool:
        """Whether a program was ended for memory a moment ago, by us or by the kernel."""
        if (kills := self.kernel_kills()) > self._seen_kills:
            self._seen_kills, self._ended_at = kills, time.monotonic()
        return time.monotonic() - self._ended_at < RECENT

    def _end_largest(self, limit: int, taken: int) -> None:
        sizes = [(size, pid) for pid in self.programs() if _is_renderer(pid) and (size := _size(pid))]
        size, pid = max(sizes, default=(0, 0))
        # Where it is not pages that took it, ending one would help nobody.
        if size < limit * GOOD_PART:
            return
        self._ended_at = time.monotonic()
        if end_program(pid) is not None:
            self.ends += 1
            log.warning("jail.renderer_ended", reason="memory", limit=limit, taken=taken, size=size)


def container_group() -> tuple[Path, Path] | None:
    """The files of the container's own group, as it sees them."""
    return next((files for files in _CONTAINER if all(file.exists() for file in files)), None)


def _limit(file: Path) -> int | None:
    text = file.read_text().strip()
    # Version 1 says "none" by a number that is more than any machine has.
    return None if text == "max" or int(text) >= 1 << 60 else int(text)


def _taken(stat: Path) -> int:
    words = stat.read_text().split()
    counts = dict(zip(words[::2], map(int, words[1::2]), strict=False))
    names = next(names for names in _TAKEN if names[0] in counts)
    return sum(counts.get(name, 0) for name in names)


def _is_renderer(pid: int) -> bool:
    try:
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b" ", b"\0").split(b"\0")
    except OSError:
        return False


def _size(pid: int) -> int:
    """Memory that would be free without it: its own pages, not those of files."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return 0
    counted = [int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:"))]
    return sum(counted) * 1024
