"""Clients as the control plane sees them: those that go away, those of a proxy, and pages of another origin."""

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import httpx2 as httpx
import pytest

from tests.plane.plane import PATIENCE, RunningPlane, running_plane, until

WEBSOCKET = (
    "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
# What one client of the proxy may have open.
MOST = 3
ORIGIN = "https://app.example"


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    flags = ("--trusted-proxy", "127.0.0.1", "--max-connections-per-address", str(MOST), "--cors-origin", ORIGIN)
    with running_plane(*flags) as running:
        yield running


@pytest.fixture(scope="module")
def session(plane: RunningPlane) -> dict[str, Any]:
    return plane.create()


@pytest.fixture(scope="module")
def talking(session: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The ids of two programs that write all the time, the second on a terminal."""
    token = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(base_url=session["httpUrl"], headers=token, timeout=PATIENCE) as box:
        loop = {"command": "sh", "args": ["-c", "while :; do echo hello; sleep 0.05; done"]}
        ids = {
            "pid": box.post("/v1/processes", json=loop).json()["id"],
            "tty": box.post("/v1/processes", json={**loop, "tty": True}).json()["id"],
        }
        yield ids
        for id in ids.values():
            box.post(f"/v1/processes/{id}/kill").raise_for_status()


def connected(plane: RunningPlane) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(plane.url.rpartition(":")[2])), timeout=PATIENCE)


def requests_over(plane: RunningPlane) -> int:
    return plane.log.read_text().count('"http.request"')


@pytest.mark.parametrize("is_reset", [False, True])
@pytest.mark.parametrize(
    ("request_line", "more", "is_begun"),
    [
        ("GET /s/{id}/v1/processes/{pid}/logs?follow=true", "", True),
        ("GET /s/{id}/v1/processes/{tty}/terminal/ws", "websocket", True),
        ("GET /s/{id}/v1/live", "websocket", True),
        ("POST /s/{id}/v1/processes", "Content-Length: 100\r\n\r\n{", False),
        ("PUT /s/{id}/v1/fs/file?path=/workspace/x", "Content-Length: 100000\r\n\r\nx", False),
        ("PUT /s/{id}/v1/fs/file?path=/workspace/x", "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", False),
        ("POST /s/{id}/view/session", "Content-Length: 100\r\n\r\n{", False),
        ("POST /api/sessions", "Content-Length: 100\r\n\r\n{", False),
        ("POST /mcp", "Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{", False),
    ],
)
def test_a_client_that_hangs_up_is_no_error(
    plane: RunningPlane,
    session: dict[str, Any],
    talking: dict[str, str],
    request_line: str,
    more: str,
    is_begun: bool,
    is_reset: bool,
) -> None:
    if more == "websocket":
        more = WEBSOCKET
    token = plane.key if "/s/" not in request_line else session["token"]
    line = request_line.format(id=session["id"], **talking)
    known = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
    head = f"{line} HTTP/1.1\r\n{known}Content-Type: application/json\r\n{more}"
    before = requests_over(plane)
    with closing(connected(plane)) as connection:
        if is_reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall((head if "\r\n\r\n" in head else head + "\r\n").encode())
        if is_begun:
            assert connection.recv(500)
    until(lambda: requests_over(plane) > before, what="the end of the request")
    logs = [plane.log, *plane.state_dir.glob("boxes/*/log")]
    assert [line for log in logs for line in log.read_text().splitlines() if "Traceback" in line] == []


def stream(plane: RunningPlane, session: dict[str, Any], pid: str, client: str) -> socket.socket:
    """A request that does not end, for a client of the proxy."""
    connection = connected(plane)
    connection.sendall(
        f"GET /s/{session['id']}/v1/processes/{pid}/logs?follow=true HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {session['token']}\r\nX-Forwarded-For: 198.51.100.1, {client}\r\n\r\n".encode()
    )
    return connection


def test_behind_a_proxy_the_address_it_forwards_for_counts(plane: RunningPlane, session: dict[str, Any]) -> None:
    token = {"Authorization": f"Bearer {session['token']}"}
    with ExitStack() as stack:
        box = stack.enter_context(httpx.Client(base_url=session["httpUrl"], headers=token, timeout=PATIENCE))
        pid = box.post("/v1/processes", json={"command": "cat", "interactive": True}).json()["id"]

        def ask(client: str) -> httpx.Response:
            return box.get("/v1/health", headers={"X-Forwarded-For": f"192.0.2.99, {client}"})

        streams = [stack.enter_context(closing(stream(plane, session, pid, "192.0.2.1"))) for _ in range(MOST)]
        for one in streams:
            assert one.recv(500).startswith(b"HTTP/1.1 200")
        refused = ask("192.0.2.1")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_connections")
        assert refused.headers["retry-after"] == "1"
        # The proxy's other clients, and its own requests, have nothing to do with it.
        assert ask("192.0.2.2").is_success and box.get("/v1/health").is_success
        streams[0].close()
        until(lambda: ask("192.0.2.1").is_success, what="room for another")


def test_answers_of_the_control_plane_are_not_sniffed_or_kept(plane: RunningPlane, session: dict[str, Any]) -> None:
    with plane.client() as client:
        for path in ("/api/sessions", "/api/none", f"/s/{session['id']}/v1/health", f"/s/{session['id']}/none"):
            said = client.get(path)
            assert said.headers.get_list("x-content-type-options") == ["nosniff"]
            assert said.headers.get_list("cache-control") == ["no-store"]
        assert client.get("/").headers["cache-control"] == "no-cache"


def test_a_head_that_does_not_come_ends_the_connection() -> None:
    with running_plane("--head-timeout", "1") as plane, closing(connected(plane)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: ")
        assert connection.recv(500) == b""


def test_a_refusal_does_not_read_the_body_to_its_end(plane: RunningPlane, session: dict[str, Any]) -> None:
    piece = b"x" * 1024 * 1024
    for path, token, status in (
        (f"/s/{session['id']}/v1/processes", "wrong", 401),
        (f"/s/{session['id']}/v1/processes", session["token"], 413),
        ("/api/sessions", "wrong", 413),
    ):
        sent, said = 0, b""
        with closing(connected(plane)) as connection:
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {100 * len(piece)}\r\n\r\n"
            connection.sendall(head.encode())
            try:
                for _ in range(100):
                    connection.sendall(piece)
                    sent += 1
            except (BrokenPipeError, ConnectionResetError):
                pass
            while b"}" not in said:
                said += connection.recv(65536)
        assert json.loads(said.partition(b"\r\n\r\n")[2])["status"] == status
        assert sent < 40


def test_a_page_of_an_allowed_origin_can_read_why_it_is_refused(plane: RunningPlane, session: dict[str, Any]) -> None:
    """A fetch whose answer it may not read is to a page as if nobody were there."""
    refused = {
        f"/s/{session['id']}/v1/control": (401, "token_invalid"),
        "/s/none/v1/control": (404, "session_not_found"),
        "/api/sessions": (401, "token_invalid"),
        "/api/sessions/none": (401, "token_invalid"),
    }
    for path, expected in refused.items():
        answer = httpx.get(plane.url + path, headers={"Authorization": "Bearer wrong", "Origin": ORIGIN})
        assert (answer.status_code, answer.json()["code"]) == expected, path
        assert answer.headers.get("access-control-allow-origin") == ORIGIN, path
        assert answer.headers["x-request-id"]
    foreign = httpx.get(plane.url + "/api/sessions", headers={"Origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["code"]) == (403, "foreign_origin")
    assert "access-control-allow-origin" not in foreign.headers
