"""Calls without a server: each in a box of its own.  Every call launches a browser, so there are few here."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from belljar.agent.runner import main
from belljar.agent.tool import browser
from tests.agent.tool.conftest import fields

# Storage is looked at late: Chromium may show an empty one to a script of a file: page that does so at once.
PAGE = """<!doctype html><title>Of the workspace</title><p id=p></p><script>
setTimeout(() => {
  localStorage.visits = 1 + Number(localStorage.visits || 0); p.textContent = 'visit ' + localStorage.visits;
}, 200);
</script>"""
STORED = "#p:not(:empty)"
RUNNER = (sys.executable, "-m", "belljar.agent.runner")


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


def test_two_calls_at_once_share_a_workspace_and_its_profile(workspace: Path) -> None:
    """One by the function and one by the runner, which is what the function runs."""
    inside = str(workspace)
    shot = {"action": "screenshot", "out_path": f"{inside}/shots/a.png"}
    asked = {
        "operation": "interact",
        "url": "file:///workspace/index.html",
        "actions": [{"action": "extract_text", "selector": STORED}, shot],
        "workspace": inside,
    }
    with subprocess.Popen([*RUNNER, json.dumps(asked)], stdout=subprocess.PIPE, text=True) as runner:
        text = browser("extract_text", url=str(workspace / "index.html"), selector=STORED, workspace=inside)
        output, _ = runner.communicate(timeout=120)
    assert (fields(text)["URL"], fields(text)["TITLE"]) == ("file:///workspace/index.html", "Of the workspace")
    (line,) = (line for line in output.splitlines() if line.startswith("[BROWSER_OK] "))
    read, drawn = json.loads(line.removeprefix("[BROWSER_OK] "))["results"]
    assert (runner.returncode, read["text"]["external"]) == (0, True)
    # The second one waited, and found what the first had stored.
    assert {read["text"]["content"], text.splitlines()[-2]} == {"visit 1", "visit 2"}
    assert (drawn["path"], drawn["download"]) == ("/workspace/shots/a.png", f"{inside}/shots/a.png")
    assert (workspace / "shots/a.png").read_bytes().startswith(b"\x89PNG")
    closed = browser("close", workspace=inside)
    assert not Path(fields(closed)["PROFILE"]).exists()
    assert "needs a URL" in browser("extract_text", workspace=inside)


def test_the_runner_tells_failure_by_a_sentinel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['{"operation": "fly"}']) == 1
    assert capsys.readouterr().out.startswith("\n[BROWSER_ERR] ")


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
