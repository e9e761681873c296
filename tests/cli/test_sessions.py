"""`belljar serve`, `belljar sessions` and `belljar keys`, as they are typed."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plane.plane import PATIENCE, RunningPlane, running_plane


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


def belljar(plane: RunningPlane | None, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BELLJAR_")} | env
    if plane is not None:
        environment = {"BELLJAR_URL": plane.url, "BELLJAR_TOKEN": plane.key} | environment
    command = [sys.executable, "-m", "belljar", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


def test_a_session_by_hand(plane: RunningPlane) -> None:
    made = belljar(plane, "sessions", "new", "--mode", "none", "--id", "mine", "--tag", "team=a")
    assert made.returncode == 0 and "mine" in made.stdout and "/view#ticket=" in made.stdout, made.stderr
    assert re.search(r"^mine +running +admin", belljar(plane, "sessions", "ls", "--tag", "team:a").stdout, re.M)
    shown = json.loads(belljar(plane, "sessions", "show", "mine", "--json").stdout)
    assert shown["tags"] == {"team": "a"}
    assert "state" in belljar(plane, "sessions", "show", "mine").stdout
    assert "/s/mine/view#ticket=" in belljar(plane, "sessions", "open", "mine", "--print-only").stdout
    assert "box.ready" in (out := belljar(plane, "sessions", "logs", "mine").stdout) or "http.request" in out
    several = belljar(plane, "sessions", "rm", "none", "mine")
    assert several.stdout == "mine\n" and several.returncode == 1 and "session_not_found" in several.stderr
    assert "mine" not in belljar(plane, "sessions", "ls").stdout
    over = json.loads(belljar(plane, "sessions", "ls", "--all", "--json").stdout)
    assert over[0]["reason"] == "released"


def test_what_goes_wrong_is_one_sentence_and_an_exit_code(plane: RunningPlane) -> None:
    for arguments, env, code, said in (
        (("sessions", "show", "none"), {}, 1, "session_not_found"),
        (("sessions", "ls"), {"BELLJAR_TOKEN": "wrong"}, 1, "token_invalid"),
        (("sessions", "ls"), {"BELLJAR_TOKEN": ""}, 2, "BELLJAR_TOKEN"),
        (("sessions", "ls"), {"BELLJAR_URL": "http://127.0.0.1:1"}, 2, "Cannot reach"),
        (("sessions", "rm"), {}, 2, "Name sessions"),
        (("sessions", "show", "../keys"), {}, 1, "can be read in two ways"),
        (("sessions", "new", "--profile", "none"), {}, 1, "profile_not_found"),
        (("sessions", "new", "--mode", "none", "--profile", "none"), {}, 1, "not_honoured"),
        (("sessions", "new", "--mode", "none", "--id", "Not An Id"), {}, 1, "id"),
        (("sessions", "new", "--viewport", "big"), {}, 2, "WIDTHxHEIGHT"),
    ):
        refused = belljar(plane, *arguments, **env)
        assert (refused.returncode, said in refused.stderr) == (code, True), refused.stderr
        assert "Traceback" not in refused.stderr


def test_keys_by_hand(plane: RunningPlane) -> None:
    at = ("--state-dir", str(plane.state_dir))
    made = json.loads(belljar(None, "keys", "new", "--user", "ann", "--name", "laptop", "--json", *at).stdout)
    assert belljar(plane, "sessions", "ls", BELLJAR_TOKEN=made["key"]).returncode == 0
    listed = belljar(None, "keys", "ls", *at).stdout
    assert re.search(rf"^{made['id']} +ann +user +laptop", listed, re.M) and made["key"] not in listed
    assert belljar(None, "keys", "revoke", made["id"], *at).returncode == 0
    assert belljar(None, "keys", "revoke", "none", *at).returncode == 1
    assert belljar(None, "keys", "new", "--user", "not a name", *at).returncode == 2
    refused = None
    for _ in range(20):
        refused = belljar(plane, "sessions", "ls", BELLJAR_TOKEN=made["key"])
        if refused.returncode:
            break
    assert refused is not None and "token_invalid" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--database-url", "postgresql://nobody@/none?host=/nonexistent"), "Cannot use the database"),
        (("--jail", "glass"), "jail"),
        (("--host", "no.such.host.invalid"), "not an address"),
    ],
)
def test_serve_says_in_one_sentence_why_it_cannot_start(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    refused = belljar(None, "serve", "--port", "0", "--state-dir", str(tmp_path), *arguments)
    assert refused.returncode == 2 and said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_ctrl_c_ends_it_cleanly() -> None:
    with running_plane() as plane:
        plane.process.send_signal(signal.SIGINT)
        assert plane.process.wait(PATIENCE) == 0
        assert "Traceback" not in plane.log.read_text()


def test_the_record_of_a_session_at_the_level_it_asked_for(plane: RunningPlane) -> None:
    with plane.client() as http:
        for id, level in (("told", None), ("silent", "none"), ("whole", "content")):
            wanted = {"id": id, "mode": "none"} | ({} if level is None else {"record": level})
            assert http.post("/api/sessions", json=wanted).status_code == 201
            http.post(f"/s/{id}/v1/processes/run", json={"command": "echo", "args": ["a word"]})
        levels = {id: http.get(f"/s/{id}/v1/events").json()["level"] for id in ("told", "silent", "whole")}
    assert levels == {"told": "actions", "silent": "none", "whole": "content"}
    printed = belljar(plane, "events", "tail", "--session", "told").stdout
    assert "runProcess.begin" in printed and "agent/rest admin" in printed and "a word" not in printed
    assert belljar(plane, "events", "tail", "--session", "silent").stdout == ""
    whole = belljar(plane, "events", "tail", "--session", "whole", "--json", "-n", "2", "--kinds", "call").stdout
    begin, end = map(json.loads, whole.splitlines())
    assert begin["data"]["args"] == ["a word"] and end["data"]["status"] == 200
    refused = belljar(plane, "events", "tail", "--session", "told", "--kinds", "nonsense")
    assert refused.returncode == 1 and "there is no kind" in refused.stderr
