"""What the gateway carries, whom it lets in, and when it cuts."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.plane.launched import LAUNCHERS, launched_plane
from tests.plane.plane import PATIENCE, RunningPlane, box_process, close_of, running_plane, until

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module", params=LAUNCHERS)
def plane(request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    with launched_plane(request, "--max-sessions-per-user", "50") as running:
        yield running


@pytest.fixture(scope="module")
def session(plane: RunningPlane) -> dict[str, Any]:
    """One for the tests that leave it as it was; what they start in it may run on."""
    return plane.create()


@pytest.fixture
def own_session(plane: RunningPlane) -> Iterator[dict[str, Any]]:
    """One for a test that ends it, uses it up or looks at what it has been doing."""
    made = plane.create()
    try:
        yield made
    finally:
        with plane.client() as client:
            client.delete(f"/api/sessions/{made['id']}")


@pytest.fixture
def box(plane: RunningPlane, session: dict[str, Any]) -> Iterator[httpx.Client]:
    """A client that has the session's own token."""
    headers = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(base_url=session["httpUrl"], headers=headers, timeout=PATIENCE) as client:
        yield client


def terminal_url(plane: RunningPlane, session: dict[str, Any], box: httpx.Client) -> str:
    started = box.post("/v1/processes", json={"command": "cat", "tty": True}).json()
    return f"{session['httpUrl'].replace('http', 'ws')}/v1/processes/{started['id']}/terminal/ws"


def open_terminal(url: str, token: str) -> ClientConnection:
    return connect(url, additional_headers={"Authorization": f"Bearer {token}"}, open_timeout=PATIENCE, proxy=None)


def test_a_token_opens_its_session_and_no_other(plane: RunningPlane, session: dict[str, Any]) -> None:
    other = plane.create()
    with plane.client(session["token"]) as client:
        assert client.get(f"/s/{session['id']}/v1/health").is_success
        assert client.get(f"/s/{other['id']}/v1/health").status_code == 401
        assert client.get("/api/sessions").status_code == 401
        assert client.get("/s/none/v1/health").json()["code"] == "session_not_found"
    with plane.client() as client:
        client.delete(f"/api/sessions/{other['id']}")


def test_large_bodies_pass_in_both_directions(box: httpx.Client) -> None:
    started = box.post("/v1/processes", json={"command": "sha256sum", "interactive": True}).json()
    given = json.dumps({"data": "a" * (4 * MEGABYTE), "encoding": "utf8"}).encode()

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(given), 100_000):
            yield given[start : start + 100_000]

    headers = {"Content-Type": "application/json"}
    assert box.post(f"/v1/processes/{started['id']}/input", content=pieces(), headers=headers).status_code == 413
    file = {"path": "large.json"}
    assert box.put("/v1/fs/file", params=file, content=pieces()).json()["bytesWritten"] == len(given)
    assert box.get("/v1/fs/file", params=file).content == given
    answer = box.post(
        "/v1/processes/run",
        json={"command": "head", "args": ["-c", "700000", "/dev/zero"], "maxOutputBytes": 800_000},
    )
    assert len(answer.json()["stdout"]) == 700_000


def test_a_stream_of_events_comes_as_it_happens(box: httpx.Client) -> None:
    script = "echo one; read line; echo $line"
    started = box.post("/v1/processes", json={"command": "sh", "args": ["-c", script], "interactive": True}).json()
    url = f"/v1/processes/{started['id']}/logs?follow=true"
    with box.stream("GET", url, headers={"Accept": "text/event-stream"}) as stream:
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("data:"))
        box.post(f"/v1/processes/{started['id']}/input", json={"data": "dHdvCg==", "encoding": "base64"})
        assert next(line for line in lines if line.startswith("data:"))


def test_what_a_box_sends_is_shut_into_an_origin_of_its_own(box: httpx.Client) -> None:
    answer = box.get("/v1/health")
    assert answer.headers["content-security-policy"] == "sandbox"
    page = box.get("/view")
    assert page.is_success and "sandbox" not in page.headers["content-security-policy"]
    assert "connection" not in answer.headers and "transfer-encoding" not in answer.headers


def test_the_callers_credential_does_not_reach_the_box(box: httpx.Client, session: dict[str, Any]) -> None:
    forged = {"Belljar-Caller": "operator; root", "X-Forwarded-Prefix": "/evil"}
    assert box.post("/v1/claim", json={"sessionId": "x", "expiresAt": 1}, headers=forged).status_code == 403
    assert box.post("/v1/tokens", json={"role": "drive"}, headers=forged).status_code == 403


def test_a_problem_of_the_box_passes_unchanged(box: httpx.Client) -> None:
    assert box.get("/v1/processes/none").json()["code"] == "not_found"
    assert box.post("/v1/processes", content=b"{", headers={"Content-Type": "application/json"}).status_code == 400
    assert box.head("/v1/health").status_code == 200


def test_a_websocket_passes_both_ways_and_its_refusal_too(
    plane: RunningPlane, session: dict[str, Any], box: httpx.Client
) -> None:
    url = terminal_url(plane, session, box)
    with open_terminal(url, session["token"]) as socket:
        socket.send(json.dumps({"type": "input", "data": "hello through the gateway\n"}))
        seen = b""

        def has_come() -> bool:
            nonlocal seen
            data = socket.recv(PATIENCE)
            seen += data.encode() if isinstance(data, str) else data
            return b"gateway" in seen

        until(has_come, what="the line")
    with pytest.raises(InvalidStatus) as refused:
        open_terminal(url.replace("terminal/ws", "none"), session["token"])
    assert refused.value.response.status_code == 404
    with pytest.raises(InvalidStatus) as unknown:
        open_terminal(url, "wrong")
    assert unknown.value.response.status_code == 401


def test_a_view_token_may_watch_and_change_nothing(plane: RunningPlane, session: dict[str, Any]) -> None:
    with plane.client() as client:
        made = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view", "ttl": 60}).json()
    with plane.client(made["token"]) as viewer:
        assert viewer.get(f"/s/{session['id']}/v1/health").is_success
        assert viewer.post(f"/s/{session['id']}/v1/processes", json={"command": "true"}).status_code == 403
        assert viewer.get(f"/s/{session['id']}/v1/processes").status_code == 403
        for path in ("content", "console", "cookies", "text?selector=script", "snapshot?urls=true"):
            assert viewer.get(f"/s/{session['id']}/v1/browser/{path}").status_code == 403
        # There is no browser; that is told to those who may look at it.
        for path in ("text", "snapshot", "screenshot"):
            assert viewer.get(f"/s/{session['id']}/v1/browser/{path}").status_code == 409


def test_a_file_that_is_called_as_a_lookup_passes_unchanged(box: httpx.Client) -> None:
    content = b"not json, and longer than nothing"
    assert box.put("/v1/fs/file", params={"path": "/workspace/json/list"}, content=content).status_code == 200
    got = box.get("/api/download/json/list")
    assert (got.status_code, got.content) == (200, content)


def test_a_revoked_token_closes_its_connections_and_opens_none(
    plane: RunningPlane, session: dict[str, Any], box: httpx.Client
) -> None:
    url = terminal_url(plane, session, box)
    at = f"/api/sessions/{session['id']}/tokens"
    with plane.client() as client:
        made = client.post(at, json={"role": "drive"}).json()
        with open_terminal(url, made["token"]) as socket, open_terminal(url, session["token"]) as other:
            socket.send(b"x")
            assert client.delete(f"{at}/{made['id']}").is_success
            closed = close_of(socket)
            assert closed.code == 1008 and "revoked" in closed.reason
            other.send(b"still here\n")
        assert [one["revoked"] for one in client.get(at).json()["tokens"] if one["id"] == made["id"]] == [True]
    with plane.client(made["token"]) as client:
        assert client.get(f"/s/{session['id']}/v1/health").status_code == 401


def test_a_revoked_key_closes_its_connections(plane: RunningPlane) -> None:
    with plane.client() as admin:
        made = admin.post("/api/keys", json={"user": "dora"}).json()
        session = plane.create(key=made["key"])
        with httpx.Client(base_url=session["httpUrl"], headers={"Authorization": f"Bearer {made['key']}"}) as box:
            url = terminal_url(plane, session, box)
        with open_terminal(url, made["key"]) as socket:
            admin.delete(f"/api/keys/{made['id']}")
            assert close_of(socket).code == 1008
        admin.delete(f"/api/sessions/{session['id']}")


def test_the_end_of_a_session_closes_its_connections_with_the_reason(plane: RunningPlane) -> None:
    session = plane.create()
    with httpx.Client(base_url=session["httpUrl"], headers={"Authorization": f"Bearer {session['token']}"}) as box:
        url = terminal_url(plane, session, box)
    with plane.client() as client, open_terminal(url, session["token"]) as socket:
        over = client.post(f"/api/sessions/{session['id']}/revoke").json()
        assert (over["state"], over["reason"], over["revoked"]) == ("stopped", "revoked", True)
        assert "revoked" in close_of(socket).reason
    assert httpx.get(f"{session['httpUrl']}/v1/health", headers={"Authorization": f"Bearer {session['token']}"})


def test_a_killed_box_is_unreachable_and_then_crashed(plane: RunningPlane, own_session: dict[str, Any]) -> None:
    os.kill(box_process(own_session["sandboxId"]), signal.SIGKILL)
    with plane.client() as client:
        refused = client.get(f"/s/{own_session['id']}/v1/health")
        # The second once its end was noticed.
        told = (refused.status_code, refused.json()["code"])
        assert told in ((502, "box_unreachable"), (409, "session_over"))
    over = until(lambda: (now := plane.get(own_session["id"]))["state"] == "failed" and now, what="crashed")
    assert over["reason"] == "crashed"
    assert not (plane.state_dir / "boxes" / own_session["sandboxId"]).exists()


def test_a_person_signs_in_with_a_link_once(plane: RunningPlane, own_session: dict[str, Any]) -> None:
    ticket = own_session["connect"]["viewUrl"].partition("#ticket=")[2]
    own = {"Origin": plane.url}
    with httpx.Client(base_url=own_session["httpUrl"], timeout=PATIENCE) as browser:
        assert browser.get("/view").is_success
        assert browser.get("/v1/processes").status_code == 401
        signed = browser.post("/view/session", json={"ticket": ticket}, headers=own)
        assert signed.json()["role"] == "drive"
        cookie = signed.headers["set-cookie"]
        assert (
            f"Path=/s/{own_session['id']}/" in cookie and "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        )
        assert browser.get("/v1/processes").is_success
        assert browser.post("/v1/processes", json={"command": "true"}).status_code == 403
        assert browser.post("/v1/processes", json={"command": "true"}, headers=own).is_success
    assert httpx.post(f"{own_session['httpUrl']}/view/session", json={"ticket": ticket}, headers=own).status_code == 401


def test_pages_of_other_origins_are_refused(plane: RunningPlane, session: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {session['token']}"}
    for origin in ("https://evil.example", "null"):
        refused = httpx.get(f"{session['httpUrl']}/v1/health", headers=headers | {"Origin": origin})
        assert refused.status_code == 403 and refused.json()["code"] == "foreign_origin"


def test_activity_is_noted_and_idleness_asked_of_the_box(plane: RunningPlane) -> None:
    session = plane.create(idleTimeout=2)
    began = time.monotonic()
    with plane.client(session["token"]) as client:
        while time.monotonic() - began < 4:
            assert client.get(f"/s/{session['id']}/v1/processes").is_success
            time.sleep(0.3)
    over = until(lambda: (now := plane.get(session["id"]))["state"] == "stopped" and now, what="idle")
    assert over["reason"] == "idle"


def test_whoever_only_knows_the_id_keeps_no_session_from_being_idle(
    plane: RunningPlane, own_session: dict[str, Any]
) -> None:
    before = plane.get(own_session["id"])["lastActivity"]
    assert httpx.get(f"{own_session['httpUrl']}/view/main.js").status_code == 200
    assert httpx.get(f"{own_session['httpUrl']}/view/nothing").status_code == 401
    assert plane.get(own_session["id"])["lastActivity"] == before


@pytest.mark.parametrize("counts", [False, True])
def test_a_stream_that_is_only_watched_counts_if_it_shall(plane: RunningPlane, counts: bool) -> None:
    with ExitStack() as stack:
        if counts:
            plane = stack.enter_context(running_plane("--watching-counts"))
        session = plane.create(idleTimeout=2)
        headers = {"Authorization": f"Bearer {session['token']}"}
        with httpx.Client(base_url=session["httpUrl"], headers=headers, timeout=PATIENCE) as box:
            watched = stack.enter_context(open_terminal(terminal_url(plane, session, box), session["token"]))
        if counts:
            # Twice what it may be idle: it is the passing of time that must do nothing.
            time.sleep(4)
            assert plane.get(session["id"])["state"] == "running"
            watched.close()
        else:
            assert close_of(watched).reason == "session over: idle"
        over = until(lambda: (now := plane.get(session["id"]))["state"] == "stopped" and now, what="idle")
        assert over["reason"] == "idle"
