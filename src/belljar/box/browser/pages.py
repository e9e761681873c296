"""Giving out pages for calls: the deadline, the turn, and what becomes of a page that ran out of time."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.calls import Outcome, in_our_words
from belljar.box.browser.page import Page
from belljar.box.browser.revival import end_endless_loop
from belljar.problems.browser import BrowserTimeout, DialogOpen

Result = TypeVar("Result")


class Pages(ABC):
    """How calls get at pages.  `page` waits for a browser that is coming back, and raises what keeps it away."""

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks

    @abstractmethod
    async def page(self, tab_id: str | None = None) -> Page:
        """The tab of this id, or the active one, ready to be used."""

    @asynccontextmanager
    async def using(self, tab_id: str | None = None, *, timeout: float, doing: str) -> AsyncIterator[Page]:
        """A page for one call that must be over in `timeout` seconds; `doing` is what a timeout says was going on.

        What Chromium says becomes a problem.  After a timeout the page is looked after in the background.
        """
        page: Page | None = None
        try:
            with anyio.fail_after(timeout):
                page = await self.page(tab_id)
                with in_our_words(page):
                    yield page
        except TimeoutError as error:
            if page is not None:
                page.check_can_run()
                self._tasks.start_soon(end_endless_loop, page, name="look after a page that timed out")
            raise BrowserTimeout(f"Timed out after {timeout * 1000:.0f} ms while {doing}.") from error

    async def act(
        self,
        tab_id: str | None,
        action: Callable[[Page], Awaitable[Result]],
        *,
        timeout: float,
        doing: str,
    ) -> Outcome[Result]:
        """Act on a page when it is this call's turn; a dialog that the action opens ends it and is its outcome."""
        async with self.using(tab_id, timeout=timeout, doing=doing) as page:
            page.check_can_run()
            async with page.turn:
                page.check_can_run()
                try:
                    return Outcome(page, await action(page))
                except DialogOpen:
                    if page.open_dialog is None:
                        raise
                    return Outcome(page, None, page.open_dialog)
