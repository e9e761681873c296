"""What the operator of `serve` lets sessions use and do, as their boxes really hold it, warm ones and new ones."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from belljar import Belljar
from belljar.plane.kernel import available_memory
from belljar.plane.settings import PlaneSettings
from belljar.problems.plane import AboveCeiling
from belljar.wire.sessions import SessionLimits
from tests.box.live.client import LiveClient
from tests.plane.plane import PATIENCE, USUAL, RunningPlane, boxes_of, running_plane, state_folder, until

JAILED = tuple(flag for flag in USUAL if flag not in ("--jail", "off"))
# As many processes as there may be, and how many that were.
FORKS = """
import os, signal, time
n = 0
try:
    while n < 5000:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        n += 1
except BlockingIOError:
    print(n, flush=True)
os.killpg(0, signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    flags = ("--pool-size", "1", "--default-memory", "1G", "--max-memory", "2G", "--max-sessions-per-user", "20")
    with state_folder() as state:
        with running_plane(*flags, "--egress", "open", usual=JAILED, state_dir=state) as running:
            yield running
        assert boxes_of(state) == []


def inside(session: dict[str, Any]) -> httpx.Client:
    headers = {"Authorization": f"Bearer {session['token']}"}
    return httpx.Client(base_url=session["httpUrl"], headers=headers, timeout=PATIENCE)


def run(session: dict[str, Any], script: str, program: str = "bash") -> dict[str, Any]:
    body = {"command": program, "args": ["-c", script], "timeoutMs": 20_000}
    with inside(session) as client:
        answer = client.post("/v1/processes/run", json=body)
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def opened(session: dict[str, Any], path: str) -> ClientConnection:
    url = session["httpUrl"].replace("http", "ws", 1) + path
    headers = {"Authorization": f"Bearer {session['token']}"}
    return connect(url, additional_headers=headers, open_timeout=PATIENCE, proxy=None)


def refused(session: dict[str, Any], path: str) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as error, opened(session, path):
        pass
    response = error.value.response
    return response.status_code, json.loads(response.body or b"")["code"]


def hits(plane: RunningPlane) -> float:
    with plane.client() as client:
        lines = client.get("/metrics").text.splitlines()
    return sum(float(line.split()[1]) for line in lines if line.startswith('belljar_pool_takes_total{outcome="hit"}'))


def from_the_pool(plane: RunningPlane, **wanted: Any) -> dict[str, Any]:
    """A session that was given the box which was warm before it was asked for."""
    with plane.client() as client:
        until(lambda: "belljar_pool_warm 1.0" in client.get("/metrics").text, within=60, what="a warm box")
        warm = {path.name for path in (plane.state_dir / "boxes").iterdir()}
    before = hits(plane)
    session = plane.create(mode="browser", **wanted)
    assert session["sandboxId"] in warm and hits(plane) == before + 1
    return session


def end(plane: RunningPlane, session: dict[str, Any]) -> None:
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").is_success


def group(session: dict[str, Any], hierarchy: str, file: str) -> str:
    """What the kernel holds the box to: version 1 has a folder for each kind, version 2 one for all."""
    root = Path("/sys/fs/cgroup")
    top = root if (root / "cgroup.controllers").exists() else root / hierarchy
    [folder] = (top / "belljar").glob(f"{session['sandboxId']}-*")
    return (folder / file).read_text()


def test_a_warm_box_is_held_to_what_its_session_asked_for(plane: RunningPlane) -> None:
    limits = {"memoryMb": 700, "cpus": 0.5, "diskMb": 300, "processes": 350, "viewers": 1, "commandRate": 2}
    session = from_the_pool(plane, limits=limits)
    assert limits.items() <= session["limits"].items()
    forked = run(session, FORKS, "/usr/bin/python3")
    assert 0 < int(forked["stdout"] or 0) < 350, forked
    run(session, "a = [bytearray(1 << 20) for _ in range(900)]", "/usr/bin/python3")
    with inside(session) as client:
        assert client.get("/v1/health").json()["isolation"]["memoryKills"] > 0
    assert "No space left" in run(session, "head -c 400M /dev/zero > /home/box/fill")["stderr"]
    # Whether the kernel ever had to hold it back depends on who else wants the processors.
    is_unified = Path("/sys/fs/cgroup/cgroup.controllers").exists()
    quota = group(session, "cpu", "cpu.max" if is_unified else "cpu.cfs_quota_us").split()[0]
    entered = group(session, "cpu", "cgroup.procs").split()
    assert (quota, len(entered) > 3) == ("50000", True)
    with opened(session, "/v1/live"):
        assert refused(session, "/v1/live") == (429, "too_many_viewers")
    end(plane, session)


def test_live_rates_are_the_sessions(plane: RunningPlane) -> None:
    session = from_the_pool(plane, limits={"commandRate": 1})
    with opened(session, "/v1/live") as socket:
        viewer = LiveClient(socket)
        answers = [viewer.answer(id) for id in [viewer.ask("tabs.list") for _ in range(10)]]
    codes = ["ok" if answer["ok"] else answer["error"]["code"] for answer in answers]
    assert codes[0] == "ok" and set(codes[4:]) == {"rate_limited"}, codes
    end(plane, session)


def test_evaluate_and_cdp_are_off_where_the_session_says_so(plane: RunningPlane) -> None:
    session = from_the_pool(plane, policy={"evaluate": "off", "cdp": "off"})
    assert "cdp" not in session["capabilities"]
    assert (session["limits"]["evaluate"], session["limits"]["cdp"]) == ("off", "off")
    with inside(session) as client:
        answer = client.post("/v1/browser/execute", json={"expression": "1"})
        assert (answer.status_code, answer.json()["code"]) == (403, "evaluate_disabled")
        answer = client.post("/v1/browser/wait", json={"function": "true"})
        assert (answer.status_code, answer.json()["code"]) == (403, "evaluate_disabled")
        answer = client.post("/v1/browser/navigate", json={"url": "javascript:1"})
        assert (answer.status_code, answer.json()["code"]) == (403, "address_denied")
    assert refused(session, "/v1/browser/cdp") == (403, "cdp_disabled")
    end(plane, session)


def test_a_warm_box_takes_policy_and_proxy_of_its_session(plane: RunningPlane) -> None:
    with plane.client() as client:
        session = from_the_pool(plane, policy={"deny": ["denied.example"]}, proxy="http://127.0.0.1:9")
        shown = client.get(f"/s/{session['id']}/v1/egress/policy").json()["policy"]
        assert shown == "deny denied.example\nupstream session http://127.0.0.1:9\nallow * via session"
    end(plane, session)


def test_a_warm_box_opens_on_the_profile_and_the_screen_of_its_session(plane: RunningPlane) -> None:
    page = plane.url + "/"
    with plane.client() as client:
        profile = client.post("/api/profiles", json={"name": "shop"}).json()["id"]
        first = from_the_pool(plane, profileId=profile, viewport={"width": 900, "height": 640}, url=page)
        with inside(first) as box:
            # On a busy host the page may be too late to say its size.
            status = until(lambda: "viewport" in (it := box.get("/v1/browser/status").json()) and it, what="its size")
            assert (status["contextId"], status["url"]) == (profile, page)
            assert (status["viewport"]["w"], status["viewport"]["h"]) == (900, 640)
            box.post("/v1/browser/execute", json={"expression": "localStorage.setItem('seen', 'yes')"})
        end(plane, first)
        second = from_the_pool(plane, profileId=profile, readOnly=True, url=page)
        with inside(second) as box:
            answer = box.post("/v1/browser/execute", json={"expression": "localStorage.getItem('seen')"})
            assert answer.json()["result"] == "yes"
        end(plane, second)
        assert client.delete(f"/api/profiles/{profile}").is_success


def test_more_than_the_default_is_a_box_of_its_own_up_to_the_ceiling(plane: RunningPlane) -> None:
    before = hits(plane)
    session = plane.create(mode="none", limits={"memoryMb": 1536})
    file = "memory.max" if Path("/sys/fs/cgroup/cgroup.controllers").exists() else "memory.limit_in_bytes"
    assert int(group(session, "memory", file)) == 1536 << 20
    assert hits(plane) == before
    end(plane, session)


@pytest.mark.parametrize(
    ("wanted", "code", "field"),
    [
        ({"limits": {"memoryMb": 999_999}}, "above_ceiling", "limits.memoryMb"),
        ({"limits": {"cpus": 1000}}, "above_ceiling", "limits.cpus"),
        ({"limits": {"diskMb": 999_999}}, "above_ceiling", "limits.diskMb"),
        ({"limits": {"processes": 100_000}}, "above_ceiling", "limits.processes"),
        ({"limits": {"viewers": 1000}}, "above_ceiling", "limits.viewers"),
        ({"limits": {"inputRate": 1000}}, "above_ceiling", "limits.inputRate"),
        ({"limits": {"commandRate": 1000}}, "above_ceiling", "limits.commandRate"),
        ({"limits": {"memoryMb": "1024"}}, "validation_failed", "limits.memoryMb"),
        ({"limits": {"memoryMb": -5}}, "validation_failed", "limits.memoryMb"),
        ({"limits": {"memory": 5}}, "validation_failed", "limits.memory"),
        ({"policy": {"evaluates": "off"}}, "validation_failed", "policy.evaluates"),
        ({"viewport": {"width": 800, "height": 600, "scale": 2}}, "validation_failed", "viewport.scale"),
        ({"evaluate": "off"}, "validation_failed", "evaluate"),
        ({"mode": "none", "url": "about:blank"}, "not_honoured", "url"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_not_honoured_is_refused_by_name(
    plane: RunningPlane, wanted: dict[str, Any], code: str, field: str
) -> None:
    with plane.client() as client:
        answer = client.post("/api/sessions", json=wanted)
    body = answer.json()
    assert (answer.status_code, body["code"], body["errors"][0]["field"]) == (422, code, field)
    assert answer.headers["content-type"] == "application/problem+json"


def test_not_a_number_is_no_limit(plane: RunningPlane) -> None:
    with plane.client() as client:
        for word in ("NaN", "Infinity", "-Infinity", "1e999"):
            content = f'{{"limits": {{"cpus": {word}}}}}'
            answer = client.post("/api/sessions", content=content, headers={"Content-Type": "application/json"})
            assert answer.is_client_error and answer.headers["content-type"] == "application/problem+json", word


def test_a_patch_raises_no_limit(plane: RunningPlane) -> None:
    session = plane.create(mode="none", limits={"memoryMb": 512})
    with plane.client() as client:
        refusals: list[dict[str, Any]] = [{"limits": {"memoryMb": 2048}}, {"policy": {"evaluate": "on"}}, {"spec": {}}]
        for wanted in refusals:
            answer = client.patch(f"/api/sessions/{session['id']}", json=wanted)
            assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed")
        assert client.get(f"/api/sessions/{session['id']}").json()["limits"]["memoryMb"] == 512
    end(plane, session)


def test_the_session_cannot_claim_its_box_anew(plane: RunningPlane) -> None:
    session = plane.create(mode="none", limits={"memoryMb": 512})
    wider = {"sessionId": session["id"], "expiresAt": 4e9, "allowance": {"evaluate": "on"}}
    with inside(session) as box, plane.client() as admin:
        for answer in (box.post("/v1/claim", json=wider), admin.post(f"/s/{session['id']}/v1/claim", json=wider)):
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    end(plane, session)


def test_the_sdk_tells_the_ceiling(plane: RunningPlane) -> None:
    with Belljar(plane.url, plane.key) as jar, pytest.raises(AboveCeiling) as error:
        jar.sessions.create(limits=SessionLimits(memory_mb=999_999))
    assert error.value.members["ceilings"] == {"limits.memoryMb": 2048}


def test_the_operators_word_holds_for_every_session() -> None:
    flags = ("--evaluate", "off", "--cdp", "off", "--max-viewers", "1", "--default-processes", "200")
    with running_plane(*flags, usual=JAILED) as plane:
        with plane.client() as client:
            for wanted in ({"policy": {"evaluate": "on"}}, {"policy": {"cdp": "on"}}, {"limits": {"viewers": 2}}):
                answer = client.post("/api/sessions", json=wanted)
                assert (answer.status_code, answer.json()["code"]) == (422, "above_ceiling"), wanted
        session = plane.create(mode="browser", headless=True)
        with inside(session) as client:
            answer = client.post("/v1/browser/execute", json={"expression": "1"})
            assert (answer.status_code, answer.json()["code"]) == (403, "evaluate_disabled")
        assert refused(session, "/v1/browser/cdp") == (403, "cdp_disabled")
        with opened(session, "/v1/live"):
            assert refused(session, "/v1/live") == (429, "too_many_viewers")
        assert 0 < int(run(session, FORKS, "/usr/bin/python3")["stdout"] or 0) < 200


def test_a_users_sessions_together_have_a_ceiling_for_any_number_of_keys_at_once() -> None:
    flags = ("--default-memory", "512M", "--max-memory-per-user", "1536M", "--max-sessions-per-user", "50")
    with running_plane(*flags, usual=JAILED) as plane:
        keys = [plane.new_key("ann"), plane.new_key("ann")]
        together = threading.Barrier(8)

        def create(number: int) -> httpx.Response:
            with plane.client(keys[number % 2]) as client:
                together.wait(PATIENCE)
                return client.post("/api/sessions", json={"mode": "none"})

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(create, range(8)))
        made = [answer.json() for answer in answers if answer.is_success]
        over = [answer for answer in answers if not answer.is_success]
        assert len(made) == 3
        for answer in over:
            body = answer.json()
            assert (answer.status_code, body["code"], body["field"]) == (429, "user_ceiling", "limits.memoryMb")
            assert (body["ceiling"], body["used"]) == (1536, 1536) and answer.headers["retry-after"] == "5"
        plane.create(plane.new_key("bob"))
        with plane.client() as client:
            client.delete(f"/api/sessions/{made[0]['id']}")
            small = plane.create(keys[0], limits={"memoryMb": 256})
            assert small["limits"]["memoryMb"] == 256
            answer = client.post("/api/sessions", json={"limits": {"memoryMb": 2000}})
            assert (answer.status_code, answer.json()["ceilings"]) == (422, {"limits.memoryMb": 512})


def test_a_box_is_kept_warm_by_default_and_the_first_session_has_it() -> None:
    usual = ("--log-format", "json", "--drain", "2", "--jail", "off")
    size = PlaneSettings().with_pool_size(available_memory(), has_browser=True).pool_size
    with running_plane(usual=usual) as plane:
        assert ("One box is kept warm" in plane.said) is (size == 1)
    # The one that is still starting when the first session comes is that session's, and no other is begun.
    with running_plane("--pool-size", "1", usual=usual) as plane:
        session = plane.create(mode="browser")
        assert hits(plane) == 1
        started = [json.loads(line) for line in plane.log.read_text().splitlines() if '"pool.warm"' in line]
        assert [line["box_id"] for line in started] == [session["sandboxId"]]
