"""Who did it: an agent by REST or by MCP, a person by their tools or over the live socket."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.box.live.client import token_for, watching
from tests.servers import RunningBox, running_box

KEY = "k" * 20


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--jail", "off") as running:
        yield running


def calls(box: RunningBox, since: int) -> list[dict[str, Any]]:
    with box.client() as http:
        found: list[dict[str, Any]] = http.get("/v1/events", params={"since": since, "kinds": "call"}).json()["events"]
        return [event for event in found if event["name"].endswith(".begin")]


def newest(box: RunningBox) -> int:
    with box.client() as http:
        return int(http.get("/v1/events").json()["newest"])


def test_a_persons_own_tools_and_commands_are_the_persons(box: RunningBox) -> None:
    ann = token_for(box, "drive", name="ann")
    since = newest(box)
    with watching(box, token=ann, viewer=KEY) as live, box.client() as http:
        live.event("ready")
        as_ann = {"Authorization": f"Bearer {ann}"}
        http.get("/v1/processes", headers=as_ann | {"Belljar-Viewer": KEY}).raise_for_status()
        http.get("/v1/processes", headers=as_ann).raise_for_status()
        http.get("/v1/processes", headers=as_ann | {"Belljar-Viewer": "somebody-else-entirely"}).raise_for_status()
        live.refused("click", selector="#nowhere")
    actors = [(event["name"], event["actor"]) for event in calls(box, since)]
    assert actors == [
        ("listProcesses.begin", {"kind": "viewer", "via": "rest", "id": "ann"}),
        ("listProcesses.begin", {"kind": "agent", "via": "rest", "id": "ann"}),
        ("listProcesses.begin", {"kind": "agent", "via": "rest", "id": "ann"}),
        ("browserClick.begin", {"kind": "viewer", "via": "live", "id": "ann"}),
    ]


def test_each_command_of_a_socket_has_a_request_id_of_its_own(box: RunningBox) -> None:
    since = newest(box)
    with watching(box) as live:
        for _ in range(2):
            live.refused("click", selector="#nowhere")
    ids = [event["requestId"] for event in calls(box, since)]
    assert len(set(ids)) == 2


def test_what_an_agent_does_by_mcp_is_told_apart(box: RunningBox) -> None:
    since = newest(box)
    params = {"name": "console", "arguments": {}}
    with box.client() as http:
        headers = {"Accept": "application/json, text/event-stream"}
        listed = http.post("/mcp", json={"jsonrpc": "2.0", "id": 0, "method": "tools/list"}, headers=headers)
        assert listed.status_code == 200
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = http.post("/mcp", json=message, headers=headers)
    assert answer.status_code == 200, answer.text
    actors = [event["actor"] for event in calls(box, since)]
    assert actors and all(actor == {"kind": "agent", "via": "mcp", "id": "operator"} for actor in actors), answer.text
