"""Frames of a 1280×720 animated page: seconds for each, at one viewer and at each of four, beside bare screencast."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import bare_page, bare_screencast, box_with_page, seconds_per_frame, watch_frames

WINDOW = 2.0


def note(name: str, seconds: float) -> Took:
    """Frames a second are what people know."""
    key = f"{name}, best frames a second"
    BENCHMARK.notes[key] = max(float(BENCHMARK.notes.get(key, 0)), round(1 / seconds, 1))
    return Took(seconds)


@asynccontextmanager
async def bare() -> AsyncIterator[Action]:
    async with bare_page() as page:
        frames = 0

        def seen(data: str) -> None:
            nonlocal frames
            frames += 1

        async def watch() -> Took:
            await page.session.send("Runtime.evaluate", expression="go()")
            async with bare_screencast(page, seen):
                took = await seconds_per_frame(lambda: frames, WINDOW)
            await page.session.send("Runtime.evaluate", expression="halt()")
            return note("bare screencast", took)

        yield watch


def viewers(count: int) -> Contender:
    name = "one viewer" if count == 1 else f"each of {count} viewers"

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        async with box_with_page() as box:

            async def watch() -> Took:
                took, drawn = await watch_frames(box, count, WINDOW)
                BENCHMARK.notes[f"{name}, frames the page drew in all"] = drawn
                return note(name, took)

            yield watch

    return Contender(name, set_up)


BENCHMARK = Benchmark(
    "live_frames",
    baseline="bare screencast",
    contenders=[Contender("bare screencast", bare), viewers(1), viewers(4)],
    rounds=12,
    quick_rounds=3,
    warm_up=1,
    limit=240,
)

if __name__ == "__main__":
    run(BENCHMARK)
