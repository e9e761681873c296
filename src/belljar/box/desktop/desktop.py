"""The desktop part of a box: start, stop, status, and the tools that work on its display."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from belljar.box.desktop.accessibility import BROWSER, NO_BUS, read_tree
from belljar.box.desktop.applications import Applications
from belljar.box.desktop.clipboard.clipboard import Clipboard
from belljar.box.desktop.display_access import Reach
from belljar.box.desktop.input.keyboard import Keyboard
from belljar.box.desktop.input.mouse import Mouse
from belljar.box.desktop.pictures import Painters
from belljar.box.desktop.pictures.screenshots import Screenshots
from belljar.box.desktop.recording import Recordings
from belljar.box.desktop.session import RuntimeLog, Session
from belljar.box.desktop.windows.windows import Windows
from belljar.box.display import Display, DisplayError, DisplayStartFailed, DisplayState, ModeTaken
from belljar.box.process import Process, Processes
from belljar.box.record import Bus
from belljar.dependencies import INSTALL_DESKTOP, missing_for_desktop
from belljar.logs import log
from belljar.problems import Conflict, Problem
from belljar.problems.box import DesktopDependenciesMissing, DesktopFailed, DesktopInactive, DesktopInvalidAction
from belljar.tasks import the_only_one
from belljar.wire.desktop import (
    AccessibilityTree,
    DesktopProcess,
    DesktopState,
    DesktopStatus,
    DisplayInfo,
    DisplayMode,
    LastError,
    ResizeDisplay,
    Resolution,
    StartDesktop,
    WindowInfo,
)

# X's own bounds: coordinates are 16 bits, signed.
LARGEST_SIDE = 16384
LARGEST_DPI = 1200

S = DesktopState
MOVES: Mapping[DesktopState, frozenset[DesktopState]] = {
    # Straight to stopping from anywhere: the server stops.
    S.INACTIVE: frozenset({S.STARTING, S.STOPPING}),
    S.STARTING: frozenset({S.ACTIVE, S.INACTIVE, S.FAILED, S.STOPPING}),
    S.ACTIVE: frozenset({S.STOPPING, S.FAILED}),
    # To starting when a stop was cut off by whoever asked for it; to failed when the server stops in a start.
    S.STOPPING: frozenset({S.INACTIVE, S.STARTING, S.FAILED}),
    S.FAILED: frozenset({S.STARTING, S.INACTIVE, S.STOPPING}),
    # Never entered: what status reports instead of inactive while a program is missing.
    S.INSTALL_REQUIRED: frozenset(),
}


class Desktop:
    """One desktop.  In browser mode the tools work on the browser's display; start and stop are the browser's."""

    def __init__(
        self,
        processes: Processes,
        display: Display,
        folder: Path,
        home: Path | None,
        tasks: TaskGroup,
        most_film_bytes: int | None,
        bus: Bus,
    ) -> None:
        self._processes = processes
        self._tasks = tasks
        # In a jail programs have a home already.
        self._home = {} if home is None or processes.is_jailed else _home(home)
        self._display = display
        self._session: Session | None = None
        self._state = DesktopState.INACTIVE
        self._last_error: LastError | None = None
        self._turn = anyio.Lock()
        self._log = RuntimeLog(folder / "desktop-runtime.log")
        self.recording_fps = 30
        # What it was started with last.
        self.request: StartDesktop | None = None
        # Whether a browser runs that has no screen; told by who knows.
        self.has_headless_browser: Callable[[], bool] = lambda: False
        self._reach = reach = Reach(display, self._why_none, self._process_bodies)
        self.mouse = Mouse(reach)
        self.keyboard = Keyboard(reach, tasks)
        self._painters = Painters(processes, tasks)
        self.screenshots = Screenshots(reach, self._painters)
        self.windows = Windows(reach)
        self.clipboard = Clipboard(display, reach, tasks)
        self.recordings = Recordings(
            processes, display, folder / "recordings", tasks, self._why_none, most_film_bytes, bus
        )
        self.applications = Applications(processes, display, reach, lambda: self.environment, self.ready)
        display.listen(self._on_display)
        # Whoever stops the display, the browser too: what is being recorded is completed first.
        display.before_stop(self.recordings.finish)

    async def start(self, wanted: StartDesktop) -> DesktopStatus:
        """Start the desktop.  Active already: its status, whatever was wanted."""
        async with self._turn:
            if self._display.mode is DisplayMode.DESKTOP:
                return await self.status()
            _check(wanted)
            self._check_host()
            self._move(DesktopState.STARTING)
            try:
                await self._bring_up(wanted)
                if self._state is not DesktopState.STARTING:
                    raise Conflict("the server is stopping")
            except BaseException as error:
                with anyio.move_on_after(5, shield=True):
                    await self._take_down()
                raise self._failed(error) from error
            self.recording_fps, self.request = wanted.recording_fps, wanted
            self._move(DesktopState.ACTIVE)
            return await self.status()

    async def stop(self) -> DesktopStatus:
        """Stop the desktop, completing a recording; not running: nothing happens."""
        async with self._turn:
            if self._display.mode is DisplayMode.BROWSER:
                raise Conflict("the display is the browser's: stop the browser instead")
            if self._display.mode is DisplayMode.DESKTOP:
                self._move(DesktopState.STOPPING)
                await self._take_down()
            self._last_error = None
            self._move(DesktopState.INACTIVE)
            return await self.status()

    async def close(self) -> None:
        """The server stops: complete a recording, end what runs."""
        self._move(DesktopState.STOPPING)
        await self.recordings.close()
        self._painters.close()
        await self._take_down()

    async def status(self) -> DesktopStatus:
        missing = missing_for_desktop()
        mode = self._display.mode
        is_up = mode is not None and self._display.state in (DisplayState.READY, DisplayState.DOWN)
        return DesktopStatus(
            state=self._reported_state(missing),
            mode=mode,
            display=self._display.name if is_up else None,
            resolution=self._resolution() if is_up else None,
            started_at=timestamp(self._display.started_at) if is_up else None,
            last_error=self._last_error or _missing_error(missing),
            missing_dependencies=missing,
            install_command=INSTALL_DESKTOP if missing else None,
            processes=self._process_list(),
            runtime_log_path=str(self._log.path),
            windows=(await self._windows_now() or None) if is_up else None,
        )

    async def display_info(self) -> DisplayInfo:
        if self._display.mode is None:
            raise self._why_none()
        async with self._reach.connection(DesktopFailed):
            largest = await self._display.largest_size()
        return DisplayInfo(
            display=self._display.name,
            resolution=self._resolution(),
            mode=self._display.mode,
            max_width=largest.width,
            max_height=largest.height,
        )

    async def resize(self, wanted: ResizeDisplay) -> DisplayInfo:
        """Give the running screen another size, where Xvfb allows it: no larger than it was started with."""
        if not wanted.width or not wanted.height or wanted.dpi == 0:
            raise DesktopInvalidAction("width, height and dpi must be greater than 0.")
        async with self._reach.connection(DesktopFailed):
            largest = await self._display.largest_size()
            if wanted.width > largest.width or wanted.height > largest.height:
                raise DesktopInvalidAction(
                    f"This display can be at most {largest.width} x {largest.height} pixels, its size at the start."
                )
            if self.recordings.is_recording:
                raise Conflict("a recording is active: stop it before changing the size of the screen")
            await self._display.resize(wanted.width, wanted.height, wanted.dpi)
        return await self.display_info()

    async def ready(self) -> None:
        """Wait until programs can be launched: a start does not wait for the window manager."""
        if self._session is not None:
            await self._session.ready()

    async def accessibility(self) -> AccessibilityTree:
        """What programs tell a screen reader."""
        self._reach.check_active()
        if self._display.mode is DisplayMode.BROWSER:
            return AccessibilityTree(available=False, reason=BROWSER)
        if self._session is None or self._session.bus is None:
            return AccessibilityTree(available=False, reason=NO_BUS)
        await self._session.ready()
        return await read_tree(self._session.bus_address, self._processes.connect_unix)

    @property
    def environment(self) -> dict[str, str]:
        """For programs launched on the display, whichever mode it is in."""
        return self._session.environment if self._session else {**self._home, **self._display.environment}

    async def _bring_up(self, wanted: StartDesktop) -> None:
        await self._display.start(
            DisplayMode.DESKTOP,
            wanted.width,
            wanted.height,
            wanted.dpi,
            number=wanted.display_num,
            has_sound=wanted.stream_audio_codec in ("opus", "g722"),
        )
        await self._end_session()
        self._session = Session(self._processes, self._display, self._home)
        try:
            await self._session.start()
        finally:
            self._tasks.start_soon(self._session.follow, name="desktop session")

    async def _take_down(self) -> None:
        await self.recordings.finish()
        await self._end_session()
        if self._display.mode is DisplayMode.DESKTOP:
            await self._display.stop()

    async def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.stop()

    async def _clear_up(self) -> None:
        """What stood on a display that was ended for good: nothing else would end it before the next start."""
        async with self._turn:
            if self._state is DesktopState.FAILED:
                await self._end_session()

    def _check_host(self) -> None:
        if self._display.mode is DisplayMode.BROWSER or self.has_headless_browser():
            raise Conflict("the browser is running: stop it before starting the desktop")
        missing = missing_for_desktop()
        if missing:
            raise DesktopDependenciesMissing(
                f"Missing on this host: {', '.join(missing)}.",
                missing_dependencies=missing,
                install_command=INSTALL_DESKTOP,
            )

    def _failed(self, error: BaseException) -> BaseException:
        """The problem a failed start is answered with; what is none of ours passes as it is."""
        if isinstance(error, ModeTaken):
            self._move(DesktopState.INACTIVE)
            return Conflict("the browser is running: stop it before starting the desktop")
        if not isinstance(error, (DisplayError, Problem)):
            self._move(DesktopState.INACTIVE)
            return error
        message = str(error) if isinstance(error, DisplayStartFailed) else "The desktop did not come up."
        self._last_error = LastError(code=DesktopFailed.code, message=message)
        self._move(DesktopState.FAILED)
        return DesktopFailed(message, processes=self._process_bodies())

    def _why_none(self) -> Problem:
        if self.has_headless_browser():
            return DesktopInactive("The browser runs headless, so there is no display; start it with headless: false.")
        if self._state is DesktopState.FAILED and self._last_error is not None:
            return DesktopFailed(f"The desktop failed: {self._last_error.message}", processes=self._process_bodies())
        missing = missing_for_desktop()
        return DesktopInactive(
            "The desktop is not running: start it with POST /v1/desktop/start.",
            missing_dependencies=missing or None,
            install_command=INSTALL_DESKTOP if missing else None,
        )

    def _on_display(self, state: DisplayState) -> None:
        self._log.note(f"display {state}")
        if state is DisplayState.INACTIVE:
            self.screenshots.close()
            if self._state is DesktopState.ACTIVE:
                # Somebody ended Xvfb for good, by way of the process API.
                self._last_error = LastError(code=DesktopFailed.code, message="Xvfb was ended.")
                self._move(DesktopState.FAILED)
                self._tasks.start_soon(self._clear_up, name="what a display left")

    def _move(self, to: DesktopState) -> None:
        if to is self._state:
            return
        assert to in MOVES[self._state], (self._state, to)
        self._state = to
        if to in (DesktopState.STARTING, DesktopState.ACTIVE):
            self._last_error = None
        self._log.note(f"desktop {to}" + (f": {self._last_error.message}" if self._last_error else ""))
        log.info("desktop.moved", state=to)

    def _reported_state(self, missing: list[str]) -> DesktopState:
        if self._display.mode is DisplayMode.BROWSER:
            return DesktopState.ACTIVE
        if self._state is DesktopState.INACTIVE and missing:
            return DesktopState.INSTALL_REQUIRED
        return self._state

    def _resolution(self) -> Resolution:
        size = self._display.resolution
        return Resolution(width=size.width, height=size.height, dpi=size.dpi)

    async def _windows_now(self) -> list[WindowInfo]:
        """For the status, which answers whatever happens: nothing while the display is away."""
        if self._display.state is not DisplayState.READY:
            return []
        try:
            return await self.windows.list()
        except Problem:
            return []

    def _process_list(self) -> list[DesktopProcess]:
        session = self._session
        members: list[tuple[str, Process | None]] = [
            ("Xvfb", self._display.process),
            ("openbox", session.window_manager if session else None),
            ("dbus", session.bus if session else None),
        ]
        return [
            DesktopProcess(name=name, pid=process.pid, running=process.is_running, process_id=process.id)
            for name, process in members
            if process is not None
        ]

    def _process_bodies(self) -> list[object]:
        return [one.model_dump(by_alias=True, exclude_none=True) for one in self._process_list()]


def _home(home: Path) -> dict[str, str]:
    """A uid without an account: dbus-daemon asks for the account's home unless it is told where to keep data."""
    return {"HOME": str(home), "XDG_DATA_HOME": str(home / ".local/share")}


def timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def _check(wanted: StartDesktop) -> None:
    if not (1 <= wanted.width <= LARGEST_SIDE and 1 <= wanted.height <= LARGEST_SIDE):
        raise DesktopInvalidAction(f"width and height must be between 1 and {LARGEST_SIDE}.")
    if not 1 <= wanted.dpi <= LARGEST_DPI:
        raise DesktopInvalidAction(f"dpi must be between 1 and {LARGEST_DPI}.")
    if not 1 <= wanted.display_num <= 50_000:
        raise DesktopInvalidAction("displayNum must be between 1 and 50000.")


def _missing_error(missing: list[str]) -> LastError | None:
    if not missing:
        return None
    return LastError(code=DesktopDependenciesMissing.code, message=f"Missing on this host: {', '.join(missing)}.")


@asynccontextmanager
async def open_desktop(
    processes: Processes,
    display: Display,
    folder: Path,
    home: Path | None = None,
    *,
    most_film_bytes: int | None = None,
    bus: Bus | None = None,
) -> AsyncIterator[Desktop]:
    """The desktop part, stopped; leaving the block stops it again.

    `folder` holds its log and its recordings; `home` is the home of the programs on it, where that is not our own;
    `most_film_bytes` is what all recordings together may take; `bus` hears of them.
    """
    try:
        async with anyio.create_task_group() as tasks:
            desktop = Desktop(processes, display, folder, home, tasks, most_film_bytes, bus or Bus())
            try:
                yield desktop
            finally:
                with anyio.move_on_after(10, shield=True):
                    await desktop.close()
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
