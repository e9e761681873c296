"""A box behind a control plane: its socket, whom it believes, and its end."""

import os
import socket
import time
from pathlib import Path

import httpx2 as httpx

from tests.servers import PATIENCE, running_box


def claim(session: str = "s1", seconds: float = 60, **more: object) -> dict[str, object]:
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


def test_the_caller_a_control_plane_names_is_believed_beside_the_operators_token_only() -> None:
    with running_box() as box, box.client() as client:
        assert client.post("/v1/claim", json=claim(), headers={"Belljar-Caller": "drive; ann"}).status_code == 403
        assert client.post("/v1/claim", json=claim(), headers={"Belljar-Caller": "operator; root"}).is_success
        assert client.get("/v1/health", headers={"Belljar-Caller": "king; ann"}).status_code == 400
        forged = {"Authorization": "Bearer wrong-token", "Belljar-Caller": "operator; ann"}
        assert client.get("/v1/health", headers=forged).status_code == 401


def test_a_bad_socket_is_one_clear_sentence() -> None:
    from tests.cli.test_box import belljar

    descriptor = os.open("/dev/null", os.O_RDONLY)
    try:
        for given in ("7", "fd:x", f"fd:{descriptor}"):
            refused = belljar("box", "--socket", given, fds=(descriptor,), BELLJAR_TOKEN="a-good-token")
            assert refused.returncode == 2 and "Traceback" not in refused.stderr, refused.stderr
    finally:
        os.close(descriptor)
