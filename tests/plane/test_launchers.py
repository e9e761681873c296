"""The launcher contract; every launcher must pass it."""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import anyio
import pytest

from belljar.plane import kernel
from belljar.plane.boxes.launchers.base import Address, BoxSpec, Handle, HandleRecorder, Launcher
from belljar.plane.boxes.launchers.containers import ContainerSettings
from belljar.plane.boxes.launchers.docker import DockerLauncher
from belljar.plane.boxes.launchers.engine import Engine, open_engine
from belljar.plane.boxes.launchers.kubernetes.api import Api, Reach, open_api
from belljar.plane.boxes.launchers.kubernetes.launcher import ClusterPlace, KubernetesLauncher, running_launcher
from belljar.plane.boxes.launchers.kubernetes.pods import PodSettings
from belljar.plane.boxes.launchers.local import LocalLauncher
from belljar.plane.boxes.upstream import Upstream, UpstreamError
from belljar.plane.kernel import ProcessId
from belljar.server.signed_caller import CallerSigner
from belljar.tasks import background
from belljar.tokens import Role
from tests.plane.cluster.running import VOLUME, RunningCluster, running_cluster
from tests.plane.engine import RunningEngine
from tests.plane.launched import LAUNCHERS
from tests.plane.strange_boxes import read

MEGABYTE = 1024 * 1024
KEY = b"the box's key, of thirty-two byte"


@pytest.fixture
def state_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as name:
        os.chmod(name, 0o711)
        (Path(name) / "boxes").mkdir(mode=0o711)
        yield Path(name)


class Probe(Protocol):
    """What a launcher's tests must know that its contract does not say, one for each launcher."""

    def kill(self, handle: Handle) -> None:
        """The box, at once, and nothing else of it."""

    def arguments_and_environment(self, handle: Handle) -> str:
        """All that others could read of how the box was started."""

    def processes(self, handle: Handle) -> list[ProcessId]:
        """What runs in the box now, as seen from here."""

    def leftovers(self) -> list[str]:
        """What there is of any box, but for what was meant to be kept."""

    def from_before_a_reboot(self, handle: Handle) -> Handle: ...

    def another_installation(self) -> Launcher: ...

    def limit_memory(self, handle: Handle, group: Path) -> None: ...


class LocalProbe:
    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir

    def kill(self, handle: Handle) -> None:
        os.kill(read(handle)["pid"], signal.SIGKILL)

    def arguments_and_environment(self, handle: Handle) -> str:
        process = Path("/proc") / str(read(handle)["pid"])
        return (process / "cmdline").read_text() + (process / "environ").read_text()

    def processes(self, handle: Handle) -> list[ProcessId]:
        return kernel.tree([read(handle)["pid"]])

    def leftovers(self) -> list[str]:
        named = [pid for pid in kernel.pids() if any(str(self._state_dir) in one for one in kernel.arguments(pid))]
        return [*(one.name for one in (self._state_dir / "boxes").iterdir()), *map(str, named)]

    def from_before_a_reboot(self, handle: Handle) -> Handle:
        return Handle({**read(handle), "bootId": "another"})

    def another_installation(self) -> Launcher:
        return LocalLauncher(self._state_dir, f"test{os.getpid()}", "there")

    def limit_memory(self, handle: Handle, group: Path) -> None:
        (group / "cgroup.procs").write_text(str(read(handle)["pid"]))


class DockerProbe:
    def __init__(self, state_dir: Path, engine: RunningEngine, client: Engine) -> None:
        self._state_dir = state_dir
        self._engine = engine
        self._client = client

    def kill(self, handle: Handle) -> None:
        self._engine.kill(read(handle)["container"])

    def arguments_and_environment(self, handle: Handle) -> str:
        return json.dumps(self._engine.inspect(read(handle)["container"]))

    def processes(self, handle: Handle) -> list[ProcessId]:
        return kernel.tree([self._engine.inspect(read(handle)["container"])["State"]["Pid"]])

    def leftovers(self) -> list[str]:
        return [*(one.name for one in (self._state_dir / "boxes").iterdir()), *self._engine.containers()]

    def from_before_a_reboot(self, handle: Handle) -> Handle:
        return Handle({**read(handle), "container": "belljar-gone"})

    def another_installation(self) -> Launcher:
        return docker_launcher(self._client, self._engine, self._state_dir, "there")

    def limit_memory(self, handle: Handle, group: Path) -> None:
        """The engine counts what happens in its own group alone: to that it is held, with as much room."""
        self._engine.leave_memory(read(handle)["container"], 12 * MEGABYTE)


class KubernetesProbe:
    def __init__(self, state_dir: Path, cluster: RunningCluster, api: Api) -> None:
        self._state_dir = state_dir
        self._cluster = cluster
        self._api = api

    def kill(self, handle: Handle) -> None:
        self._cluster.kubelet.kill(read(handle)["pod"])

    def arguments_and_environment(self, handle: Handle) -> str:
        return json.dumps(self._cluster.pod(read(handle)["pod"]))

    def processes(self, handle: Handle) -> list[ProcessId]:
        return kernel.tree([self._cluster.kubelet.containers[read(handle)["pod"]].process.pid])

    def leftovers(self) -> list[str]:
        boxes = self._state_dir / "boxes"
        return [*(one.name for one in boxes.iterdir()), *self._cluster.names("pods"), *self._cluster.names("secrets")]

    def from_before_a_reboot(self, handle: Handle) -> Handle:
        return Handle({**read(handle), "uid": "another"})

    def another_installation(self) -> Launcher:
        return KubernetesLauncher(self._api, pod_settings(), cluster_place(self._state_dir, "there"), lambda _: KEY)

    def limit_memory(self, handle: Handle, group: Path) -> None:
        """The kubelet counts what happens in its own group alone, as with an engine."""
        self._cluster.kubelet.leave_memory(read(handle)["pod"], 12 * MEGABYTE)


def pod_settings() -> PodSettings:
    return PodSettings("belljar:tests", volume=VOLUME)


def cluster_place(state_dir: Path, name: str) -> ClusterPlace:
    return ClusterPlace(f"test{os.getpid()}-{name}", "test", state_dir)


def docker_launcher(client: Engine, engine: RunningEngine, state_dir: Path, host: str) -> DockerLauncher:
    settings = ContainerSettings(engine.image, network="host")
    return DockerLauncher(client, settings, state_dir, f"test{os.getpid()}", host)


@dataclass
class Launching:
    launcher: Launcher
    probe: Probe


@pytest.fixture(params=LAUNCHERS)
async def launching(request: pytest.FixtureRequest, state_dir: Path) -> AsyncIterator[Launching]:
    if request.param == "local":
        yield Launching(LocalLauncher(state_dir, f"test{os.getpid()}", "here"), LocalProbe(state_dir))
        return
    if request.param == "kubernetes":
        with running_cluster(state_dir) as cluster:
            async with open_api(Reach(cluster.kubeconfig), 100) as api:
                place = cluster_place(state_dir, "here")
                async with running_launcher(api, pod_settings(), place, lambda _: KEY) as started:
                    yield Launching(started, KubernetesProbe(state_dir, cluster, api))
        return
    engine: RunningEngine = request.getfixturevalue("engine")
    async with open_engine(engine.socket) as client:
        launcher = docker_launcher(client, engine, state_dir, "here")
        async with background(launcher.listen, name="docker events"):
            yield Launching(launcher, DockerProbe(state_dir, engine, client))


@pytest.fixture
def launcher(launching: Launching) -> Launcher:
    return launching.launcher


@pytest.fixture
def probe(launching: Launching) -> Probe:
    return launching.probe


# Boxes of this name on the same host lose their control groups with ours: each worker has its own.
BOX_ID = f"b-{os.getpid()}"


def spec(box_id: str = BOX_ID, expires_in: float = 60.0) -> BoxSpec:
    return BoxSpec(box_id, KEY, expires_in)


def signed(method: str, path: str) -> list[tuple[bytes, bytes]]:
    return [(b"belljar-caller", CallerSigner(KEY).sign(method, path.encode(), Role.OPERATOR, "test"))]


async def ask(address: Address, path: str = "/readyz") -> int:
    async with Upstream() as upstream:
        with anyio.fail_after(20):
            answer = await upstream.request(address, "GET", path, headers=signed("GET", path))
        return answer.status


async def test_a_launched_box_answers_and_a_destroyed_one_is_gone(launcher: Launcher, probe: Probe) -> None:
    keep = HandleRecorder()
    handle = await launcher.launch(spec(), keep)
    assert keep.handles[-1] == handle
    # It is kept in a database, and read by another process.
    assert json.loads(json.dumps(handle)) == handle
    assert await ask(launcher.address(handle)) == 200
    assert await ask(launcher.address(handle), "/v1/health") == 200
    assert await launcher.is_alive(handle)
    stats = await launcher.stats(handle)
    assert stats.memory > 10_000_000 and stats.processes >= 1 and stats.cpu_seconds > 0
    assert [found.box_id for found in await launcher.find_all()] == [BOX_ID]
    await launcher.destroy(BOX_ID, handle)
    await launcher.destroy(BOX_ID, handle)
    assert not await launcher.is_alive(handle)
    assert await launcher.find_all() == []
    assert probe.leftovers() == []
    assert await all_of(launcher.log(BOX_ID))


async def test_there_is_room_and_it_says_for_how_many_at_once(launcher: Launcher) -> None:
    room = await launcher.room()
    assert room.memory > 0 and room.disk > 0
    assert launcher.starts_at_once >= launcher.warm_starts_at_once >= 1
    assert launcher.place


async def test_what_a_box_leaves_is_read_while_it_lives_and_after(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(), HandleRecorder())
    said = await all_of(launcher.log(BOX_ID))
    assert said
    await launcher.destroy(BOX_ID, handle)
    kept = await all_of(launcher.log(BOX_ID))
    assert kept.startswith(said.splitlines()[0]) and len(kept) >= len(said)
    assert await launcher.recordings(BOX_ID) == []
    for odd in ("rec_1", "../log", "rec_1/../../log"):
        assert await all_of(launcher.recording(BOX_ID, odd, 0, 10)) == b""
    await launcher.forget(time.time() + 60)
    assert await all_of(launcher.log(BOX_ID)) == b""
    assert await all_of(launcher.log("b-never")) == b""


async def test_neither_key_nor_policy_is_in_arguments_or_environment(launcher: Launcher, probe: Probe) -> None:
    """A policy is sent as its text: the box need not be where the operator's file is."""
    policy = "upstream session http://me:pass-word@127.0.0.1:9\nallow * via session"
    handle = await launcher.launch(replace(spec(), egress=policy), HandleRecorder())
    try:
        shown = probe.arguments_and_environment(handle)
        assert KEY.hex() not in shown and "pass-word" not in shown
        async with Upstream() as upstream:
            path = "/v1/egress/policy"
            answer = await upstream.request(launcher.address(handle), "GET", path, headers=signed("GET", path))
        assert "allow * via session" in json.loads(answer.body)["policy"]
    finally:
        await launcher.destroy(BOX_ID, handle)


@pytest.mark.parametrize("number", [0, 1, None])
async def test_any_handle_that_was_kept_is_enough_to_remove_everything(
    launcher: Launcher, probe: Probe, number: int | None
) -> None:
    """As after a crash between making the box and keeping its last handle, or any."""
    keep = HandleRecorder()
    last = await launcher.launch(spec(), keep)
    await launcher.destroy(BOX_ID, None if number is None else keep.handles[number])
    assert not await launcher.is_alive(last)
    assert await launcher.find_all() == []
    assert probe.leftovers() == []


class CrashingKeep(HandleRecorder):
    """A control plane that is gone when it keeps a handle for the so-manieth time."""

    class Crash(Exception):
        pass

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    async def __call__(self, handle: Handle) -> None:
        if len(self.handles) == self._number:
            raise self.Crash
        await super().__call__(handle)


@pytest.mark.parametrize("number", [0, 1, 2, 3])
async def test_a_crash_at_any_point_leaves_nothing_that_is_not_found(
    launcher: Launcher, probe: Probe, number: int
) -> None:
    with suppress(CrashingKeep.Crash):
        await launcher.launch(spec(), CrashingKeep(number))
    for found in await launcher.find_all():
        await launcher.destroy(found.box_id, found.handle)
    assert await launcher.find_all() == []
    assert probe.leftovers() == []


async def test_destroying_takes_the_children_along_even_those_of_a_killed_box(launcher: Launcher, probe: Probe) -> None:
    handle = await launcher.launch(spec(), HandleRecorder())
    async with Upstream() as upstream:
        body = b'{"command": "sleep", "args": ["1000"]}'
        path = "/v1/processes"
        caller = signed("POST", path)
        answer = await upstream.request(launcher.address(handle), "POST", path, json=body, headers=caller)
        assert answer.status == 200, answer.body
    members = probe.processes(handle)
    assert len(members) >= 2
    probe.kill(handle)
    with anyio.fail_after(10):
        await launcher.wait_ended(handle)
    await launcher.destroy(BOX_ID, handle)
    assert not any(kernel.is_alive(one) for one in members)


async def test_waiting_for_the_end_of_what_is_gone_returns(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(expires_in=0.5), HandleRecorder())
    with anyio.fail_after(20):
        await launcher.wait_ended(handle)
        await launcher.wait_ended(handle)
    assert not await launcher.is_alive(handle)
    await launcher.destroy(BOX_ID, handle)


async def test_a_handle_from_before_a_reboot_names_nothing_that_lives(launcher: Launcher, probe: Probe) -> None:
    handle = await launcher.launch(spec(), HandleRecorder())
    assert not await launcher.is_alive(probe.from_before_a_reboot(handle))
    await launcher.destroy(BOX_ID, handle)


async def test_boxes_of_another_place_or_installation_are_not_found(launcher: Launcher, probe: Probe) -> None:
    handle = await launcher.launch(spec(), HandleRecorder())
    try:
        assert await probe.another_installation().find_all() == []
    finally:
        await launcher.destroy(BOX_ID, handle)


async def test_a_box_killed_for_want_of_memory_is_told_from_one_that_crashed(launcher: Launcher, probe: Probe) -> None:
    handle = await launcher.launch(spec(), HandleRecorder())
    with memory_group() as group:
        probe.limit_memory(handle, group)
        assert await launcher.is_alive(handle)
        # At once, more than the box may still take: one after the other they could use the same memory.
        body = json.dumps({"command": "true", "args": ["x" * (7 * MEGABYTE)]}).encode()

        async def post() -> None:
            async with Upstream() as upstream:
                path = "/v1/processes"
                with suppress(UpstreamError):
                    caller = signed("POST", path)
                    await upstream.request(launcher.address(handle), "POST", path, json=body, headers=caller)

        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                for _ in range(8):
                    tasks.start_soon(post)
            assert (await launcher.wait_ended(handle)).was_oom
        await launcher.destroy(BOX_ID, handle)


async def test_a_box_that_was_killed_while_others_ran_out_of_memory_crashed(launcher: Launcher, probe: Probe) -> None:
    handle = await launcher.launch(spec(), HandleRecorder())
    eating = "import sys; sys.stdin.readline(); eaten = [bytearray(1 << 20) for _ in range(200)]"
    with memory_group() as group:
        async with await anyio.open_process([sys.executable, "-c", eating]) as eater:
            assert eater.stdin is not None
            (group / "cgroup.procs").write_text(str(eater.pid))
            await eater.stdin.send(b"go\n")
            with anyio.fail_after(30):
                assert await eater.wait() == -signal.SIGKILL
        probe.kill(handle)
        with anyio.fail_after(30):
            assert not (await launcher.wait_ended(handle)).was_oom
    await launcher.destroy(BOX_ID, handle)


async def test_the_folder_of_a_local_box_s_socket_is_shut(state_dir: Path) -> None:
    launcher = LocalLauncher(state_dir, f"test{os.getpid()}", "here")
    handle = await launcher.launch(spec(), HandleRecorder())
    try:
        assert os.stat(Path(str(launcher.address(handle).path)).parent).st_mode & 0o777 == 0o700
    finally:
        await launcher.destroy(BOX_ID, handle)


async def all_of(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


@contextmanager
def memory_group(most: int = 12 * MEGABYTE) -> Iterator[Path]:
    """A control group of our own, in whichever version the host has."""
    root = Path("/sys/fs/cgroup")
    is_unified = (root / "cgroup.controllers").exists()
    folder = (root if is_unified else root / "memory") / f"belljar-test-{os.getpid()}"
    try:
        folder.mkdir()
        (folder / ("memory.max" if is_unified else "memory.limit_in_bytes")).write_text(str(most))
    except OSError:
        folder.rmdir() if folder.is_dir() else None
        pytest.skip("no memory control group can be made here")
    try:
        yield folder
    finally:
        folder.rmdir()
