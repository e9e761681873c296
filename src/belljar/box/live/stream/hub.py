"""The hub: runs a source of frames while somebody watches, and gives each frame to everybody, smaller where asked."""

import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import NamedTuple, Protocol

import anyio

from belljar.box.live.stream.frame import Frame
from belljar.box.live.stream.pace import QUALITIES, Rendition, choose_quality
from belljar.box.live.stream.slot import Meter, Slot
from belljar.logs import log
from belljar.tasks import Signal, background

# Hands a frame to the viewers; returns when the fastest of them has taken it.
Deliver = Callable[[Frame], Awaitable[None]]


@dataclass
class Wishes:
    """How the viewers would like their frames just now.  The hub changes it while a source runs."""

    quality: int = 70
    max_width: int = 1920
    max_height: int = 1080
    # Frames a second that somebody has a use for; infinite where they are for a person.
    pace: float = math.inf
    # Seconds for which what moves need not be looked at between two frames; none where they are for a person.
    rest: float = 0.0
    # Fired when they shall have another size, or a fresh one is wanted at once.
    stirred: Signal = field(default_factory=Signal)


class FrameSource(Protocol):
    """Something that changes and can be looked at: a tab, a display.

    `show` is called when the first viewer comes and cancelled when the last has gone; nobody calls it twice at a
    time.  It delivers a frame at once, so that a viewer of something still sees it, and from then on whenever
    something has changed: nothing is captured or encoded while nothing moves.

    `deliver` is what sets the pace.  It returns when the fastest viewer has taken the frame, and a source makes
    no more than one further frame before that; what changes meanwhile is seen in the next one.  Viewers that are
    slower skip frames, which is no concern of the source.

    A source looks at `wishes` before each frame, or as often as its own nature allows.

    It may show one thing after another (the active tab, whichever that is) and may find nothing to show for a
    while; it then waits and shows what comes.  `show` raises only when it is broken, and is then called again a
    moment later.  Cancelling it ends whatever it had started.
    """

    async def show(self, deliver: Deliver, wishes: Wishes) -> None: ...


_SMALL_QUALITY = 50
_LONGEST_SIDE = 640
# As large as pictures are, for viewers that show them no larger; and those for larger ones, the last at most.  Few:
# a change of size begins the screencast anew.
_FULL_SIZE = (1920, 1080)
_LARGER_SIZES = ((2560, 1440), (3840, 2160))
# Chromium captures all that it draws while it is looked at, also what it then leaves out: a moving page that nobody
# watches is looked at now and then.
_REST_SECONDS = 1.0


class _Place(NamedTuple):
    """What somebody has a use for: so many frames a second, smaller ones alone, ones that fill so many pixels."""

    pace: float
    is_small: bool
    surface: tuple[float, float] = _FULL_SIZE


class Shrinker:
    """Makes a frame's smaller rendition once, in a thread; who wants the same one waits for it."""

    def __init__(self) -> None:
        self._turn = anyio.Lock()
        self._limiter = anyio.CapacityLimiter(1)
        self._of: Frame | None = None
        self._made: Frame | None = None

    async def small(self, frame: Frame) -> Frame:
        async with self._turn:
            if self._of is not frame or self._made is None:
                raw = await anyio.to_thread.run_sync(_shrunk, frame.data, limiter=self._limiter)
                self._of, self._made = frame, frame if raw is None else _smaller(frame, raw)
            return self._made


def _smaller(frame: Frame, jpeg: bytes) -> Frame:
    return replace(frame, encoded=None, raw=jpeg, dpr=picture_scale(jpeg, frame.width), is_small=True)


def _shrunk(jpeg: bytes) -> bytes | None:
    """None for what is small enough, or no picture, or too large to be opened: a page may have taken Chromium over."""
    with suppress(ValueError):
        if max(jpeg_size(jpeg)) <= _LONGEST_SIDE:
            return None
    # Imported here: most boxes never have a slow viewer.
    from PIL import Image

    try:
        # As nothing else: other formats have other programs read them.
        image = Image.open(BytesIO(jpeg), formats=("JPEG",))
        scale = min(1.0, _LONGEST_SIDE / max(image.size))
        wanted = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        # Decodes at a half or a quarter right away where that is still large enough.
        image.draft("RGB", wanted)
        file = BytesIO()
        small = image.resize(wanted, Image.Resampling.BILINEAR, reducing_gap=1.0)
        small.convert("RGB").save(file, "JPEG", quality=_SMALL_QUALITY)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return file.getvalue()


def jpeg_size(jpeg: bytes) -> tuple[int, int]:
    """From its head.  Raises `ValueError`."""
    at = 2
    while at + 9 < len(jpeg) and jpeg[at] == 0xFF:
        if 0xC0 <= jpeg[at + 1] <= 0xC2:
            return int.from_bytes(jpeg[at + 7 : at + 9], "big"), int.from_bytes(jpeg[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    raise ValueError("not a JPEG")


def picture_scale(jpeg: bytes, width: int) -> float:
    """How many pixels a picture, of which this is at least the head, has for each of `width`, to the hundredth."""
    try:
        return round(jpeg_size(jpeg)[0] / width, 2)
    except (ValueError, ZeroDivisionError):
        return 1.0


# A source does not wait longer for its viewers: it would see no change of its own in the meantime.
_LONGEST_WAIT = 1.0
_RETUNE_SECONDS = 5.0
_RESTART_SECONDS = 0.5


class Hub:
    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._slots: dict[Slot, _Place] = {}
        self._came_or_went = anyio.Event()
        self._taken = anyio.Event()
        self._shrinker = Shrinker()
        self._wishes = Wishes()
        # Smoothed seconds until the fastest viewer took a frame, and when that last changed the quality.
        self._take_seconds = 0.05
        self._tuned_at = time.monotonic()
        self._dropped_before = 0
        # Whether larger pictures than usual took too long, since somebody came last.
        self._were_too_large = False
        self.meter = Meter()
        self.latest: Frame | None = None
        self._is_latest_small = False
        self.last_frame_at: float | None = None

    @property
    def viewers(self) -> int:
        return len(self._slots)

    @property
    def dropped(self) -> int:
        """Frames that viewers did not get, all together, since the start."""
        return self._dropped_before + sum(slot.dropped for slot in self._slots)

    @contextmanager
    def watching(
        self, on_ready: Callable[[], None], pace: float = math.inf, *, is_small: bool = False
    ) -> Iterator[Slot]:
        """A place at the stream, for so many frames a second; it begins with the newest frame there is.

        Who has a use for small pictures alone gets larger ones only while others need those.
        """
        slot = Slot(on_ready)
        if self.latest is not None and (is_small or not self._is_latest_small):
            slot.put(self.latest)
        self._slots[slot] = _Place(pace, is_small)
        self._were_too_large = False
        self._wish()
        self._stir()
        try:
            yield slot
        finally:
            del self._slots[slot]
            self._wish()
            self._dropped_before += slot.dropped
            self._stir()

    def show_on(self, slot: Slot, surface: tuple[float, float]) -> None:
        """A viewer shows what it gets on so many pixels.  A smaller surface changes nothing: corners are dragged."""
        place = self._slots[slot]
        larger = max(place.surface[0], surface[0]), max(place.surface[1], surface[1])
        if larger != place.surface:
            self._slots[slot] = place._replace(surface=larger)
            self._wish()

    @property
    def _size(self) -> tuple[int, int]:
        """Room for what the largest viewer shows: pictures have as many pixels of it as the page itself has."""
        if self._is_small_enough:
            return _LONGEST_SIDE, _LONGEST_SIDE
        places = () if self._were_too_large else self._slots.values()
        wanted = [max((place.surface[side] for place in places), default=0.0) for side in (0, 1)]
        sizes = (_FULL_SIZE, *_LARGER_SIZES)
        return next((size for size in sizes if wanted[0] <= size[0] and wanted[1] <= size[1]), sizes[-1])

    @property
    def _is_small_enough(self) -> bool:
        return bool(self._slots) and all(place.is_small for place in self._slots.values())

    def _wish(self) -> None:
        wishes = self._wishes
        wishes.pace = max((place.pace for place in self._slots.values()), default=math.inf)
        size = self._size
        if size != (wishes.max_width, wishes.max_height):
            wishes.max_width, wishes.max_height = size
            wishes.rest = _REST_SECONDS if self._is_small_enough else 0.0
            wishes.stirred.fire()

    def hurry(self) -> None:
        """Have a source that rests look again at once."""
        self._wishes.stirred.fire()

    async def next_for(self, slot: Slot) -> Frame | None:
        """The frame `slot` has waiting, in the rendition it gets."""
        frame = slot.take()
        self._taken.set()
        if frame is not None and slot.rendition is Rendition.SMALL:
            return await self._shrinker.small(frame)
        return frame

    async def small(self, frame: Frame) -> Frame:
        """The smaller rendition of a frame."""
        return await self._shrinker.small(frame)

    async def deliver(self, frame: Frame) -> None:
        began = time.monotonic()
        self.latest, self.last_frame_at = frame, time.time()
        self._is_latest_small = self._is_small_enough
        self.meter.count(frame.size)
        self._taken = anyio.Event()
        for slot in self._slots:
            slot.put(frame)
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
                # What is on the screen when the next viewer comes is another frame.
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
            if self._wishes.quality == QUALITIES[0] and self._wishes.max_width > _FULL_SIZE[0]:
                self._were_too_large = True
                self._wish()

    def _stir(self) -> None:
        self._came_or_went.set()
        self._came_or_went = anyio.Event()


@asynccontextmanager
async def open_hub(source: FrameSource) -> AsyncIterator[Hub]:
    hub = Hub(source)
    async with background(hub.run, name="frame hub"):
        yield hub
