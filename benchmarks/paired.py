"""Differences within rounds, of time and of processor time: what is left of a small price on a machine that others use.

A contender's median wanders by more than the price in question when a neighbour takes the processor; what two of them
took in the same round wanders alike.  A turn is several calls in a row: after one of everybody else's, a call meets a
processor that has forgotten all about it, and each line of code costs many times what it does in use.  The processor
time is that of a server's event loop, where every request waits, from one turn of a contender to its next: what it does
between its turns counts, what other programs do does not.
"""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from benchmarks.figures import percentile
from benchmarks.harness import Took

# In a row, in one turn.
CALLS = 20


class PairedRounds:
    def __init__(self, baseline: str) -> None:
        self._baseline = baseline
        self._wall: dict[str, list[float]] = {}
        self._processor: dict[str, list[float]] = {}

    def watched(self, name: str, pid: int, action: Callable[[], Awaitable[object]]) -> Callable[[], Awaitable[object]]:
        """The same action several times, watched; `pid` is the server's.  Its time is the median of theirs."""
        wall = self._wall.setdefault(name, [])
        processor = self._processor.setdefault(name, [])
        last = loop_seconds(pid)

        async def watched_action() -> object:
            nonlocal last
            before = loop_seconds(pid)
            processor.append((before - last) / CALLS)
            last = before
            times = []
            for _ in range(CALLS):
                began = time.perf_counter()
                await action()
                times.append(time.perf_counter() - began)
            wall.append(percentile(times, 0.5))
            return Took(wall[-1])

        return watched_action

    def figures(self, warm_up: int) -> dict[str, str]:
        """Medians, with those of the differences to the baseline within each round, and what the least tenth takes."""
        told = {}
        for what, taken in (("time", self._wall), ("event loop's processor time", self._processor)):
            base = taken[self._baseline][warm_up:]
            for name, samples in taken.items():
                own = samples[warm_up:]
                more = percentile([one - other for one, other in zip(own, base, strict=False)], 0.5)
                share = more / percentile(base, 0.5)
                middle = percentile(own, 0.5)
                told[f"{what}, {name}"] = (
                    f"{middle * 1e6:.0f} µs, {more * 1e6:+.0f} µs ({share:+.1%}); "
                    f"p10 {percentile(own, 0.1) * 1e6:.0f} µs, best {min(own) * 1e6:.0f} µs"
                )
        return told


def loop_seconds(pid: int) -> float:
    """Processor time of a process's first thread, to the nanosecond."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


def private_megabytes(pid: int) -> float:
    """Memory that no other process has a part in."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
