"""The record of a running box: who called what, in order, on one clock; and what those may read who may only watch."""

import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from belljar.record.segments import Reader
from tests.servers import PATIENCE, TOKEN, RunningBox, running_box


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--jail", "off") as running:
        yield running


def events(http: httpx.Client, **query: Any) -> list[dict[str, Any]]:
    answer = http.get("/v1/events", params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["events"]
    return found


def newest(http: httpx.Client) -> int:
    return int(http.get("/v1/events").json()["newest"])


def test_a_call_is_told_when_it_begins_and_when_it_ends(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        before = time.time_ns() // 1000
        answer = http.post("/v1/processes/run", json={"command": "echo", "args": ["a-word-typed"]})
        after = time.time_ns() // 1000
        begin, end = events(http, since=since, kinds="call")
    assert [begin["name"], end["name"]] == ["runProcess.begin", "runProcess.end"]
    assert begin["actor"] == {"kind": "agent", "via": "rest", "id": "operator"}
    assert begin["requestId"] == end["requestId"] == answer.headers["x-request-id"]
    assert begin["data"] == {"command": "echo", "args": {"type": "array", "length": 1}}
    assert end["data"]["status"] == 200 and end["data"]["ms"] > 0
    # Its end is told when its last byte has been sent: the client may have that already.
    assert before - 5000 <= begin["t"] <= after + 5000
    assert begin["t"] < end["t"]
    assert end["t"] - begin["t"] == end["mono"] - begin["mono"]


def test_a_refused_call_has_its_problem(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        refused = http.get("/v1/processes/proc_none")
        assert refused.status_code == 404
        begin, end = events(http, since=since)
    assert begin["data"] == {"id": "proc_none"}
    assert end["data"]["status"] == 404 and end["data"]["code"] == refused.json()["code"]


def test_what_a_call_may_not_read_is_still_a_call(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        assert http.post("/v1/processes/run", json={"command": 7}).status_code == 422
        assert (
            http.post("/v1/processes/run", content=b"{", headers={"content-type": "application/json"}).status_code
            == 400
        )
        named = [(event["name"], event["data"].get("status")) for event in events(http, since=since)]
    assert named == [
        ("runProcess.begin", None),
        ("runProcess.end", 422),
        ("runProcess.begin", None),
        ("runProcess.end", 400),
    ]


def test_a_body_that_is_not_utf_8_ends_nothing(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        content = b'{"command": "\xff"}'
        refused = http.post("/v1/processes/run", content=content, headers={"content-type": "application/json"})
        assert refused.status_code == 400
        begin, end = events(http, since=since)
        assert begin["data"] == {"bodyBytes": len(content)} and end["data"]["status"] == 400
        assert http.get("/v1/health").status_code == 200


def test_asking_how_the_box_is_leaves_nothing(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        for path in ("/v1/health", "/readyz", "/metrics", "/v1/events", "/nowhere"):
            http.get(path)
        assert httpx.get(f"{box.url}/v1/processes").status_code == 401
        assert events(http, since=since) == []


def test_the_operators_own_doing_is_the_operators(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        token = http.post("/v1/tokens", json={"role": "drive", "name": "ann"}).json()["token"]
        http.get("/v1/processes", headers={"Authorization": f"Bearer {token}"})
        actors = [event["actor"] for event in events(http, since=since)]
        written = http.get("/v1/events", params={"since": since}).text
    assert [actor["kind"] for actor in actors] == ["operator", "operator", "agent", "agent"]
    assert actors[2]["id"] == "ann"
    assert token not in written


def test_numbers_have_no_gaps_when_many_call_at_once(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        with ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(lambda _: http.get("/v1/processes").status_code, range(200)))
        assert statuses == [200] * 200
        found = events(http, since=since, limit=1000)
    assert [event["seq"] for event in found] == list(range(since + 1, since + 401))
    assert [event["mono"] for event in found] == sorted(event["mono"] for event in found)
    begun = [event["requestId"] for event in found if event["name"].endswith("begin")]
    ended = [event["requestId"] for event in found if event["name"].endswith("end")]
    assert sorted(begun) == sorted(ended) and len(set(begun)) == 200


def test_events_are_found_by_kind_actor_time_and_page_by_page(box: RunningBox) -> None:
    with box.client() as http:
        for _ in range(5):
            http.get("/v1/processes")
        everything = events(http, limit=1000)
        assert events(http, kinds="system", limit=1000) == [one for one in everything if one["kind"] == "system"]
        assert events(http, actor="system", limit=1000) == [
            one for one in everything if one["actor"]["kind"] == "system"
        ]
        assert events(http, tab="none") == []
        middle = everything[len(everything) // 2]
        assert events(http, **{"from": middle["t"]}, limit=1000) == [
            one for one in everything if one["t"] >= middle["t"]
        ]
        assert events(http, to=middle["t"], limit=1000) == [one for one in everything if one["t"] <= middle["t"]]
        paged: list[dict[str, Any]] = []
        since, more = 0, True
        while more and len(paged) < 2000:
            page = http.get("/v1/events", params={"since": since, "limit": 7}).json()
            paged += page["events"]
            since, more = page["cursor"], page["more"]
        assert paged == everything


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=x",
        "since=-1",
        "since=1e99",
        "kinds=nonsense",
        "kinds=" + "call," * 200,
        "actor=root",
        "from=-5",
        "to=yesterday",
        "tab=" + "x" * 200,
        "follow=perhaps",
    ],
)
def test_absurd_questions_are_refused_in_words(box: RunningBox, query: str) -> None:
    with box.client() as http:
        answer = http.get(f"/v1/events?{query}")
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json" and answer.json()["detail"]


@pytest.mark.parametrize("query", [f"since={2**63}", f"since={10**30}", f"from={2**70}", "to=0", "kinds=,", "kinds="])
def test_far_away_questions_find_nothing(box: RunningBox, query: str) -> None:
    with box.client() as http:
        answer = http.get(f"/v1/events?{query}")
    assert answer.status_code == 200
    assert answer.json()["events"] == []


def test_who_may_only_watch_reads_what_a_watcher_may(box: RunningBox) -> None:
    with box.client() as http:
        token = http.post("/v1/tokens", json={"role": "view"}).json()["token"]
        http.get("/v1/processes")
        watching = {"Authorization": f"Bearer {token}"}
        found = http.get("/v1/events?limit=1000", headers=watching).json()["events"]
        assert {event["kind"] for event in found} == {"system"}
        asked_for = http.get("/v1/events?kinds=call,network,egress,console", headers=watching)
    assert asked_for.status_code == 200 and asked_for.json()["events"] == []


def test_large_arguments_are_told_by_their_size(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        http.post("/v1/processes/run", json={"command": "true", "args": ["x" * 500_000]})
        http.post("/v1/processes/run", json={f"field{n}": "y" * 100 for n in range(300)})
        http.post("/v1/processes/run", content=b"[" * 40_000, headers={"content-type": "application/json"})
        found = events(http, since=since)
    assert found[0]["data"]["bodyBytes"] > 500_000
    assert all(len(json.dumps(event)) < 6000 for event in found)
    assert len(found) == 6


def test_nothing_is_written_at_none_and_the_chosen_kinds_alone_otherwise() -> None:
    with running_box("--jail", "off", "--record", "none") as silent, silent.client() as http:
        http.get("/v1/processes")
        answer = http.get("/v1/events").json()
        assert answer["events"] == [] and answer["level"] == "none"
    with running_box("--jail", "off", "--record-kind", "system") as chosen, chosen.client() as http:
        http.get("/v1/processes")
        assert [event["name"] for event in events(http)] == ["box.started"]


def test_a_killed_box_loses_a_second_at_most_and_the_next_goes_on_counting(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o711)
    state = ("--state-dir", str(tmp_path / "state"))
    with running_box("--jail", "off", *state) as first, first.client() as http:
        until = time.monotonic() + 2.5
        made = 0
        while time.monotonic() < until:
            http.get("/v1/processes")
            made += 1
        killed_at = time.time_ns() // 1000
        first.process.send_signal(signal.SIGKILL)
        first.process.wait(PATIENCE)
    kept = [json.loads(line) for line in Reader(tmp_path / "state" / "record").lines()]
    assert [event["seq"] for event in kept] == list(range(1, len(kept) + 1))
    # The writer's turn comes each second, and a busy machine gives it a moment later.
    assert killed_at - kept[-1]["t"] < 2_000_000
    assert 0 < len(kept) <= 2 * made + 1
    with running_box("--jail", "off", *state) as second, second.client() as http:
        http.get("/v1/processes")
        everything = events(http, limit=1000, since=len(kept) - 1)
    assert [event["seq"] for event in everything] == list(range(len(kept), len(kept) + 4))
    assert [event["name"] for event in everything][1:] == ["box.started", "listProcesses.begin", "listProcesses.end"]


def test_a_second_box_of_the_same_folder_leaves_the_first_ones_record_alone(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o711)
    state = ("--jail", "off", "--state-dir", str(tmp_path / "state"))
    with running_box(*state) as first, first.client() as http:
        with running_box(*state) as second, second.client() as other:
            assert other.get("/v1/processes").status_code == 200
            assert other.get("/v1/events").json()["level"] == "none"
            assert "record.unavailable" in second.log.read_text()
        http.get("/v1/processes")
        assert len([one for one in events(http) if one["kind"] == "call"]) == 2


def test_a_box_says_when_it_stops(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o711)
    with running_box("--jail", "off", "--state-dir", str(tmp_path / "state")) as running:
        running.terminate()
    last = [json.loads(line) for line in Reader(tmp_path / "state" / "record").lines()][-1]
    assert (last["kind"], last["name"]) == ("system", "box.stopped")
    assert TOKEN not in "".join(map(str, (tmp_path / "state" / "record").iterdir()))
