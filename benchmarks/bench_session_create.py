"""A session from the warm pool, its browser up, beside one whose box is started for it."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from tests.plane.plane import PATIENCE, RunningPlane, running_plane

POOL = 3


async def _create_and_end(client: httpx.AsyncClient, **wanted: Any) -> Took:
    """Only the creation counts."""
    began = time.perf_counter()
    answer = await client.post("/api/sessions", json=wanted)
    took = time.perf_counter() - began
    assert answer.status_code == 201, answer.text
    await client.delete(f"/api/sessions/{answer.json()['id']}")
    return Took(took)


def _client(plane: RunningPlane) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {plane.key}"}
    return httpx.AsyncClient(base_url=plane.url, headers=headers, timeout=PATIENCE)


async def _warm(client: httpx.AsyncClient) -> int:
    text = (await client.get("/metrics")).text
    lines = [line for line in text.splitlines() if line.startswith("belljar_pool_warm ")]
    return int(float(lines[0].split()[1])) if lines else 0


async def until_full(client: httpx.AsyncClient, size: int = POOL) -> None:
    """Across processes there is nothing to wait on, so it asks again."""
    for _ in range(1200):
        if await _warm(client) == size:
            return
        await anyio.sleep(0.1)
    raise TimeoutError("the pool does not fill up")


@asynccontextmanager
async def from_the_pool() -> AsyncIterator[Action]:
    with running_plane("--pool-size", str(POOL)) as plane:
        async with _client(plane) as client:

            async def create() -> Took:
                await until_full(client)
                return await _create_and_end(client)

            yield create


@asynccontextmanager
async def started_for_it() -> AsyncIterator[Action]:
    with running_plane() as plane:
        async with _client(plane) as client:

            async def create() -> Took:
                return await _create_and_end(client)

            yield create


BENCHMARK = Benchmark(
    "session_create",
    baseline="started for it",
    contenders=[Contender("started for it", started_for_it), Contender("from the pool", from_the_pool)],
    rounds=40,
    quick_rounds=10,
    warm_up=1,
    limit=300,
    action_limit=60,
)

if __name__ == "__main__":
    run(BENCHMARK)
