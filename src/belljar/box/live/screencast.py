"""The active tab as a frame source: Chromium's own screencast, one for any number of viewers."""

import math
import time
from collections import deque
from contextlib import ExitStack, suppress
from typing import Any

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page import Page
from belljar.box.browser.run import Run
from belljar.box.browser.script import DocumentGone, JsError
from belljar.box.live.watched import active_page_of, run_of, until
from belljar.box.stream import Deliver, Picture, Wishes
from belljar.box.stream.meter import Meter
from belljar.box.stream.tuning import choose_every_nth
from belljar.problems import Problem
from belljar.tasks import background

Params = dict[str, Any]
# Chromium sends a first frame of what is still; should it not, a screenshot stands in.
_FIRST_FRAME_SECONDS = 1.5
# How long nothing must have come for the page to be at rest; how often the settings are thought about.
_STILL_SECONDS = 0.1
_TUNE_SECONDS = 0.5


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

    async def _show_page(self, run: Run, page: Page, deliver: Deliver, wishes: Wishes) -> None:
        cast = _Cast(page, deliver, wishes)

        def is_over() -> bool:
            return active_page_of(run) is not page or page.is_closed or page.is_crashed or run.connection.is_closed

        async with background(cast.run, name="screencast"):
            await until(is_over, run.tabs.changed, page.changed)


class _Cast:
    """One screencast of one page."""

    def __init__(self, page: Page, deliver: Deliver, wishes: Wishes) -> None:
        self._page = page
        self._deliver = deliver
        self._wishes = wishes
        # Chromium has at most a few under way before it wants an acknowledgement.
        self._frames: deque[Params] = deque(maxlen=4)
        self._wake = anyio.Event()
        self._size: tuple[int, int] | None = None
        self._is_resizing = False
        self._dpr = 1.0
        self._is_measured = False
        # The timestamp of the newest frame that was shown.
        self._shown = 0.0
        self._every_nth = 1
        self._quality = wishes.quality
        self._is_running = False
        self._meter = Meter()
        self._tuned_at = time.monotonic()

    async def run(self) -> None:
        session = self._page.session
        with ExitStack() as stack:
            stack.callback(session.on("Page.screencastFrame", self._arrived))
            stack.callback(self._stop)
            stack.callback(session.on("Page.frameResized", self._resized))
            await self._start()
            with anyio.move_on_after(_FIRST_FRAME_SECONDS):
                await self._wake.wait()
            if not self._frames:
                await self._stand_in()
            while True:
                await self._until_frame()
                await self._hand_over(self._frames.popleft())
                await self._tune()

    async def _until_frame(self) -> None:
        while not self._frames:
            is_unsure = self._every_nth > 1 or self._is_resizing
            with anyio.move_on_after(_STILL_SECONDS if is_unsure else math.inf):
                await self._wake.wait()
                continue
            # It has come to rest.  Its last frame may have been one that was left out, or measured too early: look
            # at it afresh.
            self._every_nth = 1
            self._is_resizing = self._is_measured = False
            await self._start()

    async def _tune(self) -> None:
        now = time.monotonic()
        if now - self._tuned_at < _TUNE_SECONDS:
            return
        self._tuned_at = now
        every_nth = choose_every_nth(self._every_nth, self._meter.fps)
        if (every_nth, self._wishes.quality) != (self._every_nth, self._quality):
            self._every_nth = every_nth
            await self._start()

    async def _start(self) -> None:
        """Starting again is how a running screencast's settings are changed."""
        self._quality = self._wishes.quality
        if self._is_running:
            self._page.session.tell("Page.stopScreencast")
        self._is_running = True
        self._meter = Meter()
        await self._page.session.send(
            "Page.startScreencast",
            format="jpeg",
            quality=self._quality,
            maxWidth=self._wishes.max_width,
            maxHeight=self._wishes.max_height,
            everyNthFrame=self._every_nth,
        )

    def _stop(self) -> None:
        if not self._page.session.is_gone:
            self._page.session.tell("Page.stopScreencast")

    def _arrived(self, params: Params) -> None:
        self._meter.count(1)
        self._frames.append(params)
        self._stir()

    async def _hand_over(self, params: Params) -> None:
        """Show a frame, then let Chromium send another: its pace is that of the fastest viewer."""
        meta = params["metadata"]
        size = (round(meta["deviceWidth"]), round(meta["deviceHeight"]))
        if size != self._size:
            self._is_resizing, self._is_measured = self._size is not None, False
            self._size = size
        if not self._is_measured:
            await self._measure()
        timestamp = round(meta["timestamp"] * 1000, 3)
        try:
            # Chromium encodes frames side by side, and an older one may be done after a newer.
            if timestamp > self._shown:
                self._shown = timestamp
                await self._deliver(Picture(*size, dpr=self._dpr, timestamp=timestamp, encoded=params["data"]))
        finally:
            if not self._page.session.is_gone:
                self._page.session.tell("Page.screencastFrameAck", sessionId=params["sessionId"])

    def _stir(self) -> None:
        self._wake.set()
        self._wake = anyio.Event()

    def _resized(self, params: Params) -> None:
        """The ratio may be another one although the size is not."""
        self._is_resizing, self._is_measured = True, False
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


async def _until_showable(run: Run, page: Page | None) -> None:
    def is_showable() -> bool:
        now = active_page_of(run)
        return run.connection.is_closed or now is not page or (now is not None and now.is_ready and not now.is_crashed)

    await until(is_showable, run.tabs.changed, *([page.changed] if page is not None else []))
