"""The active tab as frames: Chromium's own screencast, one for any number of viewers."""

import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import anyio

from belljar.box.browser.browser import Browser
from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.cdp.events import FrameResized, ScreencastFrame
from belljar.box.browser.cdp.replies import EncodedPicture, LayoutMetrics
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.page import Page
from belljar.tasks import Signal, background, until_any

# Chromium sends a first frame of what is still; should it not, a screenshot stands in.
_FIRST_FRAME_SECONDS = 1.5
_LOOK_SECONDS = 2.0
# How long nothing must have come for the page to be at rest.
_STILL_SECONDS = 0.1
# Frames a second: thirty are enough to look at, and one that comes late should not make it twenty-nine.  A page that
# draws sixty and is watched in full answers commands at less than half its speed.
PACE = 32
PACE_BESIDE_COMMANDS = 8
# Commands between two acknowledgements that make it so: one after another without a pause, not now and then.
_MANY_COMMANDS = 4


@dataclass(frozen=True)
class CastFrame:
    """A JPEG in base64 of a tab; the size is the page's, in CSS pixels, the timestamp in milliseconds since 1970.

    How many pixels the picture has, it says itself: Chromium makes one for each CSS pixel, or fewer where it is told
    to, also of a page that believes to have two.
    """

    width: int
    height: int
    timestamp: float
    encoded_jpeg: str
    tab_id: str


# Takes a frame; returns when it may be followed by another.
Deliver = Callable[[CastFrame], Awaitable[None]]


class Wishes(Protocol):
    """How frames should be; looked at again and again, since it may change."""

    quality: int
    max_width: int
    max_height: int
    # Frames a second at most.
    pace: float
    # Seconds for which what moves need not be looked at between two frames.
    rest: float
    # Fired when they shall have another size, or a fresh one is wanted at once.
    stirred: Signal


class Screencast:
    """Follows the active tab, whichever that is, through crashes, swaps of process and changes of size."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        """Until this run of the browser is over."""
        run = self._browser.current
        while run is not None and not run.connection.is_closed:
            page = run.tabs.active_or_none
            if page is None or not page.is_ready or page.is_crashed:
                await _until_showable(run, page)
                continue
            try:
                await self._show_page(run, page, deliver, wishes)
            except (CdpError, CdpGone):
                # The tab went away under us; there is another, or there will be.
                await anyio.sleep(0.05)

    async def _show_page(self, run: ChromiumInstance, page: Page, deliver: Deliver, wishes: Wishes) -> None:
        cast = _Cast(page, deliver, wishes)

        def is_over() -> bool:
            is_other = run.tabs.active_or_none is not page
            return is_other or page.is_closed or page.is_crashed or run.connection.is_closed

        async with background(cast.run, name="screencast"):
            await until_any(is_over, run.tabs.changed, page.changed)


async def look_at(page: Page, quality: int) -> str | None:
    """How the page looks now, as a JPEG in base64; None where it does not show itself in time."""
    with anyio.move_on_after(_LOOK_SECONDS), suppress(CdpError, CdpGone):
        wanted = {"format": "jpeg", "quality": quality}
        return (await page.session.send_as(EncodedPicture, "Page.captureScreenshot", **wanted)).data
    return None


class _FrameWorth(Enum):
    """What the frame that was shown last is worth."""

    CURRENT = "current"  # the page looks like that, as far as Chromium tells
    DOUBTFUL = "doubtful"  # a later one may have been left out: when no more come, the page is looked at afresh


class _Cast:
    """One screencast of one page.

    Frames are shown as they come and acknowledged no faster than `PACE` a second, or than is wished for.  Chromium
    keeps a few under way and leaves out what it draws beyond, before that is encoded: the page has its processor for
    itself in between.
    """

    def __init__(self, page: Page, deliver: Deliver, wishes: Wishes) -> None:
        self._page = page
        self._deliver = deliver
        self._wishes = wishes
        # Come and not shown; Chromium has at most three under way before it wants an acknowledgement.
        self._frames: deque[ScreencastFrame] = deque()
        self._wake = anyio.Event()
        self._arrivals: deque[float] = deque(maxlen=3)
        self._acks = _Acknowledgements(page.session, wishes, self._held_up)
        self._size: tuple[int, int] | None = None
        self._shown = _FrameWorth.CURRENT
        self._shown_timestamp = 0.0
        # The quality and size that Chromium was asked for; None before it was.
        self._asked: tuple[int, int, int] | None = None
        # Whether a wish has changed, or a fresh frame is wanted, since then.
        self._is_stirred = False

    async def run(self) -> None:
        session = self._page.session
        with ExitStack() as stack:
            stack.callback(session.on(ScreencastFrame, self._arrived))
            stack.callback(self._stop)
            stack.callback(session.on(FrameResized, self._resized))
            await self._start()
            async with (
                background(self._acks.run, name="screencast pace"),
                background(self._heed_wishes, name="screencast wishes"),
            ):
                with anyio.move_on_after(_FIRST_FRAME_SECONDS):
                    await self._wake.wait()
                if not self._frames:
                    await self._stand_in()
                while True:
                    await self._until_frame()
                    await self._hand_over()
                    if self._wishes.rest and self._shown is _FrameWorth.DOUBTFUL:
                        await self._rest()
                    elif self._asked != self._wanted:
                        await self._start()

    @property
    def _wanted(self) -> tuple[int, int, int]:
        return self._wishes.quality, self._wishes.max_width, self._wishes.max_height

    async def _heed_wishes(self) -> None:
        """What is still is wanted in another size, too, and what moves before its rest is over."""
        while True:
            await self._wishes.stirred.changed()
            self._is_stirred = True
            self._stir()

    async def _until_frame(self) -> None:
        while not self._frames:
            if self._asked is not None and self._asked[1:] != self._wanted[1:]:
                await self._start()
                continue
            with anyio.move_on_after(_STILL_SECONDS if self._shown is _FrameWorth.DOUBTFUL else math.inf):
                await self._wake.wait()
                continue
            if self._acks.are_awaited:
                continue
            # It has come to rest: look at it afresh.
            self._shown = _FrameWorth.CURRENT
            await self._start()

    async def _start(self) -> None:
        """Starting again is how a running screencast's settings are changed, and how what is still is seen again."""
        if self._asked is not None:
            self._page.session.tell("Page.stopScreencast")
        self._asked = quality, width, height = self._wanted
        self._is_stirred = False
        self._acks.clear()
        self._arrivals.clear()
        await self._page.session.send(
            "Page.startScreencast",
            format="jpeg",
            quality=quality,
            maxWidth=width,
            maxHeight=height,
        )

    async def _rest(self) -> None:
        """Chromium captures each frame that it draws, and only then leaves it out: it is let draw alone for a while."""
        self._stop()
        with anyio.move_on_after(self._wishes.rest):
            while not self._is_stirred:
                await self._wake.wait()
        # Frames that were under way are older than the one that a start brings.
        self._frames.clear()
        self._shown = _FrameWorth.CURRENT
        await self._start()

    def _stop(self) -> None:
        if not self._page.session.is_gone:
            self._page.session.tell("Page.stopScreencast")

    def _arrived(self, frame: ScreencastFrame) -> None:
        now = time.monotonic()
        self._frames.append(frame)
        self._arrivals.append(now)
        # Of frames that follow each other this fast some may be left out, and the last of all among them.
        if len(self._arrivals) == 3 and now - self._arrivals[0] < 2 * _STILL_SECONDS:
            self._shown = _FrameWorth.DOUBTFUL
        self._stir()

    def _held_up(self) -> None:
        """What is drawn meanwhile may be left out; the one or two frames of a start alone are no motion."""
        if len(self._arrivals) == 3:
            self._shown = _FrameWorth.DOUBTFUL

    async def _hand_over(self) -> None:
        """Show the newest frame, and owe an acknowledgement for it and for those it overtook."""
        held = list(self._frames)
        self._frames.clear()
        # Chromium encodes frames side by side, and an older one may be done after a newer.
        newest = max(held, key=lambda frame: frame.metadata.timestamp)
        meta = newest.metadata
        size = (round(meta.device_width), round(meta.device_height))
        if size != self._size:
            if self._size is not None:
                self._shown = _FrameWorth.DOUBTFUL
            self._size = size
        timestamp = round(meta.timestamp * 1000, 3)
        if timestamp > self._shown_timestamp:
            self._shown_timestamp = timestamp
            await self._deliver(CastFrame(*size, timestamp, newest.data, self._page.id))
        self._acks.owe(frame.session_id for frame in held)

    def _stir(self) -> None:
        self._wake.set()
        self._wake = anyio.Event()

    def _resized(self, event: FrameResized) -> None:
        """What was shown may have been laid out for another size, or another pixel ratio."""
        self._shown = _FrameWorth.DOUBTFUL
        self._stir()

    async def _stand_in(self) -> None:
        with anyio.move_on_after(2):
            session, wanted = self._page.session, {"format": "jpeg", "quality": self._wishes.quality}
            view = (await session.send_as(LayoutMetrics, "Page.getLayoutMetrics")).css_visual_viewport
            shot = await session.send_as(EncodedPicture, "Page.captureScreenshot", **wanted)
            size = (round(view.client_width), round(view.client_height))
            timestamp = round(time.time() * 1000, 3)
            await self._deliver(CastFrame(*size, timestamp, shot.data, self._page.id))


class _Acknowledgements:
    """What Chromium waits for before it sends more.

    Its pace is that of the fastest viewer, who has taken what is owed for, and `PACE` at most.
    """

    def __init__(self, session: Session, wishes: Wishes, held_up: Callable[[], None]) -> None:
        self._session = session
        self._wishes = wishes
        # Called when an acknowledgement is put off.
        self._held_up = held_up
        # Of frames shown, or left out for a newer one: the screencast's own session ids.
        self._owed: deque[int] = deque()
        self._owes = anyio.Event()
        self._last_at = 0.0

    def owe(self, ids: Iterable[int]) -> None:
        self._owed.extend(ids)
        self._owes.set()

    def clear(self) -> None:
        self._owed.clear()

    @property
    def are_awaited(self) -> bool:
        """Whether Chromium waits for us, not for the page."""
        return bool(self._owed) or time.monotonic() - self._last_at < _STILL_SECONDS

    async def run(self) -> None:
        session = self._session
        due, asked = time.monotonic(), session.asked
        while True:
            while not self._owed:
                self._owes = anyio.Event()
                await self._owes.wait()
            now = time.monotonic()
            if due > now:
                self._held_up()
                await anyio.sleep(due - now)
            if self._owed and not session.is_gone:
                session.tell("Page.screencastFrameAck", sessionId=self._owed.popleft())
                self._last_at = time.monotonic()
            # Commands come first: the page is watched less closely while they follow each other at full speed.
            most = PACE if session.asked - asked < _MANY_COMMANDS else PACE_BESIDE_COMMANDS
            gap = 1 / min(most, self._wishes.pace)
            asked = session.asked
            # What was late may be made up for, but not more than one frame of it.
            due = max(due, now - gap) + gap


async def _until_showable(run: ChromiumInstance, page: Page | None) -> None:
    def is_showable() -> bool:
        now = run.tabs.active_or_none
        return run.connection.is_closed or now is not page or (now is not None and now.is_ready and not now.is_crashed)

    await until_any(is_showable, run.tabs.changed, *([page.changed] if page is not None else []))
