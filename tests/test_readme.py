"""The README's curl session and its Python, run as they stand, against a real box."""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers import PATIENCE, TOKEN, running_box

README = Path(__file__).parent.parent / "README.md"
PORT = 2468


def session() -> list[str]:
    """The shell commands after the marked comment, one by one: a line that ends in a backslash goes on."""
    block = re.search(r"<!-- The tests run .*?-->\n```sh\n(.*?)```", README.read_text(), re.S)
    assert block, "the README has lost its curl session"
    whole_lines = block[1].replace("\\\n", " ").splitlines()
    return [line for line in whole_lines if line.startswith("curl ")]


def port_or_another() -> int:
    """The README's own port, unless a developer's server has it."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return PORT if trial.connect_ex(("127.0.0.1", PORT)) else 0


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_session_works_as_written() -> None:
    with running_box("--port", str(port_or_another())) as box:

        def answer(command: str) -> dict[str, object]:
            command = command.replace(f":{PORT}/", f":{box.port}/")
            done = subprocess.run(
                ["sh", "-c", command],
                capture_output=True,
                check=True,
                timeout=PATIENCE,
                env={"TOKEN": TOKEN, "PATH": "/usr/bin:/bin"},
            )
            return dict(json.loads(done.stdout))

        health, create, logs, run, start, navigate, click, snapshot = session()
        assert answer(health)["status"] == "ok"
        assert answer(create)["id"] == "proc_1"
        until = time.monotonic() + PATIENCE
        while not said(answer(logs)) and time.monotonic() < until:
            pass
        assert said(answer(logs)) == "hello from under glass\n"
        ran = answer(run)
        assert (ran["exitCode"], str(ran["stdout"]).split()[0]) == (0, "Linux")
        assert answer(start)["state"] == "active"
        assert answer(navigate)["title"] == "Sums"
        assert answer(click)["ok"] is True
        assert 'button "2"' in str(answer(snapshot)["snapshot"])
        assert run_python(box.port) == "Sums 2\n"


def run_python(port: int) -> str:
    block = re.search(r"```python\n(.*?)```", README.read_text(), re.S)
    assert block, "the README has lost its Python"
    script = block[1].replace(f":{PORT}/", f":{port}/")
    environment = os.environ | {"TOKEN": TOKEN}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        timeout=3 * PATIENCE,
        env=environment,
    )
    return done.stdout


def said(logs: dict[str, object]) -> str:
    entries = logs["entries"]
    assert isinstance(entries, list)
    return b"".join(base64.b64decode(entry["data"]) for entry in entries).decode()
