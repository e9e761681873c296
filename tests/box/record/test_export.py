"""Exports of a real box, by every way there is to ask for one."""

import io
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from belljar.sdk import Belljar
from tests.record.test_export import viewer
from tests.servers import PATIENCE, TOKEN, RunningBox, running_box
from tests.site import running_site


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


@pytest.mark.timeout(120)
def test_a_real_run_opens_in_playwrights_viewer_and_no_secret_is_in_any_export(tmp_path: Path) -> None:
    secret = "hunter2Zq9-0123456789"
    with running_site() as site, running_box("--record", "content") as box, box.client() as http:

        def post(path: str, status: int = 200, **body: object) -> None:
            answer = http.post(f"/v1/browser/{path}", json=body)
            assert answer.status_code == status, answer.text

        post("start", headless=True)
        post("navigate", url=site.url(f"second.html?token={secret}"))
        post("execute", expression=f"console.error('password={secret} and some words')")
        post("execute", expression="fetch('/nothing-here').then(() => 1)")
        post("click", 404, selector="#not-there", timeout=100)
        exported = {
            format: http.get("/v1/events/export", params={"format": format}).content
            for format in ("jsonl", "har", "playwright", "markdown", "zip")
        }
    with zipfile.ZipFile(io.BytesIO(exported["playwright"])) as archive:
        exported["trace"] = archive.read("trace.trace") + archive.read("trace.network")
    for format, content in exported.items():
        assert secret.encode() not in content, format
    log = msgspec.json.decode(exported["har"])["log"]
    answered = {entry["request"]["url"].rpartition("/")[2]: entry["response"]["status"] for entry in log["entries"]}
    assert answered["nothing-here"] == 404
    told = exported["markdown"].decode()
    assert "`browserNavigate`" in told
    assert "→ 404 `element_not_found`" in told
    with viewer(tmp_path, exported["playwright"]) as page:
        body = page.locator("body")
        expect(body).to_contain_text("browserNavigate http://")
        expect(body).to_contain_text("browserClick #not-there")
        page.get_by_role("tab", name="Console").click()
        expect(body).to_contain_text("and some words")
        page.get_by_role("tab", name="Network").click()
        expect(body).to_contain_text("nothing-here")
