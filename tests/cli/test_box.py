"""`belljar box` as someone types it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import typer.main

from belljar.cli.commands import make_app
from tests.servers import PATIENCE, running_box

BELLJAR = [sys.executable, "-m", "belljar"]


def belljar(*arguments: str, fds: Sequence[int] = (), **env: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("BELLJAR_")} | env
    return subprocess.run(
        [*BELLJAR, *arguments], capture_output=True, text=True, timeout=PATIENCE, env=environment, pass_fds=fds
    )


def test_a_token_is_made_and_printed_with_a_line_to_paste() -> None:
    with running_box(token=None) as box:
        assert box.process.stdout is not None
        lines = [box.process.stdout.readline() for _ in range(3)]
        curl = re.search(r"curl -H '(Authorization: Bearer (\S+))' (http://\S+)", lines[-1])
        assert curl, lines
        name, _, value = curl[1].partition(": ")
        assert httpx.get(curl[3], headers={name: value}).json()["status"] == "ok"
        assert curl[2] not in box.log.read_text()


def test_a_token_from_a_file_or_a_descriptor(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("a-token-in-a-file\n")
    with running_box("--token-file", str(file), token=None) as box:
        assert httpx.get(box.url + "/v1/health", headers={"Authorization": "Bearer a-token-in-a-file"}).is_success
    with file.open() as opened:
        number = opened.fileno()
        with running_box("--token-file", f"fd:{number}", token=None, pass_fds=(number,)) as box:
            assert httpx.get(box.url + "/v1/health", headers={"Authorization": "Bearer a-token-in-a-file"}).is_success


def test_the_token_is_not_in_the_servers_environment_or_arguments() -> None:
    with running_box(token="a-secret-of-the-environment") as box, box.client() as client:
        assert client.get("/v1/health").is_success
        script = f"env; tr '\\0' '\\n' < /proc/{box.process.pid}/environ"
        answer = client.post("/v1/processes/run", json={"command": "sh", "args": ["-c", script]})
        assert "PATH=" in answer.text and "a-secret-of-the-environment" not in answer.text
        assert "secret" not in Path(f"/proc/{box.process.pid}/cmdline").read_text()


def test_no_token_on_loopback_is_allowed() -> None:
    with running_box("--no-token", token=None) as box:
        assert httpx.get(box.url + "/v1/health").is_success
        # A page of a website could send this to a server without a token.
        assert httpx.post(box.url + "/v1/health", headers={"Origin": "https://evil.example"}).status_code == 403


def test_no_token_elsewhere_is_refused_with_the_reason() -> None:
    refused = belljar("box", "--no-token", "--host", "0.0.0.0", "--port", "0")
    assert refused.returncode == 2
    assert "loopback only" in refused.stderr


def test_a_taken_port_is_one_clear_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = belljar("box", "--port", str(taken.getsockname()[1]))
    assert refused.returncode == 2
    assert "is taken" in refused.stderr and "--port" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--token-file", "/no/such/file"], "Cannot read the token"),
        (["--token-file", "fd:x"], "not a descriptor number"),
        (["--token-file", "fd:77"], "Cannot read the token"),
        (["--host", "no.such.host.invalid"], "not an address"),
        (["--log-level", "loud"], "--log-level (or BELLJAR_LOG_LEVEL): "),
        (["--port", "99999"], "--port"),
        (["--port", "0", "--state-dir", "/proc/x"], "Nothing can be kept in /proc/x: "),
    ],
)
def test_a_bad_option_is_one_clear_sentence(arguments: list[str], said: str) -> None:
    refused = belljar("box", *arguments)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_short_token_is_refused() -> None:
    assert "8 to 4096" in belljar("box", "--port", "0", BELLJAR_TOKEN="short").stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(number: signal.Signals) -> None:
    with running_box() as box:
        box.process.send_signal(number)
        assert box.process.wait(PATIENCE) == 0
        assert "Traceback" not in box.log.read_text()


@pytest.mark.parametrize("library", ["pydantic_core", "uvloop"])
def test_ctrl_c_while_it_is_being_imported_prints_nothing(library: str) -> None:
    """Once a library early or late in the start is mapped, the imports are under way."""
    with subprocess.Popen([*BELLJAR, "box", "--port", "0"], stderr=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        maps = Path(f"/proc/{server.pid}/maps")
        until = time.monotonic() + PATIENCE
        while server.poll() is None and library not in maps.read_text():
            assert time.monotonic() < until, f"{library} is not imported any more"
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=PATIENCE)
    assert b"Traceback" not in errors and b"Warning" not in errors
    assert server.returncode in (-signal.SIGINT, 0)


def test_settings_come_from_variables_and_flags_win() -> None:
    with running_box(
        "--max-body", "2000", env={"BELLJAR_MAX_BODY": "5", "BELLJAR_ALLOWED_HOSTS": "a.example, b.example"}
    ) as box:
        assert httpx.get(box.url + "/healthz", headers={"Host": "b.example"}).is_success
        with box.client() as client:
            assert client.post("/v1/processes/run", json={"command": "true", "env": {"A": "b" * 1000}}).is_success
            assert (
                client.post("/v1/processes/run", json={"command": "true", "env": {"A": "b" * 2000}}).status_code == 413
            )


def test_version_and_help_with_an_example() -> None:
    assert re.fullmatch(r"belljar \d+\.\d+\.\d+\n", belljar("--version").stdout)
    assert "Example" in belljar("box", "--help").stdout


def test_every_command_has_help_with_an_example() -> None:
    def below(command: Any, path: str) -> Iterator[tuple[str, str]]:
        yield path, command.help or ""
        for name, child in getattr(command, "commands", {}).items():
            yield from below(child, f"{path} {name}")

    lacking = [path for path, words in below(typer.main.get_command(make_app()), "belljar") if "Example" not in words]
    assert lacking == []


def test_an_idle_box_has_loaded_nothing_that_only_some_calls_need() -> None:
    with running_box("--jail", "off", env={"PYTHONPROFILEIMPORTTIME": "1"}) as box, box.client() as http:
        assert http.get("/v1/health").status_code == 200
        said = [line for line in box.log.read_text().splitlines() if line.startswith("import time:")]
        loaded = {line.rpartition("|")[2].strip() for line in said}
    assert "belljar.box.app" in loaded
    rarely_needed = {"belljar.plane", "belljar.sdk.aio.http", "httpx2", "mcp", "PIL", "re2", "sqlalchemy"}
    assert loaded & rarely_needed == set()
