"""Calls without a server: each in a box of its own.  Every call launches a browser, so there are few here."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from belljar.agent.tool import browser
from tests.agent.tool.conftest import fields

# Storage is looked at late: Chromium may show an empty one to a script of a file: page that does so at once.
PAGE = """<!doctype html><title>Of the workspace</title><p id=p></p><script>
setTimeout(() => {
  localStorage.visits = 1 + Number(localStorage.visits || 0); p.textContent = 'visit ' + localStorage.visits;
}, 200);
</script>"""
STORED = "#p:not(:empty)"


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Not pytest's folder: as root the box's programs have another uid, which could not reach it there."""
    monkeypatch.delenv("BELLJAR_URL", raising=False)
    with tempfile.TemporaryDirectory(prefix="belljar-tool-") as folder:
        os.chmod(folder, 0o711)
        monkeypatch.setenv("BELLJAR_STATE_DIR", f"{folder}/state")
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        workspace.chmod(0o755)
        (workspace / "index.html").write_text(PAGE)
        yield workspace


def test_the_workspace_is_in_the_box_and_the_profile_stays(workspace: Path) -> None:
    inside = str(workspace)
    first = browser("extract_text", url=str(workspace / "index.html"), selector=STORED, workspace=inside)
    assert "visit 1" in first
    assert fields(first)["URL"] == "file:///workspace/index.html"
    assert fields(first)["TITLE"] == "Of the workspace"
    second = browser(
        "interact",
        workspace=inside,
        actions=[
            {"action": "extract_text", "selector": STORED},
            {"action": "screenshot", "out_path": f"{inside}/shots/a.png"},
        ],
    )
    assert "visit 2" in second
    assert f"/workspace/shots/a.png ({workspace / 'shots/a.png'})" in second
    assert (workspace / "shots/a.png").read_bytes().startswith(b"\x89PNG")
    closed = browser("close", workspace=inside)
    assert not Path(fields(closed)["PROFILE"]).exists()
    assert "needs a URL" in browser("extract_text", workspace=inside)


def test_two_calls_on_one_profile_take_turns(workspace: Path) -> None:
    texts: list[str] = []

    def call() -> None:
        texts.append(
            browser("extract_text", url="file:///workspace/index.html", selector=STORED, workspace=str(workspace))
        )

    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(150)
    assert sorted("visit 1" in text or 2 * ("visit 2" in text) for text in texts) == [True, 2], texts


def test_the_runner_answers_by_a_sentinel(workspace: Path) -> None:
    page = {"url": "file:///workspace/index.html", "selector": STORED}
    asked = json.dumps({"operation": "extract_text", **page, "workspace": str(workspace)})
    done = subprocess.run(
        [sys.executable, "-m", "belljar.agent.runner", asked], capture_output=True, text=True, timeout=120
    )
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("[BROWSER_OK] "))
    payload = json.loads(line.removeprefix("[BROWSER_OK] "))
    assert (done.returncode, payload["text"]["external"], payload["text"]["content"]) == (0, True, "visit 1")
    failed = subprocess.run(
        [sys.executable, "-m", "belljar.agent.runner", '{"operation": "fly"}'], capture_output=True, text=True
    )
    assert failed.returncode == 1
    assert "[BROWSER_ERR] " in failed.stdout


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9050", "socks5h://127.0.0.1:1"])
def test_a_proxy_that_cannot_be_honoured_ends_the_call(workspace: Path, proxy: str) -> None:
    text = browser("navigate", url="file:///workspace/index.html", tor_proxy=proxy, workspace=str(workspace))
    assert fields(text)["STATUS"] == "ERROR"
    assert "nothing was requested" in fields(text)["HINT"]


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None or shutil.which("ip") is None,
    reason="needs root and iproute2, for a network namespace",
)
@pytest.mark.parametrize("where", ["one-shot", "running"])
def test_through_tor_nothing_leaks(where: str) -> None:
    world = ["-m", "tests.agent.tool.tor_world", where]
    done = subprocess.run(
        ["unshare", "--net", "--mount", sys.executable, *world],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["asked"], told
    # Every name arrived as one, none as an address; and nothing but what the page is made of was asked for.
    assert {(kind, host) for kind, host, _ in told["asked"]} == {(3, "hidden-service.invalid")}
    assert (told["dns"], told["udp"]) == (0, 0)
    assert "candidates: []" in told["text"]
    assert "here" in told["text"].split("TEXT [4]:")[1]
