"""A control plane needs the jail, unless told otherwise in so many words; and then no session runs as root."""

import os
import shutil

import httpx2 as httpx
import pytest

from tests.plane.plane import JAILED, RunningPlane, running_plane, state_folder, until
from tests.servers import WITHOUT_BUBBLEWRAP, WITHOUT_MOUNTS, WITHOUT_NAMESPACES

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="about root")
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap")


def run_in(session: dict[str, object], script: str) -> str:
    headers = {"Authorization": f"Bearer {session['token']}"}
    body = {"command": "bash", "args": ["-c", script]}
    answer = httpx.post(f"{session['httpUrl']}/v1/processes/run", json=body, headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["stdout"])


def secrets_of(plane: RunningPlane) -> str:
    return f"cat {plane.state_dir}/control.key {plane.state_dir}/boxes/*/log /etc/shadow"


@needs_root
@pytest.mark.parametrize(
    ("inside", "reason", "remedy"),
    [
        (WITHOUT_BUBBLEWRAP, "bubblewrap is not installed", "belljar install browser --yes"),
        (WITHOUT_NAMESPACES, "namespace", "sysctl -w user.max_user_namespaces=10000"),
    ],
)
def test_without_a_jail_it_does_not_start_and_says_why(inside: tuple[str, ...], reason: str, remedy: str) -> None:
    with pytest.raises(AssertionError) as refusal, running_plane(usual=JAILED, inside=inside):
        pass
    last = str(refusal.value).strip().splitlines()[-1]
    assert last.startswith("belljar: There can be no jail: ")
    assert reason in last and remedy in last and "--jail off" in last


@needs_root
@needs_bubblewrap
def test_where_root_may_not_mount_a_closed_state_folder_is_the_reason() -> None:
    with state_folder() as folder, pytest.raises(AssertionError) as refusal:
        folder.chmod(0o700)
        with running_plane(usual=JAILED, inside=WITHOUT_MOUNTS, state_dir=folder):
            pass
    last = str(refusal.value).strip().splitlines()[-1]
    assert last.startswith("belljar: There can be no jail: ") and "CAP_SYS_ADMIN" in last and "--state-dir" in last


def test_what_the_host_happens_to_have_does_not_decide() -> None:
    with pytest.raises(AssertionError, match="takes require or off"), running_plane("--jail", "auto", usual=JAILED):
        pass


@needs_root
@needs_bubblewrap
def test_a_closed_state_folder_keeps_the_jail() -> None:
    with state_folder() as folder:
        folder.chmod(0o700)
        with running_plane(usual=JAILED, state_dir=folder) as plane:
            session = plane.create(mode="browser", headless=True, key=plane.new_key("ann"))
            assert session["isolation"]["jail"] is True and "reason" not in session["isolation"]
            assert session["isolation"]["disk"] == {"limitBytes": 4 << 30, "enforcedBy": "image"}
            assert plane.get(session["id"])["isolation"] == session["isolation"]
            assert run_in(session, f"id -u; touch ~/file; {secrets_of(plane)}").split() == ["1000"]
            assert httpx.get(f"{plane.url}/readyz").text == "ok"


@needs_root
@pytest.mark.parametrize("is_closed", [pytest.param(False, id="open", marks=pytest.mark.soak), True])
def test_without_a_jail_no_session_is_root_nor_reads_the_key(is_closed: bool) -> None:
    with state_folder() as folder:
        folder.chmod(0o700 if is_closed else 0o711)
        with running_plane("--jail", "off", usual=JAILED, state_dir=folder) as plane:
            session = plane.create(mode="browser", headless=True, key=plane.new_key("ann"))
            assert session["isolation"]["jail"] is False and "--jail off" in session["isolation"]["reason"]
            assert (folder / "control.key").read_bytes()
            uid, end = run_in(session, f"id -u; touch ~/file; {secrets_of(plane)}; echo end").split()
            assert int(uid) >= 30_000 and end == "end"
            assert httpx.get(f"{plane.url}/readyz").text.splitlines()[1].startswith("no jail")
            headers = {"Authorization": f"Bearer {session['token']}"}
            key = httpx.get(
                f"{session['httpUrl']}/v1/fs/file", params={"path": f"{folder}/control.key"}, headers=headers
            )
            assert key.status_code == 403


def test_whoever_runs_one_without_a_jail_is_told_on_the_terminal() -> None:
    with running_plane() as plane:
        assert plane.process.stdout is not None
        said = until(lambda: plane.process.stdout and plane.process.stdout.readline().strip(), what="a line")
        assert said.startswith("Without a jail, as told by --jail off")
