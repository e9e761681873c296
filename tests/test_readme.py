"""The README's and the Python guide's lines, run as they stand, against a real box."""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import eventually
from tests.servers import PATIENCE, TOKEN, running_box

README = Path(__file__).parent.parent / "README.md"
GUIDE = README.parent / "docs/guide/python.md"
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
@pytest.mark.timeout(180)
def test_the_curl_session_works_as_written_and_so_do_playwright_and_the_guide(tmp_path: Path) -> None:
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
        assert eventually(lambda: said(answer(logs)), "its words") == "hello from under glass\n"
        ran = answer(run)
        assert (ran["exitCode"], str(ran["stdout"]).split()[0]) == (0, "Linux")
        assert answer(start)["state"] == "active"
        assert answer(navigate)["title"] == "Sums"
        assert answer(click)["ok"] is True
        assert 'button "2"' in str(answer(snapshot)["snapshot"])
        assert run_python(box.port) == "Sums 2\n"
        run_guide(box.port, tmp_path)


def run_python(port: int) -> str:
    block = re.search(r"```python\n(import os\n.*?)```", README.read_text(), re.S)
    assert block, "the README has lost its Playwright"
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


def test_the_first_lines_bring_a_box_of_their_own_and_say_what_they_promise() -> None:
    block = re.search(r"```python\n(from belljar .*?)```", README.read_text(), re.S)
    assert block, "the README has lost its first lines"
    promised = re.search(r"\.snapshot\)  # (.+)", block[1])
    assert promised
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BELLJAR_")}
    done = subprocess.run(
        [sys.executable, "-c", block[1]], capture_output=True, text=True, timeout=3 * PATIENCE, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    link, changed = done.stdout.splitlines()
    assert re.fullmatch(r"Watch it: http://127\.0\.0\.1:\d+/view#ticket=\S+", link)
    assert changed == promised[1]


def run_guide(port: int, folder: Path) -> None:
    """Each block by itself; the variables say where the box is.  A control plane's is only read."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.S)
    ours = [block for block in blocks if "jar.sessions" not in block]
    assert len(ours) >= 6
    script = f"for block in {ours!r}:\n    exec(compile(block, block, 'exec'), {{'__name__': '__main__'}})"
    environment = os.environ | {"BELLJAR_URL": f"http://127.0.0.1:{port}", "BELLJAR_TOKEN": TOKEN}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        env=environment,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr


def said(logs: dict[str, object]) -> str:
    entries = logs["entries"]
    assert isinstance(entries, list)
    return b"".join(base64.b64decode(entry["data"]) for entry in entries).decode()
