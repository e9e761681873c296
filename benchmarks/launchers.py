"""Control planes over each launcher, for benchmarks that put them side by side: processes, containers and Pods.

The engine and the cluster are the tests' own: containers are really an engine's, but Pods are started by a kubelet that
does less than a real one, so what a Pod's start takes says little.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import httpx2 as httpx
import pytest

from benchmarks.harness import Action, Contender, Took, Unavailable
from tests.plane.cluster.running import running_cluster
from tests.plane.engine import running_engine
from tests.plane.launched import docker_flags, kubernetes_flags
from tests.plane.plane import JAILED, PATIENCE, RunningPlane, running_plane, state_folder

# What is timed, given a client of a control plane.
Measured = Callable[[httpx.AsyncClient], AbstractAsyncContextManager[Action]]


def over_each_launcher(measured: Measured, *flags: str) -> list[Contender]:
    """The first is the baseline."""

    def contender(name: str) -> Contender:
        @asynccontextmanager
        async def set_up() -> AsyncIterator[Action]:
            with _plane(name, flags) as plane:
                headers = {"Authorization": f"Bearer {plane.key}"}
                async with (
                    httpx.AsyncClient(base_url=plane.url, headers=headers, timeout=2 * PATIENCE) as client,
                    measured(client) as action,
                ):
                    yield action

        return Contender(name, set_up)

    return [contender(name) for name in ("local", "docker", "kubernetes")]


@asynccontextmanager
async def creating_sessions(client: httpx.AsyncClient, *, pool: int = 0) -> AsyncIterator[Action]:
    """A session is created, which alone counts, and deleted; each when as many boxes as `pool` says are warm."""

    async def create() -> Took:
        if pool:
            await until_full(client, pool)
        began = time.perf_counter()
        answer = await client.post("/api/sessions", json={})
        took = time.perf_counter() - began
        assert answer.status_code == 201, answer.text
        await client.delete(f"/api/sessions/{answer.json()['id']}")
        return Took(took)

    yield create


async def until_full(client: httpx.AsyncClient, size: int) -> None:
    """Across processes there is nothing to wait on, so it asks again."""
    for _ in range(1200):
        if f"belljar_pool_warm {size}.0" in (await client.get("/metrics")).text:
            return
        await anyio.sleep(0.1)
    raise TimeoutError("the pool does not fill up")


@contextmanager
def _plane(launcher: str, flags: tuple[str, ...]) -> Iterator[RunningPlane]:
    try:
        with state_folder() as state, _flags_of(launcher, state) as own:
            with running_plane(*own, *flags, usual=JAILED, state_dir=state) as plane:
                yield plane
    except pytest.skip.Exception as error:
        raise Unavailable(str(error)) from error


@contextmanager
def _flags_of(launcher: str, state: Path) -> Iterator[tuple[str, ...]]:
    if launcher == "docker":
        with running_engine() as engine:
            yield docker_flags(engine)
    elif launcher == "kubernetes":
        with running_cluster(state) as cluster:
            yield kubernetes_flags(cluster)
    else:
        yield ()
