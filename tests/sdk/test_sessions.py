"""Sessions of a real `belljar serve` through the SDK."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from belljar import AsyncBelljar, Belljar
from belljar.problems import Forbidden, NotFound, UnknownPath
from belljar.problems.plane import SessionExists, UnknownSession
from belljar.wire.access import KeyRole
from belljar.wire.sessions import SessionState, Viewport
from tests.plane.plane import PATIENCE, RunningPlane, running_plane


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


@pytest.fixture
async def jar(plane: RunningPlane) -> AsyncIterator[AsyncBelljar]:
    with anyio.fail_after(3 * PATIENCE):
        async with AsyncBelljar(plane.url, plane.key) as client:
            yield client


async def test_a_session_lasts_as_long_as_its_block(jar: AsyncBelljar) -> None:
    async with await jar.sessions.create(mode="none", tags={"team": "a"}) as session:
        assert (await session.processes.run("echo", ["under glass"])).stdout == "under glass\n"
        listed = await jar.sessions.list(state=["running"], tag=["team:a"])
        assert [one.id for one in listed.sessions] == [session.id]
        async with session.live.connect() as viewer:
            assert (await viewer.ready()).role == "drive"
    assert (await jar.sessions.get(session.id)).state is SessionState.STOPPED
    kinds = [event.kind async for event in jar.sessions.follow(session.id)]
    assert any("stopped" in kind or "moved" in kind for kind in kinds)


async def test_a_person_is_invited_into_a_session(jar: AsyncBelljar, plane: RunningPlane) -> None:
    async with await jar.sessions.create(mode="none") as session:
        invited = await session.live.invite(name="Ann", role="view")
        assert invited.link.startswith(f"{plane.url}/s/{session.id}/view#ticket=")
        assert [one.note for one in (await jar.sessions.tokens(session.id)).tokens if one.id == invited.id] == ["Ann"]
        async with AsyncBelljar(f"{plane.url}/s/{session.id}", invited.token) as person:
            async with person.live.connect() as viewer:
                assert (await viewer.ready()).role == "view"
            with pytest.raises(Forbidden, match="owner"):
                await person.live.invite()


async def test_films_are_taken_home_after_the_session(jar: AsyncBelljar, tmp_path: Path) -> None:
    async with await jar.sessions.create(mode="desktop", viewport=Viewport(width=640, height=480)) as session:
        film = await session.desktop.start_recording(fps=10)
        with anyio.fail_after(20):
            while not (await session.desktop.recording(film.id)).bytes:
                await anyio.lowlevel.checkpoint()
        [running] = (await jar.sessions.recordings(session.id)).recordings
        assert running.id == film.id
    [kept] = (await jar.sessions.recordings(session.id)).recordings
    async with jar.sessions.download_recording(session.id, kept.id) as download:
        assert (download.content_type, download.size) == ("video/mp4", kept.bytes)
        saved = await download.save(tmp_path / "film.mp4")
    assert saved.stat().st_size == kept.bytes
    assert saved.read_bytes()[4:8] == b"ftyp"
    with pytest.raises(NotFound):
        async with jar.sessions.download_recording(session.id, "rec_9"):
            raise AssertionError("there is no such film")


async def test_a_session_is_found_again_extended_and_ended(jar: AsyncBelljar) -> None:
    first = await jar.sessions.create(mode="none", id="mine", idempotency_key="once")
    again = await jar.sessions.create(mode="none", id="mine", idempotency_key="once")
    assert again.id == first.id
    assert (await again.health()).status == "ok"
    with pytest.raises(SessionExists):
        await jar.sessions.create(mode="none", id="mine")
    found = await jar.sessions.connect("mine")
    assert (await found.health()).status == "ok"
    longer = await jar.sessions.update("mine", ttl=5000, tags={"kept": "yes"})
    assert longer.tags == {"kept": "yes"}
    assert (await jar.sessions.end_all(["kept"])).removed == ["mine"]
    for one in (first, again, found):
        await one.close()
    with pytest.raises(UnknownSession):
        await jar.sessions.get("never-was")


async def test_keys_profiles_and_records(jar: AsyncBelljar, plane: RunningPlane) -> None:
    assert (await jar.records.me()).role is KeyRole.ADMIN
    key = await jar.keys.create("bob", max_sessions=1)
    async with AsyncBelljar(plane.url, key.key) as bob:
        profile = await bob.profiles.create("work")
        assert [one.name for one in (await bob.profiles.list()).profiles] == ["work"]
        await bob.profiles.delete(profile.id)
    await jar.keys.revoke(key.id)
    assert (await jar.records.audit(limit=5)).events
    assert isinstance((await jar.records.usage(sessions=True)).users, list)


def test_the_blocking_client_borrows_a_browser(plane: RunningPlane) -> None:
    with Belljar(plane.url, plane.key) as jar, jar.sessions.create(headless=True) as session:
        page = session.browser.open("data:text/html,<title>Lent</title>")
        assert page.text().title == "Lent"
        assert jar.sessions.thumbnail(session.id)[:2] == b"\xff\xd8"


async def test_what_only_a_box_has_a_control_plane_has_not(jar: AsyncBelljar) -> None:
    with pytest.raises(UnknownPath, match="a box has browser"):
        await jar.browser.status()
