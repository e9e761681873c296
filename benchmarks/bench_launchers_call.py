"""A call to a session's box through the gateway, over each launcher: a socket here, one in a shared folder, and TCP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2 as httpx

from benchmarks.harness import Action, Benchmark, run
from benchmarks.launchers import over_each_launcher


@asynccontextmanager
async def through_the_gateway(client: httpx.AsyncClient) -> AsyncIterator[Action]:
    session = (await client.post("/api/sessions", json={"mode": "none"})).json()
    headers = {"Authorization": f"Bearer {session['token']}"}

    async def ask() -> None:
        answer = await client.get(f"/s/{session['id']}/v1/health", headers=headers)
        assert answer.status_code == 200, answer.text

    yield ask


BENCHMARK = Benchmark(
    "launchers_call",
    baseline="local",
    contenders=over_each_launcher(through_the_gateway),
    rounds=1000,
    quick_rounds=300,
    warm_up=50,
)

if __name__ == "__main__":
    run(BENCHMARK)
