"""What is left after a crash: nothing that should not be, and everything that should."""

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.plane.plane import PATIENCE, RunningPlane, boxes_of, running_plane, state_folder, until


def rows(state_dir: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(state_dir / "control.db")) as connection:
        return connection.execute(query).fetchall()


def nothing_left(state_dir: Path) -> bool:
    folders = list((state_dir / "boxes").iterdir()) if (state_dir / "boxes").exists() else []
    return not folders and not boxes_of(state_dir) and not rows(state_dir, "select id from boxes")


def healthy(plane: RunningPlane, id: str, token: str) -> bool:
    answer = httpx.get(f"{plane.url}/s/{id}/v1/health", headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)
    return answer.is_success


def test_a_killed_control_plane_loses_no_session() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as first:
            session = first.create()
            [pid] = rows(state, "select json_extract(handle, '$.pid') from boxes")[0]
            first.kill()
        assert os.path.exists(f"/proc/{pid}")
        with running_plane(state_dir=state, key=first.key) as second:
            assert healthy(second, session["id"], session["token"])
            until(lambda: "session.adopted" in [kind for (kind,) in rows(state, "select kind from events")])
            with second.client() as client:
                assert client.delete(f"/api/sessions/{session['id']}").json()["reason"] == "released"
        assert nothing_left(state)


@pytest.mark.parametrize("delay", [pytest.param(0.0, marks=pytest.mark.soak), 0.05, 0.5])
def test_killed_while_it_creates_it_leaves_no_box(delay: float) -> None:
    import time

    with state_folder() as state:
        with running_plane(state_dir=state) as first:
            with first.client() as client:
                id = client.post("/api/sessions?wait=false", json={"mode": "none"}).json()["id"]
            # The moment of the crash is what is tried here, so it is chosen by the clock.
            time.sleep(delay)
            first.kill()
        with running_plane(state_dir=state, key=first.key) as second:
            now = until(lambda: (it := second.get(id))["state"] in ("failed", "running", "stopped") and it)
            if now["state"] == "running":
                with second.client() as client:
                    client.delete(f"/api/sessions/{id}")
            else:
                assert now["reason"] == "failed"
            until(lambda: nothing_left(state), what="an empty state folder")


def test_boxes_that_died_while_nobody_watched_are_found_crashed() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as first:
            session = first.create()
            [pid] = rows(state, "select json_extract(handle, '$.pid') from boxes")[0]
            first.kill()
        os.kill(int(str(pid)), signal.SIGKILL)
        with running_plane(state_dir=state, key=first.key) as second:
            over = until(lambda: (it := second.get(session["id"]))["state"] == "failed" and it)
            assert over["reason"] == "crashed"
        assert nothing_left(state)


def test_a_box_nobody_knows_is_removed() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as first:
            first.create()
            first.kill()
        with closing(sqlite3.connect(state / "control.db")) as connection, connection:
            connection.execute("delete from boxes")
            connection.execute("delete from sessions")
        assert boxes_of(state)
        with running_plane(state_dir=state, key=first.key):
            until(lambda: nothing_left(state), what="the orphan's end")


def test_told_to_stop_it_ends_its_sessions_and_leaves_nothing() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as plane:
            id = plane.create()["id"]
            assert plane.terminate() == 0
            assert "Traceback" not in plane.log.read_text()
        assert rows(state, "select state, reason from sessions") == [("stopped", "released")]
        assert nothing_left(state)
        assert rows(state, "select id from planes") == []
        with running_plane(state_dir=state, key=plane.key) as again:
            assert again.get(id)["reason"] == "released"


def test_told_to_keep_them_it_leaves_its_sessions_to_the_next() -> None:
    with state_folder() as state:
        with running_plane("--keep-sessions", state_dir=state) as first:
            session = first.create()
            assert first.terminate() == 0
        assert boxes_of(state)
        with running_plane(state_dir=state, key=first.key) as second:
            assert healthy(second, session["id"], session["token"])
        assert nothing_left(state)


def test_a_session_ends_at_its_time_and_so_does_its_box_alone() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as plane:
            short, alone = plane.create(), plane.create()
            with plane.client() as client:
                # Only once they are up: however long that takes, it is no part of their time.
                assert client.patch(f"/api/sessions/{short['id']}", json={"ttl": 1}).is_success
                over = until(lambda: (it := plane.get(short["id"]))["state"] == "stopped" and it)
                assert over["reason"] == "expired"
                assert client.patch(f"/api/sessions/{alone['id']}", json={"ttl": 2}).is_success
            plane.kill()
            assert boxes_of(state)
        until(lambda: not boxes_of(state), what="the box's own end")
        with running_plane(state_dir=state, key=plane.key):
            until(lambda: nothing_left(state))
        reasons = rows(state, "select reason from sessions")
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


def test_a_warm_box_becomes_a_session_and_is_replaced() -> None:
    with state_folder() as state:
        viewers = ("--default-viewers", "4", "--max-viewers", "8")
        with running_plane("--pool-size", "2", "--pool-mode", "none", *viewers, state_dir=state) as plane:
            warm = "select id from boxes where state = 'warm'"
            until(lambda: len(rows(state, warm)) == 2, what="two warm boxes")
            known = {id for (id,) in rows(state, warm)}
            session = plane.create()
            assert session["sandboxId"] in known
            assert healthy(plane, session["id"], session["token"])
            other = plane.create(limits={"viewers": 5})
            assert other["sandboxId"] not in known
            until(lambda: len(rows(state, warm)) == 2, what="the pool full again")
            with plane.client() as client:
                text = client.get("/metrics").text
            assert 'belljar_pool_takes_total{outcome="hit"} 1.0' in text
            assert 'belljar_pool_takes_total{outcome="miss"} 1.0' in text
        assert nothing_left(state)


def cycles(count: int) -> None:
    with state_folder() as state:
        with running_plane("--pool-size", "2", "--pool-mode", "none", state_dir=state) as plane:
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
        assert nothing_left(state)
        assert rows(state, "select distinct state from sessions") == [("stopped",)]


def test_many_sessions_one_after_another_leave_nothing() -> None:
    cycles(5)


@pytest.mark.soak
def test_two_hundred_sessions_leave_nothing() -> None:
    cycles(200)
