"""Root without a jail is not root for callers: on hosts that give none, and where it is switched off."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.box.sandbox.test_hostile import run
from tests.processes import command_of, descendants
from tests.servers import WITHOUT_BUBBLEWRAP, WITHOUT_MOUNTS, WITHOUT_NAMESPACES, RunningBox, running_box

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="about root")

# What runs with the rights of a server that is root: itself, and programs of our own.
OURS = ("belljar", "starter.py", "belljar.egress", "program.py", "encoder.py")


@contextmanager
def closed_folder() -> Iterator[str]:
    """Nobody but root may pass, two levels above what is in it."""
    with tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as folder:
        os.mkdir(f"{folder}/open")
        os.chmod(folder, 0o700)
        yield f"{folder}/open"


def check_nobody_is_root(box: RunningBox) -> None:
    for pid in descendants(box.process.pid):
        try:
            uids = Path(f"/proc/{pid}/status").read_text().split("Uid:")[1].split()[:4]
        except OSError:
            continue
        if "0" in uids:
            words = command_of(pid)
            assert words.startswith(sys.executable) and any(name in words for name in OURS), words


def use_everything(http: httpx.Client) -> None:
    """Every route that starts something."""
    assert http.post("/v1/processes", json={"command": "sleep", "args": ["600"]}).status_code == 200
    assert http.post("/v1/processes", json={"command": "cat", "tty": True}).status_code == 200
    assert http.post("/v1/browser/start", json={"headless": False}).status_code == 200
    assert http.get("/v1/browser/screenshot").status_code == 200
    assert http.post("/v1/browser/stop", json={}).status_code == 200
    assert http.post("/v1/desktop/start", json={}).status_code == 200
    launched = http.post("/v1/desktop/launch", json={"app": "sleep", "args": ["600"], "wait": False})
    assert launched.status_code == 200, launched.text
    assert http.get("/v1/desktop/screenshot").status_code == 200


NO_BUBBLEWRAP = (WITHOUT_BUBBLEWRAP, "bubblewrap is not installed", "belljar install browser --yes")
NO_NAMESPACES = (WITHOUT_NAMESPACES, "namespace", "sysctl -w user.max_user_namespaces=10000")


@pytest.mark.parametrize(
    ("inside", "reason", "remedy", "mode"),
    [
        (*NO_BUBBLEWRAP, "auto"),
        (*NO_NAMESPACES, "require"),
        pytest.param(*NO_BUBBLEWRAP, "require", marks=pytest.mark.soak),
        pytest.param(*NO_NAMESPACES, "auto", marks=pytest.mark.soak),
    ],
)
def test_a_box_of_root_without_a_jail_refuses_and_says_why(
    inside: tuple[str, ...], reason: str, remedy: str, mode: str
) -> None:
    with pytest.raises(AssertionError) as refusal, running_box("--jail", mode, inside=inside):
        pass
    last = str(refusal.value).strip().splitlines()[-1]
    assert last.startswith("belljar: There can be no jail: ") and reason in last and remedy in last
    assert ("--jail off" in last) == (mode == "auto")
    assert "Traceback" not in str(refusal.value)


def test_a_closed_state_folder_is_no_reason_to_lose_the_jail() -> None:
    with (
        closed_folder() as folder,
        running_box("--jail", "require", "--state-dir", f"{folder}/state", env={"TMPDIR": folder}) as box,
        box.client() as http,
    ):
        isolation = http.get("/v1/health").json()["isolation"]
        assert isolation["jail"] is True and isolation["uid"] >= 30_000
        outcome = run(http, f"echo kept > ~/file; echo shared > /workspace/file; ls {folder}; find {folder}/state")
        # Of what is below it programs see the way to their own folders, and no more.
        assert outcome["stdout"].split()[-2:] == [f"{folder}/state", f"{folder}/state/browser-contexts"]
        assert http.get("/v1/fs/file", params={"path": "file"}).content == b"kept\n"
        assert http.get("/v1/fs/file", params={"path": "/workspace/file"}).content == b"shared\n"
        context = http.post("/v1/browser/contexts", json={"name": "saved"}).json()["id"]
        start = http.post("/v1/browser/start", json={"headless": True, "contextId": context})
        assert start.status_code == 200, start.text
        check_nobody_is_root(box)


@pytest.mark.parametrize("mode", ["require", "off"])
def test_where_root_may_not_mount_a_closed_folder_is_the_reason(mode: str) -> None:
    with closed_folder() as folder, pytest.raises(AssertionError) as refusal:
        options = ("--jail", mode, "--state-dir", f"{folder}/state")
        with running_box(*options, inside=WITHOUT_MOUNTS, env={"TMPDIR": folder}):
            pass
    last = str(refusal.value).strip().splitlines()[-1]
    assert last.startswith("belljar: ") and "CAP_SYS_ADMIN" in last and "--state-dir" in last


def test_where_root_may_not_mount_an_open_folder_will_do() -> None:
    with running_box("--jail", "require", inside=WITHOUT_MOUNTS) as box, box.client() as http:
        isolation = http.get("/v1/health").json()["isolation"]
        assert (isolation["jail"], isolation["disk"]["enforcedBy"]) == (True, "watched")
        assert run(http, "id -u; touch ~/file")["stdout"] == "1000\n"


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param((), id="here"),
        pytest.param(WITHOUT_BUBBLEWRAP, id="no bwrap", marks=pytest.mark.soak),
        pytest.param(WITHOUT_NAMESPACES, id="no userns", marks=pytest.mark.soak),
    ],
)
def test_without_a_jail_no_route_gives_root(inside: tuple[str, ...]) -> None:
    with (
        closed_folder() as folder,
        running_box("--jail", "off", "--state-dir", f"{folder}/state", env={"TMPDIR": folder}, inside=inside) as box,
        box.client() as http,
    ):
        secret = Path(folder, "control.key")
        secret.write_text("secret")
        secret.chmod(0o600)
        isolation = http.get("/v1/health").json()["isolation"]
        assert isolation["jail"] is False and isolation["uid"] >= 30_000
        assert httpx.get(f"{box.url}/readyz").text.splitlines()[1].startswith("no jail")
        outcome = run(http, f"id -u; echo kept > ~/file; cat {secret} /etc/shadow; su -c id; sudo -n id; echo end")
        assert outcome["stdout"].split() == [str(isolation["uid"]), "end"]
        assert http.get("/v1/fs/file", params={"path": "file"}).content == b"kept\n"
        assert http.get("/v1/fs/file", params={"path": str(secret)}).status_code == 403
        status = run(http, "cat /proc/self/status")["stdout"]
        said = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert {said[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
        assert said["NoNewPrivs"] == "1"
        use_everything(http)
        check_nobody_is_root(box)


def test_what_is_shared_without_a_jail_belongs_to_whoever_shares_it() -> None:
    with tempfile.TemporaryDirectory(prefix="belljar-test-", dir=Path.home()) as shared:
        Path(shared, "given").write_text("hello")
        with running_box("--jail", "off", "--bind", f"{shared}:/workspace") as box, box.client() as http:
            assert run(http, f"cat {shared}/given; echo back > {shared}/back")["stdout"] == "hello"
        with running_box("--jail", "off", "--bind", f"{shared}:/workspace:ro") as box, box.client() as http:
            assert "Read-only" in run(http, f"echo x > {shared}/x")["stderr"]
        assert Path(shared, "back").stat().st_uid == 0
