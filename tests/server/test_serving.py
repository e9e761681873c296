"""What goes over the wire, and when."""

import json
import signal
import socket
import subprocess
import sys
from contextlib import closing

import httpx2 as httpx
import pytest

from tests.servers import PATIENCE, RunningBox


def first_bytes(box: RunningBox, request: str) -> bytes:
    """What one read finds of the answer."""
    with closing(socket.create_connection(("127.0.0.1", box.port), timeout=PATIENCE)) as connection:
        connection.sendall(
            f"{request} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {box.token}\r\n\r\n".encode()
        )
        return connection.recv(65536)


def test_an_answer_leaves_in_one_piece(box: RunningBox) -> None:
    head, _, body = first_bytes(box, "GET /v1/processes/config").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200") and body.endswith(b"}")


def test_a_head_without_a_body_is_not_kept(box: RunningBox) -> None:
    assert first_bytes(box, "HEAD /v1/health").startswith(b"HTTP/1.1 200")


def test_the_head_of_a_stream_that_has_nothing_to_say_yet_is_not_kept(box: RunningBox, http: httpx.Client) -> None:
    id = http.post("/v1/processes", json={"command": "cat"}).json()["id"]
    assert first_bytes(box, f"GET /v1/processes/{id}/logs?follow=true").startswith(b"HTTP/1.1 200")
    http.post(f"/v1/processes/{id}/kill?waitMs=5000")


def test_a_request_that_is_not_over_when_the_server_must_end_is_cut_off() -> None:
    """What became of it nobody could say, so no status is made up for it."""
    program = """
import anyio, sys
from belljar.server.serving import bind, serve

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})
        return
    print("asked", flush=True)
    await anyio.sleep_forever()

listener = bind("127.0.0.1", 0)
say = lambda: print(listener.getsockname()[1], flush=True)
sys.exit(0 if serve(app, listener, on_listening=say, on_stopping=lambda: None, drain=1) else 1)
"""
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        with closing(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert server.stdout.readline() == "asked\n"
            server.send_signal(signal.SIGTERM)
            assert connection.recv(65536) == b""
        _, err = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0 and "Traceback" not in err


KEY, VERSION = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"


@pytest.mark.parametrize(
    ("method", "lines", "status"),
    [
        ("GET", [KEY], 400),
        ("GET", [VERSION], 400),
        ("POST", [KEY, VERSION], 400),
        ("GET", ["Sec-WebSocket-Key: abc", VERSION], 400),
        ("GET", ["Sec-WebSocket-Key: !!!!", VERSION], 400),
        ("GET", [KEY, "Sec-WebSocket-Version: 8"], 400),
        ("GET", [KEY, VERSION, "Sec-WebSocket-Protocol: @@ , ,"], 400),
        ("GET", [KEY, VERSION, "Origin: http://localhost", "Origin: http://localhost"], 400),
        ("GET", [KEY, VERSION, "X-Name: " + "a" * 10_000], 431),
        ("GET", [KEY, VERSION, *[f"X-{number}: a" for number in range(200)]], 431),
        ("GET", [KEY, VERSION, "Origin: http://elsewhere.example"], 403),
        ("GET", [KEY, VERSION, "Authorization: Bearer wrong"], 401),
    ],
    ids=lambda value: str(value[-1])[:40] if isinstance(value, list) else str(value),
)
def test_a_handshake_is_refused_with_a_problem_and_no_line_of_an_error(
    box: RunningBox, method: str, lines: list[str], status: int
) -> None:
    logged = len(box.log.read_text())
    token = [] if "Bearer" in lines[-1] else [f"Authorization: Bearer {box.token}"]
    head = [f"{method} /v1/live HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket", *token]
    with closing(socket.create_connection(("127.0.0.1", box.port), timeout=PATIENCE)) as connection:
        connection.sendall("\r\n".join([*head, *lines, "", ""]).encode())
        said = b""
        while chunk := connection.recv(65536):
            said += chunk
    answer, _, body = said.partition(b"\r\n\r\n")
    assert int(answer.split()[1]) == status
    assert b"content-type: application/problem+json" in answer.lower()
    assert (json.loads(body)["status"], bool(json.loads(body)["detail"])) == (status, True)
    # Served after it: all there is to log about the one before has been.
    with box.client() as client:
        client.get("/healthz").raise_for_status()
    written = [json.loads(line) for line in box.log.read_text()[logged:].splitlines()]
    assert not [line for line in written if line["level"] == "error"]
