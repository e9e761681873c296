"""A database that is away: whoever asks is told so and when to ask again, and all is well once it is back."""

import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2 as httpx
import pytest
from prometheus_client import CollectorRegistry
from sqlalchemy import Engine, event

from belljar.plane.access.secrets import MasterKey
from belljar.plane.app import open_control
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.launchers.base import BoxSpec, Handle, Keep
from belljar.plane.parts import Plane
from belljar.plane.registry import KeyRow
from belljar.plane.routes.health import healthz
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import Supervisor, repeat
from belljar.problems.plane import DatabaseUnavailable, LaunchFailed, SessionOver
from belljar.tasks import background
from belljar.wire.access import CreateKey
from belljar.wire.sessions import CreateSession, EndReason, SessionMode
from belljar.wire.sessions import SessionState as S
from tests.plane.outages import FAULTS, Outage, outage_of, query
from tests.plane.plane import RunningPlane, boxes_of, running_plane, state_folder, until
from tests.plane.strange_boxes import ClingingLauncher, PoliteLauncher

T = TypeVar("T")
NONE = CreateSession(mode=SessionMode.NONE)
# Longer than any request may hang; a client that waits in vain fails the test.
ANSWERED_WITHIN = 40.0
PATIENCE = 120.0
# How long the database may take here, and how long it is away where it is silent: longer than that.
DATABASE_SECONDS, SILENT_SECONDS = 2.0, 3.0


def rarely(*faults: str) -> list[object]:
    """Everything that can befall a database, of which these are left to the long runs."""
    return [pytest.param(fault, marks=pytest.mark.soak) if fault in faults else fault for fault in FAULTS]


@contextmanager
def plane_on(fault: str, *flags: str) -> Iterator[tuple[RunningPlane, Outage, Path]]:
    with state_folder() as state, outage_of(fault, state) as outage:
        with running_plane(*_database(outage), *flags, state_dir=state) as plane:
            yield plane, outage, state


def _database(outage: Outage) -> tuple[str, ...]:
    return "--database-url", outage.url, "--database-timeout", f"{DATABASE_SECONDS}"


def refused(answer: httpx.Response) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == "database_unavailable"
    assert int(answer.headers["retry-after"]) >= 1 and answer.json()["retryAfterMs"] >= 1000


def nothing_left(state: Path, url: str) -> bool:
    folders = list((state / "boxes").iterdir()) if (state / "boxes").exists() else []
    live = "select id from sessions where state not in ('stopped', 'failed')"
    return not folders and not boxes_of(state) and not query(url, "select id from boxes") and not query(url, live)


@pytest.mark.parametrize("fault", rarely("postgresql stopped", "sqlite locked"))
def test_every_way_in_says_so_and_is_open_again_when_it_is_back(fault: str) -> None:
    with plane_on(fault) as (plane, outage, state):
        session = plane.create()
        token = {"Authorization": f"Bearer {session['token']}"}
        with plane.client() as client, httpx.Client(base_url=plane.url, timeout=ANSWERED_WITHIN) as stranger:
            client.timeout = httpx.Timeout(ANSWERED_WITHIN)
            outage.begin()
            ways_in = [
                lambda: client.post("/api/sessions", json={"mode": "none"}),
                lambda: client.post("/api/keys", json={"user": "ann"}),
                lambda: stranger.get(f"/sign-in?ticket={plane.ticket}"),
                lambda: stranger.get("/readyz"),
                lambda: client.delete(f"/api/sessions/{session['id']}"),
            ]
            if fault != "sqlite locked":
                # The key that made the session is believed for a second, and needs no database until then.
                until(lambda: not client.get(f"/s/{session['id']}/v1/health").is_success, what="the key's second")
                ways_in += [
                    lambda: client.get("/api/sessions"),
                    lambda: client.get(f"/s/{session['id']}/v1/health"),
                    lambda: stranger.get(f"/s/{session['id']}/v1/health?ticket=unknown"),
                    lambda: client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}),
                    lambda: stranger.post("/sign-in", json={"key": plane.key}),
                ]
            # Side by side: each of them waits for the database as long as anybody may.
            with ThreadPoolExecutor(len(ways_in)) as pool:
                asked = [pool.submit(way_in) for way_in in ways_in]
                assert stranger.get("/healthz").text == "ok", "to start it anew would help nobody"
                assert stranger.get("/").status_code == 200, "the dashboard's page"
                assert stranger.get(f"/s/{session['id']}/v1/health", headers=token).status_code == 200
                for answer in asked:
                    refused(answer.result(PATIENCE))
            outage.end()
            until(lambda: stranger.get("/readyz").is_success, what="the database's return")
            other = plane.create()
            for one in (session, other):
                assert client.delete(f"/api/sessions/{one['id']}").json()["state"] == "stopped"
        until(lambda: nothing_left(state, outage.url), what="the end of everything")
        assert "Traceback" not in plane.log.read_text()


@pytest.mark.parametrize("fault", rarely("postgresql stopped", "sqlite locked"))
def test_told_to_stop_meanwhile_it_leaves_no_box(fault: str) -> None:
    with plane_on(fault, "--pool-size", "1", "--pool-mode", "none") as (plane, outage, state):
        plane.create()
        until(lambda: len(query(outage.url, "select id from boxes where state = 'warm'")) == 1, what="a warm box")
        outage.begin()
        plane.process.terminate()
        assert plane.process.wait(PATIENCE) == 0
        assert boxes_of(state) == [] and list((state / "boxes").iterdir()) == []
        assert "Traceback" not in plane.log.read_text()
        outage.end()
        with running_plane(*_database(outage), state_dir=state, key=plane.key) as again:
            until(lambda: nothing_left(state, outage.url), what="rows at rest")
            assert again.create()["state"] == "running"


def test_a_start_without_a_database_is_one_sentence(tmp_path: Path) -> None:
    with outage_of("postgresql paused", tmp_path) as outage, state_folder() as state:
        outage.begin()
        with pytest.raises(AssertionError, match="Cannot use the database"):
            with running_plane(*_database(outage), state_dir=state):
                raise RuntimeError("it came up")


# The parts in this process, with the database going away at a chosen transaction.


@asynccontextmanager
async def parts_on(outage: Outage, launcher: PoliteLauncher, folder: Path) -> AsyncIterator[tuple[Plane, KeyRow]]:
    settings = PlaneSettings(
        state_dir=folder,
        database_url=outage.url,
        database_timeout=DATABASE_SECONDS,
        start_timeout=20,
        starts_at_once=4,
        memory_per_session=0,
        max_sessions_per_user=100,
    )
    parts = open_control(settings, MasterKey(b"k" * 32), CollectorRegistry(), anyio.Event(), launcher)
    try:
        async with parts as control:
            with anyio.fail_after(PATIENCE):
                make = partial(control.credentials.make_key, CreateKey(user="ann"), actor="test")
                _, key = await asked_again(make)
            yield control, key
    finally:
        launcher.close()


class AtTransaction:
    """Lets a database go away at the nth transaction from now, and come back some seconds later."""

    # Who counts at the moment.
    watching_now: "AtTransaction | None" = None

    def __init__(self, outage: Outage, number: int, seconds: float) -> None:
        self._outage = outage
        self._left = number
        self._seconds = seconds
        self._began = anyio.Event()
        self._ended = anyio.Event()

    def count(self) -> None:
        self._left -= 1
        if self._left == 0:
            # Within the event loop, so that this transaction is the first to notice.
            self._outage.begin(wait=False)
            self._began.set()

    async def _end(self) -> None:
        await self._began.wait()
        await anyio.sleep(self._seconds)
        await anyio.to_thread.run_sync(self._outage.end)
        self._ended.set()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Within the block it may happen, and then lasts as long as it should; afterwards the database is there."""
        AtTransaction.watching_now = self
        try:
            async with background(self._end, name="outage"):
                yield
                if self._began.is_set():
                    await self._ended.wait()
        finally:
            AtTransaction.watching_now = None
            await anyio.to_thread.run_sync(self._outage.end)


@event.listens_for(Engine, "begin")
def _begun(_: object) -> None:
    """Of every engine, from the start: to listen to one that is in use would change what it is just going through."""
    if AtTransaction.watching_now is not None:
        AtTransaction.watching_now.count()


async def at_every_step(
    fault: str, folder: Path, do: Callable[[Plane, KeyRow], Any], steps: Iterable[int], secs: float
) -> None:
    """`do` with an outage at each of these transactions of its, one after the other."""
    launcher = PoliteLauncher()
    with outage_of(fault, folder) as outage:
        async with parts_on(outage, launcher, folder) as (control, key):
            for number in steps:
                at = AtTransaction(outage, number, secs)
                async with at.watching():
                    with _problems():
                        await do(control, key)
                await _all_ends(control, key, launcher)


@contextmanager
def _problems() -> Iterator[None]:
    """What a caller may be told while the database comes and goes; nothing else, and within a bound."""
    try:
        yield
    except (DatabaseUnavailable, LaunchFailed):
        pass


async def asked_again(ask: Callable[[], Awaitable[T]]) -> T:
    """As who is refused for the database's sake should: on a busy host it may take longer than it may here."""
    while True:
        try:
            return await ask()
        except DatabaseUnavailable:
            await anyio.sleep(0.05)


async def _all_ends(control: Plane, key: KeyRow, launcher: PoliteLauncher) -> None:
    """The next session is made and ended, and nothing that was begun before is left."""
    with anyio.fail_after(PATIENCE):
        created = await asked_again(lambda: control.sessions.create(NONE, key, None))
        assert created.row.state is S.RUNNING
        while live := await asked_again(control.registry.sessions.live):
            for row in live:
                if row.state is S.RUNNING:
                    with suppress(DatabaseUnavailable):
                        await control.sessions.end(row.id, EndReason.RELEASED, actor="ann")
            await anyio.sleep(0.05)
        while True:
            boxes = await asked_again(control.registry.boxes.list)
            if not (launcher.living or boxes):
                break
            await anyio.sleep(0.05)
        assert control.supervisor.dead == []


async def eventually(check: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < deadline, "it did not come to that"
        await anyio.sleep(0.02)


async def journey(control: Plane, key: KeyRow) -> None:
    """Created, found, extended, and ended."""
    with anyio.fail_after(PATIENCE):
        created = await control.sessions.create(NONE, key, None)
        await control.directory.look_again(created.row.id)
        await control.registry.sessions.change(created.row.id, kind="session.changed", actor="ann", tags={"a": "b"})
        await control.sessions.end(created.row.id, EndReason.RELEASED, actor="ann")


async def test_stopped_at_any_step_nothing_is_forgotten(tmp_path: Path) -> None:
    await at_every_step("postgresql stopped", tmp_path, journey, steps=range(1, 17, 3), secs=0.2)


@pytest.mark.parametrize("fault", ["postgresql paused", "sqlite locked"])
@pytest.mark.parametrize("step", [2, *(pytest.param(step, marks=pytest.mark.soak) for step in (7, 12))])
async def test_silent_for_a_while_nothing_is_forgotten(fault: str, step: int, tmp_path: Path) -> None:
    launcher = PoliteLauncher()
    with outage_of(fault, tmp_path) as outage:
        async with parts_on(outage, launcher, tmp_path) as (control, key):
            async with AtTransaction(outage, step, SILENT_SECONDS).watching():
                with _problems():
                    await journey(control, key)
            await _all_ends(control, key, launcher)


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [5, 20])
@pytest.mark.parametrize("fault", FAULTS)
async def test_away_at_every_step_for_long_nothing_is_forgotten(fault: str, seconds: int, tmp_path: Path) -> None:
    await at_every_step(fault, tmp_path, journey, steps=range(1, 21), secs=seconds)


async def test_told_to_stop_with_many_underway_it_leaves_no_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them waits for the database in vain: one after the other they would use up the time for all."""

    class StuckLauncher(PoliteLauncher):
        async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
            await super().launch(spec, keep)
            await anyio.sleep_forever()
            raise AssertionError("it went on")

    launcher = StuckLauncher()

    async def create(control: Plane, key: KeyRow) -> None:
        with suppress(DatabaseUnavailable, SessionOver):
            await control.sessions.create(NONE, key, None)

    async with anyio.create_task_group() as tasks:
        with outage_of("postgresql paused", tmp_path) as outage:
            async with parts_on(outage, launcher, tmp_path) as (control, key):
                for _ in range(12):
                    tasks.start_soon(create, control, key)
                with anyio.fail_after(PATIENCE):
                    while True:
                        if len(launcher.living) == 4 and len(await control.registry.sessions.live()) == 12:
                            break
                        await anyio.sleep(0.02)
                monkeypatch.setattr("belljar.plane.app._END_SECONDS", 6 * DATABASE_SECONDS)
                outage.begin()
            assert launcher.living == {}


async def test_an_end_that_fails_is_tried_until_it_is_done(tmp_path: Path) -> None:
    launcher = ClingingLauncher(times=2)
    with outage_of("sqlite locked", tmp_path) as outage:
        async with parts_on(outage, launcher, tmp_path) as (control, key):
            created = await control.sessions.create(NONE, key, None)
            with pytest.raises(OSError, match="in the way"):
                await control.sessions.end(created.row.id, EndReason.RELEASED, actor="ann")
            await eventually(lambda: launcher.left == 0)
            await _all_ends(control, key, launcher)
            row = await control.registry.sessions.get(created.row.id)
            assert row is not None and (row.state, row.reason) == (S.STOPPED, EndReason.RELEASED)


async def test_a_failed_start_that_cannot_be_cleared_away_stops_nobody(tmp_path: Path) -> None:
    class HalfLauncher(ClingingLauncher):
        """Its first boxes end before they answer, and cling."""

        async def launch(self, spec: Any, keep: Any) -> Any:
            handle = await super().launch(spec, keep)
            if self.left:
                self._servers[spec.box_id].close()
                raise OSError("no space left on device")
            return handle

    launcher = HalfLauncher(times=2)
    with outage_of("sqlite locked", tmp_path) as outage:
        async with parts_on(outage, launcher, tmp_path) as (control, key):
            with pytest.raises(LaunchFailed):
                await control.sessions.create(NONE, key, None)
            await eventually(lambda: not launcher.left)
            await _all_ends(control, key, launcher)
            assert (await healthz(control)).status_code == 200


async def test_a_box_that_answers_anything_is_one_box_s_trouble(tmp_path: Path) -> None:
    """The reaper asks all of them: what it does not understand must be something that it expects."""
    launcher = PoliteLauncher()
    with outage_of("sqlite locked", tmp_path) as outage:
        async with parts_on(outage, launcher, tmp_path) as (control, key):
            created = await control.sessions.create(NONE, key, None)
            [box] = await control.registry.boxes.list()
            assert box.session_id == created.row.id and box.handle is not None
            with pytest.raises(BoxRefused, match="does not say how it is"):
                await control.calls.health(launcher.address(box.handle), box.id)
            await _all_ends(control, key, launcher)


async def test_a_probe_learns_of_a_task_that_does_not_run(tmp_path: Path) -> None:
    async def failing() -> None:
        raise RuntimeError("a fault of ours")

    with outage_of("sqlite locked", tmp_path) as outage:
        async with parts_on(outage, PoliteLauncher(), tmp_path) as (control, _):
            assert (await healthz(control)).status_code == 200

            async def run() -> None:
                await control.supervisor.keep_running("reaper", failing)

            async with background(run, name="failing"):
                await eventually(lambda: control.supervisor.dead == ["reaper"])
                answer = await healthz(control)
                assert (answer.status_code, bytes(answer.body)) == (503, b"not running: reaper")


async def test_a_loop_goes_on_after_a_round_that_failed() -> None:
    rounds = []

    async def look() -> None:
        rounds.append(time.monotonic())
        if len(rounds) == 1:
            raise RuntimeError("a fault of ours")
        if len(rounds) == 2:
            raise DatabaseUnavailable("away")

    async with background(lambda: repeat("test", look, every=0.01), name="loop"):
        await eventually(lambda: len(rounds) >= 4)


async def test_a_task_that_ends_is_started_again() -> None:
    supervisor, starts = Supervisor(), []

    async def run() -> None:
        starts.append(1)
        if len(starts) > 1:
            await anyio.sleep_forever()

    async with background(lambda: supervisor.keep_running("task", run), name="kept"):
        await eventually(lambda: len(starts) == 2)
        assert supervisor.dead == []


def test_parts_that_break_down_end_the_process(tmp_path: Path) -> None:
    """A server around parts that fail while it serves: whoever started it must learn of it, to start it again."""
    program = """
import sys
import anyio
from contextlib import asynccontextmanager
from starlette.applications import Starlette
from belljar.server.serving import bind, serve
from belljar.tasks import background

async def fail():
    await anyio.sleep(0.2)
    raise RuntimeError("a fault of ours")

@asynccontextmanager
async def parts(_):
    async with background(fail, name="fail"):
        yield

app = Starlette(lifespan=parts)
sys.exit(0 if serve(app, bind("127.0.0.1", 0), on_listening=lambda: None, on_stopping=lambda: None) else 1)
"""
    ended = subprocess.run([sys.executable, "-c", program], timeout=PATIENCE, capture_output=True, cwd=tmp_path)
    assert ended.returncode == 1, ended.stderr.decode()
