"""The launcher contract; every launcher must pass it."""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
import pytest

from belljar.plane.boxes.launchers import kernel
from belljar.plane.boxes.launchers.base import Address, BoxSpec, Handle, Kept, Launcher
from belljar.plane.boxes.launchers.local import LocalLauncher
from belljar.plane.boxes.upstream import Upstream, UpstreamError
from belljar.server.signed_caller import CallerSigner
from belljar.tokens import Role

MEGABYTE = 1024 * 1024
KEY = b"the box's key, of thirty-two byte"


@pytest.fixture
def state_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as name:
        os.chmod(name, 0o711)
        yield Path(name)


@pytest.fixture(params=["local"])
def launcher(request: pytest.FixtureRequest, state_dir: Path) -> Launcher:
    return LocalLauncher(state_dir, f"test{os.getpid()}", "here")


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


async def test_a_launched_box_answers_and_a_destroyed_one_is_gone(launcher: Launcher, state_dir: Path) -> None:
    keep = Kept()
    handle = await launcher.launch(spec(), keep)
    assert keep.handles[-1] == handle
    assert await ask(launcher.address(handle)) == 200
    assert await ask(launcher.address(handle), "/v1/health") == 200
    assert await launcher.is_alive(handle)
    stats = await launcher.stats(handle)
    assert stats.memory > 10_000_000 and stats.processes >= 1 and stats.cpu_seconds > 0
    assert [found.box_id for found in await launcher.find_all()] == [BOX_ID]
    await launcher.destroy(handle)
    await launcher.destroy(handle)
    assert not await launcher.is_alive(handle)
    assert await launcher.find_all() == []
    assert list((state_dir / "boxes").iterdir()) == []
    assert launcher.log(BOX_ID).read_text()


async def test_the_token_is_neither_in_arguments_nor_environment(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(), Kept())
    try:
        shown = await anyio.Path(f"/proc/{handle['pid']}/cmdline").read_text()
        shown += await anyio.Path(f"/proc/{handle['pid']}/environ").read_text()
        assert KEY.hex() not in shown
        assert os.stat(Path(handle["socket"]).parent).st_mode & 0o777 == 0o700
    finally:
        await launcher.destroy(handle)


async def test_the_first_handle_kept_is_enough_to_find_and_remove_everything(launcher: Launcher) -> None:
    """As after a crash between making the box and keeping its last handle."""
    keep = Kept()
    last = await launcher.launch(spec(), keep)
    found = [one for one in await launcher.find_all() if one.box_id == BOX_ID]
    assert [(one.handle["pid"], one.handle["folder"]) for one in found] == [(last["pid"], last["folder"])]
    await launcher.destroy(keep.handles[0])
    for one in await launcher.find_all():
        await launcher.destroy(one.handle)
    assert not await launcher.is_alive(last)
    assert await launcher.find_all() == []


async def test_destroying_takes_the_children_along_even_those_of_a_killed_box(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(), Kept())
    async with Upstream() as upstream:
        body = b'{"command": "sleep", "args": ["1000"]}'
        path = "/v1/processes"
        caller = signed("POST", path)
        answer = await upstream.request(launcher.address(handle), "POST", path, json=body, headers=caller)
        assert answer.status == 200, answer.body
    members = kernel.tree([handle["pid"]])
    assert len(members) >= 2
    os.kill(handle["pid"], signal.SIGKILL)
    with anyio.fail_after(10):
        await launcher.wait_ended(handle)
    await launcher.destroy(handle)
    assert not any(kernel.is_alive(one) for one in members)


async def test_waiting_for_the_end_of_what_is_gone_returns(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(expires_in=0.5), Kept())
    with anyio.fail_after(20):
        await launcher.wait_ended(handle)
        await launcher.wait_ended(handle)
    assert not await launcher.is_alive(handle)
    await launcher.destroy(handle)


async def test_a_handle_from_before_a_reboot_names_nothing_that_lives(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(), Kept())
    old: Handle = {**handle, "bootId": "another"}
    assert not await launcher.is_alive(old)
    await launcher.destroy(handle)


async def test_boxes_of_another_host_or_installation_are_not_found(launcher: Launcher, state_dir: Path) -> None:
    handle = await launcher.launch(spec(), Kept())
    try:
        with tempfile.TemporaryDirectory() as elsewhere:
            other = LocalLauncher(Path(elsewhere), f"test{os.getpid()}", "there")
            assert await other.find_all() == []
    finally:
        await launcher.destroy(handle)


async def test_a_box_killed_for_want_of_memory_is_told_from_one_that_crashed(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(), Kept())
    with memory_group() as group:
        (group / "cgroup.procs").write_text(str(handle["pid"]))
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
        await launcher.destroy(handle)


async def test_a_box_that_was_killed_while_others_ran_out_of_memory_crashed(launcher: Launcher) -> None:
    handle = await launcher.launch(spec(), Kept())
    eating = "import sys; sys.stdin.readline(); eaten = [bytearray(1 << 20) for _ in range(200)]"
    with memory_group() as group:
        async with await anyio.open_process([sys.executable, "-c", eating]) as eater:
            assert eater.stdin is not None
            (group / "cgroup.procs").write_text(str(eater.pid))
            await eater.stdin.send(b"go\n")
            with anyio.fail_after(30):
                assert await eater.wait() == -signal.SIGKILL
        os.kill(handle["pid"], signal.SIGKILL)
        with anyio.fail_after(30):
            assert not (await launcher.wait_ended(handle)).was_oom
    await launcher.destroy(handle)


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
