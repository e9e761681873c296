"""A box behind a control plane: its socket, whom it believes, and its end."""

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from belljar.server.signed_caller import CallerSigner
from belljar.tokens import Role
from tests.servers import PATIENCE, RunningBox, running_box

KEY = b"k" * 32


def claim(session: str = "s1", seconds: float = 3600, **more: object) -> dict[str, object]:
    return {"sessionId": session, "expiresAt": time.time() + seconds, "idleTimeout": 0, **more}


def test_it_listens_on_a_socket_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "box.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        number = listener.fileno()
        with running_box("--socket", f"fd:{number}", "--box-id", "b7", pass_fds=(number,)) as box:
            transport = httpx.HTTPTransport(uds=str(path))
            with httpx.Client(transport=transport, base_url="http://any.host", headers=box.headers) as client:
                assert client.get("/v1/health").json()["status"] == "ok"
                assert client.post("/v1/claim", json=claim()).json()["boxId"] == "b7"
            assert box.terminate() == 0


def test_it_ends_itself_at_its_time() -> None:
    with running_box("--expires-in", "1") as box:
        assert box.process.wait(PATIENCE) == 0


def test_a_claim_moves_its_end_and_another_session_cannot_claim_it() -> None:
    with running_box("--expires-in", "3600") as box, box.client() as client:
        assert client.post("/v1/claim", json=claim(seconds=600)).is_success
        assert client.post("/v1/claim", json=claim("s2")).status_code == 409
        assert client.post("/v1/claim", json=claim(seconds=0.5)).is_success
        assert box.process.wait(PATIENCE) == 0


def test_idleness_ends_it_but_asking_how_it_is_does_not_keep_it() -> None:
    with running_box("--idle-timeout", "0.1") as box, box.client() as client:
        first = client.get("/v1/health").json()["lastActivity"]
        assert client.get("/v1/health").json()["lastActivity"] == first
        assert client.get("/v1/processes").is_success
        assert client.get("/v1/health").json()["lastActivity"] > first
        assert box.process.wait(PATIENCE) == 0


@pytest.fixture(scope="module")
def signed_box() -> Iterator[RunningBox]:
    """A box of a control plane: it believes what that has signed."""
    with tempfile.TemporaryFile() as file:
        file.write(KEY.hex().encode())
        file.seek(0)
        descriptor = file.fileno()
        with running_box("--caller-key-file", f"fd:{descriptor}", pass_fds=(descriptor,)) as box:
            yield box


def signed(method: str, target: str, role: Role = Role.OPERATOR, key: bytes = KEY) -> dict[str, str]:
    return {"Belljar-Caller": CallerSigner(key).sign(method, target.encode(), role, "ann").decode()}


def test_a_box_of_a_control_plane_takes_what_that_has_signed_and_no_token_at_all(signed_box: RunningBox) -> None:
    with httpx.Client(base_url=signed_box.url, timeout=PATIENCE) as client:
        assert client.get("/v1/health", headers=signed("GET", "/v1/health", Role.VIEW)).is_success
        # The one it was started with, as every box may be, included.
        for more in (
            {},
            signed_box.headers,
            {"Cookie": f"belljar_box={signed_box.token}"},
            {"Accept": "text/event-stream"},
        ):
            refused = client.get(f"/v1/health?token={signed_box.token}", headers=more)
            assert (refused.status_code, refused.json()["code"]) == (401, "token_invalid")
        assert client.get("/healthz").is_success


def test_what_was_signed_is_good_for_its_own_request_once(signed_box: RunningBox) -> None:
    with httpx.Client(base_url=signed_box.url, timeout=PATIENCE) as client:
        once = signed("GET", "/v1/processes")
        for target in ("/v1/health", "/v1/processes?x=1"):
            assert client.get(target, headers=once).status_code == 401
        assert client.post("/v1/processes", json={"command": "true"}, headers=once).status_code == 401
        assert client.get("/v1/processes", headers=once).is_success
        assert client.get("/v1/processes", headers=once).status_code == 401
        foreign = signed("GET", "/v1/processes", key=b"x" * 32)
        assert client.get("/v1/processes", headers=foreign).status_code == 401


def test_the_role_that_was_signed_is_all_there_is(signed_box: RunningBox) -> None:
    with httpx.Client(base_url=signed_box.url, timeout=PATIENCE) as client:
        driving = signed("POST", "/v1/claim", Role.DRIVE)
        assert client.post("/v1/claim", json=claim(), headers=driving | signed_box.headers).status_code == 403
        watching = signed("GET", "/v1/processes", Role.VIEW)
        assert client.get("/v1/processes", headers=watching).status_code == 403
        assert client.post("/v1/claim", json=claim(), headers=signed("POST", "/v1/claim")).is_success


def test_a_socket_is_signed_for_as_a_socket(signed_box: RunningBox) -> None:
    address = signed_box.url.replace("http", "ws") + "/v1/live"
    with pytest.raises(InvalidStatus) as refused:
        connect(address, additional_headers=signed("GET", "/v1/live"), proxy=None)
    assert refused.value.response.status_code == 401
    with connect(address, additional_headers=signed("WEBSOCKET", "/v1/live", Role.VIEW), proxy=None) as live:
        assert json.loads(live.recv(PATIENCE))["name"] == "ready"


def test_a_box_alone_believes_no_caller_that_somebody_names() -> None:
    with running_box() as box, box.client() as client:
        for caller in ("drive; ann", "operator; root", signed("GET", "/v1/health")["Belljar-Caller"]):
            refused = client.get("/v1/health", headers={"Belljar-Caller": caller})
            assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("content", "flags", "said"),
    [
        ("no digits", (), "not a line of hexadecimal digits"),
        ("abcd", (), "must hold 32 bytes"),
        ("ab" * 32, ("--no-token",), "no token opens that"),
    ],
)
def test_a_bad_key_is_one_clear_sentence(tmp_path: Path, content: str, flags: tuple[str, ...], said: str) -> None:
    from tests.cli.test_box import belljar

    (tmp_path / "key").write_text(content)
    refused = belljar("box", "--caller-key-file", str(tmp_path / "key"), *flags)
    assert refused.returncode == 2 and said in refused.stderr and "Traceback" not in refused.stderr


def test_a_bad_socket_is_one_clear_sentence() -> None:
    from tests.cli.test_box import belljar

    descriptor = os.open("/dev/null", os.O_RDONLY)
    try:
        for given in ("7", "fd:x", f"fd:{descriptor}"):
            refused = belljar("box", "--socket", given, fds=(descriptor,), BELLJAR_TOKEN="a-good-token")
            assert refused.returncode == 2 and "Traceback" not in refused.stderr, refused.stderr
    finally:
        os.close(descriptor)
