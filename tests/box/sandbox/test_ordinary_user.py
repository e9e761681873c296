"""The whole box as somebody who is not root: the jail by user namespaces alone, limits as far as they hold."""

import os
import shutil
from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.box.sandbox.test_hostile import run
from tests.processes import eventually
from tests.servers import RunningBox, running_box

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: nothing is known about the jail")

# Nobody's; only root can become it, and anyone else is an ordinary user already.
PLAIN = 21_345 if os.geteuid() == 0 else None


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--jail", "require", "--egress", "public", "--max-disk", "96M", user=PLAIN) as running:
        yield running


@pytest.fixture
def http(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


def test_the_jail_holds(http: httpx.Client) -> None:
    isolation = http.get("/v1/health").json()["isolation"]
    assert isolation["jail"] is True and isolation["network"] == "namespace" and "uid" not in isolation
    outcome = run(http, "id -u; cat /etc/shadow; ls /root /sys; curl -s -m 5 http://169.254.169.254/ | head -c 300")
    assert outcome["stdout"].split()[0] == "1000" and "root:" not in outcome["stdout"]


def test_the_browser_is_adequately_sandboxed(http: httpx.Client) -> None:
    assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
    assert http.post("/v1/browser/navigate", json={"url": "chrome://sandbox"}).status_code == 200
    text = http.post("/v1/browser/execute", json={"expression": "document.body.innerText"}).json()["result"]
    assert "You are adequately sandboxed." in text
    assert http.post("/v1/browser/stop", json={}).status_code == 200


def test_files_go_in_and_out(http: httpx.Client) -> None:
    assert http.put("/v1/fs/file", params={"path": "a/b"}, content=b"hello").status_code == 200
    assert run(http, "cat /home/box/a/b")["stdout"] == "hello"
    assert http.get("/v1/fs/file", params={"path": "/home/box/a/b"}).content == b"hello"


def test_the_disk_is_watched_and_its_writers_stopped(http: httpx.Client, box: RunningBox) -> None:
    """Not enforced, and said so: but whoever writes on is stopped, and the rest of the box goes on."""
    assert http.get("/v1/health").json()["isolation"]["diskLimit"] == "watched"
    quiet = http.post("/v1/processes", json={"command": "sleep", "args": ["600"]}).json()
    # Slowly enough to be caught long before the disk of the host is full.
    writing = "for n in $(seq 600); do head -c 8M /dev/zero; sleep 0.05; done > /home/box/fill"
    writer = http.post("/v1/processes", json={"command": "bash", "args": ["-c", writing]}).json()
    eventually(
        lambda: http.get(f"/v1/processes/{writer['id']}").json().get("signal") == "SIGKILL", "the end of the writer"
    )
    assert http.get("/v1/health").json()["isolation"]["diskStops"] >= 1
    assert '"reason": "disk"' in box.log.read_text()
    assert http.get(f"/v1/processes/{quiet['id']}").json()["status"] == "running"
    assert http.delete("/v1/fs/entry", params={"path": "fill"}).status_code == 200
    assert run(http, "echo again > /home/box/small; cat /home/box/small")["stdout"] == "again\n"


# A host that lets nobody make namespaces.
FORBIDDING = ("bwrap", "--die-with-parent", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--")


def test_where_there_can_be_no_jail_auto_says_so_and_require_refuses() -> None:
    with running_box("--jail", "auto", user=PLAIN, inside=FORBIDDING) as box, box.client() as http:
        isolation = http.get("/v1/health").json()["isolation"]
        assert (isolation["jail"], isolation["network"]) == (False, "host")
        assert isolation["reason"] and isolation["remedy"]
        assert "jail.unavailable" in box.log.read_text()
        # On the terminal too, in words, and for whoever only probes.
        assert box.process.stdout is not None
        said = next(line for line in box.process.stdout if line.startswith("Without a jail"))
        assert "as you" in said and isolation["reason"] in said and isolation["remedy"] in said
        assert httpx.get(f"{box.url}/readyz").text.splitlines()[1].startswith("no jail")
        assert run(http, "echo works")["stdout"] == "works\n"
    with pytest.raises(AssertionError, match=r"jail\.refused"):
        with running_box("--jail", "require", user=PLAIN, inside=FORBIDDING):
            pass


def test_without_a_jail_writers_are_stopped_too() -> None:
    flags = ("--jail", "off", "--max-disk", "96M")
    with running_box(*flags, user=PLAIN) as box, box.client() as http:
        assert http.get("/v1/health").json()["isolation"]["disk"] == {
            "limitBytes": 96 << 20,
            "enforcedBy": "watched",
        }
        home = http.get("/v1/fs/stat", params={"path": "."}).json()["path"]
        quiet = http.post("/v1/processes", json={"command": "sleep", "args": ["600"]}).json()
        writing = f"for n in $(seq 600); do head -c 8M /dev/zero; sleep 0.05; done > {home}/fill"
        writer = http.post("/v1/processes", json={"command": "bash", "args": ["-c", writing]}).json()
        eventually(lambda: http.get(f"/v1/processes/{writer['id']}").json().get("signal") == "SIGKILL", "its end")
        assert http.get(f"/v1/processes/{quiet['id']}").json()["status"] == "running"
        # Nor may callers go on where programs may not, until there is room again.
        full = http.put("/v1/fs/file", params={"path": "more"}, content=b"more")
        assert (full.status_code, full.json()["code"]) == (507, "disk_full")
        assert http.delete("/v1/fs/entry", params={"path": "fill"}).status_code == 200
        eventually(
            lambda: http.put("/v1/fs/file", params={"path": "more"}, content=b"more").status_code == 200, "room again"
        )


def test_everybody_has_a_limit_who_says_nothing() -> None:
    with running_box("--jail", "off", user=PLAIN) as box, box.client() as http:
        assert http.get("/v1/health").json()["isolation"]["disk"] == {"limitBytes": 4 << 30, "enforcedBy": "watched"}
