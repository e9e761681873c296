"""A session from the warm pool, its browser up, over each launcher."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2 as httpx

from benchmarks.harness import Action, Benchmark, Took, run
from benchmarks.launchers import over_each_launcher, until_full

POOL = 2


@asynccontextmanager
async def from_the_pool(client: httpx.AsyncClient) -> AsyncIterator[Action]:
    async def create() -> Took:
        """Only the creation counts."""
        await until_full(client, POOL)
        began = time.perf_counter()
        answer = await client.post("/api/sessions", json={})
        took = time.perf_counter() - began
        assert answer.status_code == 201, answer.text
        await client.delete(f"/api/sessions/{answer.json()['id']}")
        return Took(took)

    yield create


BENCHMARK = Benchmark(
    "launchers_pool",
    baseline="local",
    contenders=over_each_launcher(from_the_pool, "--pool-size", str(POOL)),
    rounds=30,
    quick_rounds=10,
    warm_up=1,
    limit=600,
    action_limit=120,
)

if __name__ == "__main__":
    run(BENCHMARK)
