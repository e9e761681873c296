"""Starting and stopping, over and over: nothing may be left behind."""

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2 as httpx
import pytest

from belljar.box.app import create_app
from belljar.box.settings import BoxSettings
from belljar.tokens import Keys
from tests.processes import eventually
from tests.servers import PATIENCE, running_box

PR_SET_CHILD_SUBREAPER = 36

LEAVE_A_GRANDCHILD = {"command": "sh", "args": ["-c", "setsid sleep 1000 & sleep 1000"]}


@pytest.fixture
def orphans_come_here() -> Iterator[None]:
    """Whatever a server leaves behind becomes a child of this process, and so is found."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    yield
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def descriptors() -> set[str]:
    found = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            found.add(f"{number} {os.readlink(f'/proc/self/fd/{number}')}")
        except FileNotFoundError:
            continue  # the one that lists the others
    return found


def start_use_and_stop() -> None:
    with running_box() as box:
        with box.client() as client:
            for _ in range(3):
                assert client.post("/v1/processes", json=LEAVE_A_GRANDCHILD).is_success
        assert box.terminate() == 0


@pytest.mark.parametrize("times", [3, pytest.param(50, marks=pytest.mark.soak)])
def test_a_server_leaves_no_process(orphans_come_here: None, times: int) -> None:
    before = children()
    for _ in range(times):
        start_use_and_stop()
        assert children() == before


def test_a_killed_server_leaves_no_process(orphans_come_here: None) -> None:
    before = children()
    with running_box() as box:
        with box.client() as client:
            assert client.post("/v1/processes", json=LEAVE_A_GRANDCHILD).is_success
        box.process.kill()
        box.process.wait(PATIENCE)
    reap_until(before)


def reap_until(expected: set[str]) -> None:
    """The starter outlives its server by the moment it needs to kill and reap; what it leaves comes here as it ends."""

    def reaped() -> bool:
        for pid in children() - expected:
            os.waitpid(int(pid), os.WNOHANG)
        return children() == expected

    eventually(reaped, "the end of all that was started")


@pytest.mark.parametrize("times", [5, pytest.param(50, marks=pytest.mark.soak)])
async def test_the_parts_leave_no_descriptor(tmp_path: Path, times: int) -> None:
    async def once() -> None:
        application = create_app(BoxSettings(state_dir=tmp_path), Keys(None)).app
        async with anyio.create_task_group() as tasks:
            await running(application, tasks)

    await once()
    before = descriptors()
    for _ in range(times):
        await once()
    assert descriptors() == before


async def running(application: object, tasks: anyio.abc.TaskGroup) -> None:
    """Start the application's parts as a server does, make one request, and stop them again."""
    to_app, from_server = anyio.create_memory_object_stream[dict[str, object]](1)
    from_app, to_server = anyio.create_memory_object_stream[dict[str, object]](1)
    state: dict[str, object] = {}
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": state}

    async def serve() -> None:
        await application(scope, from_server.receive, from_app.send)  # type: ignore[operator]

    async with to_app, from_server, from_app, to_server:
        tasks.start_soon(serve)
        await to_app.send({"type": "lifespan.startup"})
        assert (await to_server.receive())["type"] == "lifespan.startup.complete"
        transport = httpx.ASGITransport(Stateful(application, state))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.post("/v1/processes/run", json={"command": "echo", "args": ["hello"]})
            assert answer.json()["stdout"] == "hello\n"
        await to_app.send({"type": "lifespan.shutdown"})
        assert (await to_server.receive())["type"] == "lifespan.shutdown.complete"


class Stateful:
    """Gives requests the lifespan's state, as a server does."""

    def __init__(self, application: object, state: dict[str, object]) -> None:
        self._application = application
        self._state = state

    async def __call__(self, scope: dict[str, object], receive: object, send: object) -> None:
        await self._application({**scope, "state": dict(self._state)}, receive, send)  # type: ignore[operator]
