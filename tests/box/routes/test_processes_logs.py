"""Logs and following them, over HTTP."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.routes.test_processes import create, exited
from tests.processes import eventually, open_descriptors
from tests.servers import RunningBox


def entries(http: httpx.Client, id: str, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = http.get(f"/v1/processes/{id}/logs", params=query).json()["entries"]
    return found


def text(found: list[dict[str, Any]]) -> str:
    return b"".join(base64.b64decode(entry["data"]) for entry in found).decode(errors="replace")


@contextmanager
def following(http: httpx.Client, id: str, **query: Any) -> Iterator[Iterator[dict[str, Any]]]:
    headers = query.pop("headers", {})
    with http.stream("GET", f"/v1/processes/{id}/logs", params={"follow": "true", **query}, headers=headers) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-cache"
        yield events(stream)


def events(stream: httpx.Response) -> Iterator[dict[str, Any]]:
    event: dict[str, str] = {}
    for line in stream.iter_lines():
        if not line and event:
            assert event["event"] == "log"
            entry = json.loads(event["data"])
            assert int(event["id"]) == entry["sequence"]
            yield entry
            event = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            event[name] = value


def three_lines(http: httpx.Client) -> str:
    """A process that wrote three chunks, one of them to stderr, and waits for more."""
    id: str = create(http, "sh", "-c", "echo one; echo two >&2; cat")["id"]
    eventually(lambda: len(entries(http, id)) == 2, "two chunks")
    http.post(f"/v1/processes/{id}/input", json={"data": "three\n", "encoding": "text"})
    eventually(lambda: len(entries(http, id)) == 3, "three chunks")
    return id


def test_an_entry_is_a_chunk_with_a_sequence(http: httpx.Client) -> None:
    id = three_lines(http)
    answer = http.get(f"/v1/processes/{id}/logs").json()
    assert (answer["processId"], answer["stream"]) == (id, "combined")
    assert [entry["sequence"] for entry in answer["entries"]] == [1, 2, 3]
    last = answer["entries"][-1]
    assert last.pop("timestampMs") > 1_700_000_000_000
    data = base64.b64encode(b"three\n").decode()
    assert last == {"sequence": 3, "stream": "stdout", "data": data, "encoding": "base64"}


def test_stream_since_and_tail(http: httpx.Client) -> None:
    id = three_lines(http)
    assert text(entries(http, id, stream="stderr")) == "two\n"
    assert text(entries(http, id, stream="stdout")) == "one\nthree\n"
    assert text(entries(http, id, since=2)) == "three\n"
    assert text(entries(http, id, tail=1)) == "three\n"
    assert entries(http, id, tail=0) == []
    assert entries(http, id, stream="pty") == []


@pytest.mark.parametrize("query", ["stream=both", "tail=-1", "since=x", "follow=yes", "follow=1"])
def test_a_bad_query_is_a_400(http: httpx.Client, query: str) -> None:
    id = create(http, "true")["id"]
    answer = http.get(f"/v1/processes/{id}/logs?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")


def test_a_terminal_has_a_stream_of_its_own(http: httpx.Client) -> None:
    id = create(http, "echo", "hello", tty=True)["id"]
    exited(http, id)
    assert http.get(f"/v1/processes/{id}/logs").json()["stream"] == "pty"
    # Its end is not an output error.
    assert text(entries(http, id)) == "hello\r\n"
    assert entries(http, id, stream="combined") == []


def test_invalid_utf8_is_kept_as_it_was_written(http: httpx.Client) -> None:
    id = create(http, "printf", r"\377\376")["id"]
    exited(http, id)
    assert base64.b64decode(entries(http, id)[0]["data"]) == b"\xff\xfe"


def test_following_replays_goes_on_and_ends_with_the_record(http: httpx.Client) -> None:
    id = three_lines(http)
    with following(http, id, tail=1) as stream:
        assert text([next(stream)]) == "three\n"
        http.post(f"/v1/processes/{id}/input", json={"data": "four\n", "encoding": "text"})
        assert text([next(stream)]) == "four\n"
        http.post(f"/v1/processes/{id}/kill")
        http.delete(f"/v1/processes/{id}")
        assert list(stream) == []


def test_following_goes_on_where_it_was(http: httpx.Client) -> None:
    id = three_lines(http)
    with following(http, id, headers={"Last-Event-ID": "2"}) as stream:
        assert next(stream)["sequence"] == 3
    with following(http, id, since=1) as stream:
        assert next(stream)["sequence"] == 2
    with following(http, id, headers={"Last-Event-ID": "nonsense"}) as stream:
        assert next(stream)["sequence"] == 1


def test_following_takes_the_token_in_the_address(box: RunningBox, http: httpx.Client) -> None:
    id = three_lines(http)
    address = f"{box.url}/v1/processes/{id}/logs?follow=true&access_token={box.token}"
    with httpx.stream("GET", address, headers={"Accept": "text/event-stream"}) as stream:
        assert next(events(stream))["sequence"] == 1
    assert box.token not in box.log.read_text()


def test_a_client_that_vanishes_while_following_leaves_nothing(box: RunningBox, http: httpx.Client) -> None:
    id = three_lines(http)
    eventually(lambda: http.get("/v1/health").is_success)
    before = open_descriptors(box.process.pid)
    for _ in range(20):
        with box.client() as other, following(other, id) as stream:
            next(stream)
    eventually(lambda: open_descriptors(box.process.pid) <= before, "the descriptors of those who left")


def test_a_stopping_server_ends_its_streams() -> None:
    from tests.servers import running_box

    with running_box() as box, box.client() as http:
        id = create(http, "sleep", "600")["id"]
        with http.stream("GET", f"/v1/processes/{id}/logs?follow=true") as stream:
            box.process.terminate()
            assert [line for line in stream.iter_lines() if line] == []
        assert box.process.wait(20) == 0
        assert "Traceback" not in box.log.read_text()
