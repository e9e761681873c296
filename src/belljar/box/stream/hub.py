"""The hub: runs the source while somebody watches, and gives each picture to everybody."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio

from belljar.box.stream.meter import Meter
from belljar.box.stream.picture import Picture
from belljar.box.stream.renditions import Shrinker
from belljar.box.stream.slot import Slot
from belljar.box.stream.source import FrameSource, Wishes
from belljar.box.stream.tuning import Rendition, choose_quality
from belljar.logs import log
from belljar.tasks import background

# A source does not wait longer for its viewers: it would see no change of its own in the meantime.
_LONGEST_WAIT = 1.0
_RETUNE_SECONDS = 5.0
_RESTART_SECONDS = 0.5


class Hub:
    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._slots: set[Slot] = set()
        self._came_or_went = anyio.Event()
        self._taken = anyio.Event()
        self._shrinker = Shrinker()
        self._wishes = Wishes()
        # Smoothed seconds until the fastest viewer took a picture, and when that last changed the quality.
        self._take_seconds = 0.05
        self._tuned_at = time.monotonic()
        self._dropped_before = 0
        self.meter = Meter()
        self.latest: Picture | None = None
        self.last_frame_at: float | None = None

    @property
    def viewers(self) -> int:
        return len(self._slots)

    @property
    def dropped(self) -> int:
        """Pictures that viewers did not get, all together, since the start."""
        return self._dropped_before + sum(slot.dropped for slot in self._slots)

    @contextmanager
    def watching(self, on_ready: Callable[[], None]) -> Iterator[Slot]:
        """A place at the stream; it begins with the newest picture there is."""
        slot = Slot(on_ready)
        if self.latest is not None:
            slot.put(self.latest)
        self._slots.add(slot)
        self._stir()
        try:
            yield slot
        finally:
            self._slots.discard(slot)
            self._dropped_before += slot.dropped
            self._stir()

    async def next_for(self, slot: Slot) -> Picture | None:
        """The picture `slot` has waiting, in the rendition it gets."""
        picture = slot.take()
        self._taken.set()
        if picture is not None and slot.rendition is Rendition.SMALL:
            return await self._shrinker.small(picture)
        return picture

    async def deliver(self, picture: Picture) -> None:
        began = time.monotonic()
        self.latest, self.last_frame_at = picture, time.time()
        self.meter.count(picture.size)
        self._taken = anyio.Event()
        for slot in self._slots:
            slot.put(picture)
        with anyio.move_on_after(_LONGEST_WAIT):
            await self._taken.wait()
        self._tune(time.monotonic() - began)

    async def run(self) -> None:
        """The source's life: shown while watched."""
        while True:
            while not self._slots:
                await self._came_or_went.wait()
            log.info("stream.started")
            try:
                async with background(self._show, name="frame source"):
                    while self._slots:
                        await self._came_or_went.wait()
            finally:
                # What is on the screen when the next viewer comes is another picture.
                self.latest = None
                log.info("stream.stopped", frames=self.meter.total)

    async def _show(self) -> None:
        while True:
            try:
                await self._source.show(self.deliver, self._wishes)
            except Exception:  # the top of a supervised loop
                log.exception("stream.source_failed")
            await anyio.sleep(_RESTART_SECONDS)

    def _tune(self, seconds: float) -> None:
        self._take_seconds += (seconds - self._take_seconds) / 8
        now = time.monotonic()
        if now - self._tuned_at >= _RETUNE_SECONDS:
            self._tuned_at = now
            self._wishes.quality = choose_quality(self._wishes.quality, self._take_seconds)

    def _stir(self) -> None:
        self._came_or_went.set()
        self._came_or_went = anyio.Event()


@asynccontextmanager
async def open_hub(source: FrameSource) -> AsyncIterator[Hub]:
    hub = Hub(source)
    async with background(hub.run, name="frame hub"):
        yield hub
