"""Commands on an animated page, watched and not: `execute` over REST with nobody there, and with a viewer streaming."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx2 as httpx

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import box_with_page, watching

BATCH = 50
# Before each batch: the page is in full motion, and watched if it is.
SETTLE = 0.5


@asynccontextmanager
async def unwatched() -> AsyncIterator[Action]:
    async with box_with_page() as box, httpx.AsyncClient(base_url=box.url, headers=box.headers, timeout=30) as client:
        yield lambda: _batch(client)


@asynccontextmanager
async def watched() -> AsyncIterator[Action]:
    async with box_with_page() as box, httpx.AsyncClient(base_url=box.url, headers=box.headers, timeout=30) as client:
        async with watching(box) as watcher:

            async def batch() -> Took:
                before = watcher.frames
                took = await _batch(client)
                assert watcher.frames > before
                return took

            yield batch


async def _batch(client: httpx.AsyncClient) -> Took:
    """The page moves while its turn lasts only, so that contenders do not take the cores from each other."""
    await client.post("/v1/browser/execute", json={"expression": "go()"})
    await anyio.sleep(SETTLE)
    began = time.perf_counter()
    for _ in range(BATCH):
        answer = await client.post("/v1/browser/execute", json={"expression": "document.title"})
        assert answer.json()["result"] == "Moving"
    took = (time.perf_counter() - began) / BATCH
    await client.post("/v1/browser/execute", json={"expression": "halt()"})
    return Took(took)


BENCHMARK = Benchmark(
    "live_commands",
    baseline="unwatched",
    contenders=[Contender("unwatched", unwatched), Contender("watched", watched)],
    rounds=40,
    quick_rounds=8,
    warm_up=2,
)

if __name__ == "__main__":
    run(BENCHMARK)
