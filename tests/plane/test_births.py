"""Sessions whose boxes never come up, and what the reaper decides; the parts in this process, no server around them."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from prometheus_client import CollectorRegistry

from belljar.plane.access.secrets import MasterKey
from belljar.plane.addresses import Addresses
from belljar.plane.app import open_control
from belljar.plane.boxes.launchers.base import BoxSpec, Handle, Keep, Launcher
from belljar.plane.parts import Plane
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.registry.sessions import row_of
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.quotas import Limits, Load, has_room, may_queue, user_may_add
from belljar.plane.sessions.reaper import Reaper, seems_idle, to_evict, verdict
from belljar.plane.sessions.starts import StartsInProgress
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import ControlMetrics
from belljar.problems.plane import Draining, LaunchFailed
from belljar.wire.access import CreateKey
from belljar.wire.sessions import CreateSession, EndReason, SessionMode
from belljar.wire.sessions import SessionState as S
from tests.plane.strange_boxes import (
    BrokenLauncher,
    CrowdedLauncher,
    NeverReadyLauncher,
    PoliteLauncher,
    ReluctantLauncher,
)
from tests.plane.test_registry import new_row

NONE = CreateSession(mode=SessionMode.NONE)
Opening = Callable[..., AbstractAsyncContextManager[tuple[Plane, KeyRow]]]


@pytest.fixture
def opening(tmp_path: Path) -> Opening:
    @asynccontextmanager
    async def open_it(
        launcher: Launcher, start_timeout: float = 0.3, **more: Any
    ) -> AsyncIterator[tuple[Plane, KeyRow]]:
        settings = PlaneSettings(
            state_dir=tmp_path, start_timeout=start_timeout, memory_per_session=0, retain=0, starts_at_once=2, **more
        )
        parts = open_control(settings, MasterKey(b"k" * 32), CollectorRegistry(), anyio.Event(), launcher)
        try:
            async with parts as control:
                _, key = await control.credentials.make_key(CreateKey(user="ann"), actor="test")
                yield control, key
        finally:
            if isinstance(launcher, PoliteLauncher):
                launcher.close()

    return open_it


async def test_a_launcher_that_makes_nothing_is_a_problem_and_leaves_nothing(opening: Opening) -> None:
    async with opening(BrokenLauncher()) as (control, key):
        with pytest.raises(LaunchFailed):
            await control.sessions.create(NONE, key, None)
        [row] = await control.registry.sessions.list()
        assert (row.state, row.reason) == (S.FAILED, EndReason.FAILED)
        assert await control.registry.boxes.list() == []


async def test_a_box_that_never_answers_is_given_up_and_destroyed(opening: Opening) -> None:
    launcher = NeverReadyLauncher()
    async with opening(launcher) as (control, key):
        with pytest.raises(LaunchFailed):
            await control.sessions.create(NONE, key, None)
        assert launcher.launched == launcher.destroyed != []
        assert await control.registry.boxes.list() == []


async def test_a_box_that_comes_up_after_its_first_end_is_claimed_for_the_later_one(opening: Opening) -> None:
    """A claim with a time that has passed would be its end, before anybody could tell it better."""
    extended = anyio.Event()

    class LateLauncher(PoliteLauncher):
        async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
            await extended.wait()
            return await super().launch(spec, keep)

    launcher = LateLauncher()
    async with opening(launcher, start_timeout=20) as (control, key):
        begun = await control.sessions.create(NONE.model_copy(update={"wait": False, "ttl": 60}), key, "once")
        later = begun.row.expires_at + 600
        await control.registry.sessions.change(begun.row.id, kind="session.changed", actor="ann", expires_at=later)
        extended.set()
        # The same again, which waits for the one that is under way.
        again = await control.sessions.create(NONE.model_copy(update={"ttl": 60}), key, "once")
        assert again.row.id == begun.row.id and again.row.state is S.RUNNING
        assert [json.loads(body)["expiresAt"] for body in launcher.bodies] == [later]


async def test_whoever_waits_for_a_start_is_given_what_came_of_it() -> None:
    """The row that was brought up, not what somebody's memory of sessions holds by then."""
    starts = StartsInProgress()
    start = starts.begin(replace(session(id="one"), state=S.STARTING))
    other = starts.begin(replace(session(id="two"), state=S.STARTING))
    assert starts.count_starting(but="one") == 1
    given: list[SessionRow] = []

    async def wait() -> None:
        given.append(await start.wait())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wait)
        tasks.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        start.finish(session(id="one", box_id="b-1"))
    assert [(row.state, row.box_id) for row in given] == [(S.RUNNING, "b-1")] * 2
    other.finish(LaunchFailed("It did not come up."))
    with pytest.raises(LaunchFailed):
        await other.wait()


async def test_boxes_are_started_a_few_at_a_time(opening: Opening) -> None:
    launcher = CrowdedLauncher()
    async with opening(launcher) as (control, key):

        async def create() -> None:
            with pytest.raises(LaunchFailed):
                await control.sessions.create(NONE, key, None)

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(create)
    assert launcher.most == 2


async def test_one_that_is_ended_while_it_starts_is_destroyed_too(opening: Opening) -> None:
    launcher = NeverReadyLauncher()
    async with opening(launcher) as (control, key):
        created = await control.sessions.create(NONE.model_copy(update={"wait": False}), key, None)
        over = await control.sessions.end(created.row.id, EndReason.RELEASED, actor="ann")
        assert over is not None and over.state is S.STOPPED
        assert launcher.launched == launcher.destroyed


async def test_what_a_profile_was_lent_to_gives_it_back_when_it_fails(opening: Opening) -> None:
    async with opening(BrokenLauncher()) as (control, key):
        profile = await control.profiles.add(key, "shop")
        with pytest.raises(LaunchFailed):
            await control.sessions.create(CreateSession(profile_id=profile.id), key, None)
        assert (await control.profiles.get(key, profile.id)).session_id is None


async def test_what_is_over_is_kept_as_long_as_asked_and_no_longer(opening: Opening) -> None:
    launcher = BrokenLauncher()
    async with opening(launcher) as (control, key):
        with pytest.raises(LaunchFailed):
            await control.sessions.create(NONE, key, None)
        measured = ControlMetrics(CollectorRegistry())
        parts = (control.settings, control.registry, launcher, control.directory, control.calls, control.peers)
        # `--retain 0`: everything that has ended is too old.
        reaper = Reaper(Context(*parts, measured, control.records), None, None, None, StartsInProgress())  # type: ignore[arg-type]
        await reaper.forget()
        assert await control.registry.sessions.list() == []


async def test_a_warm_box_that_cannot_be_tightened_makes_way_for_a_new_one(opening: Opening) -> None:
    launcher = ReluctantLauncher()
    async with opening(launcher, start_timeout=20, pool_size=1, pool_mode="none") as (control, key):
        with anyio.fail_after(20):
            await launcher.has_launched.wait()
            created = await control.sessions.create(NONE, key, None)
        # The pool has begun its next one too, before or after the session's.
        warm, *newer = launcher.launched
        assert created.row.state is S.RUNNING and created.row.box_id in newer
        assert warm not in launcher.living
        lent = [box.id for box in await control.registry.boxes.list() if box.session_id]
        assert lent == [created.row.box_id]


async def test_told_to_stop_it_takes_no_new_sessions(opening: Opening) -> None:
    async with opening(BrokenLauncher()) as (control, key):
        control.stopping.set()
        with pytest.raises(Draining):
            await control.sessions.create(NONE, key, None)


@pytest.mark.parametrize(
    ("public_url", "client", "headers", "expected"),
    [
        (None, "10.0.0.1", {"host": "a:1"}, "http://a:1"),
        (None, "10.0.0.1", {"host": "a:1", "x-forwarded-host": "evil", "x-forwarded-proto": "https"}, "http://a:1"),
        (None, "10.0.0.9", {"host": "a:1", "x-forwarded-host": "b", "x-forwarded-proto": "https"}, "https://b"),
        (None, "10.0.0.9", {"host": "a:1", "x-forwarded-prefix": "/glass/"}, "http://a:1/glass"),
        ("https://c.example/x/", "10.0.0.9", {"host": "a:1", "x-forwarded-host": "b"}, "https://c.example/x"),
    ],
)
def test_under_which_address_it_is_reached(
    public_url: str | None, client: str, headers: dict[str, str], expected: str
) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "scheme": "http", "client": (client, 1), "headers": raw}
    assert Addresses(public_url, ["10.0.0.9"]).of(scope).http == expected


NOW = 1000.0


def session(**changes: Any) -> SessionRow:
    times: dict[str, Any] = {"created_at": NOW - 10, "moved_at": NOW - 10, "expires_at": NOW + 50}
    return replace(row_of(new_row()), state=S.RUNNING, **(times | changes))


@pytest.mark.parametrize(
    ("row", "owner_lives", "reason"),
    [
        (session(), True, None),
        (session(), False, None),
        (session(revoked=True), True, EndReason.REVOKED),
        (session(expires_at=1.0), True, EndReason.EXPIRED),
        (replace(session(), state=S.STARTING), True, None),
        (replace(session(), state=S.STARTING), False, EndReason.FAILED),
        (replace(session(), state=S.PENDING), False, EndReason.FAILED),
        (replace(session(), state=S.STARTING, moved_at=1.0), True, EndReason.FAILED),
    ],
)
def test_verdicts(row: SessionRow, owner_lives: bool, reason: EndReason | None) -> None:
    assert verdict(row, NOW, owner_lives=owner_lives, start_timeout=60) is reason


@pytest.mark.parametrize(
    ("timeout", "silent_for", "state", "is_idle"),
    [(60, 59, S.RUNNING, False), (60, 60, S.RUNNING, True), (0, 9999, S.RUNNING, False), (60, 99, S.STARTING, False)],
)
def test_idleness(timeout: int, silent_for: float, state: S, is_idle: bool) -> None:
    row = replace(session(idle_timeout=timeout), state=state)
    assert seems_idle(row, NOW, NOW - silent_for) is is_idle


def test_who_is_evicted_is_who_was_unused_for_longest() -> None:
    rows = [session(id="busy"), session(id="unused"), replace(session(id="starting"), state=S.STARTING)]
    used = {"busy": NOW, "unused": NOW - 300, "starting": NOW - 900}
    chosen = to_evict(rows, lambda row: used[row.id])
    assert chosen is not None and chosen.id == "unused"
    assert to_evict(rows[2:], lambda row: used[row.id]) is None


LIMITS = Limits(total=10, per_user=2, waiting=3, memory_per_session=100, memory_reserve=50)


@pytest.mark.parametrize(
    ("load", "own_limit", "user", "queue", "room"),
    [
        (Load(0, 0, 0, 0, 1000), None, True, True, True),
        (Load(2, 2, 0, 0, 1000), None, False, True, True),
        (Load(2, 2, 0, 0, 1000), 3, True, True, True),
        (Load(0, 10, 3, 0, 1000), None, True, False, False),
        (Load(0, 1, 0, 0, 149), None, True, True, False),
        (Load(0, 1, 0, 0, 150), None, True, True, True),
        (Load(0, 1, 0, 1, 249), None, True, True, False),
    ],
)
def test_quotas(load: Load, own_limit: int | None, user: bool, queue: bool, room: bool) -> None:
    assert user_may_add(load, LIMITS, own_limit) is user
    assert may_queue(load, LIMITS) is queue
    assert has_room(load, LIMITS) is room
