"""A CDP call through the gateway beside the same call to a box's own relay."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx
import msgspec
from websockets.asyncio.client import connect

from benchmarks.harness import Action, Benchmark, Contender, run
from tests.plane.plane import running_plane
from tests.servers import running_box


@asynccontextmanager
async def _calling(url: str, token: str) -> AsyncIterator[Action]:
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(url, additional_headers=headers, compression=None, max_size=None, proxy=None) as socket:
        number = 0

        async def call() -> None:
            nonlocal number
            number += 1
            await socket.send(msgspec.json.encode({"id": number, "method": "Browser.getVersion"}).decode())
            answer: dict[str, Any] = {}
            while answer.get("id") != number:
                answer = msgspec.json.decode(await socket.recv())

        yield call


@asynccontextmanager
async def to_the_box() -> AsyncIterator[Action]:
    with running_box() as box:
        async with httpx.AsyncClient(headers=box.headers, timeout=60) as client:
            started = await client.post(box.url + "/v1/browser/start", json={"headless": True})
            assert started.is_success, started.text
        async with _calling(started.json()["cdpUrl"], box.token) as call:
            yield call


@asynccontextmanager
async def through_the_gateway() -> AsyncIterator[Action]:
    with running_plane() as plane:
        session = await anyio.to_thread.run_sync(lambda: plane.create(mode="browser", headless=True))
        async with _calling(session["cdpUrl"], session["token"]) as call:
            yield call


BENCHMARK = Benchmark(
    "gateway_cdp",
    baseline="box's relay",
    contenders=[Contender("box's relay", to_the_box), Contender("through the gateway", through_the_gateway)],
    rounds=2000,
    quick_rounds=300,
    warm_up=50,
)

if __name__ == "__main__":
    run(BENCHMARK)
