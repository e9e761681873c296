"""A person's presses, after which something may have opened that waits for them: the last one is looked into."""

from contextlib import suppress
from dataclasses import dataclass

import anyio

from belljar.box.browser.asking.asks import Asks
from belljar.box.browser.asking.menus import PLACE as MENU_PLACE
from belljar.box.browser.asking.menus import arm, look_for_menu
from belljar.box.browser.asking.pickers import PLACE, look_for_picker
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page.page import Page
from belljar.problems import Problem
from belljar.tasks import Signal

# Seconds that a look may take.
_PATIENCE = 6.0
# Keys that open a field's widget.
_OPENING = frozenset({" ", "Enter", "ArrowDown", "ArrowUp", "F4"})


@dataclass(frozen=True)
class Press:
    page: Page
    is_pointer: bool
    is_for_menu: bool = False


class Presses:
    """Told of presses once the page has dealt with them.

    Nobody waits who presses: there is one look at a time, and the newest press ends that at an older one.
    """

    def __init__(self) -> None:
        self._newest: Press | None = None
        self._came = Signal()
        self._looking: anyio.CancelScope | None = None

    def pointer(self, page: Page) -> None:
        self._take(Press(page, is_pointer=True))

    async def before_menu(self, page: Page) -> None:
        """Before a right click goes to the page."""
        await arm(page)

    def menu(self, page: Page) -> None:
        self._take(Press(page, is_pointer=True, is_for_menu=True))

    def key(self, page: Page) -> None:
        self._take(Press(page, is_pointer=False))

    def matters(self, page: Page, key: str) -> bool:
        """Keys that open nothing matter while something is open: they may have closed or changed it."""
        return key in _OPENING or any(page.watcher(Asks).get(place) is not None for place in (PLACE, MENU_PLACE))

    def _take(self, press: Press) -> None:
        self._newest = press
        if self._looking is not None:
            self._looking.cancel()
        self._came.fire()

    async def run(self) -> None:
        while True:
            await self._came.until(lambda: self._newest is not None)
            press, self._newest = self._newest, None
            if press is not None and not press.page.is_closed:
                await self._look(press)

    async def _look(self, press: Press) -> None:
        with anyio.move_on_after(_PATIENCE) as self._looking, suppress(CdpError, CdpGone, Problem):
            if press.is_for_menu:
                await look_for_menu(press.page)
                return
            # Any other press closes a menu.
            press.page.watcher(Asks).put(MENU_PLACE, None)
            await look_for_picker(press.page, is_pointer=press.is_pointer)
        self._looking = None
