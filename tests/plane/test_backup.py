"""Backup, restore and upgrade, as docs/guide/control-plane.md has them."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.plane.outages import query
from tests.plane.plane import RunningPlane, boxes_of, running_plane, state_folder, until
from tests.plane.postgres import Postgres

# Each starts control planes, boxes and a database one after another: more than a minute where many share the machine.
pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def copied(request: pytest.FixtureRequest) -> Callable[[str, Path, Path], str]:
    """Copies the database at a URL, while it is used, into the second folder; where the copy is to be used from."""
    if request.param == "sqlite":

        def copy(url: str, backup: Path, state: Path) -> str:
            original = url.removeprefix("sqlite:///")
            subprocess.run(["sqlite3", original, f"VACUUM INTO '{backup}/control.db'"], check=True, timeout=60)
            shutil.copy(backup / "control.db", state / "control.db")
            return f"sqlite:///{state}/control.db"

        return copy
    postgres: Postgres = request.getfixturevalue("postgres")

    def dump(url: str, backup: Path, _: Path) -> str:
        subprocess.run([postgres.bin / "pg_dump", "-Fc", "-f", backup / "belljar.dump", url], check=True, timeout=60)
        new = postgres.new_database()
        restore = ["--clean", "--if-exists", "--no-owner", "-d", new, str(backup / "belljar.dump")]
        subprocess.run([postgres.bin / "pg_restore", *restore], check=True, timeout=60)
        return new

    dump.postgres = postgres  # type: ignore[attr-defined]  # for whoever needs an empty database of the same kind
    return dump


def first_url(copy: Callable[[str, Path, Path], str], state: Path) -> str:
    postgres: Postgres | None = getattr(copy, "postgres", None)
    return f"sqlite:///{state}/control.db" if postgres is None else postgres.new_database()


def used(plane: RunningPlane) -> tuple[str, str, str]:
    """A session that runs, another user's key, and a profile."""
    key = plane.new_key("ann")
    with plane.client(key) as client:
        profile = client.post("/api/profiles", json={"name": "shop"}).json()["id"]
    return plane.create()["id"], key, profile


@pytest.mark.parametrize("copied", ["postgresql", pytest.param("sqlite", marks=pytest.mark.soak)], indirect=True)
def test_what_was_backed_up_is_there_again_on_another_host(copied: Callable[[str, Path, Path], str]) -> None:
    with state_folder() as state, state_folder() as backup, state_folder() as elsewhere:
        url = first_url(copied, state)
        with running_plane("--database-url", url, state_dir=state) as plane:
            session, key, profile = used(plane)
            # While it serves, in this order: what the database names must be there.
            restored = copied(url, backup, elsewhere)
            shutil.copy(state / "control.key", elsewhere / "control.key")
            shutil.copytree(state / "profiles", elsewhere / "profiles")
            plane.create()
        with running_plane("--database-url", restored, state_dir=elsewhere, key=plane.key) as again:
            over = until(lambda: (it := again.get(session))["state"] == "failed" and it)
            assert over["reason"] == "crashed", "its box is not on this host"
            with again.client(key) as client:
                assert [one["id"] for one in client.get("/api/profiles").json()["profiles"]] == [profile]
                mine = client.post("/api/sessions", json={"headless": True, "profileId": profile})
                assert mine.status_code == 201, mine.text
            with again.client() as client:
                kinds = [event["kind"] for event in client.get("/api/audit").json()["events"]]
            assert "key.made" in kinds and "session.running" in kinds
        assert "Traceback" not in again.log.read_text()


@pytest.mark.parametrize("copied", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)], indirect=True)
def test_an_older_copy_brought_back_in_place_leaves_no_box_of_after_it(
    copied: Callable[[str, Path, Path], str],
) -> None:
    with state_folder() as state, state_folder() as backup:
        url = first_url(copied, state)
        with running_plane("--database-url", url, state_dir=state) as plane:
            kept = plane.create()
            if getattr(copied, "postgres", None) is None:
                subprocess.run(
                    ["sqlite3", url.removeprefix("sqlite:///"), f"VACUUM INTO '{backup}/control.db'"],
                    check=True,
                    timeout=60,
                )
            else:
                restored = copied(url, backup, state)
            later = plane.create()
            plane.kill()
        if getattr(copied, "postgres", None) is None:
            for left in ("control.db-wal", "control.db-shm"):
                (state / left).unlink(missing_ok=True)
            shutil.copy(backup / "control.db", state / "control.db")
            restored = url
        with running_plane("--database-url", restored, state_dir=state, key=plane.key) as again:
            until(lambda: _boxes(state) == {kept["sandboxId"]}, what="the end of a box that nobody knows")
            assert again.get(kept["id"])["state"] == "running"
            with again.client() as client:
                assert client.get(f"/api/sessions/{later['id']}").status_code == 404
        assert not boxes_of(state)
        assert query(restored, "select id from boxes") == []


def _boxes(state: Path) -> set[str]:
    return {folder.name for folder in (state / "boxes").iterdir()}


def test_a_database_of_a_newer_release_is_refused_in_a_sentence() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state):
            pass
        with closing(sqlite3.connect(state / "control.db")) as connection, connection:
            connection.execute("update alembic_version set version_num = '9999'")
        with pytest.raises(AssertionError, match="a newer Belljar has changed it"):
            with running_plane(state_dir=state):
                raise RuntimeError("it came up")
        with closing(sqlite3.connect(state / "control.db")) as connection:
            assert connection.execute("select version_num from alembic_version").fetchall() == [("9999",)]


def test_a_new_master_key_ends_what_the_old_one_opened_and_keys_go_on() -> None:
    with state_folder() as state:
        loopback = ("--webhook-network", "127.0.0.0/8")
        with running_plane(*loopback, state_dir=state) as plane:
            session, key = plane.create(), plane.new_key("ann")
            with plane.client() as client:
                hook = client.post("/api/webhooks", json={"url": "http://127.0.0.1:9/"}).json()
        (state / "control.key").rename(state / "control.key.old")
        with running_plane(*loopback, state_dir=state, key=plane.key) as again:
            assert again.get(session["id"])["reason"] == "released", (
                "its box ended with the control plane that had the key"
            )
            with again.client(session["token"]) as client:
                assert client.get(f"/s/{session['id']}/v1/health").status_code == 401
            with again.client(key) as client:
                assert client.post("/api/sessions", json={"mode": "none"}).status_code == 201
            with again.client() as client:
                renewed = client.post(f"/api/webhooks/{hook['id']}/rotate")
                assert renewed.json()["secret"] not in ("", hook["secret"])
