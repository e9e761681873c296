"""A film of the screen: frames at a steady pace into the encoder's memory, as the screen changes."""

import os
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from types import TracebackType

import anyio
from Xlib.ext.damage import DamageCreate, DamageDestroy, DamageNotify, DamageSubtract, QueryVersion

from belljar.box.desktop.pictures.painters import Cursor, read_cursor
from belljar.box.desktop.recording.film import Film
from belljar.box.desktop.recording.shared import Overhearing, SharedVideo, VideoPacket
from belljar.box.desktop.recording.worker import Worker, WorkerLost, memfd_with
from belljar.box.display import Connection, DisplayError, DisplayInactive
from belljar.box.display.x11 import xfixes
from belljar.box.display.x11.connection import Extension
from belljar.box.display.x11.pixels import Area, Memory, Segment, attach
from belljar.box.display.x11.protocol import Event, XClosed, request

# The level of X's DAMAGE extension: one event when there is damage, and no more until it was looked at.
_NON_EMPTY = 3


class Watch:
    """Between `async with` and its end the X server tells us of damage to the screen and of new pointer pictures.

    `on_change` is called whenever it has told of either.
    """

    def __init__(self, server: Connection, on_change: Callable[[], None] | None = None) -> None:
        self._server = server
        self._on_change = on_change
        self._damage = server.new_id()
        self._is_damaged = True
        self._has_new_cursor = True
        self.x = 0
        self.y = 0

    async def __aenter__(self) -> "Watch":
        server = self._server
        self._opcode = await _damage_opcode(server)
        self._codes = server.event_code(DamageNotify), await xfixes.watch_cursor(server)
        self._off = server.listen(self._on_event)
        await server.do(DamageCreate, opcode=self._opcode, damage=self._damage, drawable=server.root, level=_NON_EMPTY)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._off()
        if not self._server.closed.is_set():
            self._server.post(DamageDestroy, opcode=self._opcode, damage=self._damage)

    async def has_changed(self) -> bool:
        """Whether to film: asked once for each frame, as it also takes note of where the pointer is."""
        pointer = await self._server.ask(request.QueryPointer, window=self._server.root)
        has_moved = (pointer.root_x, pointer.root_y) != (self.x, self.y)
        self.x, self.y = pointer.root_x, pointer.root_y
        has_changed = has_moved or self._is_damaged or self._has_new_cursor
        if self._is_damaged:
            # From here on changes are told of again; what changes before the grab is in it.
            self._is_damaged = False
            self._server.post(DamageSubtract, opcode=self._opcode, damage=self._damage, repair=0, parts=0)
        return has_changed

    async def new_cursor(self) -> Cursor | None:
        """The pointer's picture, where it is another one than last time."""
        if not self._has_new_cursor:
            return None
        self._has_new_cursor = False
        cursor = await read_cursor(self._server)
        self.x, self.y = cursor.x + cursor.hot_x, cursor.y + cursor.hot_y
        return cursor

    def _on_event(self, happened: Event) -> None:
        damaged, cursor = self._codes
        if happened.type == damaged:
            self._is_damaged = True
        elif happened.type == cursor:
            self._has_new_cursor = True
        else:
            return
        if self._on_change is not None:
            self._on_change()


# Frames on their way to the encoder; with none free a frame is left out.
SLOTS = 6
# Messages with packets on their way to the encoder, which only writes them; with more it is taken to be stuck.
PARCELS = 8
# Packets go together: each message wakes two processes.  For so many seconds at most, which a killed server loses.
PARCEL_SECONDS = 0.25
# A screen where nothing moves is filmed at this pace, in seconds, so that a killed server loses little.
STILL = 1.0
# Between two tries at a display that is coming back.
_BREATH = 0.05
DISPLAY_GONE = "the display was restarted"


async def _damage_opcode(server: Connection) -> int:
    async def prepare(extension: Extension) -> None:
        await server.ask(QueryVersion, opcode=extension.opcode, major_version=1, minor_version=1)
        server.name_event(extension.first_event, DamageNotify)

    return (await server.prepared("DAMAGE", prepare)).opcode


class ScreenFilm(Film):
    """`connection` gives the display, waiting for one that is coming back.

    While somebody watches the same as H.264 the film is made of that (`video`), and nothing is grabbed for it.
    """

    def __init__(
        self,
        worker: Worker,
        path: str,
        area: Area,
        fps: int,
        connection: Callable[[], Awaitable[Connection]],
        most_bytes: int | None,
        video: SharedVideo | None = None,
    ) -> None:
        super().__init__(worker, path, ticks_per_second=fps, most_bytes=most_bytes)
        self._area = area
        self._fps = fps
        self._connection = connection
        self._memory = Memory(area.width * area.height * 4 * SLOTS)
        self._free = list(range(SLOTS))
        self._video = video
        self._overhearing = Overhearing(area.width, area.height, fps, self._send_packet)
        # Packets that wait for others, and messages with some on their way to the encoder, which have numbers of
        # their own.
        self._waiting: list[VideoPacket] = []
        self._parcels: set[int] = set()
        self._last_parcel = SLOTS
        # Whether what was sent last was encoded elsewhere: what is encoded here does not build on that.
        self._was_packet = False
        # When the display last answered.
        self._seen = time.monotonic()

    def stop(self) -> None:
        super().stop()
        self._overhearing.changed.fire()

    def _begin(self) -> None:
        start = {"do": "start", "path": self._path, "width": self._area.width, "height": self._area.height}
        pace = {"fps": self._fps, "rate": self._fps, "slots": SLOTS}
        self._worker.send(start | pace | self._ring(), [self._memory.descriptor])

    def _release(self) -> None:
        self._memory.close()

    def _sent_again(self, slot: int) -> None:
        if slot < SLOTS:
            self._free.append(slot)
        else:
            self._parcels.discard(slot)

    async def _film(self) -> None:
        with ExitStack() as held:
            if self._video is not None:
                self._overhearing.want_key = held.enter_context(self._video.overheard_by(self._overhearing))
            await self._film_displays()
            self._send_waiting()

    async def _film_displays(self) -> None:
        """A frame for every tick of the clock at which something has changed; a tick that is late is skipped."""
        while True:
            try:
                server = await self._connection()
                segment = await attach(server, self._memory)
                async with Watch(server) as watch:
                    await self._film_on(server, segment, watch)
                segment.close()
                return
            except DisplayInactive:
                return
            except DisplayError:
                # Xvfb died: the film stands still until it is back.
                self._begin_gap(DISPLAY_GONE, self._seen)
                if self._is_over:
                    return
                await anyio.sleep(_BREATH)

    async def _film_on(self, server: Connection, segment: Segment, watch: Watch) -> None:
        """The first frame at once and the last at the end: however short, a film shows something."""
        await self._send(server, segment, watch)
        while not self._is_over:
            if self._overhearing.is_on:
                await self._while_shared(server)
                if self._is_over:
                    await self._send(server, segment, watch)
                continue
            last = self.last_tick
            is_due = (await self._next_tick() - last) / self._fps >= STILL or self._is_over
            if self._overhearing.is_on and not self._is_over:
                continue
            if self._free and (await watch.has_changed() or is_due):
                await self._send(server, segment, watch)
            else:
                self._seen = time.monotonic()

    async def _while_shared(self, server: Connection) -> None:
        """As long as others have the same encoded and the display is there."""
        while self._overhearing.is_on and not self._is_over:
            if server.closed.is_set():
                raise XClosed("the X server is gone")
            # It may fall silent without a word.
            with anyio.move_on_after(STILL):
                await self._overhearing.changed.changed()

    async def _next_tick(self) -> int:
        """Wait for the next tick after the last one filmed, or for the end; the number of the tick it then is."""
        began = self.began if self.began is not None else time.monotonic()
        elapsed = time.monotonic() - began
        tick = max(self.last_tick + 1, int(elapsed * self._fps) + 1)
        with anyio.move_on_after(tick / self._fps - elapsed):
            await self._stopping.wait()
        return max(self.last_tick + 1, int((time.monotonic() - began) * self._fps))

    async def _send(self, server: Connection, segment: Segment, watch: Watch) -> None:
        if (cursor := await watch.new_cursor()) is not None:
            pixels = memfd_with(cursor.pixels)
            try:
                hot = {"hot_x": cursor.hot_x, "hot_y": cursor.hot_y}
                self._worker.send({"do": "cursor", "width": cursor.width, "height": cursor.height} | hot, [pixels])
            finally:
                os.close(pixels)
        if not self._free:
            return
        slot = self._free.pop()
        taken_at = time.monotonic()
        try:
            await segment.fill(server.root, self._area, slot * self._area.width * self._area.height * 4)
        except DisplayError:
            self._free.append(slot)
            raise
        self._seen = time.monotonic()
        if self._overhearing.is_on and not self._is_over:
            # Others' video has begun meanwhile: with this frame in between, its key frame would be in vain.
            self._free.append(slot)
            return
        at = {"x": watch.x - self._area.x, "y": watch.y - self._area.y, "key": self._was_packet}
        self._overhearing.ended()
        self._send_waiting()
        self._was_packet = False
        self._worker.send({"do": "frame", "slot": slot, "tick": self._new_tick(taken_at)} | at)

    def _send_packet(self, packet: VideoPacket) -> bool:
        """False where it is too early, or the encoder does not keep up."""
        if self.began is None or packet.taken_at < self.began or self._is_over or len(self._parcels) >= PARCELS:
            return False
        self._end_gap(packet.taken_at)
        self._seen = time.monotonic()
        self.last_tick = max(self.last_tick, int((packet.taken_at - self.began) * self._fps))
        self._was_packet = True
        self._waiting.append(packet)
        if packet.taken_at - self._waiting[0].taken_at < PARCEL_SECONDS:
            return True
        return self._send_waiting()

    def _send_waiting(self) -> bool:
        """Hand over the packets that wait; False where there is nobody to take them."""
        packets, self._waiting = self._waiting, []
        if not packets or self.began is None:
            return True
        self._last_parcel += 1
        self._parcels.add(self._last_parcel)
        about = [[len(one.data), one.taken_at - self.began, one.is_key] for one in packets]
        data = memfd_with(b"".join(one.data for one in packets))
        try:
            self._worker.send({"do": "packets", "slot": self._last_parcel, "packets": about}, [data])
        except WorkerLost:
            # Whoever watches the process tells.
            return False
        finally:
            os.close(data)
        return True
