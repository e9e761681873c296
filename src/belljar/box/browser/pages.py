"""Giving out pages for calls: the deadline, the turn, and what becomes of a page that ran out of time."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.calls import Outcome, in_our_words
from belljar.box.browser.page import Page
from belljar.box.browser.pulse import GIVEN_UP, TICK, Call
from belljar.box.browser.revival import leave_dialog
from belljar.box.browser.run import Run
from belljar.problems import Problem
from belljar.problems.browser import BrowserTimeout, DialogOpen

Result = TypeVar("Result")


class Pages(ABC):
    """How calls get at pages.  A browser that is coming back is waited for; what keeps it away is raised.

    A call is a function, so that it can be begun again in the next Chromium: where the one it was sent to died and
    certainly read nothing of it.  Of what Chromium may have read nobody knows whether it was done, and nothing is done
    twice: such a call fails.
    """

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks
        # The calls that are under way.
        self._calls: set[Call] = set()

    @abstractmethod
    async def running(self) -> Run:
        """The life of Chromium that calls go to."""

    @abstractmethod
    async def page(self, tab_id: str | None = None, *, is_leaving: bool = False) -> Page:
        """The tab of this id, or the active one, ready to be used; with `is_leaving` also one that crashed for good."""

    @abstractmethod
    async def look_after(self, page: Page) -> None:
        """Bring a page that kept a call waiting to answer again."""

    @property
    @abstractmethod
    def is_restarting(self) -> bool:
        """Whether Chromium died and is being started again."""

    @property
    @abstractmethod
    def silence(self) -> float:
        """Seconds for which Chromium itself has not answered."""

    async def use(
        self,
        tab_id: str | None,
        work: Callable[[Page], Awaitable[Result]],
        *,
        timeout: float,
        doing: str,
        grace: float = 0.0,
        is_leaving: bool = False,
    ) -> Result:
        """Do `work` with a page, in `timeout` seconds; `doing` is what a timeout says was going on.

        `grace` is how much longer it is let run, so that it can say itself what it waited for.  What Chromium says
        becomes a problem.  After a timeout the page is looked after in the background.
        """

        async def attempt(call: Call) -> Result:
            page = await self.page(tab_id, is_leaving=is_leaving)
            call.begin(page.session.connection, page)
            with in_our_words(page.id):
                return await work(page)

        return await self._until_not_missed(attempt, timeout, doing, grace)

    async def ask(self, work: Callable[[Run], Awaitable[Result]], *, timeout: float, doing: str) -> Result:
        """As `use`, for what is asked of Chromium and of no page."""

        async def attempt(call: Call) -> Result:
            run = await self.running()
            call.begin(run.connection)
            with in_our_words(""):
                return await work(run)

        return await self._until_not_missed(attempt, timeout, doing)

    async def act(
        self,
        tab_id: str | None,
        action: Callable[[Page], Awaitable[Result]],
        *,
        timeout: float,
        doing: str,
        grace: float = 0.0,
        is_leaving: bool = False,
    ) -> Outcome[Result]:
        """Act on a page when it is this call's turn; a dialog that the action opens ends it and is its outcome.

        With `is_leaving` the action goes elsewhere: a dialog of what is left is in its way once, and not again.
        """

        async def attempt(call: Call) -> Outcome[Result]:
            page = await self.page(tab_id, is_leaving=is_leaving)
            call.begin(page.session.connection, page)
            with in_our_words(page.id):
                if is_leaving:
                    await leave_dialog(page)
                page.check_can_run()
                async with page.turn:
                    # What those before it sent is not its own.
                    call.begin(page.session.connection, page)
                    page.check_can_run()
                    try:
                        return Outcome(page, await action(page))
                    except DialogOpen:
                        if page.open_dialog is None:
                            raise
                        return Outcome(page, None, page.open_dialog)

        return await self._until_not_missed(attempt, timeout, doing, grace)

    async def _until_not_missed(
        self, attempt: Callable[[Call], Awaitable[Result]], timeout: float, doing: str, grace: float = 0.0
    ) -> Result:
        """Attempt it in one Chromium after another, of which soon there is none, until one may have heard of it."""
        call = Call(anyio.current_time())
        self._calls.add(call)
        try:
            with anyio.fail_after(timeout + grace):
                while True:
                    try:
                        return await attempt(call)
                    except Problem:
                        if not call.was_missed():
                            raise
                        call.begin_again()
        except TimeoutError as error:
            why = self._why(call.page)
            if call.page is not None:
                call.page.check_can_run()
                self._tasks.start_soon(self.look_after, call.page, name="look after a page that timed out")
            raise BrowserTimeout(f"Timed out after {timeout * 1000:.0f} ms while {doing}.{why}") from error
        finally:
            self._calls.discard(call)

    def _why(self, page: Page | None) -> str:
        if self.is_restarting:
            return " Chromium died and is being started again."
        if self.silence < TICK:
            is_awaiting = page is not None and page.awaits_server
            return " The tab waits for a server to answer with its next document." if is_awaiting else ""
        return f" Chromium itself has not answered for {self.silence:.0f} s; after {GIVEN_UP:.0f} s it is replaced."
