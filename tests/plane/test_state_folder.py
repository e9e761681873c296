"""What a control plane keeps on disk is its own: no other user of the host can read it."""

import os
import sqlite3
import stat
from pathlib import Path

from tests.plane.plane import PATIENCE, RunningPlane, running_plane, state_folder, until

# Nothing is told by these: whose installation a box's folder belongs to, and how its window manager is set up.
PUBLIC = frozenset({"mark", "openbox.xml"})


def readable_by_others(state: Path) -> list[str]:
    """Regular files that another user can read, or could with the right name: folders that others may pass count."""
    found = []
    for folder, folders, files in os.walk(state):
        folders[:] = [name for name in folders if os.lstat(os.path.join(folder, name)).st_mode & stat.S_IXOTH]
        for name in files:
            mode = os.lstat(os.path.join(folder, name)).st_mode
            if stat.S_ISREG(mode) and mode & 0o077 and name not in PUBLIC and not name.startswith("serve-"):
                found.append(os.path.relpath(os.path.join(folder, name), state))
    return found


def use(plane: RunningPlane) -> None:
    """Sessions that leave something in each place: rows, a log, a film, a profile."""
    with plane.client() as client:
        profile = client.post("/api/profiles", json={"name": "shop"}).raise_for_status().json()
    on_profile = plane.create(mode="browser", headless=True, profileId=profile["id"])
    session = plane.create(mode="desktop")
    with plane.client(session["token"]) as box:
        at = f"/s/{session['id']}/v1/desktop/recording"
        started = box.post(f"{at}/start", json={}).raise_for_status().json()
        state = f"/s/{session['id']}/v1/desktop/recordings/{started['id']}"
        until(lambda: box.get(state).json()["bytes"] > 0, within=PATIENCE, what="a film")
        box.post(f"{at}/stop", json={}).raise_for_status()
        assert readable_by_others(plane.state_dir) == []
    with plane.client() as client:
        for id in (session["id"], on_profile["id"]):
            client.delete(f"/api/sessions/{id}").raise_for_status()


def test_nothing_that_a_control_plane_keeps_can_be_read_by_others() -> None:
    with state_folder() as state:
        before = os.umask(0o022)
        try:
            with running_plane(state_dir=state) as plane:
                use(plane)
                kept = {name: stat.S_IMODE((state / name).stat().st_mode) for name in os.listdir(state)}
                expected = {"control.db", "control.db-wal", "control.db-shm", "control.key"}
                assert {name: kept[name] for name in expected} == dict.fromkeys(expected, 0o600)
            assert readable_by_others(state) == []
        finally:
            os.umask(before)


def test_a_database_that_others_could_read_is_shut_at_the_next_start() -> None:
    """As an earlier release left it, its log and index included."""
    with state_folder() as state:
        with running_plane(state_dir=state) as plane:
            key = plane.key
        held = sqlite3.connect(state / "control.db")
        held.execute("select count(*) from sessions").fetchall()
        files = [state / name for name in ("control.db", "control.db-wal", "control.db-shm")]
        for file in files:
            file.chmod(0o644)
        with running_plane(state_dir=state, key=key) as plane:
            assert plane.create()["state"] == "running"
            assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 3
        held.close()
