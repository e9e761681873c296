"""Two control planes on one host: every end has one owner, and a peer is dead when its process is."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import pytest
from prometheus_client import CollectorRegistry
from sqlalchemy import text

from belljar.plane import kernel
from belljar.plane.access.secrets import MasterKey
from belljar.plane.app import open_control
from belljar.plane.boxes.launchers.base import Ending, Handle
from belljar.plane.boxes.launchers.local import LocalLauncher
from belljar.plane.parts import Plane
from belljar.plane.peers import Peers, is_alive
from belljar.plane.registry import KeyRow, PlaneRow, open_registry
from belljar.plane.registry.protocol import PROTOCOL, pid_namespace
from belljar.plane.settings import PlaneSettings
from belljar.wire.access import CreateKey
from belljar.wire.sessions import CreateSession, EndReason, SessionMode
from belljar.wire.sessions import SessionState as S
from tests.plane.outages import query
from tests.plane.plane import boxes_of, running_plane, state_folder, until
from tests.plane.postgres import Postgres
from tests.plane.strange_boxes import NeverReadyLauncher, PoliteLauncher
from tests.plane.test_two_planes import _url, two_planes

NONE = CreateSession(mode=SessionMode.NONE)
PATIENCE = 60.0


class SlowLauncher(PoliteLauncher):
    """Takes its time to destroy a box, and notes who asks for it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        self.asked[box_id] += 1
        await anyio.sleep(1.5)
        await super().destroy(box_id, handle)

    def kill(self, box_id: str) -> None:
        self.living.pop(box_id).cleanup()


@asynccontextmanager
async def two_controls(url: str, folder: Path, launcher: PoliteLauncher) -> AsyncIterator[list[tuple[Plane, KeyRow]]]:
    """Side by side in this process; each knows the other by the database alone."""
    settings = PlaneSettings(state_dir=folder, database_url=url, memory_per_session=0, start_timeout=5)
    async with AsyncExitStack() as stack:
        if isinstance(launcher, PoliteLauncher):
            stack.callback(launcher.close)
        found = []
        for _ in range(2):
            parts = open_control(settings, MasterKey(b"k" * 32), CollectorRegistry(), anyio.Event(), launcher)
            control = await stack.enter_async_context(parts)
            _, key = await control.credentials.make_key(CreateKey(user="ann"), actor="test")
            found.append((control, key))
        yield found


async def at_rest(control: Plane, id: str) -> S:
    with anyio.fail_after(PATIENCE):
        while True:
            row = await control.registry.sessions.get(id)
            assert row is not None
            if row.state in (S.STOPPED, S.FAILED):
                return row.state
            await anyio.sleep(0.05)


async def test_a_dead_box_is_removed_by_one_of_them(database_url: str, tmp_path: Path) -> None:
    launcher = SlowLauncher()
    async with two_controls(database_url, tmp_path, launcher) as [(one, key), (two, _)]:
        rows = [(await one.sessions.create(NONE, key, None)).row for _ in range(3)]
        for row in rows:
            assert row.box_id is not None
            launcher.kill(row.box_id)
        for row in rows:
            assert await at_rest(two, row.id) is S.FAILED
        assert launcher.asked == {row.box_id: 1 for row in rows}
        events = await one.registry.events.list(limit=1000)
        assert Counter(e["kind"] for e in events)["session.failed"] == 3


@pytest.mark.parametrize(("was_oom", "reason"), [(True, EndReason.OOM), (False, EndReason.CRASHED)])
async def test_a_session_ends_for_what_its_box_ended_of(
    database_url: str, tmp_path: Path, was_oom: bool, reason: EndReason
) -> None:
    class EndingLauncher(SlowLauncher):
        async def wait_ended(self, handle: Handle) -> Ending:
            return Ending(was_oom=was_oom, detail="exit -9")

    launcher = EndingLauncher()
    async with two_controls(database_url, tmp_path, launcher) as [(control, key), _]:
        row = (await control.sessions.create(NONE, key, None)).row
        assert row.box_id is not None
        launcher.kill(row.box_id)
        assert await at_rest(control, row.id) is S.FAILED
        ended = await control.registry.sessions.get(row.id)
        assert ended is not None and (ended.reason, ended.detail) == (reason, "exit -9")


async def test_asked_by_both_it_is_ended_once_and_both_are_told(database_url: str, tmp_path: Path) -> None:
    launcher = SlowLauncher()
    async with two_controls(database_url, tmp_path, launcher) as [(one, key), (two, _)]:
        row = (await one.sessions.create(NONE, key, None)).row
        states: list[S | None] = []

        async def end(control: Plane) -> None:
            over = await control.sessions.end(row.id, EndReason.RELEASED, actor="ann")
            states.append(None if over is None else over.state)

        async with anyio.create_task_group() as tasks:
            for control in (one, two, one, two):
                tasks.start_soon(end, control)
        assert states == [S.STOPPED] * 4
        assert launcher.asked == {row.box_id: 1}


async def test_one_that_another_brings_up_is_ended_by_that_one(database_url: str, tmp_path: Path) -> None:
    launcher = NeverReadyLauncher()
    async with two_controls(database_url, tmp_path, launcher) as [(one, key), (two, _)]:  # type: ignore[arg-type]
        created = await one.sessions.create(NONE.model_copy(update={"wait": False}), key, None)
        with anyio.fail_after(PATIENCE):
            while not launcher.launched:  # noqa: ASYNC110  # there is nothing to be told by
                await anyio.sleep(0.01)
        over = await two.sessions.end(created.row.id, EndReason.RELEASED, actor="ann")
        assert over is not None and over.state is S.STOPPED
        assert over.plane_id == one.peers.id
        assert launcher.launched == launcher.destroyed


@pytest.fixture
def living() -> Iterator[kernel.ProcessId]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        found = kernel.identify(process.pid)
        assert found is not None
        yield found


@pytest.mark.parametrize(
    ("silent_for", "is_here", "lives"), [(0, True, True), (3600, True, True), (3600, False, False)]
)
def test_silence_is_no_death_where_the_process_can_be_seen(
    silent_for: float, is_here: bool, lives: bool, living: kernel.ProcessId
) -> None:
    """And its process means nothing where it is counted in another namespace, whatever the host is called."""
    namespace = pid_namespace() if is_here else f"{kernel.boot_id()} pid:[1]"
    process = {"pid": living.pid, "startTime": living.start_time, "bootId": kernel.boot_id(), "pidNamespace": namespace}
    plane = PlaneRow("p", "here", "here", PROTOCOL, None, process, 0.0, 10_000.0 - silent_for)
    assert is_alive(plane, 10_000.0) is lives
    os.kill(living.pid, signal.SIGKILL)
    until(lambda: not kernel.is_alive(living))
    assert is_alive(plane, 10_000.0 - silent_for) is not is_here


async def test_a_silence_that_was_not_listened_to_is_no_death(tmp_path: Path) -> None:
    """As after a database that let nobody say anything, or before this one began to listen."""
    async with open_registry(f"sqlite:///{tmp_path}/control.db") as registry:
        peers = Peers(registry, "here", "here", None)
        await peers.join()
        elsewhere = {"pid": 1, "startTime": 1, "bootId": kernel.boot_id(), "pidNamespace": "another"}
        await registry.planes.add("p-other", host="here", place="here", peer_url=None, process=elsewhere)
        async with registry.database.write() as connection:
            await connection.execute(text("update planes set seen_at = seen_at - 60 where id = 'p-other'"))
        await peers.refresh()
        assert await peers.lives("p-other")
        assert await registry.planes.get("p-other") is not None


async def test_one_that_was_taken_for_dead_says_that_it_lives(database_url: str, tmp_path: Path) -> None:
    async with two_controls(database_url, tmp_path, PoliteLauncher()) as [(one, _), (two, _)]:
        await one.registry.planes.remove(one.peers.id)
        with anyio.fail_after(PATIENCE):
            while await two.registry.planes.get(one.peers.id) is None:  # noqa: ASYNC110  # of the database
                await anyio.sleep(0.1)


def test_killed_boxes_with_profiles_are_ended_without_a_trace(postgres: Postgres) -> None:
    with two_planes(postgres) as (one, two, state):
        with one.client() as client:
            ids = [client.post("/api/profiles", json={"name": f"n{number}"}).json()["id"] for number in range(2)]
            url = _url(one)
            for _ in range(2):
                sessions = [one.create(mode="browser", headless=True, profileId=id)["id"] for id in ids]
                for pid in boxes_of(state):
                    if kernel.arguments(pid)[3:4] == ["box"]:
                        os.kill(pid, signal.SIGKILL)
                until(lambda: {one.get(id)["state"] for id in sessions} == {"failed"}, what="their end")  # noqa: B023
                assert boxes_of(state) == [] and list((state / "boxes").iterdir()) == []
                assert sorted(path.name for path in (state / "profiles").iterdir()) == sorted(ids)
                assert query(url, "select id from profiles where session_id is not null") == []
        for plane in (one, two):
            assert "Error" not in plane.log.read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes control groups here")
def test_a_killed_box_leaves_no_control_groups() -> None:
    usual = ("--memory-per-session", "0", "--log-format", "json", "--drain", "2", "--jail", "require")
    with state_folder() as state, running_plane(state_dir=state, usual=usual) as plane:
        session = plane.create(limits={"memoryMb": 512, "processes": 128})
        assert kernel.groups_of(session["sandboxId"])
        for pid in boxes_of(state):
            if kernel.arguments(pid)[3:4] == ["box"]:
                os.kill(pid, signal.SIGKILL)
        until(lambda: plane.get(session["id"])["state"] == "failed", what="its end")
        assert kernel.groups_of(session["sandboxId"]) == []


async def test_destroyed_by_two_at_once_a_box_is_gone_and_its_profile_at_home(tmp_path: Path) -> None:
    launchers = [LocalLauncher(tmp_path, "i", "h") for _ in range(2)]
    for number in range(20):
        folder, profile = tmp_path / "boxes" / f"b-{number}", f"ctx_{number}"
        inside = folder / "state/browser-contexts" / profile / "profile"
        inside.mkdir(parents=True)
        (tmp_path / "profiles").mkdir(exist_ok=True)
        for name in range(50):
            (inside / str(name)).write_text("kept")
        (folder / "borrowed").write_text(profile)
        (folder / "log").write_text("its log")
        handle = Handle({"folder": str(folder), "socket": str(folder / "run/box.sock")})
        async with anyio.create_task_group() as tasks:
            for launcher in launchers:
                tasks.start_soon(launcher.destroy, folder.name, handle)
        assert not folder.exists()
        assert len(list((tmp_path / "profiles" / profile / "profile").iterdir())) == 50
        assert (tmp_path / "kept" / f"b-{number}" / "log").read_text() == "its log"
