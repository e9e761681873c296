"""What ended sessions left, in an S3-compatible store: any control plane serves it, and no end waits for it."""

import time
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from belljar.plane.boxes.artifacts.object_store import PIECE, ObjectStore
from belljar.plane.boxes.artifacts.stored_boxes import StoredBoxes
from belljar.problems.plane import ArtifactsUnavailable
from tests.plane.object_store import BUCKET, ENVIRONMENT, SECRET, RunningStore, running_store
from tests.plane.plane import RunningPlane, box_process, running_plane, state_folder, until
from tests.plane.postgres import Postgres
from tests.plane.test_leavings import film_something

MINUTE = 60.0


@pytest.fixture
def store() -> Iterator[RunningStore]:
    with running_store() as running:
        yield running


@pytest.fixture
def stored(store: RunningStore, monkeypatch: pytest.MonkeyPatch) -> StoredBoxes:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    return StoredBoxes(ObjectStore(f"s3://{BUCKET}/left", store.url, None), "inst")


def kept_box(tmp_path: Path, name: str = "b-1") -> Path:
    folder = tmp_path / name
    (folder / "record/pictures").mkdir(parents=True)
    (folder / "recordings/ring").mkdir(parents=True)
    (folder / "log").write_bytes(b"said\n")
    (folder / "record/segment-000000000001.jsonl").write_bytes(b"{}\n" * 300)
    (folder / f"record/pictures/{'0' * 64}.jpg").write_bytes(b"picture")
    # In three pieces.
    (folder / "recordings/rec_2.mp4").write_bytes(bytes(range(256)) * (2 * PIECE // 256) + b"end")
    (folder / "recordings/ring/piece-1.m4s").write_bytes(b"no film")
    return folder


async def all_of(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


async def test_a_box_is_there_whole_or_not_at_all(stored: StoredBoxes, store: RunningStore, tmp_path: Path) -> None:
    folder = kept_box(tmp_path)
    store.status = 500
    with pytest.raises(ArtifactsUnavailable, match="InternalError|500"):
        await stored.put(folder)
    store.status = 0
    assert await stored.find("b-1") is None and await all_of(stored.read("b-1", "log")) == b""
    await stored.put(folder)
    inventory = await stored.find("b-1")
    assert inventory is not None and sorted(inventory.files) == ["log", "record.tar", "recordings/rec_2.mp4"]
    film = (folder / "recordings/rec_2.mp4").read_bytes()
    assert await all_of(stored.read("b-1", "recordings/rec_2.mp4")) == film
    assert await all_of(stored.read("b-1", "recordings/rec_2.mp4", PIECE - 1, PIECE + 1)) == film[PIECE - 1 : PIECE + 1]
    assert await all_of(stored.read("b-1", "recordings/rec_2.mp4", len(film) - 3, len(film) + 9)) == b"end"
    # What comes later is added: a box may be removed twice.
    (later := tmp_path / "later/b-1").mkdir(parents=True)
    (later / "log").write_bytes(b"said\nmore\n")
    await stored.put(later)
    assert await all_of(stored.read("b-1", "log")) == b"said\nmore\n"
    assert (found := await stored.find("b-1")) is not None and len(found.files) == 3


async def test_time_removes_boxes_from_the_store_and_what_was_never_whole(
    stored: StoredBoxes, store: RunningStore, tmp_path: Path
) -> None:
    await stored.put(kept_box(tmp_path))
    await stored.put(kept_box(tmp_path, "b-2"))
    await ObjectStore(f"s3://{BUCKET}/left", store.url, None).remove(["inst/ended/b-2"])
    assert await stored.forget(time.time() - MINUTE) == 0 and len(store.paths()) == 7
    assert await stored.forget(time.time() + MINUTE) == 2 and store.paths() == []
    assert await stored.find("b-1") is None


async def test_an_inventory_that_somebody_spoilt_is_told_and_stops_nothing(
    stored: StoredBoxes, store: RunningStore, tmp_path: Path
) -> None:
    async def spoilt() -> AsyncIterator[bytes]:
        yield b'{"files": 3}'

    await ObjectStore(f"s3://{BUCKET}/left", store.url, None).put("inst/ended/b-1", spoilt(), 12)
    with pytest.raises(ArtifactsUnavailable, match="inventory of b-1"):
        await stored.find("b-1")


@pytest.mark.parametrize(("status", "word"), [(403, "AccessDenied"), (503, "InternalError|503")])
async def test_what_a_store_refuses_is_said_in_few_words(
    stored: StoredBoxes, store: RunningStore, tmp_path: Path, status: int, word: str
) -> None:
    store.status = status
    with pytest.raises(ArtifactsUnavailable, match=word) as refused:
        await stored.find("b-1")
    assert SECRET not in str(refused.value) and store.url not in str(refused.value)


def kept(plane: RunningPlane) -> list[str]:
    folder = plane.state_dir / "kept"
    return [one.name for one in folder.iterdir()] if folder.exists() else []


def end(plane: RunningPlane, session: dict[str, Any]) -> float:
    began = time.monotonic()
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"
    return time.monotonic() - began


def check_of(plane: RunningPlane) -> dict[str, Any]:
    with plane.client() as client:
        [found] = [one for one in client.get("/api/checks").json()["checks"] if one["id"] == "artifacts"]
    return dict(found)


@pytest.mark.timeout(240)
def test_a_session_of_a_host_that_is_gone_is_served_by_another(store: RunningStore, postgres: Postgres) -> None:
    with state_folder() as one, state_folder() as two:
        common = ("--database-url", postgres.new_database(), "--master-key-file", str(one / "master"), *store.flags)
        first = running_plane(*common, "--host-name", "a", state_dir=one, environment=ENVIRONMENT)
        with first as a, a.client() as client:
            session = film_something(a)
            at = f"/api/sessions/{session['id']}"
            environment = Path(f"/proc/{box_process(session['sandboxId'])}/environ").read_bytes()
            assert SECRET.encode() not in environment
            end(a, session)
            record, log = client.get(f"{at}/record").json(), client.get(f"{at}/logs").text
            proof = client.get(f"{at}/record/proof").json()
            assert record["events"] and "recording.started" in log
            until(lambda: kept(a) == [], what="the upload")
            # Of the store, on its own host too.
            assert client.get(f"{at}/record").json() == record and client.get(f"{at}/logs").text == log
            settings = client.get("/api/settings").text
            key = a.key
        assert SECRET not in settings and SECRET not in a.log.read_text()
        second = running_plane(*common, "--host-name", "b", state_dir=two, key=key, environment=ENVIRONMENT)
        with second as b, b.client() as client:
            assert client.get(f"{at}/record").json() == record and client.get(f"{at}/logs").text == log
            assert client.get(f"{at}/record/proof").json() == proof
            [film] = client.get(f"{at}/recordings").json()["recordings"]
            whole = client.get(film["url"])
            assert len(whole.content) == film["bytes"] and b"moov" in whole.content
            part = client.get(film["url"], headers={"Range": "bytes=4-7"})
            assert part.status_code == 206 and part.content == b"ftyp"
            exported = ZipFile(BytesIO(client.get(f"{at}/record/export").content))
            assert any(name.endswith(".mp4") for name in exported.namelist())
            with b.client(b.new_key("bob")) as bob:
                assert bob.get(f"{at}/record").status_code == 404
            store.status = 503
            refused = client.get(f"{at}/logs")
            assert refused.status_code == 503 and refused.json()["code"] == "artifacts_unavailable"


@pytest.mark.timeout(240)
def test_no_fault_of_a_store_is_felt_by_the_end_of_a_session() -> None:
    with running_store(has_bucket=False) as store, running_plane(*store.flags, environment=ENVIRONMENT) as plane:
        for status, seconds in ((0, 0.0), (403, 0.0), (500, 0.0), (0, 3.0)):
            store.status, store.seconds = status, seconds
            session = plane.create()
            assert end(plane, session) < 10
            # It waits, and can be read meanwhile.
            assert session["sandboxId"] in kept(plane)
            with plane.client() as client:
                assert client.get(f"/api/sessions/{session['id']}/record").json()["events"]
        until(lambda: check_of(plane)["level"] == "warning", what="the warning")
        with plane.client() as client:
            metrics = client.get("/metrics").text
        assert 'belljar_artifact_uploads_total{outcome="failed"}' in metrics
        store.status, store.seconds = 0, 0.0
        store.make_bucket()
        until(lambda: kept(plane) == [], within=90, what="the upload of all")
        until(lambda: check_of(plane)["level"] == "ok", what="the end of the warning")
        assert len([path for path in store.paths() if "/ended/" in path]) == 4


@pytest.mark.timeout(240)
def test_a_control_plane_that_is_killed_while_it_uploads_does_it_again(store: RunningStore) -> None:
    with state_folder() as state:
        store.held_above = 0
        with running_plane(*store.flags, state_dir=state, environment=ENVIRONMENT) as plane:
            session = plane.create()
            end(plane, session)
            assert store.held.wait(30)
            plane.kill()
        assert kept(plane) == [session["sandboxId"]] and not [one for one in store.paths() if "/ended/" in one]
        store.held_above = 1 << 60
        store.open.set()
        with running_plane(*store.flags, state_dir=state, key=plane.key, environment=ENVIRONMENT) as later:
            until(lambda: kept(later) == [], what="the upload")
            with later.client() as client:
                assert client.get(f"/api/sessions/{session['id']}/record").json()["events"]
