"""Where on the display the active page is shown: below Chromium's own bars."""

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.acting.action import in_our_words
from belljar.box.display import Display, DisplayInactive
from belljar.box.display.x11.pixels import Area
from belljar.problems import Problem
from belljar.wire.desktop import DisplayMode

# What is asked of the page.  It may lie, and shows then less or more of its own window.
_ASK = "[screenX, screenY, outerWidth, outerHeight, innerWidth, innerHeight]"
_PATIENCE = 1.0
# Tabs and address, where it cannot be measured: pages that are told another size than they have.
_USUAL_BARS = 87


class PageArea:
    def __init__(self, browser: Browser, display: Display) -> None:
        self._browser = browser
        self._display = display
        self._bars = _USUAL_BARS
        self._last: Area | None = None

    async def find(self) -> Area | None:
        """Where it is, or was when it last said; None where there is none."""
        page = self._browser.active_page
        if page is None or self._display.mode is not DisplayMode.BROWSER:
            self._last = None
            return None
        answer: object = None
        with anyio.move_on_after(_PATIENCE):
            try:
                with in_our_words(page.id):
                    answer = await page.main.evaluate(_ASK)
            except Problem:
                # It is just going; the next one is asked in a moment.
                return self._last
        try:
            self._last = self._read(answer) or self._last
        except DisplayInactive:
            self._last = None
        return self._last

    @property
    def _is_kiosk(self) -> bool:
        """Whether there is nothing around the page, whatever size it was told."""
        return self._browser.request is not None and self._browser.request.kiosk

    def _read(self, answer: object) -> Area | None:
        if not isinstance(answer, list) or len(answer) != 6:
            return None
        if not all(isinstance(number, int | float) and abs(number) < 1e5 for number in answer):
            return None
        # It counts in its own pixels, of which a display may have several for each.
        scale = 1 if self._browser.request is None else self._browser.request.scale
        left, top, outer_width, outer_height, width, height = (int(number * scale) for number in answer)
        # A page that was told another size has not its window's width; a kiosk's window is a pixel larger.
        if 0 <= outer_width - width <= scale and 0 <= outer_height - height:
            self._bars = outer_height - height if outer_height - height > scale else 0
        screen = self._display.resolution
        x, y = max(0, left), max(0, top + (0 if self._is_kiosk else self._bars))
        return Area(x, y, min(width, screen.width - x), min(height, screen.height - y))
