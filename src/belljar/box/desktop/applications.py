"""Launch programs on the display, and open files and addresses with whatever is meant for them."""

import shutil
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import anyio

from belljar.box.desktop.display_access import Reach
from belljar.box.desktop.windows.window_list import Survey
from belljar.box.display import Connection, Display
from belljar.box.process import Process, Processes, Program
from belljar.problems import Conflict, StreamError
from belljar.problems.box import AppExited, AppNotFound, DesktopFailed, DesktopInvalidAction
from belljar.wire.desktop import LaunchApp, LaunchedApp, OpenedTarget
from belljar.wire.processes import LogStream, ProcessOwner

WINDOW_TIMEOUT = 5.0
# A program that cannot run says so within this; what lives longer counts as launched.
_FIRST_MOMENTS = 0.15
_LONGEST_OUTPUT = 2_000


class Applications:
    """`environment` gives the variables of the running desktop; `ready` waits until it can take programs."""

    def __init__(
        self,
        processes: Processes,
        display: Display,
        reach: Reach,
        environment: Callable[[], Mapping[str, str]],
        ready: Callable[[], Awaitable[None]],
    ) -> None:
        self._processes = processes
        self._display = display
        self._reach = reach
        self._environment = environment
        self._ready = ready

    async def launch(self, wanted: LaunchApp) -> LaunchedApp:
        """Start a program; with `wait`, its first window too.

        Raises `AppNotFound` for a program that is not there, `AppExited` for one that fails at once.
        """
        await self._ready()
        async with self._reach.connection(DesktopFailed) as server:
            self._check_program(wanted.app)
            before = {window.id for window in await Survey(server).take()} if wanted.wait else set()
            process = await self._start(wanted.app, tuple(wanted.args or ()))
            pid = process.pid or 0
            if not wanted.wait:
                await self._survive(process, wanted.app)
                return LaunchedApp(process_id=process.id, pid=pid)
            window = await self._window(server, process, wanted.app, before)
            return LaunchedApp(process_id=process.id, pid=pid, window_id=str(window) if window else None)

    async def open(self, target: str) -> OpenedTarget:
        """Hand `target` to the program that is meant for it.  A file has to be there; an address is not checked."""
        await self._ready()
        async with self._reach.connection(DesktopFailed):
            await self._check_target(target)
            if shutil.which("xdg-open", path=self._path()) is None:
                raise DesktopFailed("xdg-open is not installed on this host: belljar install desktop --yes brings it.")
            process = await self._start("xdg-open", (target,))
            pid = process.pid or 0
            await self._survive(process, "xdg-open")
            return OpenedTarget(process_id=process.id, pid=pid)

    async def _start(self, command: str, args: tuple[str, ...]) -> Process:
        program = Program(
            command=command,
            args=args,
            env=self._environment(),
            cwd=self._environment().get("HOME"),
            owner=ProcessOwner.DESKTOP,
        )
        try:
            return await self._processes.start(program)
        except StreamError as error:
            raise AppNotFound(f"{command[:100]!r} cannot be started: it is not a program.") from error
        except Conflict as error:
            raise DesktopFailed("As many processes run as may.") from error

    async def _check_target(self, target: str) -> None:
        if not target.strip() or "\0" in target or target.startswith("-"):
            raise DesktopInvalidAction("target must be a file or an address.")
        if urlsplit(target).scheme in ("", "file"):
            path = urlsplit(target).path if target.startswith("file:") else target
            if not await self._processes.has_file(path):
                raise DesktopInvalidAction("target names a file that does not exist.")

    def _check_program(self, app: str) -> None:
        if not app.strip() or "\0" in app or shutil.which(app, path=self._path()) is None:
            raise AppNotFound(f"No program is called {app[:100]!r}.")

    def _path(self) -> str | None:
        return self._environment().get("PATH") or self._processes.environment.get("PATH")

    async def _survive(self, process: Process, app: str) -> None:
        with anyio.move_on_after(_FIRST_MOMENTS):
            await process.wait()
        _check_alive(process, app)

    async def _window(self, server: Connection, process: Process, app: str, before: set[int]) -> int | None:
        """The program's first window, by the events of the root window: it is mapped, or the window list changes."""
        changed = anyio.Event()

        def wake() -> None:
            changed.set()

        off = server.listen_for_change(wake)
        try:
            with anyio.move_on_after(WINDOW_TIMEOUT):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(_then, process, wake)
                    while True:
                        changed = anyio.Event()
                        for window in await Survey(server).take():
                            if window.id not in before and await self._processes.descends(window.pid, process.pid):
                                tasks.cancel_scope.cancel()
                                return window.id
                        _check_alive(process, app)
                        await changed.wait()
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            off()
        return None


async def _then(process: Process, wake: Callable[[], None]) -> None:
    await process.wait()
    wake()


def _check_alive(process: Process, app: str) -> None:
    """A program that ended well may have handed its work to another; one that failed is an error."""
    ended = process.exit
    if process.is_running or ended is None or ended.code == 0:
        return
    entries = process.logs.read(streams=(LogStream.STDOUT, LogStream.STDERR), tail=50)
    output = b"".join(entry.data for entry in entries).decode("utf-8", "replace")[-_LONGEST_OUTPUT:]
    how = f"with code {ended.code}" if ended.code is not None else f"by {ended.signal_name}"
    raise AppExited(
        f"{app[:100]!r} ended at once, {how}.",
        exit_code=ended.code,
        signal=ended.signal_name,
        output=output.strip() or None,
        process_id=process.id,
    )
