"""A film made of pictures that somebody else takes, such as Chromium of a tab: each at the time it was taken.

Not desktop's own: a source gives the pictures, and says when there are none.
"""

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import anyio

from belljar.box.desktop.recording.film import Film
from belljar.box.desktop.recording.worker import Worker, memfd_with
from belljar.tasks import Signal, background

# Pictures a second at most: what a page costs to watch stays small, and a film of clicks needs no more.
FASTEST_PICTURES = 8
# A picture's place in the film is this exact: they come when something is drawn, not at a steady pace.
_TICKS_PER_SECOND = 1000
# Pictures on their way to the encoder; with none free the next one waits, and a newer takes its place.
_SLOTS = 4
# What does not change is filmed again at this pace, in seconds, so that a killed server loses little.
_STILL = 1.0
# How long the encoder may take for what it has before the last picture.
_LAST_SECONDS = 10.0


@dataclass(frozen=True)
class Picture:
    """A JPEG, and when it was taken, by the monotonic clock."""

    jpeg: bytes
    taken_at: float


class PictureSource(Protocol):
    """`follow` calls `show` with each picture, and `hide` with the reason when none can be taken for a while.

    It returns when there will be no more.  `look` takes one now; None where there is nothing to see.
    """

    width: int
    height: int

    async def follow(self, show: Callable[[Picture], None], hide: Callable[[str], None]) -> None: ...

    async def look(self) -> Picture | None: ...


class PictureFilm(Film):
    def __init__(
        self, worker: Worker, path: str, source: PictureSource, fps: int, most_bytes: int | None = None
    ) -> None:
        super().__init__(worker, path, ticks_per_second=_TICKS_PER_SECOND, most_bytes=most_bytes)
        self._source = source
        self._fps = fps
        self._free = list(range(_SLOTS))
        self._next: Picture | None = None
        self._last: Picture | None = None
        self._sent_at = -math.inf
        self._changed = Signal()

    def stop(self) -> None:
        super().stop()
        self._changed.fire()

    def _begin(self) -> None:
        start = {"do": "start", "path": self._path, "width": self._source.width, "height": self._source.height}
        self._worker.send(start | {"fps": self._fps, "rate": _TICKS_PER_SECOND} | self._ring())

    def _sent_again(self, slot: int) -> None:
        self._free.append(slot)
        self._changed.fire()

    async def _film(self) -> None:
        async with background(self._follow, name="pictures"):
            while not self._is_over:
                if await self._due():
                    self._send_next()
                elif self._last is not None and not self._is_over and time.monotonic() - self._sent_at >= _STILL:
                    self._send(self._last, time.monotonic())
            await self._film_the_end(time.monotonic())

    async def _follow(self) -> None:
        await self._source.follow(self._show, self._hide)
        self.stop()
        await anyio.sleep_forever()

    def _show(self, picture: Picture) -> None:
        self._next = picture
        self._changed.fire()

    def _hide(self, reason: str) -> None:
        self._begin_gap(reason, time.monotonic())

    async def _due(self) -> bool:
        """Wait until the next picture may be sent; false at the end, and after a while of nothing."""
        with anyio.move_on_after(_STILL):
            await self._changed.until(lambda: self._is_over or (self._next is not None and bool(self._free)))
        if self._next is None or not self._free or self._is_over:
            return False
        # A newer one that comes meanwhile takes its place.
        with anyio.move_on_after(self._sent_at + 1 / self._fps - time.monotonic()):
            await self._stopping.wait()
        return True

    async def _film_the_end(self, end: float) -> None:
        """What was drawn last may be on its way; where nothing can be seen the film stands still up to the end."""
        picture = None if self._ended.is_set() else await self._source.look()
        with anyio.move_on_after(_LAST_SECONDS):
            await self._changed.until(lambda: bool(self._free) or self._ended.is_set())
        if self._ended.is_set() or not self._free:
            return
        if picture is not None:
            self._next = picture
            self._send_next()
        elif self._last is not None:
            self._send(self._last, end)

    def _send_next(self) -> None:
        picture, self._next = self._next, None
        assert picture is not None
        self._last = picture
        self._end_gap(picture.taken_at)
        self._send(picture, picture.taken_at)

    def _send(self, picture: Picture, at: float) -> None:
        if not self._free:
            return
        self._sent_at = time.monotonic()
        is_in_gap = bool(self.gaps) and self.gaps[-1].ended is None
        slot = self._free.pop()
        jpeg = memfd_with(picture.jpeg)
        try:
            message = {"do": "picture", "slot": slot, "tick": self._new_tick(at, is_news=not is_in_gap)}
            self._worker.send(message | {"bytes": len(picture.jpeg)}, [jpeg])
        finally:
            os.close(jpeg)
