"""Sessions in Pods, tried from outside: a control plane, the API that it asks, and boxes that really run."""

import itertools
import json
import os
import random
import re
import signal
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import yaml

from tests.plane.cluster.api import NAMESPACE, TOKEN
from tests.plane.cluster.running import RunningCluster, running_cluster
from tests.plane.engine import ROOT
from tests.plane.launched import kubernetes_flags
from tests.plane.plane import USUAL, RunningPlane, running_plane, state_folder, until
from tests.plane.postgres import Postgres

pytestmark = pytest.mark.engines
JAILED = tuple(word if word != "off" else "require" for word in USUAL)


@pytest.fixture
def folder() -> Iterator[Path]:
    """The volume that control planes and boxes share."""
    with state_folder() as name:
        yield name


@pytest.fixture
def cluster(folder: Path) -> Iterator[RunningCluster]:
    with running_cluster(folder) as running:
        yield running


@contextmanager
def plane_in(cluster: RunningCluster, folder: Path, *more: str, **how: Any) -> Iterator[RunningPlane]:
    with running_plane(*kubernetes_flags(cluster), *more, state_dir=folder, **how) as plane:
        yield plane


def call(plane: RunningPlane, session: dict[str, Any], path: str, body: dict[str, Any] | None = None) -> Any:
    with plane.client() as client:
        url = f"/s/{session['id']}{path}"
        answer = client.get(url) if body is None else client.post(url, json=body)
    assert answer.is_success, answer.text
    return answer.json()


def end(plane: RunningPlane, session: dict[str, Any]) -> None:
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"


def over(plane: RunningPlane, session: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = until(
        lambda: (found := plane.get(session["id"]))["state"] in ("failed", "stopped") and found, what="the end"
    )
    return found


@pytest.mark.timeout(180)
def test_a_session_lives_in_a_pod_with_both_sandboxes_on(cluster: RunningCluster, folder: Path) -> None:
    with plane_in(cluster, folder, usual=JAILED) as plane:
        session = plane.create(mode="browser", headless=True, url="chrome://sandbox")
        assert "You are adequately sandboxed" in call(plane, session, "/v1/browser/markdown")["markdown"]
        health = call(plane, session, "/v1/health")
        assert health["isolation"]["jail"] is True and health["isolation"]["memoryLimit"] == "container"
        assert health["usage"]["memory"] > 0
        said = call(plane, session, "/v1/processes/run", {"command": "cat", "args": ["/proc/self/status"]})["stdout"]
        assert re.search(r"CapBnd:\t0000000000000000", said) and re.search(r"NoNewPrivs:\t1", said)
        assert cluster.names("pods") == [session["sandboxId"]]
        # The key went with its Secret once the box had read it.
        assert cluster.names("secrets") == []
        end(plane, session)
        assert cluster.names("pods") == []
        with plane.client() as client:
            at = f"/api/sessions/{session['id']}"
            assert '"event": "http.request"' in client.get(f"{at}/logs").text
            kept = client.get(f"{at}/record", params={"limit": 1000}).json()
            assert any(event.get("name") == "processes/run" or "run" in json.dumps(event) for event in kept["events"])
        assert not any(Path(folder / "boxes").iterdir())


@pytest.mark.timeout(180)
def test_the_lock_that_is_closed_is_named(cluster: RunningCluster, folder: Path) -> None:
    if cluster.fake is None:
        pytest.skip("1.20 has no user namespaces to be without")
    with plane_in(cluster, folder, "--kubernetes-host-users", usual=JAILED) as plane, plane.client() as client:
        refused = client.post("/api/sessions", json={"mode": "none"})
        assert (refused.status_code, refused.json()["code"]) == (503, "launch_failed")
        assert "procMount: Unmasked" in plane.log.read_text()
        assert cluster.names("pods") == [] and cluster.names("secrets") == []


@pytest.mark.timeout(180)
def test_sessions_end_for_the_reason_that_the_cluster_gives(cluster: RunningCluster, folder: Path) -> None:
    status = {"Content-Type": "application/merge-patch+json"}
    with plane_in(cluster, folder) as plane:
        killed, evicted, deleted = plane.create(), plane.create(), plane.create()
        cluster.kubelet.kill(killed["sandboxId"])
        found = over(plane, killed)
        assert (found["reason"], found["detail"]) == ("crashed", "exit 137")
        about = {"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."}
        path = f"/api/v1/namespaces/{NAMESPACE}/pods"
        cluster.client.patch(f"{path}/{evicted['sandboxId']}/status", json={"status": about}, headers=status)
        found = over(plane, evicted)
        assert found["reason"] == "evicted" and "low on resource" in found["detail"]
        cluster.client.delete(f"{path}/{deleted['sandboxId']}")
        found = over(plane, deleted)
        assert found["reason"] == "crashed" and "deleted by somebody else" in found["detail"]
        until(lambda: cluster.names("pods") == [], what="their removal")


@pytest.mark.timeout(240)
def test_an_api_that_is_away_ends_nothing_and_new_sessions_are_told_to_come_again(
    cluster: RunningCluster, folder: Path
) -> None:
    api = cluster.api
    with plane_in(cluster, folder, "--queue-wait", "1") as plane:
        session = plane.create(idleTimeout=0)
        api.stop()
        try:
            with plane.client() as client:
                for _ in range(2):
                    refused = client.post("/api/sessions", json={"mode": "none"})
                    assert (refused.status_code, refused.json()["code"]) == (503, "launch_failed")
                # The first may have been begun before the watch had noticed.
                assert int(refused.headers["Retry-After"]) > 0
            assert call(plane, session, "/v1/processes/run", {"command": "true"})["exitCode"] == 0
            assert plane.get(session["id"])["state"] == "running"
        finally:
            api.start()
        again = until(lambda: _created(plane), what="a session")
        assert plane.get(session["id"])["state"] == "running"
        end(plane, session)
        end(plane, again)
        until(lambda: cluster.names("pods") == [] and cluster.names("secrets") == [], what="nothing left")


def _created(plane: RunningPlane) -> dict[str, Any] | None:
    with plane.client() as client:
        answer = client.post("/api/sessions", json={"mode": "none"})
    found: dict[str, Any] = answer.json()
    return found if answer.status_code == 201 else None


@pytest.mark.timeout(240)
def test_a_control_plane_that_was_killed_loses_nothing_and_leaves_nothing(
    cluster: RunningCluster, folder: Path
) -> None:
    with plane_in(cluster, folder, "--pool-size", "2", "--pool-mode", "none") as first:
        key, session = first.key, first.create(idleTimeout=0, ttl=3600)
        until(lambda: len(cluster.names("pods")) >= 3, what="a full pool")
        first.kill()
    with plane_in(cluster, folder, key=key) as second:
        assert second.get(session["id"])["state"] == "running"
        assert call(second, session, "/v1/health")["status"] == "ok"
        # What was warm is nobody's now; the session's is all that is left.
        until(lambda: cluster.names("pods") == [session["sandboxId"]], within=60, what="no orphan")
        assert cluster.names("secrets") == []
        end(second, session)
    assert cluster.names("pods") == []


@pytest.mark.timeout(240)
def test_either_of_two_control_planes_acts_on_each_pod(
    cluster: RunningCluster, folder: Path, postgres: Postgres
) -> None:
    shared = ("--database-url", postgres.new_database(), "--master-key-file", str(folder / "master.key"))
    with plane_in(cluster, folder, *shared, "--host-name", "one") as one:
        with plane_in(cluster, folder, *shared, "--host-name", "two", key=one.key) as two:
            session = one.create(idleTimeout=0, ttl=3600)
            # At the Pod itself, not by way of the other.
            assert call(two, session, "/v1/health")["status"] == "ok"
            os.kill(one.process.pid, signal.SIGSTOP)
            try:
                for _ in range(3):
                    assert call(two, session, "/v1/processes/run", {"command": "true"})["exitCode"] == 0
                other = two.create()
            finally:
                os.kill(one.process.pid, signal.SIGCONT)
            assert two.get(session["id"])["state"] == "running"
            end(two, session)
            end(one, other)
            until(lambda: cluster.names("pods") == [], what="nothing left")


@pytest.mark.timeout(300)
def test_control_planes_are_replaced_one_after_the_other_and_no_request_fails(
    cluster: RunningCluster, folder: Path, postgres: Postgres
) -> None:
    shared = ("--database-url", postgres.new_database(), "--master-key-file", str(folder / "master.key"))
    with ExitStack() as stack:

        def start(number: int, key: str = "") -> RunningPlane:
            name = ("--host-name", f"plane-{number}", "--keep-sessions")
            return stack.enter_context(plane_in(cluster, folder, *shared, *name, key=key))

        serving = [start(0)]
        key = serving[0].key
        serving += [start(number, key) for number in (1, 2)]
        session = serving[0].create(idleTimeout=0, ttl=3600)
        with steady_requests(serving, session) as answers:
            for number in (3, 4, 5):
                # As a Service does: who is told to stop is asked no more, but for what it has begun.
                old = serving.pop(0)
                seen = len(answers)
                until(lambda seen=seen: len(answers) > seen + 2, what="requests elsewhere")  # type: ignore[misc]
                assert old.terminate() == 0
                serving.append(start(number, key))
        assert len(answers) > 20 and set(answers) == {200}
        assert serving[0].get(session["id"])["state"] == "running"
        end(serving[0], session)
        until(lambda: cluster.names("pods") == [], what="nothing left")


@contextmanager
def steady_requests(serving: list[RunningPlane], session: dict[str, Any]) -> Iterator[list[object]]:
    """What somebody is answered who asks one control plane after the other, all the time."""
    answers: list[object] = []
    stopping = threading.Event()
    bearer = {"Authorization": f"Bearer {session['token']}"}

    def ask() -> None:
        for number in itertools.count():
            if stopping.wait(0.05):
                return
            plane = serving[number % len(serving)]
            try:
                answer = httpx.get(f"{plane.url}/s/{session['id']}/v1/health", headers=bearer, timeout=60)
                answers.append(answer.status_code)
            except httpx.HTTPError as error:
                answers.append(repr(error))

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield answers
    finally:
        stopping.set()
        thread.join(90)
        assert not thread.is_alive()


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rounds", [3, pytest.param(200, marks=pytest.mark.soak)])
def test_killed_again_and_again_it_loses_no_session_and_leaves_no_orphan(
    cluster: RunningCluster, folder: Path, rounds: int
) -> None:
    moments = random.Random(7)
    more = ("--pool-size", "1", "--pool-mode", "none", "--max-sessions-per-user", "1000", "--max-sessions", "1000")
    key, session = "", None
    for _ in range(rounds):
        with plane_in(cluster, folder, *more, key=key) as plane, plane.client() as client:
            key = plane.key
            session = session or plane.create(idleTimeout=0, ttl=7200)
            assert plane.get(session["id"])["state"] == "running"
            client.post("/api/sessions?wait=false", json={"mode": "none", "ttl": 7200})
            # The moment of the crash is what is tried here, so it is chosen by the clock.
            time.sleep(moments.uniform(0, 1.5))
            plane.kill()
    assert session is not None
    with plane_in(cluster, folder, key=key) as plane, plane.client() as client:
        assert call(plane, session, "/v1/health")["status"] == "ok"
        for one in client.get("/api/sessions?limit=1000").json()["sessions"]:
            if one["id"] != session["id"]:
                client.delete(f"/api/sessions/{one['id']}")
        until(lambda: cluster.names("pods") == [session["sandboxId"]], within=60, what="no orphan")
        assert cluster.names("secrets") == []
        end(plane, session)
    assert cluster.names("pods") == [] and not any((folder / "boxes").iterdir())


@pytest.mark.timeout(180)
def test_nothing_secret_is_where_others_could_read_it(cluster: RunningCluster, folder: Path) -> None:
    with plane_in(cluster, folder) as plane:
        session = plane.create()
        master = bytes.fromhex((folder / "control.key").read_text())
        from belljar.plane.access.secrets import MasterKey

        key = MasterKey(master).box_key(session["sandboxId"]).hex()
        process = Path("/proc") / str(cluster.kubelet.containers[session["sandboxId"]].box)
        seen = json.dumps(cluster.pod(session["sandboxId"])) + plane.log.read_text()
        seen += (process / "cmdline").read_text() + (process / "environ").read_text()
        seen += (cluster.kubelet.log_of(session["sandboxId"]) or b"").decode()
        events = cluster.client.get(f"/api/v1/namespaces/{NAMESPACE}/events")
        seen += events.text if events.status_code == 200 else ""
        assert key not in seen and session["token"] not in seen
        end(plane, session)


@pytest.mark.timeout(180)
def test_a_session_costs_four_calls_and_none_that_the_chart_does_not_grant(
    cluster: RunningCluster, folder: Path
) -> None:
    api = cluster.api
    with plane_in(cluster, folder) as plane:
        began = len(api.calls)
        session = plane.create()
        end(plane, session)
        made = [one for one in api.calls[began:] if one not in ("LIST secrets", "WATCH pods")]
        assert sorted(made) == ["DELETE pods", "DELETE secrets", "POST pods", "POST secrets"]
        # A box that is gone without our doing is asked for by name.
        lost = plane.create()
        api.remove("pods", lost["sandboxId"])
        over(plane, lost)
        # And what one said that died is read before it is forgotten.
        killed = plane.create()
        cluster.kubelet.kill(killed["sandboxId"])
        over(plane, killed)
        until(lambda: "GET pods/log" in api.calls, what="its last words")
    manifests = [one for one in yaml.safe_load_all((ROOT / "deploy/manifests/pods.yaml").read_text()) if one]
    (role,) = [one for one in manifests if one["kind"] == "Role"]
    granted = {(name, verb) for rule in role["rules"] for name in rule["resources"] for verb in rule["verbs"]}
    assert granted == {_right(one) for one in api.calls}


@pytest.mark.timeout(180)
def test_a_real_cluster_takes_the_chart_and_denies_control_planes_all_else(cluster: RunningCluster) -> None:
    if cluster.fake is not None:
        pytest.skip("needs a real API server: make cluster")
    space = f"namespaces/{NAMESPACE}"
    context = ssl.create_default_context(cafile=str(cluster.kubeconfig.parent / "certificates/apiserver.crt"))
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=cluster.client.base_url, headers=bearer, verify=context, timeout=30) as plane:
        assert plane.get(f"/api/v1/{space}/pods").status_code == 200
        for path in ("configmaps", "secrets/b-1", "services", "events", "serviceaccounts"):
            assert plane.get(f"/api/v1/{space}/{path}").status_code == 403, path
        assert plane.post(f"/api/v1/{space}/pods/b-1/exec", params={"command": "sh"}).status_code == 403
        assert plane.get("/api/v1/namespaces/default/pods").status_code == 403
        assert plane.get("/api/v1/nodes").status_code == 403
    # What 1.20 knows of the chart, as it would be made.
    for kind in ("pods", "hosts"):
        for one in yaml.safe_load_all((ROOT / f"deploy/manifests/{kind}.yaml").read_text()):
            if one is None or one["apiVersion"] == "policy/v1":
                continue
            one["metadata"].pop("namespace", None)
            for subject in one.get("subjects", ()):
                subject.setdefault("namespace", NAMESPACE)
            group = "/api" if one["apiVersion"] == "v1" else "/apis"
            plural = one["kind"].lower() + ("s" if not one["kind"].endswith("y") else "")
            plural = plural[:-1] + "ies" if plural.endswith("policy") else plural
            answer = cluster.client.post(
                f"{group}/{one['apiVersion']}/{space}/{plural}", json=one, params={"dryRun": "All"}
            )
            # The Role and its binding are there already: they are what control planes come with.
            assert answer.status_code == (409 if "rbac" in one["apiVersion"] else 201), answer.text


def _right(call: str) -> tuple[str, str]:
    """What a cluster's roles call it: of Pods, one is got and all are listed."""
    method, resource = call.split()
    verb = {"POST": "create", "DELETE": "delete", "WATCH": "watch", "LIST": "list", "GET": "get"}[method]
    return resource, verb


def test_without_a_cluster_it_says_so_at_the_start(tmp_path: Path) -> None:
    import subprocess
    import sys

    (tmp_path / "away").write_text(
        json.dumps(
            {
                "current-context": "c",
                "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:9"}}],
                "users": [{"name": "c", "user": {"token": "x"}}],
                "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}],
            }
        )
    )
    for name, words in (("none", "no way to a cluster"), ("away", "does not answer")):
        given = ["--launcher", "kubernetes", "--kubeconfig", str(tmp_path / name), "--state-dir", str(tmp_path / "s")]
        run = subprocess.run(
            [sys.executable, "-m", "belljar", "serve", "--port", "0", *given],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert run.returncode != 0 and words in run.stderr and "Traceback" not in run.stderr, run.stderr
