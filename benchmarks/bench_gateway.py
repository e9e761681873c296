"""A request through the gateway beside the same request to the box directly, over its own socket and over TCP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Upstream
from benchmarks.harness import Action, Benchmark, Contender, run
from tests.plane.plane import RunningPlane, running_plane
from tests.servers import running_box

PATH = "/v1/health"


@asynccontextmanager
async def to_the_box() -> AsyncIterator[Action]:
    """`belljar box` on a TCP port, as one without a control plane is used."""
    with running_box("--log-format", "json") as box:
        async with Upstream() as upstream:
            address = Address(host="127.0.0.1", port=box.port)

            async def ask() -> None:
                answer = await upstream.request(address, "GET", PATH, token=box.token)
                assert answer.status == 200

            yield ask


@asynccontextmanager
async def through_the_gateway() -> AsyncIterator[Action]:
    with running_plane("--jail", "off") as plane:
        session = await anyio.to_thread.run_sync(plane.create)
        async with Upstream() as upstream:
            address = _address(plane)
            path = f"/s/{session['id']}{PATH}"

            async def ask() -> None:
                answer = await upstream.request(address, "GET", path, token=session["token"])
                assert answer.status == 200

            yield ask


def _address(plane: RunningPlane) -> Address:
    return Address(host="127.0.0.1", port=int(plane.url.rpartition(":")[2]))


BENCHMARK = Benchmark(
    "gateway",
    baseline="box directly",
    contenders=[Contender("box directly", to_the_box), Contender("through the gateway", through_the_gateway)],
    rounds=2000,
    quick_rounds=300,
    warm_up=50,
)

if __name__ == "__main__":
    run(BENCHMARK)
