"""Spare tabs: a blank one kept ready where tabs come and go, because opening one takes Chromium a tenth of a second."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page import Page
from belljar.problems import Problem

# How long one may take to open.
PATIENCE = 10.0


class Spare:
    """The one of a partition, when there is one."""

    def __init__(self) -> None:
        self.page: Page | None = None
        # Held while it is opened or taken.
        self._turn = anyio.Lock()

    async def lay_in(self, open: Callable[[], Awaitable[Page]]) -> None:
        """Have one, if there is none.  One that cannot be had is no reason for a call to fail."""
        with anyio.move_on_after(PATIENCE), suppress(CdpError, CdpGone, Problem):
            async with self._turn:
                if self.page is None or self.page.is_closed:
                    self.page = await open()

    async def take(self) -> Page | None:
        """What there is, the taker's from now on; one that is just being opened is waited for."""
        async with self._turn:
            page, self.page = self.page, None
        return page if page is not None and not page.is_closed and not page.is_crashed else None
