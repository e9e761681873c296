"""The price of the record: seconds a frame for one viewer of a moving page, in boxes that write down more or less.

The second "none" is another box without a record: what it differs by is noise.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import box_with_page, watch_frames

WINDOW = 2.0


def recorded(name: str, level: str) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        async with box_with_page("--log-level", "warning", "--record", level) as box:

            async def watch() -> Took:
                took, _ = await watch_frames(box, 1, WINDOW)
                key = f"{name}, best frames a second"
                BENCHMARK.notes[key] = max(float(BENCHMARK.notes.get(key, 0)), round(1 / took, 1))
                return Took(took)

            yield watch

    return Contender(name, set_up)


BENCHMARK = Benchmark(
    "record_frames",
    baseline="none",
    contenders=[
        recorded("none", "none"),
        recorded("none again", "none"),
        recorded("actions", "actions"),
        recorded("content", "content"),
    ],
    rounds=12,
    quick_rounds=3,
    warm_up=1,
    limit=180,
)

if __name__ == "__main__":
    run(BENCHMARK)
