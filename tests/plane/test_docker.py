"""Sessions in containers, tried from outside: what the engine, the page and the control plane's callers see."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from belljar.server.telemetry.spans import session_trace
from tests.otlp import running_collector
from tests.plane.engine import ROOT, RunningEngine
from tests.plane.launched import docker_flags
from tests.plane.plane import RunningPlane, running_plane, state_folder, until

pytestmark = pytest.mark.engines
USUAL = ("--memory-per-session", "0", "--pool-size", "0", "--log-format", "json", "--drain", "2", "--jail", "require")


@pytest.fixture(scope="module")
def plane(engine: RunningEngine) -> Iterator[RunningPlane]:
    allowed = ("--allow", "127.0.0.1:8777", "--max-sessions-per-user", "20")
    with running_plane(*docker_flags(engine), *allowed, usual=USUAL) as running:
        yield running


def call(plane: RunningPlane, session: dict[str, Any], path: str, body: dict[str, Any] | None = None) -> Any:
    with plane.client() as client:
        url = f"/s/{session['id']}{path}"
        answer = client.get(url) if body is None else client.post(url, json=body)
    assert answer.is_success, answer.text
    return answer.json()


def test_a_session_has_both_sandboxes_on_and_nothing_else(plane: RunningPlane, engine: RunningEngine) -> None:
    session = plane.create(mode="browser", url="chrome://sandbox")
    assert "You are adequately sandboxed" in call(plane, session, "/v1/browser/markdown")["markdown"]
    isolation = call(plane, session, "/v1/health")["isolation"]
    assert isolation["jail"] is True
    assert (isolation["memoryLimit"], isolation["processLimit"]) == ("container", "container")
    name = f"belljar-{session['sandboxId']}"
    about = engine.inspect(name)
    host = about["HostConfig"]
    assert host["NetworkMode"] == "none" and host["CapDrop"] == ["ALL"] and host["ReadonlyRootfs"]
    assert not host["Privileged"] and not host["CapAdd"] and "no-new-privileges" in host["SecurityOpt"]
    assert host["Memory"] > 4 << 30 and host["PidsLimit"] > 0
    assert about["Config"]["User"] == "1000:1000"
    said = call(plane, session, "/v1/processes/run", {"command": "cat", "args": ["/proc/self/status"]})["stdout"]
    assert re.search(r"CapBnd:\t0000000000000000", said) and re.search(r"NoNewPrivs:\t1", said)
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"
    assert name not in engine.containers() and f"{name}-egress" not in engine.containers()


def test_the_way_out_is_the_policy_s_and_outside_the_container(plane: RunningPlane) -> None:
    session = plane.create(mode="browser", headless=True)
    served = ["python3", "-m", "http.server", "8777", "--bind", "127.0.0.1", "-d", str(ROOT / "tests/pages")]
    with subprocess.Popen(served, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as site:
        try:
            with plane.client() as client:
                address = f"/s/{session['id']}/v1/browser/navigate"
                open_site = {"url": "http://127.0.0.1:8777/"}
                until(lambda: client.post(address, json=open_site).status_code == 200, what="the page")
                refused = client.post(address, json={"url": "http://127.0.0.1:8778/"})
                assert (refused.status_code, refused.json()["code"]) == (403, "egress_denied")
            decisions = call(plane, session, "/v1/egress/log")["connections"]
            assert {(one["port"], one["decision"]) for one in decisions} >= {(8777, "allow"), (8778, "deny")}
            # No other way: the programs' namespace has no interface but its own loopback.
            links = call(plane, session, "/v1/processes/run", {"command": "cat", "args": ["/proc/net/dev"]})["stdout"]
            assert re.findall(r"^\s*(\S+):", links, re.MULTILINE) == ["lo"]
        finally:
            site.kill()


def test_an_engine_that_hangs_ends_nothing(plane: RunningPlane, engine: RunningEngine) -> None:
    session = plane.create()
    engine.pause()
    try:
        assert call(plane, session, "/v1/health")["status"] == "ok"
        with plane.client() as client:
            # Sessions are looked at each second; their list is what the control plane believes.
            for _ in range(3):
                assert client.get(f"/api/sessions/{session['id']}").json()["state"] == "running"
        assert call(plane, session, "/v1/processes/run", {"command": "true"})["exitCode"] == 0
    finally:
        engine.resume()
    assert plane.get(session["id"])["state"] == "running"
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"


def test_while_the_engine_is_replaced_sessions_run_on_and_new_ones_are_told_to_come_again(
    engine: RunningEngine,
) -> None:
    with running_plane(*docker_flags(engine), "--queue-wait", "1", usual=USUAL) as plane, plane.client() as client:
        session, doomed = (plane.create(idleTimeout=0, ttl=3600) for _ in range(2))
        pid = engine.inspect(f"belljar-{doomed['sandboxId']}")["State"]["Pid"]
        engine.stop()
        try:
            for _ in range(2):
                refused = client.post("/api/sessions", json={"mode": "none"})
                assert (refused.status_code, refused.json()["code"]) == (503, "launch_failed")
                assert int(refused.headers["Retry-After"]) > 0
            os.kill(pid, signal.SIGKILL)
            assert call(plane, session, "/v1/processes/run", {"command": "true"})["exitCode"] == 0
            assert plane.get(session["id"])["state"] == "running"
        finally:
            engine.start()
        # What ended meanwhile is noticed, and nothing else.
        until(lambda: plane.get(doomed["id"])["state"] == "failed", what="the end of the one that died")
        again = until(lambda: _created(client), what="a session")
        assert plane.get(session["id"])["state"] == "running"
        for one in (session, again):
            assert client.delete(f"/api/sessions/{one['id']}").json()["state"] == "stopped"
        boxes = [one["sandboxId"] for one in (session, doomed, again)]
        until(
            lambda: not [name for name in engine.containers() if any(id in name for id in boxes)], what="no container"
        )


def _created(client: httpx.Client) -> dict[str, Any] | None:
    answer = client.post("/api/sessions", json={"mode": "none"})
    found: dict[str, Any] = answer.json()
    return found if answer.status_code == 201 else None


def test_a_killed_container_ends_its_session_with_the_reason(plane: RunningPlane, engine: RunningEngine) -> None:
    session = plane.create()
    engine.kill(f"belljar-{session['sandboxId']}")
    over = until(lambda: (found := plane.get(session["id"]))["state"] == "failed" and found, what="the end")
    assert over["reason"] == "crashed"
    until(lambda: not [name for name in engine.containers() if session["sandboxId"] in name], what="its removal")


def test_a_control_plane_that_was_killed_finds_its_containers_again(engine: RunningEngine) -> None:
    with state_folder() as folder:
        with running_plane(*docker_flags(engine), usual=USUAL, state_dir=folder) as first:
            key, session = first.key, first.create(idleTimeout=0, ttl=3600)
            first.kill()
        with running_plane(*docker_flags(engine), usual=USUAL, state_dir=folder, key=key) as second:
            assert second.get(session["id"])["state"] == "running"
            assert call(second, session, "/v1/health")["status"] == "ok"
        # Told to stop, it removes what it has.
        assert not [name for name in engine.containers() if session["sandboxId"] in name]


def test_spans_of_a_box_without_a_network_are_sent_by_its_control_plane(engine: RunningEngine) -> None:
    with running_collector() as collector:
        with running_plane(*docker_flags(engine), "--otlp-endpoint", collector.url, usual=USUAL) as plane:
            session = plane.create()
            call(plane, session, "/v1/processes/run", {"command": "true"})
            [span] = until(lambda: collector.named("POST /v1/processes/run"), what="the box's span")
        assert span["resource"]["service.name"] == "belljar-box"
        assert span["traceId"] == session_trace(session["id"])[0]


# Asked from within: there is no network.
HEALTH = """import os, urllib.request as u
bearer = {"Authorization": "Bearer " + os.environ["BELLJAR_TOKEN"]}
print(u.urlopen(u.Request("http://127.0.0.1:2468/v1/health", headers=bearer), timeout=20).read().decode())"""
SECCOMP, PROC = "--security-opt seccomp=deploy/seccomp.json", "--security-opt systempaths=unconfined"


@pytest.mark.parametrize(
    ("opened", "lock", "opens"),
    [
        ((), "seccomp", SECCOMP),
        (("--security-opt", "systempaths=unconfined"), "seccomp", SECCOMP),
        (("--security-opt", f"seccomp={ROOT}/deploy/seccomp.json"), "masked_proc", PROC),
    ],
)
def test_the_lock_that_is_closed_is_named(
    engine: RunningEngine, opened: tuple[str, ...], lock: str, opens: str
) -> None:
    """By a box that must have a jail, and in `/v1/health` of one that runs without."""
    narrow = ("--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", *opened)
    refused = engine.docker("run", "--rm", *narrow, engine.image, "box", "--jail", "require")
    assert refused.returncode == 2, refused.stderr
    last = refused.stderr.strip().splitlines()[-1]
    assert "There can be no jail" in last and opens in last
    token = ("-e", f"BELLJAR_TOKEN={'x' * 40}")
    started = engine.docker("run", "-d", *token, *narrow, engine.image, "box", "--jail", "auto")
    assert started.returncode == 0, started.stderr
    name = started.stdout.strip()
    try:
        said = until(lambda: engine.docker("exec", name, "python3", "-c", HEALTH).stdout, what="the box")
        isolation = json.loads(said)["isolation"]
        assert (isolation["jail"], isolation["lock"]) == (False, lock)
        assert opens in isolation["remedy"]
    finally:
        engine.docker("rm", "-f", name)


def test_the_image_says_what_is_in_it(engine: RunningEngine) -> None:
    docker = ["docker", "-H", f"unix://{engine.socket}", "run", "--rm", "--network", "none", "--entrypoint", "cat"]
    said = subprocess.run([*docker, engine.image, "/usr/share/belljar/sbom.spdx.json"], capture_output=True, timeout=60)
    names = {package["name"] for package in json.loads(said.stdout)["packages"]}
    assert {"chromium", "bubblewrap", "belljar", "pydantic"} <= names
    with engine.client() as client:
        about = client.get(f"/images/{engine.image}/json").json()
    assert about["Config"]["User"] == "1000:1000" and about["Size"] <= 1_000_000_000
    assert about["Config"]["Labels"]["org.opencontainers.image.title"] == "belljar"


def test_without_an_engine_or_its_image_it_says_so_at_the_start(engine: RunningEngine, tmp_path: Path) -> None:
    for odd, words in (
        (("--docker-socket", str(tmp_path / "nobody")), "no engine answers"),
        (("--docker-image", "belljar:never"), "the engine has no image belljar:never"),
    ):
        with state_folder() as folder:
            given = [*docker_flags(engine), *odd, "--state-dir", str(folder), "--port", "0"]
            run = subprocess.run(
                [str(ROOT / ".venv/bin/belljar"), "serve", *given], capture_output=True, text=True, timeout=60
            )
        assert run.returncode != 0 and words in run.stderr and "Traceback" not in run.stderr, run.stderr
