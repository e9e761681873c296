"""The display of a box: one Xvfb in one of two modes, and our connection to it, reopened when Xvfb was restarted."""

import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from belljar.box.display.sound import Sound
from belljar.box.display.x11.connection import Connection
from belljar.box.display.x11.handshake import connect, open_on
from belljar.box.display.x11.protocol import (
    DisplayError,
    DisplayInactive,
    DisplayStartFailed,
    Event,
    ModeTaken,
    X,
    XClosed,
    request,
)
from belljar.box.display.x11.randr import Size, largest_size, resize_screen
from belljar.box.display.xvfb import Announcements, Claim, claim_number, new_cookie, write_xauthority, xvfb_program
from belljar.box.process import Process, Processes, User
from belljar.logs import log
from belljar.problems import StreamError
from belljar.tasks import the_only_one
from belljar.wire.desktop import DisplayMode
from belljar.wire.processes import LogStream

# Xvfb needs a tenth of a second; a busy host may need many times that.
START_TIMEOUT = 10.0
# How long a request waits for an Xvfb that was killed to be back.
RETURN_TIMEOUT = 10.0


class DisplayState(StrEnum):
    INACTIVE = "inactive"  # nothing runs
    STARTING = "starting"  # Xvfb was started, nobody is connected yet
    READY = "ready"  # connected
    DOWN = "down"  # Xvfb died; the process runtime is starting it again


MOVES = {
    DisplayState.INACTIVE: frozenset({DisplayState.STARTING}),
    DisplayState.STARTING: frozenset({DisplayState.READY, DisplayState.INACTIVE}),
    DisplayState.READY: frozenset({DisplayState.DOWN, DisplayState.INACTIVE}),
    DisplayState.DOWN: frozenset({DisplayState.READY, DisplayState.INACTIVE}),
}


@dataclass(frozen=True)
class Resolution:
    width: int
    height: int
    dpi: int


@dataclass
class _Run:
    """All that one start made, and `stop` takes away."""

    mode: DisplayMode
    resolution: Resolution
    claim: Claim
    folder: Path
    cookie: bytes
    announcements: Announcements
    process: Process | None = None
    sound: Sound | None = None
    connection: Connection | None = None
    following: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    watching: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    started_at: float = field(default_factory=time.time)

    def follow_size(self, happened: Event) -> None:
        """Programs can change the screen's size as well."""
        if happened.type == X.ConfigureNotify and self.connection and happened.window == self.connection.root:
            self.resolution = Resolution(happened.width, happened.height, self.resolution.dpi)


class Display:
    """Starts and stops the one display, and hands out the connection to it.

    `user` is whom Xvfb and its clients run as; the Xauthority file is theirs alone.  Listeners are called on the
    event loop with each new state: `DOWN` when Xvfb died (every client died with it), `READY` when it is back.
    """

    def __init__(
        self, processes: Processes, tasks: TaskGroup, user: User | None, place: Path | None, room: Size | None
    ) -> None:
        self._processes = processes
        self._tasks = tasks
        self._user = user
        self._place = place
        self._room = room or Size(0, 0)
        self._run: _Run | None = None
        self._state = DisplayState.INACTIVE
        self._changed = anyio.Event()
        self._listeners: list[Callable[[DisplayState], None]] = []
        self._farewells: list[Callable[[], Awaitable[None]]] = []
        # Starts and stops are taken one at a time.
        self._turn = anyio.Lock()

    @property
    def state(self) -> DisplayState:
        return self._state

    @property
    def mode(self) -> DisplayMode | None:
        return self._run.mode if self._run else None

    @property
    def name(self) -> str:
        """What clients call it: `:99`."""
        return f":{self._active.claim.number}"

    @property
    def resolution(self) -> Resolution:
        return self._active.resolution

    @property
    def started_at(self) -> float:
        return self._active.started_at

    @property
    def process(self) -> Process | None:
        return self._run.process if self._run else None

    @property
    def user(self) -> User | None:
        return self._user

    @property
    def environment(self) -> dict[str, str]:
        """What a client needs in its environment to find the display and be let in."""
        run = self._active
        sound = {} if run.sound is None else run.sound.environment
        return {"DISPLAY": self.name, "XAUTHORITY": str(_authority(run.folder)), **sound}

    @property
    def sound(self) -> Sound | None:
        """What is to be heard of it, where that was asked for."""
        return self._run.sound if self._run else None

    @property
    def folder(self) -> Path:
        """A folder of ours that the display's clients can pass through and not write in; gone when it stops."""
        return self._active.folder

    def listen(self, listener: Callable[[DisplayState], None]) -> Callable[[], None]:
        """Call `listener` on each change of state; returns what takes it off again."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    async def connection(self) -> Connection:
        """The connection, waiting a while for an Xvfb that is just coming back.  Raises what keeps it away."""
        with anyio.move_on_after(RETURN_TIMEOUT):
            while self._state in (DisplayState.STARTING, DisplayState.DOWN):
                await self._changed.wait()
        run = self._active
        if run.connection is None:
            raise XClosed("the X server is gone and has not come back yet")
        return run.connection

    async def start(
        self,
        mode: DisplayMode,
        width: int,
        height: int,
        dpi: int = 96,
        *,
        number: int = 99,
        has_sound: bool = False,
    ) -> None:
        """Start Xvfb and connect.  In this mode already: nothing happens.  In the other one: `ModeTaken`."""
        async with self._turn:
            if self._run is not None:
                if self._run.mode is not mode:
                    raise ModeTaken(self._run.mode)
                return
            self._run = self._prepare(mode, Resolution(width, height, dpi), number)
            self._run.sound = Sound() if has_sound else None
            self._move(DisplayState.STARTING)
            try:
                if self._run.sound is not None:
                    await self._run.sound.start(self._processes)
                await self._bring_up(self._run)
            except BaseException:
                with anyio.move_on_after(5, shield=True):
                    await self._take_down()
                raise

    async def stop(self) -> None:
        """End Xvfb, and with it all its clients.  Not running: nothing happens."""
        async with self._turn:
            if self._run is not None:
                for call in self._farewells:
                    await call()
            await self._take_down()

    def before_stop(self, call: Callable[[], Awaitable[None]]) -> None:
        """Await `call` before each stop, while the display is still there, whoever stops it."""
        self._farewells.append(call)

    async def largest_size(self) -> Size:
        """The largest size that `resize` can give."""
        return await largest_size(await self.connection())

    async def resize(self, width: int, height: int, dpi: int | None = None) -> None:
        """Give the running screen another size, no larger than it was started with."""
        async with self._turn:
            run, server = self._active, await self.connection()
            wanted = Resolution(width, height, dpi or run.resolution.dpi)
            await resize_screen(server, Size(width, height), wanted.dpi)
            run.resolution = wanted

    @property
    def _active(self) -> _Run:
        if self._run is None:
            raise DisplayInactive("no display is running")
        return self._run

    def _prepare(self, mode: DisplayMode, resolution: Resolution, number: int) -> _Run:
        claim = claim_number(number)
        # Not in the state folder: root's is closed to the user that Xvfb and its clients run as.
        folder = Path(tempfile.mkdtemp(prefix="belljar-display-", dir=self._place))
        cookie = new_cookie()
        owner = None if self._user is None else (self._user.uid, self._user.gid)
        if owner is not None:
            # Theirs to pass through, not to write in: we go on writing here, and must not be led elsewhere.
            os.chmod(folder, 0o711)
        write_xauthority(_authority(folder), cookie, owner)
        return _Run(mode, resolution, claim, folder, cookie, Announcements())

    async def _bring_up(self, run: _Run) -> None:
        size = run.resolution
        # It can be made smaller, and never larger than it was started.
        width, height = max(size.width, self._room.width), max(size.height, self._room.height)
        program = xvfb_program(run.claim.number, width, height, size.dpi, _authority(run.folder))
        try:
            run.process = await run.announcements.start(self._processes, program)
        except StreamError as error:
            raise DisplayStartFailed("Xvfb cannot be started") from error
        self._tasks.start_soon(self._follow, run, name="display")
        self._tasks.start_soon(self._watch, run, run.process, name="display's end")
        with anyio.move_on_after(START_TIMEOUT):
            while self._state is DisplayState.STARTING:
                await self._changed.wait()
        if self._state is not DisplayState.READY:
            raise DisplayStartFailed(f"Xvfb did not come up as display :{run.claim.number}{_last_words(run.process)}")

    async def _follow(self, run: _Run) -> None:
        """Connect each time Xvfb announces itself, and notice each time it is gone."""
        with run.following:
            async for _ in run.announcements.lines():
                try:
                    connection = await self._connect(run)
                    await _watch_root(connection)
                    await _keep_size(connection, run.resolution)
                except DisplayError as error:
                    log.warning("display.unreachable", display=run.claim.number, error=str(error))
                    continue
                run.connection = connection
                connection.listen(run.follow_size)
                self._move(DisplayState.READY)
                await connection.closed.wait()
                run.connection = None
                self._move(DisplayState.DOWN)

    async def _connect(self, run: _Run) -> Connection:
        if not self._processes.is_jailed:
            return await connect(run.claim.number, run.cookie)
        # Its socket is a path in the jail, which the jail could swap for another: so it is opened in there.
        try:
            sock = await self._processes.connect_unix(f"/tmp/.X11-unix/X{run.claim.number}")
        except OSError as error:
            raise XClosed(f"display :{run.claim.number} cannot be reached ({error.strerror})") from error
        return await open_on(sock, run.cookie)

    async def _watch(self, run: _Run, process: Process) -> None:
        """An Xvfb that somebody stopped for good, by way of the process API, takes the display with it."""
        with run.watching:
            await process.wait()
        if run.watching.cancelled_caught:
            return
        async with self._turn:
            if self._run is run:
                log.warning("display.ended", display=run.claim.number)
                await self._take_down()

    async def _take_down(self) -> None:
        run, self._run = self._run, None
        if run is None:
            return
        run.following.cancel()
        run.watching.cancel()
        if run.connection is not None:
            run.connection.close()
        try:
            if run.process is not None:
                await run.process.end(grace=2.0)
            if run.sound is not None:
                await run.sound.end()
        finally:
            run.announcements.close()
            run.claim.release()
            shutil.rmtree(run.folder, ignore_errors=True)
            self._move(DisplayState.INACTIVE)

    def _move(self, to: DisplayState) -> None:
        if to is self._state:
            return
        assert to in MOVES[self._state], (self._state, to)
        self._state = to
        log.info("display.moved", state=to, display=self._run and self._run.claim.number)
        self._changed.set()
        self._changed = anyio.Event()
        for listener in tuple(self._listeners):
            listener(to)


async def _watch_root(connection: Connection) -> None:
    """Ask for the root window's events once, for everyone who listens: windows coming and going, properties."""
    mask = X.PropertyChangeMask | X.SubstructureNotifyMask | X.StructureNotifyMask
    await connection.do(request.ChangeWindowAttributes, window=connection.root, attrs={"event_mask": mask})


async def _keep_size(connection: Connection, wanted: Resolution) -> None:
    """An Xvfb that was restarted has the size of its command line again."""
    now = await connection.ask(request.GetGeometry, drawable=connection.root)
    if (now.width, now.height) != (wanted.width, wanted.height):
        await resize_screen(connection, Size(wanted.width, wanted.height), wanted.dpi)


def read_size(text: str) -> Size | None:
    """`1920x1080`; None for nothing."""
    width, _, height = text.partition("x")
    return Size(int(width), int(height)) if height else None


def _authority(folder: Path) -> Path:
    return folder / "Xauthority"


def _last_words(process: Process) -> str:
    """The end of what Xvfb wrote, for a person to see why it would not run."""
    entries = process.logs.read(streams=(LogStream.STDOUT, LogStream.STDERR), tail=20)
    written = b"".join(entry.data for entry in entries).decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in written if line.strip()]
    return f": {' / '.join(said[-4:])}" if said else ""


@asynccontextmanager
async def open_display(
    processes: Processes, user: User | None = None, place: Path | None = None, room: Size | None = None
) -> AsyncIterator[Display]:
    """The display part of a box, stopped; leaving the block stops it again.

    `place` is where it keeps the files its clients read: in a jail, one that they see and cannot write.  `room` is
    how large it can be made later, where that is more than what it is started with.
    """
    try:
        async with anyio.create_task_group() as tasks:
            display = Display(processes, tasks, user, place, room)
            try:
                yield display
            finally:
                with anyio.move_on_after(10, shield=True):
                    await display.stop()
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
