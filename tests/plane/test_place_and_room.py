"""What control planes leave to the launcher: how much room there is, where boxes are, how many start at a time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from prometheus_client import CollectorRegistry
from sqlalchemy import text

from belljar.plane.access.secrets import MasterKey
from belljar.plane.app import open_control
from belljar.plane.boxes.launchers.base import BoxSpec, Handle, Keep, Room
from belljar.plane.parts import Plane
from belljar.plane.registry import BoxRow, BoxState, KeyRow
from belljar.plane.settings import PlaneSettings
from belljar.problems.plane import NoRoom
from belljar.wire.access import CreateKey
from belljar.wire.sessions import CreateSession, EndReason, SessionMode
from belljar.wire.sessions import SessionState as S
from tests.plane.strange_boxes import PoliteLauncher

NONE = CreateSession(mode=SessionMode.NONE)


@asynccontextmanager
async def plane(folder: Path, launcher: PoliteLauncher, **told: Any) -> AsyncIterator[tuple[Plane, KeyRow]]:
    usual: dict[str, Any] = {"state_dir": folder, "memory_per_session": 0, "pool_mode": "none"}
    settings = PlaneSettings(**usual | told)
    parts = open_control(settings, MasterKey(b"k" * 32), CollectorRegistry(), anyio.Event(), launcher)
    try:
        async with parts as control:
            _, key = await control.credentials.make_key(CreateKey(user="ann"), actor="test")
            yield control, key
    finally:
        launcher.close()


async def warm_boxes(control: Plane, number: int) -> list[BoxRow]:
    with anyio.fail_after(30):
        while True:
            found = [box for box in await control.registry.boxes.list() if box.state is BoxState.WARM]
            if len(found) == number:
                return found
            await anyio.sleep(0.05)


async def test_whether_there_is_room_the_launcher_says(tmp_path: Path) -> None:
    class FullLauncher(PoliteLauncher):
        room_left = Room(memory=1)

        async def room(self) -> Room:
            return self.room_left

    launcher = FullLauncher()
    async with plane(tmp_path, launcher, memory_per_session=100, queue_wait=0.3) as (control, key):
        with pytest.raises(NoRoom):
            await control.sessions.create(NONE, key, None)
        launcher.room_left = Room(memory=1 << 40, disk=1)
        with pytest.raises(NoRoom):
            await control.sessions.create(NONE, key, None)
        # One that does not count has room.
        launcher.room_left = Room()
        assert (await control.sessions.create(NONE, key, None)).row.state is S.RUNNING


async def test_what_is_in_one_place_every_plane_of_it_ends_whatever_its_host(tmp_path: Path) -> None:
    launcher = PoliteLauncher()
    async with (
        plane(tmp_path, launcher, host_name="one") as (one, key),
        plane(tmp_path, launcher, host_name="two") as (
            two,
            _,
        ),
    ):
        row = (await one.sessions.create(NONE, key, None)).row
        assert (row.host, row.place) == ("one", "here")
        over = await two.sessions.end(row.id, EndReason.RELEASED, actor="ann")
        assert over is not None and over.state is S.STOPPED
        assert launcher.living == {}
        assert await two.registry.boxes.list() == []


async def test_a_pool_starts_as_many_at_a_time_as_its_launcher_can(tmp_path: Path) -> None:
    class WideLauncher(PoliteLauncher):
        warm_starts_at_once = 3

        def __init__(self) -> None:
            super().__init__()
            self.launching = 0
            self.all_there = anyio.Event()

        async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
            self.launching += 1
            if self.launching == 3:
                self.all_there.set()
            await self.all_there.wait()
            return await super().launch(spec, keep)

    async with plane(tmp_path, WideLauncher(), pool_size=3, starts_at_once=3) as (control, _):
        await warm_boxes(control, 3)


@pytest.mark.parametrize(
    ("told", "is_adopted"), [({}, True), ({"egress": "none"}, False), ({"default_memory": "1G"}, False)]
)
async def test_a_warm_box_of_a_plane_that_is_gone_serves_on_if_it_was_started_alike(
    tmp_path: Path, told: dict[str, str], is_adopted: bool
) -> None:
    launcher = PoliteLauncher()
    async with plane(tmp_path, launcher, pool_size=1) as (gone, _):
        [box] = await warm_boxes(gone, 1)
        async with gone.registry.database.write() as connection:
            await connection.execute(text("update boxes set plane_id = 'p-gone'"))
        async with plane(tmp_path, launcher, pool_size=1, **told) as (control, key):
            assert (box.id in launcher.living) is is_adopted
            [warm] = await warm_boxes(control, 1)
            assert (warm.id == box.id) is is_adopted
            assert warm.plane_id == control.peers.id
            assert (await control.sessions.create(NONE, key, None)).row.box_id == warm.id


async def test_more_warm_boxes_than_a_pool_wants_are_removed(tmp_path: Path) -> None:
    launcher = PoliteLauncher()
    async with plane(tmp_path, launcher, pool_size=1) as (gone, _):
        [box] = await warm_boxes(gone, 1)
        async with gone.registry.database.write() as connection:
            await connection.execute(text("update boxes set plane_id = 'p-gone'"))
        async with plane(tmp_path, launcher, pool_size=0):
            assert box.id not in launcher.living
            assert await gone.registry.boxes.get(box.id) is None
