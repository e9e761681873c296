"""The active tab as a frame source: Chromium's own screencast, one for any number of viewers."""

import math
import time
from collections import deque
from contextlib import ExitStack, suppress
from typing import Any

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.frames import DocumentGone, JsError
from belljar.box.browser.page.page import Page
from belljar.box.live.active_source import active_page_of, run_of, until
from belljar.box.live.stream import Deliver, Picture, Wishes
from belljar.problems import Problem
from belljar.tasks import background

Params = dict[str, Any]
# Chromium sends a first frame of what is still; should it not, a screenshot stands in.
_FIRST_FRAME_SECONDS = 1.5
# How long nothing must have come for the page to be at rest.
_STILL_SECONDS = 0.1
# Frames a second: thirty are enough to look at, and one that comes late should not make it twenty-nine.  A page that
# draws sixty and is watched in full answers commands at less than half its speed.
PACE = 32
PACE_BESIDE_COMMANDS = 8
# Commands between two acknowledgements that make it so: one after another without a pause, not now and then.
_MANY_COMMANDS = 4


class Screencast:
    """Follows the active tab, whichever that is, through crashes, swaps of process and changes of size."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        """Until this run of the browser is over."""
        run = run_of(self._browser)
        while run is not None and not run.connection.is_closed:
            page = active_page_of(run)
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
            return active_page_of(run) is not page or page.is_closed or page.is_crashed or run.connection.is_closed

        async with background(cast.run, name="screencast"):
            await until(is_over, run.tabs.changed, page.changed)


class _Cast:
    """One screencast of one page.

    Frames are shown as they come and acknowledged no faster than `PACE` a second.  Chromium keeps a few under way and
    leaves out what it draws beyond, before that is encoded: the page has its processor for itself in between.
    """

    def __init__(self, page: Page, deliver: Deliver, wishes: Wishes) -> None:
        self._page = page
        self._deliver = deliver
        self._wishes = wishes
        # Come and not shown; Chromium has at most three under way before it wants an acknowledgement.
        self._frames: deque[Params] = deque()
        self._wake = anyio.Event()
        # Shown, or left out for a newer one, and not acknowledged: screencast's session ids.
        self._owed: deque[int] = deque()
        self._owes = anyio.Event()
        self._acknowledged_at = 0.0
        self._size: tuple[int, int] | None = None
        self._dpr = 1.0
        self._is_measured = False
        self._arrivals: deque[float] = deque(maxlen=3)
        # Whether what was shown last may not be what the page came to rest at.
        self._is_unsure = False
        # The timestamp of the newest frame that was shown.
        self._shown = 0.0
        self._quality = wishes.quality
        self._is_running = False

    async def run(self) -> None:
        session = self._page.session
        with ExitStack() as stack:
            stack.callback(session.on("Page.screencastFrame", self._arrived))
            stack.callback(self._stop)
            stack.callback(session.on("Page.frameResized", self._resized))
            await self._start()
            async with background(self._acknowledge, name="screencast pace"):
                with anyio.move_on_after(_FIRST_FRAME_SECONDS):
                    await self._wake.wait()
                if not self._frames:
                    await self._stand_in()
                while True:
                    await self._until_frame()
                    await self._hand_over()
                    if self._wishes.quality != self._quality:
                        await self._start()

    async def _until_frame(self) -> None:
        while not self._frames:
            with anyio.move_on_after(_STILL_SECONDS if self._is_unsure else math.inf):
                await self._wake.wait()
                continue
            if self._owed or time.monotonic() - self._acknowledged_at < _STILL_SECONDS:
                # Chromium waits for us, not for the page.
                continue
            # It has come to rest: look at it afresh.
            self._is_unsure = self._is_measured = False
            await self._start()

    async def _start(self) -> None:
        """Starting again is how a running screencast's settings are changed, and how what is still is seen again."""
        self._quality = self._wishes.quality
        if self._is_running:
            self._page.session.tell("Page.stopScreencast")
        self._is_running = True
        self._owed.clear()
        self._arrivals.clear()
        await self._page.session.send(
            "Page.startScreencast",
            format="jpeg",
            quality=self._quality,
            maxWidth=self._wishes.max_width,
            maxHeight=self._wishes.max_height,
        )

    def _stop(self) -> None:
        if not self._page.session.is_gone:
            self._page.session.tell("Page.stopScreencast")

    def _arrived(self, params: Params) -> None:
        now = time.monotonic()
        self._frames.append(params)
        self._arrivals.append(now)
        # Of frames that follow each other this fast some may be left out, and the last of all among them.
        if len(self._arrivals) == 3 and now - self._arrivals[0] < 2 * _STILL_SECONDS:
            self._is_unsure = True
        self._stir()

    async def _hand_over(self) -> None:
        """Show the newest frame, and owe an acknowledgement for it and for those it overtook."""
        held = list(self._frames)
        self._frames.clear()
        # Chromium encodes frames side by side, and an older one may be done after a newer.
        newest = max(held, key=lambda params: float(params["metadata"]["timestamp"]))
        meta = newest["metadata"]
        size = (round(meta["deviceWidth"]), round(meta["deviceHeight"]))
        if size != self._size:
            self._is_unsure, self._is_measured = self._is_unsure or self._size is not None, False
            self._size = size
        if not self._is_measured:
            await self._measure()
        timestamp = round(meta["timestamp"] * 1000, 3)
        if timestamp > self._shown:
            self._shown = timestamp
            await self._deliver(Picture(*size, dpr=self._dpr, timestamp=timestamp, encoded=newest["data"]))
        self._owed.extend(params["sessionId"] for params in held)
        self._owes.set()

    async def _acknowledge(self) -> None:
        """Chromium's pace is that of the fastest viewer, who has taken what is owed for, and `PACE` at most."""
        session = self._page.session
        due, asked = time.monotonic(), session.asked
        while True:
            while not self._owed:
                self._owes = anyio.Event()
                await self._owes.wait()
            now = time.monotonic()
            if due > now:
                # What is drawn meanwhile may be left out; the one or two frames of a start alone are no motion.
                self._is_unsure = self._is_unsure or len(self._arrivals) == 3
                await anyio.sleep(due - now)
            if self._owed and not session.is_gone:
                session.tell("Page.screencastFrameAck", sessionId=self._owed.popleft())
                self._acknowledged_at = time.monotonic()
            # Commands come first: the page is watched less closely while they follow each other at full speed.
            gap = 1 / (PACE if session.asked - asked < _MANY_COMMANDS else PACE_BESIDE_COMMANDS)
            asked = session.asked
            # What was late may be made up for, but not more than one frame of it.
            due = max(due, now - gap) + gap

    def _stir(self) -> None:
        self._wake.set()
        self._wake = anyio.Event()

    def _resized(self, params: Params) -> None:
        """The ratio may be another one although the size is not."""
        self._is_unsure, self._is_measured = True, False
        self._stir()

    async def _stand_in(self) -> None:
        with anyio.move_on_after(2):
            metrics = await self._page.session.send("Page.getLayoutMetrics")
            view = metrics["cssVisualViewport"]
            shot = await self._page.session.send("Page.captureScreenshot", format="jpeg", quality=self._wishes.quality)
            await self._deliver(
                Picture(
                    round(view["clientWidth"]),
                    round(view["clientHeight"]),
                    dpr=self._dpr,
                    timestamp=round(time.time() * 1000, 3),
                    encoded=shot["data"],
                )
            )

    async def _measure(self) -> None:
        """How many device pixels a CSS pixel has; what was true before holds where the page does not say in time."""
        self._is_measured = True
        with anyio.move_on_after(0.5), suppress(CdpError, CdpGone, DocumentGone, JsError, Problem):
            self._dpr = round(await self._page.main.evaluate("devicePixelRatio"), 2)


async def _until_showable(run: ChromiumInstance, page: Page | None) -> None:
    def is_showable() -> bool:
        now = active_page_of(run)
        return run.connection.is_closed or now is not page or (now is not None and now.is_ready and not now.is_crashed)

    await until(is_showable, run.tabs.changed, *([page.changed] if page is not None else []))
