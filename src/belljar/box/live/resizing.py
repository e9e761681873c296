"""The display in a viewer's size: the newest wish wins, and a browser's window goes along."""

from collections.abc import Callable

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.page.emulation import Viewport
from belljar.box.desktop import Desktop
from belljar.box.display import Display, DisplayError
from belljar.logs import log
from belljar.problems import Conflict, Problem
from belljar.tasks import Signal
from belljar.wire.desktop import DisplayMode, ResizeDisplay

# Chromium makes no smaller windows.
SMALLEST = (500, 400)
# Between two changes: a person who drags a corner asks for dozens a second.
_PAUSE_SECONDS = 0.25
# How long the browser may take to follow.
_FOLLOW_SECONDS = 5.0
# A kiosk's window is larger than the screen by so much; others may be smaller by so much.
_MARGIN = 2

Complain = Callable[[Problem], None]


class Resizing:
    """`is_allowed`: whether viewers may change the size of the display at all."""

    def __init__(self, display: Display, desktop: Desktop, browser: Browser, *, is_allowed: bool) -> None:
        self._display = display
        self._desktop = desktop
        self._browser = browser
        self._is_allowed = is_allowed
        self._wanted: tuple[int, int, Complain] | None = None
        self._asked = Signal()

    def want(self, width: int, height: int, complain: Complain) -> None:
        """Soon, or the nearest there can be; `complain` is told what keeps it from that."""
        if not self._is_allowed:
            raise Conflict("Viewers cannot change the size of this display: see --live-resize.")
        if self._display.mode is None:
            raise Conflict("There is no display: a headless browser has none.")
        self._wanted = width, height, complain
        self._asked.fire()

    async def run(self) -> None:
        while True:
            await self._asked.until(lambda: self._wanted is not None)
            assert self._wanted is not None
            (width, height, complain), self._wanted = self._wanted, None
            try:
                with anyio.fail_after(_FOLLOW_SECONDS):
                    await self._resize(width, height)
            except Problem as problem:
                complain(problem)
            except (DisplayError, TimeoutError) as error:
                complain(Conflict("The display could not be given that size just now."))
                log.info("display.not_resized", error=str(error))
            except Exception:  # the top of a supervised loop
                log.exception("display.resizing_failed")
            await anyio.sleep(_PAUSE_SECONDS)

    async def _resize(self, width: int, height: int) -> None:
        before, largest = self._display.resolution, await self._display.largest_size()
        width = min(max(width, SMALLEST[0]), largest.width) & ~1
        height = min(max(height, SMALLEST[1]), largest.height) & ~1
        if (width, height) == (before.width, before.height):
            return
        await self._desktop.resize(ResizeDisplay(width=width, height=height))
        if self._display.mode is DisplayMode.BROWSER:
            await self._follow((before.width, before.height), (width, height))

    async def _follow(self, before: tuple[int, int], now: tuple[int, int]) -> None:
        """There is no window manager to do it: windows that filled the screen fill it again."""
        request = self._browser.request
        is_kiosk = request is not None and request.kiosk
        more = 1 if is_kiosk else 0
        for window in await self._desktop.windows.list():
            if all(abs(side - was) <= _MARGIN for side, was in zip((window.width, window.height), before, strict=True)):
                await self._desktop.windows.resize(window.id, now[0] + more, now[1] + more)
        if is_kiosk and request is not None and request.viewport is None:
            # Its page is told the screen's size: see `first_viewport`.
            tabs = self._browser.instance.tabs
            await tabs.emulate(tabs.emulation.with_viewport(Viewport(*now)))
