"""Starting and stopping, over and over: nothing may be left behind."""

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from belljar.tokens import Caller, Keys, Role
from tests.inprocess import running_application
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
        async with running_application(tmp_path, Keys(None)) as application:
            ran = await application.box(Caller(Role.OPERATOR, "operator")).processes.run("echo", ["hello"])
            assert ran.stdout == "hello\n"

    await once()
    before = descriptors()
    for _ in range(times):
        await once()
    assert descriptors() == before
