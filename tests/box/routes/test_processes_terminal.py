"""The terminal WebSocket, as a client meets it."""

import json
import time
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.box.routes.test_processes import create, info
from tests.processes import PATIENCE
from tests.servers import RunningBox


def terminal(box: RunningBox, id: str, **options: Any) -> ClientConnection:
    address = f"ws://127.0.0.1:{box.port}/v1/processes/{id}/terminal/ws?access_token={box.token}"
    connection: ClientConnection = connect(address, **options)
    return connection


def status(socket: ClientConnection) -> dict[str, Any]:
    """The next text frame."""
    end = time.monotonic() + PATIENCE
    while isinstance(frame := socket.recv(timeout=PATIENCE), bytes):
        assert time.monotonic() < end, "nothing but output"
    message: dict[str, Any] = json.loads(frame)
    return message


def shown(socket: ClientConnection, until: str) -> str:
    """What the terminal shows, up to and with `until`."""
    seen = b""
    end = time.monotonic() + PATIENCE
    while until.encode() not in seen:
        assert time.monotonic() < end, f"no {until} in {seen[-200:]!r}"
        frame = socket.recv(timeout=PATIENCE)
        assert isinstance(frame, bytes), frame
        seen += frame
    return seen.decode()


def send(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def test_input_output_resize_and_exit(box: RunningBox, http: httpx.Client) -> None:
    id = create(http, "sh", tty=True)["id"]
    with terminal(box, id) as socket:
        assert status(socket) == {"type": "ready", "processId": id}
        send(socket, type="input", data="stty size\n")
        shown(socket, "24 80")
        send(socket, type="resize", cols=100, rows=30)
        send(socket, type="input", data="c3R0eSBzaXplCg==", encoding="base64")
        shown(socket, "30 100")
        send(socket, type="input", data="exit 9\n", encoding="utf8")
        assert status(socket) == {"type": "exit", "exitCode": 9}
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)


def test_a_killed_program_has_a_null_code(box: RunningBox, http: httpx.Client) -> None:
    id = create(http, "sleep", "600", tty=True)["id"]
    with terminal(box, id) as socket:
        status(socket)
        http.post(f"/v1/processes/{id}/kill")
        assert status(socket) == {"type": "exit", "exitCode": None}


def test_one_that_has_ended_is_ready_and_over(box: RunningBox, http: httpx.Client) -> None:
    id = create(http, "sh", tty=True)["id"]
    http.post(f"/v1/processes/{id}/kill")
    with terminal(box, id) as socket:
        assert [status(socket)["type"], status(socket)["type"]] == ["ready", "exit"]


def test_several_share_one_terminal(box: RunningBox, http: httpx.Client) -> None:
    id = create(http, "cat", tty=True)["id"]
    with terminal(box, id) as one, terminal(box, id) as two:
        assert status(one) == status(two)
        send(one, type="input", data="to all\n")
        shown(one, "to all")
        shown(two, "to all")


def test_close_leaves_the_program_running(box: RunningBox, http: httpx.Client) -> None:
    id = create(http, "cat", tty=True)["id"]
    with terminal(box, id) as socket:
        status(socket)
        send(socket, type="close")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    assert info(http, id)["status"] == "running"


@pytest.mark.parametrize(
    "frame",
    [
        b"binary",
        "not json",
        "[]",
        '{"type": "dance"}',
        '{"type": "input"}',
        '{"type": "input", "data": "!", "encoding": "base64"}',
        '{"type": "input", "data": "x", "encoding": "latin1"}',
        json.dumps({"type": "input", "data": "x" * 70_000}),
        '{"type": "resize", "cols": -1, "rows": 1}',
        '{"type": "resize", "cols": 1, "rows": 65536}',
    ],
    ids=lambda frame: str(frame)[:30],
)
def test_a_bad_frame_is_answered_and_the_connection_lives(
    box: RunningBox, http: httpx.Client, frame: str | bytes
) -> None:
    id = create(http, "cat", tty=True)["id"]
    with terminal(box, id) as socket:
        status(socket)
        socket.send(frame)
        error = status(socket)
        assert error["type"] == "error" and error["message"]
        send(socket, type="input", data="still here\n")
        shown(socket, "still here")


def test_refusals_come_before_the_upgrade_as_problems(box: RunningBox, http: httpx.Client) -> None:
    for id, expected in (("proc_0", 404), (create(http, "cat")["id"], 409)):
        with pytest.raises(InvalidStatus) as refused:
            terminal(box, id)
        assert refused.value.response.status_code == expected
        assert refused.value.response.headers["content-type"] == "application/problem+json"
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{box.port}/v1/processes/proc_1/terminal/ws")
    assert refused.value.response.status_code == 401


def test_a_client_that_does_not_read_holds_nobody_up(box: RunningBox, http: httpx.Client) -> None:
    id = create(http, "sh", "-c", "read line; yes | head -c 15000000; echo the end; read line", tty=True)["id"]
    # It does not wait for the rest when it leaves, either.
    with terminal(box, id, close_timeout=0.1) as slow, terminal(box, id) as quick:
        status(slow)
        status(quick)
        send(quick, type="input", data="go\n")
        seen = b""
        end = time.monotonic() + PATIENCE
        while b"the end" not in seen:
            assert time.monotonic() < end, "the end does not come"
            frame = quick.recv(timeout=PATIENCE)
            seen = seen[-10:] + frame if isinstance(frame, bytes) else seen
    assert http.post(f"/v1/processes/{id}/kill").json()["status"] == "exited"


def test_a_browser_gives_its_token_as_a_subprotocol_and_is_answered_with_one(
    box: RunningBox, http: httpx.Client
) -> None:
    id = create(http, "cat", tty=True)["id"]
    address = f"ws://127.0.0.1:{box.port}/v1/processes/{id}/terminal/ws"
    offered: Any = ["belljar", f"belljar.bearer.{box.token}"]
    with connect(address, subprotocols=offered) as socket:
        assert socket.subprotocol == "belljar"
        assert status(socket) == {"type": "ready", "processId": id}
