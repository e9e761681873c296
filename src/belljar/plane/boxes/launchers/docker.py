"""Boxes in containers of an engine on this host: no network, no capabilities, reached by a socket in a shared folder.

Beside each box runs a second, small container with its egress process: the only one of the two that has a network.
The box hands it the listener of its jail over a socket in a folder that both see.
"""

import os
import shutil
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import cast

import anyio

from belljar.egress.policy.file import restricted
from belljar.logs import log
from belljar.plane import kernel
from belljar.plane.boxes.launchers.base import (
    Address,
    BoxSpec,
    Ending,
    Found,
    Handle,
    Keep,
    LaunchError,
    Room,
    Stats,
)
from belljar.plane.boxes.launchers.box_folders import BoxFolders
from belljar.plane.boxes.launchers.containers import (
    BOX_LABEL,
    CEILING,
    LABEL,
    SECCOMP_FILE,
    BoxPlace,
    ContainerSettings,
    box_name,
    containers_of,
    egress_name,
    seccomp,
)
from belljar.plane.boxes.launchers.engine import Container, Engine, EngineAway, EngineError, open_engine
from belljar.plane.boxes.launchers.folder_launcher import FolderLauncher
from belljar.plane.settings import PlaneSettings
from belljar.safe_files import give_tree, opened_folder
from belljar.state import write_private
from belljar.tasks import Signal, background

# How long a box may take to close its browser and finish its recordings.
_GRACE = 10.0
_GONE_WITHIN = 20.0
# Between two attempts to hear what the engine tells.
_PAUSE = 1.0
# An engine that did not answer is asked for no more boxes for so long.
_SILENT_SECONDS = 10.0
# Whom boxes run as where we are root: the image's user.
_UID = 1000


class DockerLauncher(FolderLauncher):
    """Opened by `open_docker`."""

    def __init__(
        self, engine: Engine, settings: ContainerSettings, state_dir: Path, installation: str, host: str
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._state_dir = state_dir
        self._mark = f"{installation}@{host}"
        super().__init__(BoxFolders(state_dir, self._mark))
        self._owner = (_UID, _UID) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
        # The folders of boxes are this host's.
        self.place = f"docker@{host}"
        self.starts_at_once = 2 * (os.cpu_count() or 1)
        self.warm_starts_at_once = 1
        # Containers that ran when they were last looked at, while the engine tells us of those that end.
        self._running: set[str] = set()
        self._is_told = False
        # Nobody listens at its socket; and until when one that did not answer is left alone (monotonic).
        self._is_away = False
        self._silent_until = 0.0
        # How often we were told of an end, or could be told again.
        self._told = 0
        self._news = Signal()

    async def room(self) -> Room:
        """None while the engine is away: who waits for it is told to come again, and no box is begun in vain."""
        takes_more = not self._is_away and time.monotonic() >= self._silent_until
        return Room(kernel.available_memory(), kernel.free_disk(self._state_dir), takes_more=takes_more)

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        handle = self._handle(spec.box_id)
        await keep(handle)
        await anyio.to_thread.run_sync(self._prepare, spec)
        try:
            place = BoxPlace(self._folders.of(spec.box_id), self._mark, self._owner, is_podman=self._engine.is_podman)
            await self._start(containers_of(spec, place, self._settings, self._folders.egress(spec)))
        except (EngineError, EngineAway) as error:
            if isinstance(error, EngineAway):
                self._silent_until = time.monotonic() + _SILENT_SECONDS
            raise LaunchError(f"the engine made no container: {error}") from error
        await keep(handle)
        await self._until_ready(handle)
        # It has read it; nobody else need.
        (self._folders.of(spec.box_id) / "run/key").unlink(missing_ok=True)
        return handle

    async def lend_profile(self, handle: Handle, id: str, *, read_only: bool) -> None:
        def lend() -> None:
            folder = Path(_read(handle)["folder"])
            self._folders.profiles.lend(folder, id, read_only)
            self._give(folder / "state")

        await anyio.to_thread.run_sync(lend)

    async def hold_egress(self, box_id: str, change: Callable[[str], str]) -> None:
        def hold() -> None:
            folder = self._folders.of(box_id) / CEILING
            text = change((folder / "policy").read_text())
            write_private(folder / "next", text)
            self._give(folder)
            os.replace(folder / "next", folder / "policy")

        await anyio.to_thread.run_sync(hold)

    def address(self, handle: Handle) -> Address:
        return Address(path=_read(handle)["socket"])

    async def is_alive(self, handle: Handle) -> bool:
        """From what the engine told; while it tells nothing, it is asked, and its silence is no death."""
        name = _read(handle)["container"]
        if self._is_told and name in self._running:
            return True
        told = self._told
        try:
            container = await self._engine.inspect(name)
        except (EngineAway, EngineError):
            return True
        if container is None or not container.state.running:
            return False
        if told == self._told:
            # Else it may be the one of which we just heard.
            self._running.add(name)
        return True

    async def wait_ended(self, handle: Handle) -> Ending:
        while True:
            told = self._told
            if not await self.is_alive(handle):
                return await self._ending(_read(handle)["container"])
            await self._wait_for_news(told, _GONE_WITHIN)

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        box, egress = box_name(box_id), egress_name(box_id)
        try:
            await self._stop(box)
            for name in (box, egress):
                await self._engine.remove(name)
            await self._until_removed(box, egress)
        except (EngineAway, EngineError) as error:
            raise LaunchError(f"the engine did not remove {box}: {error}") from error
        self._forget(box)

        def clear() -> None:
            with self._folders.removing(self._folders.of(box_id)):
                pass

        await anyio.to_thread.run_sync(clear, abandon_on_cancel=False)

    async def find_all(self) -> Sequence[Found]:
        try:
            listed = await self._engine.list(f"{LABEL}={self._mark}")
        except (EngineAway, EngineError) as error:
            raise LaunchError(f"the engine does not say what there is: {error}") from error
        ids = {one.labels[BOX_LABEL] for one in listed if BOX_LABEL in one.labels}
        ids |= set(await anyio.to_thread.run_sync(self._folders.find_all))
        return [Found(id, self._handle(id)) for id in sorted(ids)]

    async def stats(self, handle: Handle) -> Stats:
        try:
            usage = await self._engine.usage(_read(handle)["container"])
        except (EngineAway, EngineError):
            return Stats()
        if usage is None:
            return Stats()
        return Stats(usage.memory, usage.cpu_stats.cpu_usage.total_usage / 1e9, usage.pids_stats.current)

    async def listen(self) -> None:
        """Hear of containers that end, for as long as this runs; what ended unheard is found by asking again."""
        while True:
            try:
                async with self._engine.events(f"{LABEL}={self._mark}") as events:
                    self._running.clear()
                    self._is_told = True
                    self._is_away, self._silent_until = False, 0.0
                    self._tell()
                    async for event in events:
                        self._forget(event.actor.attributes.get("name", ""))
            except (EngineAway, EngineError) as error:
                log.warning("docker.not_told", error=str(error))
                self._is_away = True
            self._is_told = False
            await anyio.sleep(_PAUSE)

    def _forget(self, name: str) -> None:
        self._running.discard(name)
        self._tell()

    def _tell(self) -> None:
        self._told += 1
        self._news.fire()

    async def _wait_for_news(self, told: int, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._news.until(lambda: self._told != told)

    async def _start(self, containers: Mapping[str, Mapping[str, object]]) -> None:
        """All at once, for an engine takes its time with each: the box waits for its egress process itself.  One that
        fails stops no other half-way, which might come to be after it was looked for.
        """
        failures: list[EngineError | EngineAway] = []

        async def start(name: str, about: Mapping[str, object]) -> None:
            try:
                await self._engine.start(await self._engine.create(name, about))
            except (EngineError, EngineAway) as error:
                failures.append(error)

        async with anyio.create_task_group() as tasks:
            for name, about in containers.items():
                tasks.start_soon(start, name, about)
        if failures:
            raise failures[0]

    async def _stop(self, name: str) -> None:
        """In order, if it still can: films are finished, and the browser saves what it has."""
        container = await self._engine.inspect(name)
        if container is None or not container.state.running:
            return
        await self._engine.kill(name, "TERM")
        with anyio.move_on_after(_GRACE):
            while True:
                told = self._told
                container = await self._engine.inspect(name)
                if container is None or not container.state.running:
                    return
                await self._wait_for_news(told, _PAUSE)

    async def _until_removed(self, *names: str) -> None:
        """Another control plane may have been first, and may not be done."""
        with anyio.fail_after(_GONE_WITHIN):
            for name in names:
                while await self._engine.inspect(name) is not None:
                    await self._wait_for_news(self._told, _PAUSE)

    async def _ending(self, name: str) -> Ending:
        try:
            container: Container | None = await self._engine.inspect(name)
        except (EngineAway, EngineError):
            container = None
        if container is None:
            return Ending(detail="the container is gone")
        state = container.state
        # It also says so of one in which a page was killed for memory some time before.
        was_oom = state.oom_killed and state.exit_code == 137
        return Ending(was_oom=was_oom, detail=f"exit {state.exit_code} {state.error}".strip())

    def _prepare(self, spec: BoxSpec) -> None:
        self._folders.make(spec)
        folder = self._folders.of(spec.box_id)
        for name in ("state", "out", CEILING):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
        allowed = [target for flag, target in pairwise(spec.flags) if flag == "--allow"]
        (folder / CEILING / "policy").write_text(restricted(spec.egress, allowed, deny=(), only=()))
        (folder / "log").touch(mode=0o600)
        if self._engine.is_podman:
            (folder / SECCOMP_FILE).write_text(seccomp())
        write_private(folder / "run/key", spec.key.hex())
        if (policy := Path(self._folders.egress(spec))).is_absolute():
            shutil.copyfile(policy, folder / "run/egress-policy")
        for name in ("run", "state", "out", "log", CEILING):
            self._give(folder / name)

    def _give(self, path: Path) -> None:
        """Make it the box's own, with what is in it."""
        os.chown(path, *self._owner, follow_symlinks=False)
        if path.is_dir():
            with opened_folder(path) as opened:
                give_tree(opened, *self._owner)

    def _handle(self, box_id: str) -> Handle:
        folder = self._folders.of(box_id)
        about = {"container": box_name(box_id), "folder": str(folder), "socket": str(folder / "run/box.sock")}
        return Handle(about)


def _read(handle: Handle) -> Mapping[str, str]:
    return cast(Mapping[str, str], handle)


@asynccontextmanager
async def open_docker(settings: PlaneSettings, installation: str) -> AsyncIterator[DockerLauncher]:
    """Raises `LaunchError` where there is no engine."""
    wanted = ContainerSettings(
        settings.docker_image, settings.docker_runtime, settings.docker_apparmor, settings.docker_network
    )
    async with _opened_engine(settings) as engine:
        launcher = DockerLauncher(engine, wanted, settings.state_dir, installation, settings.host_name)
        async with background(launcher.listen, name="docker events"):
            yield launcher


async def check_engine(settings: PlaneSettings) -> None:
    """Raises `LaunchError` where there is no engine, or not the image."""
    async with _opened_engine(settings) as engine:
        if not await engine.has_image(settings.docker_image):
            raise LaunchError(f"the engine has no image {settings.docker_image}: 'make image' makes one")


@asynccontextmanager
async def _opened_engine(settings: PlaneSettings) -> AsyncIterator[Engine]:
    try:
        async with open_engine(settings.docker_socket) as engine:
            yield engine
    except EngineAway as error:
        raise LaunchError(f"no engine answers at {settings.docker_socket} ({error})") from error
    except EngineError as error:
        raise LaunchError(f"the engine at {settings.docker_socket} refused: {error}") from error
