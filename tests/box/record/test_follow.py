"""Following the record: what is there, then what comes, and after a cut neither less nor twice."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest

from tests.servers import PATIENCE, RunningBox, running_box


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--jail", "off") as running:
        yield running


def followed(http: httpx.Client, count: int, last: int | None = None, **query: Any) -> list[dict[str, Any]]:
    """The next `count` events of a stream, which is cut then."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    found: list[dict[str, Any]] = []
    with http.stream("GET", "/v1/events", params={"follow": "true", **query}, headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("id: "):
                number = int(line.removeprefix("id: "))
            elif line.startswith("data: "):
                found.append(json.loads(line.removeprefix("data: ")))
                assert found[-1]["seq"] == number
                if len(found) == count:
                    break
    return found


def newest(http: httpx.Client) -> int:
    return int(http.get("/v1/events").json()["newest"])


def test_a_follower_is_told_what_was_and_then_what_comes(box: RunningBox) -> None:
    with box.client() as http, box.client() as other:
        since = newest(http)
        other.post("/v1/events/marks", json={"text": "before"})
        later = threading.Timer(0.3, lambda: other.post("/v1/events/marks", json={"text": "after"}))
        later.start()
        marks = followed(http, 2, since=since, kinds="mark")
        later.join(PATIENCE)
    assert [mark["data"]["mark"] for mark in marks] == ["before", "after"]


def test_resuming_after_every_cut_loses_and_doubles_nothing(box: RunningBox) -> None:
    with box.client() as http, box.client() as other:
        since = newest(http)
        total = 60

        def act() -> None:
            for n in range(total):
                assert other.post("/v1/events/marks", json={"text": f"mark {n}"}).status_code == 200

        acting = threading.Thread(target=act)
        acting.start()
        seen: list[dict[str, Any]] = []
        last = since
        while len(seen) < total:
            seen += followed(http, min(7, total - len(seen)), last, kinds="mark")
            last = seen[-1]["seq"]
        acting.join(PATIENCE)
        kept = http.get("/v1/events", params={"since": since, "kinds": "mark", "limit": 1000}).json()["events"]
    assert seen == kept
    assert [one["data"]["mark"] for one in seen] == [f"mark {n}" for n in range(total)]


@pytest.mark.parametrize("strange", ["-1", "x", "1e9", "9" * 400, "", "０"])
def test_a_strange_last_event_id_is_the_beginning(box: RunningBox, strange: str) -> None:
    with box.client() as http:
        headers = {b"Last-Event-ID": strange.encode()}
        with http.stream("GET", "/v1/events?follow=true", headers=headers) as stream:
            ids = (line for line in stream.iter_lines() if line.startswith("id: "))
            assert next(ids) == "id: 1"


def test_a_stream_of_the_past_ends(box: RunningBox) -> None:
    with box.client() as http:
        assert http.get("/v1/events", params={"follow": "true", "to": 5}).text == ":\n\n"


def test_a_watchers_stream_of_what_it_may_not_read_ends(box: RunningBox) -> None:
    with box.client() as http:
        token = http.post("/v1/tokens", json={"role": "view"}).json()["token"]
        watching = {"Authorization": f"Bearer {token}"}
        assert http.get("/v1/events?follow=true&kinds=call,network", headers=watching).text == ":\n\n"
        assert http.post("/v1/events/marks", json={"text": "x"}, headers=watching).status_code == 403


def test_followers_are_told_of_the_end_by_its_end() -> None:
    with running_box("--jail", "off") as ending, ending.client() as http:
        with http.stream("GET", "/v1/events?follow=true") as stream:
            lines = stream.iter_lines()
            assert "box.started" in next(line for line in lines if line.startswith("data: "))
            ending.process.terminate()
            assert "event:" not in "".join(lines)
        assert ending.process.wait(PATIENCE) == 0


def test_who_begins_to_follow_as_the_box_ends_is_told_what_was() -> None:
    with running_box("--jail", "off") as ending, ending.client() as http:
        with http.stream("GET", "/v1/events?follow=true") as stream:
            ending.process.terminate()
            assert "box.started" in "".join(stream.iter_text())
        assert ending.process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "body", [{}, {"text": ""}, {"text": "   "}, {"text": "x" * 501}, {"text": 7}, {"text": "a", "b": 1}]
)
def test_a_mark_is_a_few_words(box: RunningBox, body: dict[str, Any]) -> None:
    with box.client() as http:
        assert http.post("/v1/events/marks", json=body).status_code == 422


def test_a_mark_stands_in_the_record_with_who_made_it(box: RunningBox) -> None:
    with box.client() as http:
        since = newest(http)
        answer = http.post("/v1/events/marks", json={"text": "  checkout begins "})
        [mark] = http.get("/v1/events", params={"since": since, "kinds": "mark"}).json()["events"]
    assert mark["data"] == {"mark": "checkout begins"} and mark["t"] == answer.json()["t"]
    assert mark["actor"] == {"kind": "agent", "via": "rest", "id": "operator"}
    assert mark["requestId"] == answer.headers["x-request-id"]
