"""What sessions used: the same by user, day, tag and session, and what the record and whoever was called say."""

import csv
import io
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import pytest

from belljar.plane.administration.usage import as_csv, report
from belljar.plane.registry.sessions import UsageRow
from belljar.sdk import Belljar
from belljar.wire.administration import UsageGroup
from belljar.wire.sessions import SessionState
from tests.plane.plane import PATIENCE, RunningPlane, boxes_of, running_plane, until

# Sends so many bytes through the box's proxy, reads as many as the other side has, and may stay connected.
PROGRAM = """
import os, socket, sys, urllib.parse
proxy = urllib.parse.urlsplit(os.environ["http_proxy"])
port, count, stays = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "stay"
s = socket.create_connection((proxy.hostname, proxy.port))
s.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
head = b""
while not head.endswith(b"\\r\\n\\r\\n"):
    head += s.recv(1)
s.sendall(b"x" * count)
left = 3 * count
while left:
    left -= len(s.recv(min(left, 65536)))
print("done", flush=True)
if stays:
    s.recv(1)
"""


class Counter:
    """Answers with three bytes for each it gets, and counts both."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.received = self.sent = 0
        self._lock = threading.Lock()

    def serve(self) -> None:
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=[peer], daemon=True).start()

    def _talk(self, peer: socket.socket) -> None:
        with peer:
            while data := peer.recv(65536):
                with self._lock:
                    self.received += len(data)
                    self.sent += 3 * len(data)
                peer.sendall(data * 3)


@contextmanager
def counting() -> Iterator[Counter]:
    counter = Counter()
    thread = threading.Thread(target=counter.serve)
    thread.start()
    yield counter
    counter.listener.shutdown(socket.SHUT_RDWR)
    counter.listener.close()
    thread.join(PATIENCE)


@pytest.fixture
def counter() -> Iterator[Counter]:
    with counting() as running:
        yield running


@contextmanager
def plane_for(counter: Counter, *flags: str) -> Iterator[RunningPlane]:
    with running_plane("--allow", f"127.0.0.1:{counter.port}", *flags) as plane:
        yield plane


def transfer(plane: RunningPlane, session: dict[str, Any], counter: Counter, count: int, how: str = "end") -> None:
    headers = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(base_url=f"{plane.url}/s/{session['id']}", headers=headers, timeout=PATIENCE) as box:
        command = {"command": "python3", "args": ["-c", PROGRAM, str(counter.port), str(count), how]}
        if how == "end":
            done = box.post("/v1/processes/run", json=command)
            assert done.json()["stdout"] == "done\n", done.text
        else:
            started = box.post("/v1/processes", json=command).json()["id"]
            said = f"/v1/processes/{started}/logs"
            until(lambda: "entries" in (found := box.get(said).json()) and found["entries"], what="the transfer")


def recorded(plane: RunningPlane, session: dict[str, Any]) -> tuple[int, int]:
    """Bytes out and in, as the session's record says."""
    with plane.client() as client:
        answer = client.get(f"/api/sessions/{session['id']}/record", params={"kinds": "egress", "limit": 1000})
    ended = [event["data"] for event in answer.json()["events"] if event["name"] == "closed"]
    return sum(one["sent"] for one in ended), sum(one["received"] for one in ended)


def used(plane: RunningPlane, **query: Any) -> dict[str, Any]:
    with plane.client() as client:
        answer = client.get("/api/usage", params={"sessions": "true", "by": ["user", "day", "tag"], **query})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def of(usage: dict[str, Any], session: dict[str, Any]) -> dict[str, Any]:
    [found] = [one for one in usage["sessions"] if one["sessionId"] == session["id"]]
    return dict(found)


def test_it_adds_up_with_the_record_and_with_who_was_called(counter: Counter) -> None:
    """To the second and the byte, with connections that were open at the end."""
    with plane_for(counter) as plane, plane.client() as client:
        ann, bob = plane.new_key("ann"), plane.new_key("bob")
        sessions = [
            plane.create(key=ann, tags={"team": "shop", "run": "1"}),
            plane.create(key=ann, tags={"team": "shop"}),
            plane.create(key=bob, tags={"team": "=HYPERLINK(1)"}),
        ]
        transfer(plane, sessions[0], counter, 1000)
        transfer(plane, sessions[0], counter, 70_001)
        transfer(plane, sessions[1], counter, 12_345, "stay")
        transfer(plane, sessions[2], counter, 7)
        for session in sessions:
            client.delete(f"/api/sessions/{session['id']}")
        usage = used(plane)
        rows = [plane.get(session["id"]) for session in sessions]
        records = [recorded(plane, session) for session in sessions]
        audit = {session["id"]: _span(client, session) for session in sessions}
    total = usage["total"]
    assert (total["egressSent"], total["egressReceived"]) == (counter.received, counter.sent)
    assert total["egressBytes"] == counter.received + counter.sent == 4 * (1000 + 70_001 + 12_345 + 7)
    assert [(of(usage, one)["egressSent"], of(usage, one)["egressReceived"]) for one in sessions] == records
    for row in rows:
        seconds = of(usage, row)["seconds"]
        assert abs(seconds - audit[row["id"]]) < 1, "to the second, as the audit log has it"
    _adds_up(usage)
    tags = {(one["name"], one["value"]): one for one in usage["tags"]}
    assert tags["team", "shop"]["sessions"] == 2 and tags["run", "1"]["egressSent"] == 71_001
    assert [one["userId"] for one in usage["users"]] == ["ann", "bob"]


def _span(client: httpx.Client, session: dict[str, Any]) -> float:
    from datetime import datetime

    found = client.get("/api/audit", params={"session": session["id"]}).json()["events"]
    at = {event["kind"]: datetime.fromisoformat(event["at"]) for event in found}
    return (at["session.stopped"] - at["session.running"]).total_seconds()


def _adds_up(usage: dict[str, Any]) -> None:
    """Whatever it is grouped by."""
    for group in ("users", "days", "sessions"):
        for name in ("seconds", "egressBytes", "egressSent", "egressReceived"):
            in_thousandths = sum(round(one[name] * 1000) for one in usage[group])
            assert in_thousandths == round(usage["total"][name] * 1000), (group, name)
    assert sum(one["sessions"] for one in usage["users"]) == usage["total"]["sessions"] == len(usage["sessions"])


def test_what_a_box_that_was_killed_had_sent_is_in_its_record(counter: Counter) -> None:
    with plane_for(counter) as plane:
        session = plane.create()
        transfer(plane, session, counter, 4321)
        # What was sent is in the record before the box is gone.
        until(lambda: recorded(plane, session) == (4321, 12_963), what="the record")
        for pid in boxes_of(plane.state_dir):
            os.kill(pid, signal.SIGKILL)
        until(lambda: plane.get(session["id"])["state"] == "failed", what="its end")
        found = of(used(plane), session)
        assert (found["egressSent"], found["egressReceived"]) == (4321, 12_963)


def test_a_filter_takes_what_it_names_and_csv_is_the_same(counter: Counter) -> None:
    with plane_for(counter) as plane:
        ann, bob = plane.new_key("ann"), plane.new_key("bob")
        plane.create(key=ann, tags={"team": "a"})
        plane.create(key=bob, tags={"team": "b"})
        assert used(plane, user="ann")["total"]["sessions"] == 1
        assert used(plane, tag="team:b")["users"][0]["userId"] == "bob"
        assert used(plane, until="2001-01-01")["total"]["sessions"] == 0
        assert used(plane, since="2001-01-01T00:00:00Z")["total"]["sessions"] == 2
        with plane.client(ann) as mine:
            assert mine.get("/api/usage", params={"user": "bob"}).json()["users"][0]["userId"] == "ann"
            assert "bob" not in mine.get("/api/usage.csv", params={"by": "user", "user": "bob"}).text
            assert mine.get("/api/usage", params={"tag": "x y"}).json()["code"] == "invalid_request"
            assert mine.get("/api/usage", params={"by": "moon"}).status_code == 400
        with Belljar(plane.url, plane.key) as jar:
            lines = list(csv.DictReader(io.StringIO(jar.records.usage_csv("user"))))
            assert [line["userId"] for line in lines] == ["ann", "bob"]
            found = jar.records.usage(by=["day", "tag"], sessions=True)
            assert len(found.days) == 1 and len(found.sessions) == 2 and found.users == []


def _row(**given: Any) -> UsageRow:
    usual = {"id": "s", "user_id": "u", "state": SessionState.STOPPED, "tags": {}, "created_at": 0.0}
    figures = {"started_at": 0.0, "ended_at": 1.0, "peak_memory": 0, "egress_bytes": 0, "egress_sent": 0}
    return UsageRow(**{**usual, **figures, "egress_received": 0, **given})


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x","y")', "\n=1", " =1", "\ufeff=1", "＝1"],
)
def test_no_cell_of_the_csv_is_a_formula(text: str) -> None:
    rows = [_row(user_id=text, tags={"name": text})]
    for by in UsageGroup:
        for line in csv.reader(io.StringIO(as_csv(report(rows, [by]), by), newline="")):
            assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in line)
    cells = next(csv.DictReader(io.StringIO(as_csv(report(rows, [UsageGroup.TAG]), UsageGroup.TAG), newline="")))
    assert cells["value"] == "'" + text, "and what was meant can be read"


def test_a_hundred_odd_lengths_add_up_to_the_millisecond() -> None:
    rows = [_row(id=str(i), user_id=f"u{i % 7}", ended_at=i * 0.0333333, created_at=i * 5000.0) for i in range(1, 100)]
    found = report(rows, UsageGroup)
    for group in (found.users, found.days, found.sessions):
        assert sum(round(one.seconds * 1000) for one in group) == round(found.total.seconds * 1000)


def test_a_session_that_never_ran_used_nothing() -> None:
    found = report([_row(started_at=None, state=SessionState.FAILED)], [UsageGroup.USER])
    assert found.total.seconds == 0 and found.users[0].sessions == 1
