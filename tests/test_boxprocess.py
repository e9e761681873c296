import os
import subprocess
from pathlib import Path

import httpx2 as httpx
import pytest

from belljar.boxprocess import inherited_environment, start_box
from tests.plane.plane import state_folder

_SECRET = "a-secret-that-nothing-may-show"


def test_a_box_listens_at_once_on_a_socket_however_deep_and_its_secret_is_nowhere_to_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BELLJAR_PORT", "not a port: it was said to us, not to the box")
    with state_folder() as place, (place / "log").open("wb") as log:
        deep = place / ("d" * 120)
        deep.mkdir(mode=0o711)
        box = start_box(
            ["--state-dir", str(place / "state"), "--jail", "off", "--egress", "open"],
            socket=deep / "box.sock",
            secrets={"token-file": _SECRET},
            temporary=place,
            log=log,
        )
        try:
            said = Path(f"/proc/{box.pid}/cmdline").read_bytes() + Path(f"/proc/{box.pid}/environ").read_bytes()
            assert _SECRET.encode() not in said and b"BELLJAR_" not in said
            directory = os.open(deep, os.O_PATH | os.O_DIRECTORY)
            transport = httpx.HTTPTransport(uds=f"/proc/self/fd/{directory}/box.sock")
            with httpx.Client(transport=transport, base_url="http://localhost", timeout=30) as http:
                assert http.get("/v1/health").status_code == 401
                assert http.get("/v1/health", headers={"Authorization": f"Bearer {_SECRET}"}).status_code == 200
            os.close(directory)
        finally:
            box.terminate()
            box.wait(30)


def test_a_socket_that_cannot_be_bound_leaves_nothing_open(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    with (tmp_path / "log").open("wb") as log, pytest.raises(FileNotFoundError):
        start_box([], socket=tmp_path / "none/box.sock", secrets={}, temporary=tmp_path, log=log)
    with (tmp_path / "log").open("wb") as log, pytest.raises(OSError):
        start_box([], socket=tmp_path, secrets={"token-file": "x"}, temporary=tmp_path, log=log)
    assert os.listdir("/proc/self/fd") == before


def test_what_was_said_to_this_process_is_not_said_to_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BELLJAR_TOKEN", "ours")
    given = inherited_environment({"TMPDIR": "/tmp/of-the-box"})
    assert "BELLJAR_TOKEN" not in given
    assert given["TMPDIR"] == "/tmp/of-the-box" and given["PATH"] == os.environ["PATH"]
    assert subprocess.run(["env"], env=given, capture_output=True, check=True).stdout.count(b"BELLJAR_") == 0
