"""A viewer that stops reading, beside one that does not: the other's frames, memory, and what standing still costs."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from websockets.asyncio.client import connect

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import box_with_page, cpu_seconds, resident_mb, script, seconds_per_frame, watching
from tests.servers import RunningBox

# The box takes a viewer for dead that answers no ping for 40 seconds; until then it stays connected.
WINDOW = 60.0


@asynccontextmanager
async def stalled_viewer(box: RunningBox) -> AsyncIterator[None]:
    """Connected, and reads nothing: the library stops taking bytes when its small buffer is full."""
    address = box.url.replace("http", "ws") + "/v1/live"
    async with connect(
        address, additional_headers=box.headers, max_size=None, max_queue=1, ping_interval=None, close_timeout=0.1
    ) as socket:
        await socket.send(json.dumps({"type": "ping", "t": 1}))
        yield


def contender(name: str, *, is_beside_stalled: bool) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        async with box_with_page() as box:
            if not is_beside_stalled:
                await _note_stillness(name, box)

            async def watch() -> Took:
                async with AsyncExitStack() as stack:
                    watcher = await stack.enter_async_context(watching(box))
                    await watcher.call("evaluate", expression="go()")
                    await seconds_per_frame(lambda: watcher.frames, 2.0)
                    before = resident_mb(box.process.pid)
                    if is_beside_stalled:
                        await stack.enter_async_context(stalled_viewer(box))
                    took = await seconds_per_frame(lambda: watcher.frames, WINDOW)
                    grown = resident_mb(box.process.pid) - before
                    key = f"{name}, most growth of the server in {WINDOW:.0f} s, MB"
                    BENCHMARK.notes[key] = round(max(float(BENCHMARK.notes.get(key, 0)), grown), 1)
                    await watcher.call("evaluate", expression="halt()")
                return Took(took)

            yield watch
            BENCHMARK.notes[f"{name}, server at the end, MB"] = resident_mb(box.process.pid)

    return Contender(name, set_up)


async def _note_stillness(name: str, box: RunningBox) -> None:
    """Processor time of the server and of all it started, in percent of a core, while nothing moves."""
    script(box, "halt()")
    # A Chromium that has just started has things of its own to do.
    await anyio.sleep(8)
    BENCHMARK.notes[f"{name}, still, no viewer, % of a core"] = await _percent(box)
    async with watching(box):
        await anyio.sleep(2)
        BENCHMARK.notes[f"{name}, still, one viewer, % of a core"] = await _percent(box)


async def _percent(box: RunningBox) -> float:
    before, began = cpu_seconds(box.process.pid), time.perf_counter()
    await anyio.sleep(5)
    return round((cpu_seconds(box.process.pid) - before) / (time.perf_counter() - began) * 100, 1)


BENCHMARK = Benchmark(
    "live_stalled",
    baseline="alone",
    contenders=[
        contender("alone", is_beside_stalled=False),
        contender("beside a stalled viewer", is_beside_stalled=True),
    ],
    rounds=2,
    quick_rounds=1,
    warm_up=0,
    limit=300,
    action_limit=90,
)

if __name__ == "__main__":
    run(BENCHMARK)
