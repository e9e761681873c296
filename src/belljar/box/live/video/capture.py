"""Grabs of the display into the streamer's memory: when something has changed, or a key frame is wanted."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import anyio

from belljar.box.desktop.recording.take import Watch
from belljar.box.desktop.recording.worker import memfd_with
from belljar.box.display import Connection, Display, DisplayError, DisplayInactive
from belljar.box.display.x11.pixels import Area, Memory, Segment, attach
from belljar.box.live.video.streamer import Streamer, StreamerLost
from belljar.tasks import Signal

# Pictures on their way to the encoders.
SLOTS = 3
# A streamer that has not taken a picture for so long, in seconds, does not run any more.
STALL = 3.0
# A still picture is sent so often more, so many seconds apart: encoders spend what they saved on making it sharper.
_SHARPENINGS = 3
_SHARPEN_SECONDS = 0.15
# Moves of the pointer raise no event: how often it is looked for, while things move and while nothing does.
_LOOK_SECONDS = 1 / 30
_IDLE_LOOK_SECONDS = 0.1
_MOVING_SECONDS = 1.0
_BREATH = 0.05


@dataclass(frozen=True)
class Size:
    width: int
    height: int

    @property
    def even(self) -> "Size":
        """Video has even sides: of an odd one the last line is not seen."""
        return Size(self.width & ~1, self.height & ~1)


class Wanted(Protocol):
    """What is to be made of the grabs."""

    @property
    def fps(self) -> int:
        """Grabs a second at most."""

    def begin(self, size: Size) -> None:
        """Pictures are of this size from now on."""

    def update(self, streamer: Streamer) -> None:
        """Open and close streams there, as viewers have come and gone."""

    @property
    def still_seconds(self) -> float:
        """How long there may be no frame while nothing changes."""

    def due_keys(self, now: float) -> Sequence[int]:
        """The streams of which the next frame is to be a key frame, and may be by now."""

    def keys_sent(self, streams: Sequence[int], now: float) -> None: ...


class Capture:
    """One streamer's pictures.  `stir` says that something is wanted that was not before.

    `clock` is what time stamps have beyond the monotonic clock, in milliseconds.
    """

    def __init__(self, display: Display, streamer: Streamer, wanted: Wanted, stir: Signal, clock: float) -> None:
        self._display = display
        self._streamer = streamer
        self._wanted = wanted
        self._stir = stir
        self._clock = clock
        self._free: list[int] = []
        # Which memory the slots are of: a picture of another size may come back late.
        self._generation = 0
        self._taken_at: dict[int, float] = {}
        self._last_timestamp = 0.0

    def freed(self, slot: int) -> None:
        if self._taken_at.pop(slot, None) is not None:
            self._free.append(slot)
            self._stir.fire()

    async def run(self) -> None:
        """Until cancelled.  Raises `StreamerLost`; waits for a display that is away."""
        while True:
            try:
                server = await self._display.connection()
                async with Watch(server, self._stir.fire) as watch:
                    await self._watch(server, watch)
            except DisplayInactive:
                await self._until_moved()
            except DisplayError:
                await anyio.sleep(_BREATH)

    async def _until_moved(self) -> None:
        moved = anyio.Event()
        off = self._display.listen(lambda state: moved.set())
        try:
            await moved.wait()
        finally:
            off()

    async def _watch(self, server: Connection, watch: Watch) -> None:
        while True:
            size = self._size()
            memory = Memory(size.width * size.height * 4 * SLOTS)
            try:
                segment = await attach(server, memory)
                self._begin(size, memory)
                await self._grab_all(server, segment, watch, size)
                segment.close()
            finally:
                memory.close()

    def _begin(self, size: Size, memory: Memory) -> None:
        about = {"do": "memory", "width": size.width, "height": size.height, "slots": SLOTS}
        self._streamer.send(about, [memory.descriptor])
        # Numbers are never used twice, so that what comes back late of the last size is known for it.
        self._generation += SLOTS
        self._free = list(range(self._generation, self._generation + SLOTS))
        self._taken_at.clear()
        self._wanted.begin(size)

    def _size(self) -> Size:
        now = self._display.resolution
        return Size(now.width, now.height).even

    async def _grab_all(self, server: Connection, segment: Segment, watch: Watch, size: Size) -> None:
        """Until the display has another size."""
        last = changed_at = 0.0
        sharpenings = 0
        while self._size() == size:
            self._wanted.update(self._streamer)
            now = time.monotonic()
            self._check_stall(now)
            if not self._free:
                await self._wait(0.5)
                continue
            keys = self._wanted.due_keys(now)
            early = last + 0.9 / self._wanted.fps - now
            if early > 0 and not keys:
                await anyio.sleep(early)
                continue
            if await watch.has_changed():
                changed_at, sharpenings = now, _SHARPENINGS
            elif sharpenings and now - last >= _SHARPEN_SECONDS:
                sharpenings -= 1
            elif not keys and now - last < self._wanted.still_seconds:
                is_moving = now - changed_at < _MOVING_SECONDS
                await self._wait(_LOOK_SECONDS if is_moving else _IDLE_LOOK_SECONDS)
                continue
            await self._grab(server, segment, watch, size, keys)
            last = now

    async def _grab(self, server: Connection, segment: Segment, watch: Watch, size: Size, keys: Sequence[int]) -> None:
        if (cursor := await watch.new_cursor()) is not None:
            about = {"do": "cursor", "width": cursor.width, "height": cursor.height}
            self._send_with(about | {"hot_x": cursor.hot_x, "hot_y": cursor.hot_y}, cursor.pixels)
        slot = self._free.pop()
        # Also where the grab fails: the memory is then made anew.
        self._taken_at[slot] = time.monotonic()
        area = Area(0, 0, size.width, size.height)
        place = slot - self._generation
        self._last_timestamp = max(time.monotonic() * 1000 + self._clock, self._last_timestamp + 0.1)
        await segment.fill(server.root, area, place * size.width * size.height * 4)
        frame: dict[str, object] = {"do": "frame", "slot": slot, "place": place, "timestamp": self._last_timestamp}
        self._streamer.send(frame | {"x": watch.x, "y": watch.y, "keys": list(keys)})
        self._wanted.keys_sent(keys, time.monotonic())

    def _send_with(self, message: dict[str, object], data: bytes) -> None:
        descriptor = memfd_with(data)
        try:
            self._streamer.send(message, [descriptor])
        finally:
            os.close(descriptor)

    def _check_stall(self, now: float) -> None:
        oldest = min(self._taken_at.values(), default=now)
        if now - oldest > STALL:
            raise StreamerLost("the streamer does not go on")

    async def _wait(self, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._stir.changed()
