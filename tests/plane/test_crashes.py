"""What is left after a crash: nothing that should not be, and everything that should."""

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.plane.launched import LAUNCHERS, LauncherPlace, launcher_place
from tests.plane.plane import PATIENCE, RunningPlane, box_process, box_processes, running_plane, until


def rows(state_dir: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(state_dir / "control.db")) as connection:
        return connection.execute(query).fetchall()


def nothing_left(place: LauncherPlace) -> bool:
    boxes = place.state / "boxes"
    folders = list(boxes.iterdir()) if boxes.exists() else []
    return not folders and not place.boxes() and not rows(place.state, "select id from boxes")


@pytest.fixture(params=LAUNCHERS)
def place(request: pytest.FixtureRequest) -> Iterator[LauncherPlace]:
    with launcher_place(request) as made:
        yield made


def healthy(plane: RunningPlane, id: str, token: str) -> bool:
    answer = httpx.get(f"{plane.url}/s/{id}/v1/health", headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)
    return answer.is_success


def test_a_killed_control_plane_loses_no_session(place: LauncherPlace) -> None:
    with place.plane() as first:
        session = first.create()
        pid = box_process(session["sandboxId"])
        first.kill()
    assert os.path.exists(f"/proc/{pid}")
    with place.plane(key=first.key) as second:
        assert healthy(second, session["id"], session["token"])
        until(lambda: "session.adopted" in [kind for (kind,) in rows(place.state, "select kind from events")])
        with second.client() as client:
            assert client.delete(f"/api/sessions/{session['id']}").json()["reason"] == "released"
    assert nothing_left(place)


@pytest.mark.parametrize("delay", [pytest.param(0.0, marks=pytest.mark.soak), 0.05, 0.5])
def test_killed_while_it_creates_it_leaves_no_box(place: LauncherPlace, delay: float) -> None:
    with place.plane() as first:
        with first.client() as client:
            id = client.post("/api/sessions?wait=false", json={"mode": "none"}).json()["id"]
        # The moment of the crash is what is tried here, so it is chosen by the clock.
        time.sleep(delay)
        first.kill()
    with place.plane(key=first.key) as second:
        now = until(lambda: (it := second.get(id))["state"] in ("failed", "running", "stopped") and it)
        if now["state"] == "running":
            with second.client() as client:
                client.delete(f"/api/sessions/{id}")
        else:
            assert now["reason"] == "failed"
        until(lambda: nothing_left(place), what="an empty state folder")


def test_boxes_that_died_while_nobody_watched_are_found_crashed(place: LauncherPlace) -> None:
    with place.plane() as first:
        session = first.create()
        pid = box_process(session["sandboxId"])
        first.kill()
    os.kill(pid, signal.SIGKILL)
    with place.plane(key=first.key) as second:
        over = until(lambda: (it := second.get(session["id"]))["state"] == "failed" and it)
        assert over["reason"] == "crashed"
    assert nothing_left(place)


def test_a_box_nobody_knows_is_removed(place: LauncherPlace) -> None:
    with place.plane() as first:
        first.create()
        first.kill()
    with closing(sqlite3.connect(place.state / "control.db")) as connection, connection:
        connection.execute("delete from boxes")
        connection.execute("delete from sessions")
    assert place.boxes()
    with place.plane(key=first.key):
        until(lambda: nothing_left(place), what="the orphan's end")


def test_told_to_stop_it_ends_its_sessions_and_leaves_nothing(place: LauncherPlace) -> None:
    with place.plane() as plane:
        id = plane.create()["id"]
        assert plane.terminate() == 0
        assert "Traceback" not in plane.log.read_text()
    assert rows(place.state, "select state, reason from sessions") == [("stopped", "released")]
    assert nothing_left(place)
    assert rows(place.state, "select id from planes") == []
    with place.plane(key=plane.key) as again:
        assert again.get(id)["reason"] == "released"


def test_told_to_keep_them_it_leaves_its_sessions_to_the_next(place: LauncherPlace) -> None:
    with place.plane("--keep-sessions") as first:
        session = first.create()
        assert first.terminate() == 0
    assert place.boxes()
    with place.plane(key=first.key) as second:
        assert healthy(second, session["id"], session["token"])
    assert nothing_left(place)


def test_a_session_ends_at_its_time_and_so_does_its_box_alone(place: LauncherPlace) -> None:
    with place.plane() as plane:
        short, alone = plane.create(), plane.create()
        with plane.client() as client:
            # Only once they are up: however long that takes, it is no part of their time.
            assert client.patch(f"/api/sessions/{short['id']}", json={"ttl": 1}).is_success
            over = until(lambda: (it := plane.get(short["id"]))["state"] == "stopped" and it)
            assert over["reason"] == "expired"
            assert client.patch(f"/api/sessions/{alone['id']}", json={"ttl": 2}).is_success
        plane.kill()
        assert box_processes(alone["sandboxId"])
    until(lambda: not box_processes(alone["sandboxId"]), what="the box's own end")
    with place.plane(key=plane.key):
        until(lambda: nothing_left(place))
    reasons = rows(place.state, "select reason from sessions")
    assert set(reasons) == {("expired",)}


def test_users_and_the_whole_have_limits_and_those_who_wait_come_in_turn() -> None:
    flags = ("--max-sessions", "1", "--max-sessions-per-user", "2", "--queue-wait", "2")
    with running_plane(*flags) as plane, plane.client() as client:
        first = plane.create()
        refused = client.post("/api/sessions", json={"mode": "none"})
        assert refused.status_code == 429 and refused.json()["code"] == "no_room"
        assert refused.headers["retry-after"] and refused.json()["retryAfterMs"]
        waiting = client.post("/api/sessions?wait=false", json={"mode": "none"}).json()
        assert waiting["state"] == "pending"
        early = client.get(f"/s/{waiting['id']}/v1/health")
        assert (early.status_code, early.json()["code"]) == (409, "session_not_ready")
        third = client.post("/api/sessions", json={"mode": "none"})
        assert third.status_code == 429 and third.json()["code"] == "too_many_sessions"
        client.delete(f"/api/sessions/{first['id']}")
        until(lambda: plane.get(waiting["id"])["state"] == "running", what="its turn")


def test_memory_that_others_need_is_not_given_away() -> None:
    flags = ("--memory-per-session", "100000000", "--queue-wait", "0")
    with running_plane(*flags, usual=("--log-format", "json")) as plane, plane.client() as client:
        refused = client.post("/api/sessions", json={"mode": "none"})
        assert refused.status_code == 429 and refused.json()["code"] == "no_room"


def test_when_memory_runs_short_somebody_goes() -> None:
    flags = ("--evict-below", "100000000")
    with running_plane(*flags) as plane:
        id = plane.create()["id"]
        over = until(lambda: (it := plane.get(id))["state"] == "stopped" and it, what="its end")
        assert over["reason"] == "evicted" and "memory" in over["detail"]


def test_a_warm_box_becomes_a_session_and_is_replaced(place: LauncherPlace) -> None:
    viewers = ("--default-viewers", "4", "--max-viewers", "8")
    with place.plane("--pool-size", "2", "--pool-mode", "none", *viewers) as plane:
        warm = "select id from boxes where state = 'warm'"
        until(lambda: len(rows(place.state, warm)) == 2, what="two warm boxes")
        known = {id for (id,) in rows(place.state, warm)}
        session = plane.create()
        assert session["sandboxId"] in known
        assert healthy(plane, session["id"], session["token"])
        other = plane.create(limits={"viewers": 5})
        assert other["sandboxId"] not in known
        until(lambda: len(rows(place.state, warm)) == 2, what="the pool full again")
        with plane.client() as client:
            text = client.get("/metrics").text
        assert 'belljar_pool_takes_total{outcome="hit"} 1.0' in text
        assert 'belljar_pool_takes_total{outcome="miss"} 1.0' in text
    assert nothing_left(place)


def cycles(place: LauncherPlace, count: int) -> None:
    with place.plane("--pool-size", "2", "--pool-mode", "none") as plane:
        pid = plane.process.pid
        before = None
        for number in range(count):
            session = plane.create()
            assert healthy(plane, session["id"], session["token"])
            with plane.client() as client:
                assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"
            if number == min(5, count - 1):
                before = len(os.listdir(f"/proc/{pid}/fd"))
        assert before is not None and len(os.listdir(f"/proc/{pid}/fd")) <= before + 4
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        assert all("(python" in Path(f"/proc/{child}/stat").read_text() for child in children)
        assert len(children) <= 3
    assert nothing_left(place)
    assert rows(place.state, "select distinct state from sessions") == [("stopped",)]


def test_many_sessions_one_after_another_leave_nothing(place: LauncherPlace) -> None:
    cycles(place, 5)


@pytest.mark.soak
def test_two_hundred_sessions_leave_nothing(place: LauncherPlace) -> None:
    cycles(place, 200)


@pytest.mark.soak
@pytest.mark.timeout(400)
@pytest.mark.parametrize("place", LAUNCHERS[1:], indirect=True)
def test_a_minute_without_an_engine_or_api_ends_nothing(place: LauncherPlace) -> None:
    calls = refusals = 0
    with place.plane("--queue-wait", "1", "--pool-size", "1", "--pool-mode", "none") as plane, plane.client() as client:
        sessions = [plane.create(idleTimeout=0, ttl=3600) for _ in range(2)]
        with place.away():
            over_at = time.monotonic() + 60
            while time.monotonic() < over_at:
                for session in sessions:
                    ran = client.post(f"/s/{session['id']}/v1/processes/run", json={"command": "true"})
                    assert ran.status_code == 200 and ran.json()["exitCode"] == 0, ran.text
                    assert plane.get(session["id"])["state"] == "running"
                    calls += 1
                made = client.post("/api/sessions", json={"mode": "desktop"})
                assert (made.status_code, made.json()["code"]) == (503, "launch_failed"), made.text
                # The first may have been begun before it was noticed.
                assert refusals == 0 or int(made.headers["Retry-After"]) > 0
                refusals += 1
        again = until(lambda: (made := client.post("/api/sessions", json={"mode": "none"})).is_success and made)
        for session in (*sessions, again.json()):
            assert plane.get(session["id"])["state"] == "running"
            assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"
    print(f"{calls} calls answered, {refusals} sessions refused")  # noqa: T201  # what a soak is run for
    assert (place.box_ids(), rows(place.state, "select id, state from boxes")) == (set(), [])
