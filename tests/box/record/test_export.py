"""Exports of a real box, by every way there is to ask for one."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from belljar.sdk import Belljar
from tests.servers import PATIENCE, TOKEN, RunningBox, running_box


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--jail", "off") as running:
        with running.client() as http:
            assert http.post("/v1/processes/run", json={"command": "true"}).status_code == 200
            assert http.post("/v1/events/marks", json={"text": "here"}).status_code == 200
        yield running


def belljar(box: RunningBox, *words: object) -> subprocess.CompletedProcess[str]:
    environment = {"BELLJAR_TOKEN": TOKEN, "BELLJAR_URL": box.url, "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "belljar", "events", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


def test_the_command_line_writes_every_format_by_the_files_ending(box: RunningBox, tmp_path: Path) -> None:
    for name in ("run.zip", "run.jsonl", "run.har", "run.md"):
        done = belljar(box, "export", tmp_path / name)
        assert done.returncode == 0, done.stderr
    assert belljar(box, "export", tmp_path / "trace.zip", "--format", "playwright").returncode == 0
    events = [msgspec.json.decode(line) for line in (tmp_path / "run.jsonl").read_bytes().splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert msgspec.json.decode((tmp_path / "run.har").read_bytes())["log"]["version"] == "1.2"
    assert "\n## here\n" in (tmp_path / "run.md").read_text()
    with zipfile.ZipFile(tmp_path / "trace.zip") as archive:
        assert b"runProcess" in archive.read("trace.trace")
    assert belljar(box, "verify", tmp_path / "run.zip").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "run.har",
        "run.jsonl",
        "run.md",
        "run.zip",
        "trace.zip",
    ]


def test_the_command_line_overwrites_nothing_and_says_what_it_cannot_do(box: RunningBox, tmp_path: Path) -> None:
    there = tmp_path / "there.zip"
    there.write_text("mine")
    assert belljar(box, "export", there).returncode == 2
    assert there.read_text() == "mine"
    assert "--format" in belljar(box, "export", tmp_path / "what").stderr
    refused = belljar(box, "export", tmp_path / "x.zip", "--format", "exe")
    assert refused.returncode == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.zip"]


def test_the_python_client_streams_one(box: RunningBox, tmp_path: Path) -> None:
    with Belljar(box.url, TOKEN) as jar:
        with jar.events.export("markdown") as told:
            assert told.content_type.startswith("text/markdown")
            assert b"# What was done" in told.read()
        with jar.events.export() as archive:
            archive.save(tmp_path / "run.zip")
        assert jar.events.proof().key.algorithm == "ed25519"
    assert zipfile.is_zipfile(tmp_path / "run.zip")


def test_whoever_may_only_watch_gets_no_export(box: RunningBox) -> None:
    with box.client() as http:
        view = http.post("/v1/tokens", json={"role": "view"}).json()["token"]
        for format in ("jsonl", "har", "playwright", "markdown", "zip"):
            answer = http.get(f"/v1/events/export?format={format}", headers={"Authorization": f"Bearer {view}"})
            assert answer.status_code == 403, format
