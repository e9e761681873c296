"""Sessions over the API, as their users meet them."""

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx
import pytest

from belljar.plane import kernel
from tests.plane.launched import LAUNCHERS, launched_plane
from tests.plane.plane import RunningPlane, box_process, boxes_of, until


@pytest.fixture(scope="module", params=LAUNCHERS)
def plane(request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    with launched_plane(request, "--max-sessions-per-user", "50", "--max-ttl", "5000") as running:
        yield running


@pytest.fixture
def http(plane: RunningPlane) -> Iterator[httpx.Client]:
    with plane.client() as client:
        yield client


def test_a_session_from_creation_to_its_end(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create(id="first", tags={"team": "a"}, metadata={"job": 7})
    assert session["state"] == "running" and session["userId"] == "admin" and session["revoked"] is False
    assert session["httpUrl"] == f"{plane.url}/s/first"
    assert session["cdpUrl"].startswith("ws://") and session["viewUrl"].endswith("/s/first/view")
    assert session["expiresAt"] > session["createdAt"] and session["sandboxId"].startswith("b-")
    assert http.get("/s/first/v1/health").json()["status"] == "ok"
    shown = http.get("/api/sessions/first").json()
    assert "token" not in shown and shown["metadata"] == {"job": 7}
    over = http.delete("/api/sessions/first").json()
    assert (over["state"], over["reason"]) == ("stopped", "released")
    again = http.delete("/api/sessions/first")
    assert again.status_code == 200 and again.json()["endedAt"] == over["endedAt"]
    refused = http.get("/s/first/v1/health")
    assert refused.status_code == 409 and refused.json()["code"] == "session_over"
    assert refused.json()["reason"] == "released"


def test_nothing_of_an_ended_session_is_left(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create()
    assert http.post(f"/s/{session['id']}/v1/processes", json={"command": "sleep", "args": ["1000"]}).is_success
    http.delete(f"/api/sessions/{session['id']}")
    assert [pid for pid in boxes_of(plane.state_dir) if session["sandboxId"] in str(pid)] == []
    assert not (plane.state_dir / "boxes" / session["sandboxId"]).exists()
    logs = http.get(f"/api/sessions/{session['id']}/logs")
    assert "http.request" in logs.text
    assert session["token"] not in logs.text


def test_without_waiting_the_answer_comes_before_the_box(plane: RunningPlane, http: httpx.Client) -> None:
    answer = http.post("/api/sessions?wait=false", json={"mode": "none"})
    assert answer.status_code == 202
    id = answer.json()["id"]
    until(lambda: plane.get(id)["state"] == "running", what="running")
    assert http.get(f"/s/{id}/v1/health").is_success
    http.delete(f"/api/sessions/{id}")


def test_a_session_can_be_ended_while_it_starts(plane: RunningPlane, http: httpx.Client) -> None:
    id = http.post("/api/sessions?wait=false", json={"mode": "none"}).json()["id"]
    over = http.delete(f"/api/sessions/{id}").json()
    assert over["state"] == "stopped"
    until(lambda: over.get("sandboxId", "none") not in " ".join(map(str, (plane.state_dir / "boxes").iterdir())))


def test_a_box_that_cannot_be_told_of_new_times_is_said_so(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create()
    pids = [one.pid for one in kernel.tree([box_process(session["sandboxId"])])]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        answer = http.patch(f"/api/sessions/{session['id']}", json={"ttl": 600})
        assert (answer.status_code, answer.json()["code"]) == (504, "box_timeout")
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
    assert http.patch(f"/api/sessions/{session['id']}", json={"ttl": 600}).status_code == 200
    http.delete(f"/api/sessions/{session['id']}")


def test_an_id_is_taken_once(plane: RunningPlane, http: httpx.Client) -> None:
    plane.create(id="mine")
    refused = http.post("/api/sessions", json={"id": "mine", "mode": "none"})
    assert refused.status_code == 409 and refused.json()["code"] == "session_exists"
    http.delete("/api/sessions/mine")
    assert http.post("/api/sessions", json={"id": "Not An Id"}).status_code == 422


def test_asking_twice_with_one_idempotency_key_makes_one_session(http: httpx.Client) -> None:
    headers = {"Idempotency-Key": "order-1"}
    first = http.post("/api/sessions", json={"mode": "none"}, headers=headers)
    second = http.post("/api/sessions", json={"mode": "none"}, headers=headers)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"] and "token" not in second.json()
    other = http.post("/api/sessions", json={"mode": "none", "ttl": 5}, headers=headers)
    assert other.status_code == 409
    http.delete(f"/api/sessions/{first.json()['id']}")


def test_of_two_that_ask_at_once_with_one_key_both_get_the_same_session(plane: RunningPlane) -> None:
    def ask(_: int) -> httpx.Response:
        with plane.client() as client:
            return client.post("/api/sessions", json={"mode": "none"}, headers={"Idempotency-Key": "twins"})

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    [id] = {answer.json()["id"] for answer in answers}
    with plane.client() as client:
        client.delete(f"/api/sessions/{id}")


def test_tags_filter_page_and_end_many(plane: RunningPlane, http: httpx.Client) -> None:
    ids = [plane.create(tags={"run": "r1", "n": str(n)})["id"] for n in range(3)]
    found = http.get("/api/sessions", params={"tag": "run:r1", "limit": 2}).json()
    assert [one["id"] for one in found["sessions"]] == [ids[2], ids[1]]
    rest = http.get("/api/sessions", params={"tag": "run:r1", "limit": 2, "after": found["next"]}).json()
    assert [one["id"] for one in rest["sessions"]] == [ids[0]] and "next" not in rest
    assert http.get("/api/sessions", params={"tag": ["run:r1", "n:1"]}).json()["sessions"][0]["id"] == ids[1]
    assert http.delete("/api/sessions").status_code == 400
    removed = http.delete("/api/sessions", params={"tag": "run:r1"}).json()["removed"]
    assert sorted(removed) == sorted(ids)
    states = {one["state"] for one in http.get("/api/sessions", params={"tag": "run"}).json()["sessions"]}
    assert states == {"stopped"}
    assert http.get("/api/sessions", params={"tag": "run", "state": "running"}).json()["sessions"] == []


def test_patch_moves_the_end_of_session_and_box(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create(ttl=600, tags={"a": "1", "b": "2"})
    at = f"/api/sessions/{session['id']}"
    patched = http.patch(at, json={"ttl": 1200, "idleTimeout": 77, "tags": {"a": None, "c": "3"}}).json()
    assert patched["expiresAt"] > session["expiresAt"] and patched["idleTimeout"] == 77
    assert patched["tags"] == {"b": "2", "c": "3"}
    assert http.get(f"/s/{session['id']}/v1/health").json()["expiresAt"] == patched["expiresAt"]
    assert http.patch(at, json={"ttl": 5001}).status_code == 400
    http.delete(at)
    assert http.patch(at, json={"ttl": 5}).json()["code"] == "session_over"


def test_events_tell_a_sessions_whole_life(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create()
    http.delete(f"/api/sessions/{session['id']}")
    with http.stream("GET", f"/api/sessions/{session['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = list(stream.iter_lines())
    events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    kinds = [event["kind"] for event in events if event["kind"].startswith("session.")]
    assert kinds == [f"session.{state}" for state in ("pending", "starting", "running", "stopping", "stopped")]
    assert events[-1]["detail"] == {"reason": "released"}
    headers = {"Last-Event-ID": str(events[-2]["id"])}
    rest = http.get(f"/api/sessions/{session['id']}/events", headers=headers).text
    assert rest.count("data: ") == 1 and "session.stopped" in rest


def test_users_see_only_what_is_theirs(plane: RunningPlane, http: httpx.Client) -> None:
    ann, bob = plane.new_key("ann"), plane.new_key("bob")
    session = plane.create(key=ann)
    at = f"/api/sessions/{session['id']}"
    with plane.client(bob) as other:
        assert other.get("/api/sessions").json()["sessions"] == []
        for refused in (
            other.get(at),
            other.delete(at),
            other.patch(at, json={"ttl": 5}),
            other.post(at + "/tokens", json={}),
            other.get(at + "/logs"),
            other.get(at + "/events"),
            other.get(f"/s/{session['id']}/v1/health"),
        ):
            assert refused.status_code == 404 and refused.json()["code"] == "session_not_found"
        assert other.delete("/api/sessions", params={"tag": "x"}).json()["removed"] == []
        for forbidden in (other.get("/api/keys"), other.get("/api/audit"), other.get("/metrics")):
            assert forbidden.status_code == 403
    assert http.get(at).json()["userId"] == "ann"
    assert [one["userId"] for one in http.get("/api/sessions", params={"user": "ann"}).json()["sessions"]] == ["ann"]
    assert http.delete(at).json()["reason"] == "evicted", "an admin took it away"


def test_keys_end_when_they_are_revoked(plane: RunningPlane, http: httpx.Client) -> None:
    made = http.post("/api/keys", json={"user": "carol", "name": "laptop", "maxTtl": 60}).json()
    with plane.client(made["key"]) as carol:
        assert carol.get("/api/me").json() == {
            "user": "carol",
            "role": "user",
            "keyId": made["id"],
            "egress": "off",
        }
        assert carol.post("/api/sessions", json={"mode": "none", "ttl": 61}).status_code == 400
        listed = [one for one in http.get("/api/keys").json()["keys"] if one["id"] == made["id"]]
        assert listed[0]["name"] == "laptop" and "key" not in listed[0]
        assert http.delete(f"/api/keys/{made['id']}").is_success
        assert carol.get("/api/me").status_code == 401
    assert http.delete("/api/keys/none").json()["code"] == "key_not_found"
    kinds = {event["kind"] for event in http.get("/api/audit").json()["events"]}
    assert {"key.made", "key.revoked", "session.running", "token.made"} <= kinds


def test_without_a_key_there_is_nothing(plane: RunningPlane) -> None:
    for path in ("/api/sessions", "/api/keys", "/metrics", "/openapi.json", "/api/none", "/s/first/v1/health"):
        refused = httpx.get(plane.url + path)
        assert refused.status_code == 401, path
        assert refused.headers["content-type"] == "application/problem+json"
    assert httpx.get(plane.url + "/healthz").text == "ok"
    is_ready, warning = httpx.get(plane.url + "/readyz").text.splitlines()
    assert is_ready == "ok" and warning.startswith("no jail")


def test_metrics_and_usage(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create()
    http.delete(f"/api/sessions/{session['id']}")
    text = http.get("/metrics").text
    assert 'belljar_sessions_ended_total{reason="released"}' in text
    assert "belljar_session_create_seconds_count" in text and "belljar_gateway_bytes_total" in text
    usage = http.get("/api/usage", params={"sessions": True}).json()
    mine = [one for one in usage["sessions"] if one["sessionId"] == session["id"]]
    assert mine[0]["seconds"] > 0 and mine[0]["peakMemoryMb"] > 10
    assert [one["userId"] for one in usage["users"]].count("admin") == 1


def test_log_lines_name_the_session_and_not_the_user(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create(key=plane.new_key("somebody-special"))
    http.get(f"/s/{session['id']}/v1/health")

    def lines() -> list[dict[str, Any]]:
        whole = plane.log.read_text().rpartition("\n")[0].splitlines()
        return [
            line
            for line in map(json.loads, whole)
            if line.get("route", "").startswith("/s/") and line.get("session_id") == session["id"]
        ]

    # It is written once the answer is out.
    carried = until(lines, what="the line")
    assert carried[0]["sandbox_id"] == session["sandboxId"] and "duration_ms" in carried[0]
    text = plane.log.read_text()
    assert "somebody-special" not in text and session["token"] not in text and plane.key not in text
    http.delete(f"/api/sessions/{session['id']}")


@pytest.fixture(scope="module")
def unchanged(plane: RunningPlane) -> Iterator[dict[str, Any]]:
    """A session for tests that only look at it, or are refused what they want of it."""
    session = plane.create()
    yield session
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").is_success


def test_addresses_in_answers_are_the_callers(
    plane: RunningPlane, http: httpx.Client, unchanged: dict[str, Any]
) -> None:
    session = unchanged
    port = plane.url.rpartition(":")[2]
    shown = http.get(f"/api/sessions/{session['id']}", headers={"Host": f"localhost:{port}"}).json()
    assert shown["httpUrl"].startswith(f"http://localhost:{port}/s/")
    lied = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    assert "evil" not in http.get(f"/api/sessions/{session['id']}", headers=lied).text


@pytest.mark.parametrize(
    "wanted",
    [
        '{"idleTimeout": 2147483648}',
        '{"idleTimeout": 9223372036854775807}',
        '{"idleTimeout": 99999999999999999999999}',
        '{"metadata": {"a": 1e999}}',
        '{"metadata": {"a": [{"b": "\\ud800"}]}}',
        '{"metadata": {"\\u0000": 1}}',
        '{"tags": {"a": "\\u0000"}}',
        json.dumps({"metadata": {"a": "x" * 16 * 1024}}),
    ],
)
def test_what_could_not_be_kept_or_told_is_refused(http: httpx.Client, unchanged: dict[str, Any], wanted: str) -> None:
    """A time without a date once made every list of sessions fail, the admin's included."""
    is_json = {"Content-Type": "application/json"}
    changed = http.patch(f"/api/sessions/{unchanged['id']}", content=wanted, headers=is_json)
    assert changed.status_code == 422, changed.text
    created = http.post("/api/sessions?wait=false", content=wanted, headers=is_json)
    assert created.status_code == 422, created.text
    assert http.get("/api/sessions").status_code == 200


def test_the_longest_idle_timeout_has_a_date(plane: RunningPlane, http: httpx.Client) -> None:
    session = plane.create(idleTimeout=2**31 - 1)
    assert http.get(f"/api/sessions/{session['id']}").json()["idleTimeoutAt"] > session["expiresAt"]
    http.delete(f"/api/sessions/{session['id']}")


@pytest.mark.parametrize(
    "query", ["tag=%00", 'tag=a"b', "tag=a:%00", "tag=", "after=1.0_%00", "after=nan_x", "after=1"]
)
def test_what_no_tag_or_page_can_be_is_refused_before_the_database(http: httpx.Client, query: str) -> None:
    refused = http.get(f"/api/sessions?{query}")
    assert refused.status_code == 400, refused.text
