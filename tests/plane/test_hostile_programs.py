"""Hostile programs in sessions whose boxes are in containers and in Pods: the same tests as of a box's own jail."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.sandbox.test_hostile import (
    test_it_cannot_change_the_system,
    test_it_cannot_end_nor_trace_the_first_process,
    test_it_cannot_look_there,
    test_it_has_no_rights_and_a_filter,
    test_it_makes_no_program_that_runs_as_somebody_else,
    test_it_reaches_no_socket_of_the_host,
    test_it_sees_itself_alone,
    test_it_sees_nothing_of_the_state_that_servers_keep,
    test_the_browser_is_adequately_sandboxed,
    test_the_kernel_refuses,
    test_using_everything_up_leaves_the_server_and_other_boxes_answering,
    test_whatever_it_can_write_to_has_a_size,
)
from tests.plane.launched import LAUNCHERS, launched_plane
from tests.plane.plane import JAILED, PATIENCE, RunningPlane

__all__ = [
    "test_it_cannot_change_the_system",
    "test_it_cannot_end_nor_trace_the_first_process",
    "test_it_cannot_look_there",
    "test_it_has_no_rights_and_a_filter",
    "test_it_makes_no_program_that_runs_as_somebody_else",
    "test_it_reaches_no_socket_of_the_host",
    "test_it_sees_itself_alone",
    "test_it_sees_nothing_of_the_state_that_servers_keep",
    "test_the_browser_is_adequately_sandboxed",
    "test_the_kernel_refuses",
    "test_using_everything_up_leaves_the_server_and_other_boxes_answering",
    "test_whatever_it_can_write_to_has_a_size",
]
# The local launcher's boxes are those of the tests' own module.
LIMITS = {"memoryMb": 512, "processes": 256}


@dataclass(frozen=True)
class Jailed:
    """A session, as the tests of a box see theirs."""

    plane: RunningPlane
    session: dict[str, Any]

    @property
    def port(self) -> int:
        return int(self.plane.url.rpartition(":")[2])

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.session['token']}"}
        return httpx.Client(base_url=self.session["httpUrl"], headers=headers, timeout=PATIENCE)


@pytest.fixture(scope="module", params=LAUNCHERS[1:])
def plane(request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    with launched_plane(request, "--jail", "require", usual=JAILED) as running:
        yield running


@pytest.fixture(scope="module")
def jailed(plane: RunningPlane) -> Jailed:
    return Jailed(plane, plane.create(limits=LIMITS, idleTimeout=0, ttl=3600))


@pytest.fixture
def http(jailed: Jailed) -> Iterator[httpx.Client]:
    with jailed.client() as client:
        yield client


@pytest.fixture(scope="module")
def second(plane: RunningPlane) -> Iterator[httpx.Client]:
    with Jailed(plane, plane.create(idleTimeout=0, ttl=3600)).client() as client:
        yield client


def test_health_says_what_holds(http: httpx.Client) -> None:
    isolation = http.get("/v1/health").json()["isolation"]
    assert isolation["jail"] is True and isolation["network"] == "namespace" and isolation["egress"] == "public"
    assert "reason" not in isolation and isolation["memoryLimit"] == "container"
