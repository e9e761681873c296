"""An action: a block that has its turn on a page and a deadline, and knows afterwards what it caused.

    async with browser.action(body, "clicking") as act:
        await click(act.page, target, deadline=act.deadline)
    return act.result

A dialog that the action opens ends the block and is part of its result.  What Chromium says becomes a problem; running
out of time becomes one as well, and the page is then looked after in the background.  `use_page` and `use_chromium` are
the same for what needs no turn, and for what needs no page.

A browser that is coming back is waited for.  When Chromium dies in such a block and certainly read nothing of what the
block sent, `again_after_restart` begins its function again, in the next Chromium and with the time that is left.  Of
what Chromium may have read nobody knows whether it was done, and nothing is done twice: such a call fails.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.acting.effects import (
    PATIENCE,
    Changes,
    Effects,
    last_look,
    look_after,
    look_before,
    watch_effects,
)
from belljar.box.browser.cdp import CdpClosed, CdpError, CdpGone, Connection, TargetCrashed
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.frames import DocumentGone
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.recovery import leave_dialog
from belljar.box.record import Bus
from belljar.problems import Problem
from belljar.problems.browser import (
    BrowserCdpError,
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    FrameGone,
    TabClosed,
    TabCrashed,
    TabOutOfMemory,
)
from belljar.wire.browser.acting import ActionResult
from belljar.wire.browser.common import (
    DialogInfo,
    FileChooser,
    OnTab,
    Popup,
    Report,
    Reported,
    ReportWish,
    StartedDownload,
)

Params = ParamSpec("Params")
Result = TypeVar("Result")
# Seconds by which the server's own clock lets an action run over, so that it can say itself what it was waiting for.
GRACE = 1.0


@dataclass(frozen=True)
class Timeouts:
    """Seconds that a call may take when it does not say; and that a start may take in any case."""

    navigation: float = 30.0
    action: float = 10.0
    start: float = 15.0


class Action:
    """One that has its turn; once its block is left, what it came to."""

    def __init__(self, page: Page, deadline: float) -> None:
        self.page = page
        # The moment, by the event loop's clock, at which it must be over.
        self.deadline = deadline
        # What opened before it was done.
        self.dialog: Dialog | None = None
        # None where nobody watches.
        self.effects: Effects | None = None
        self.changes: Changes | None = None

    @property
    def result(self) -> ActionResult:
        return ActionResult(dialog=self.dialog_info, file_chooser=self._file_chooser, **self.effects_info())

    @property
    def dialog_info(self) -> DialogInfo | None:
        return self.dialog.info() if self.dialog is not None else None

    @property
    def popup(self) -> Popup | None:
        page = self.effects.popup if self.effects is not None else None
        return Popup(tab_id=page.id, url=page.url) if page is not None else None

    @property
    def report(self) -> Report | None:
        changes = self.changes
        if changes is None:
            return None
        return Report(
            url=self.page.url,
            snapshot=changes.snapshot,
            revision=changes.revision,
            whole=changes.is_whole,
            quiet=changes.was_quiet,
            console_errors=changes.errors,
        )

    def effects_info(self) -> dict[str, object]:
        """Popup, navigation, download and report, as members of an answer."""
        if self.effects is None:
            return {}
        downloads = self.effects.downloads.items()
        return {
            "popup": self.popup,
            "navigated": self.effects.navigated,
            "download": next((StartedDownload(id=id, name=name) for id, name in downloads), None),
            "report": self.report,
        }

    @property
    def _file_chooser(self) -> FileChooser | None:
        is_multiple = self.effects.chooser_is_multiple if self.effects is not None else None
        return FileChooser(multiple=is_multiple) if is_multiple is not None else None


@dataclass(eq=False)
class Call:
    """A call that is under way, in one Chromium or, after its death, in the next."""

    # When its block was first entered.
    began: float | None = None
    # Known once it is that page's turn.
    page: Page | None = None
    is_over: bool = False
    # Where its commands go, and what was there before its first.
    _connection: Connection | None = None
    _fence: int = 0

    def begin(self, connection: Connection, page: Page | None = None) -> None:
        """From here on it sends commands."""
        self.page = page
        self._connection, self._fence = connection, connection.fence()

    def was_missed(self) -> bool:
        """Whether Chromium ended and certainly got nothing of what was sent since it began: nothing has happened."""
        connection = self._connection
        is_lost = connection is not None and connection.is_closed and not self.is_over
        return is_lost and connection is not None and not connection.was_read_since(self._fence)

    def begin_again(self) -> None:
        self.page = self._connection = None


# The call of the function that is to be done again when Chromium missed it.
_call: ContextVar[Call | None] = ContextVar("call", default=None)


def again_after_restart(
    function: Callable[Params, Awaitable[Result]],
) -> Callable[Params, Awaitable[Result]]:
    """Do it in one Chromium after another, of which soon there is none, until one may have heard of it.

    For a function with one block, which does nothing outside of it that must not be done twice.
    """

    @wraps(function)
    async def attempt(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        call = Call()
        token = _call.set(call)
        try:
            while True:
                try:
                    return await function(*args, **kwargs)
                except Problem:
                    if not call.was_missed():
                        raise
                    call.begin_again()
        finally:
            _call.reset(token)

    return attempt


class PageAccess(ABC):
    """How calls get at pages."""

    def __init__(self, tasks: TaskGroup, timeouts: Timeouts, bus: Bus) -> None:
        self._tasks = tasks
        self.bus = bus
        self.timeouts = timeouts
        # The calls that are under way.
        self._calls: set[Call] = set()

    @property
    @abstractmethod
    def instance(self) -> ChromiumInstance:
        """The life of Chromium that calls go to; what keeps it away is raised."""

    @abstractmethod
    async def running(self) -> ChromiumInstance:
        """As `run`, but a Chromium that died is waited for until it is back, or is known not to come back."""

    @abstractmethod
    async def page(self, tab_id: str | None = None, *, is_leaving: bool = False) -> Page:
        """The tab of this id, or the active one, ready to be used; with `is_leaving` also one that crashed for good."""

    @abstractmethod
    async def look_after(self, page: Page) -> None:
        """Bring a page that kept a call waiting to answer again."""

    @abstractmethod
    def trouble(self, page: Page | None) -> str:
        """What is known to keep Chromium or a page of it from answering, as a sentence after another one."""

    @asynccontextmanager
    async def action(
        self,
        body: OnTab,
        doing: str,
        *,
        timeout: float | None = None,
        is_leaving: bool = False,
        keeps_deadline: bool = True,
    ) -> AsyncIterator[Action]:
        """Act on a page when it is this call's turn; `doing` is what a timeout says was going on.

        It may take `timeout` seconds, those that the body names or the usual ones, waiting included.  Without
        `keeps_deadline` the block is cut off then, and watched only for a report.  With a report the page's rest is
        waited for as well.  With `is_leaving` the action goes elsewhere: a dialog of what is left is in its way once,
        and not again.
        """
        wish = body.wish if isinstance(body, Reported) else None
        seconds = timeout or body.seconds or self.timeouts.action
        is_watched = keeps_deadline or wish is not None
        grace = (GRACE if is_watched else 0.0) + (PATIENCE + GRACE if wish is not None else 0.0)
        with self._calling(seconds, doing, grace) as (call, deadline):
            page = await self.page(body.tab_id, is_leaving=is_leaving)
            call.begin(page.session.connection, page)
            with in_our_words(page.id):
                if is_leaving:
                    await leave_dialog(page)
                page.check_can_run()
                async with page.turn:
                    # What those before it sent is not its own.
                    call.begin(page.session.connection, page)
                    page.check_can_run()
                    act = Action(page, deadline)
                    ended = self.bus.act_begins(page.id)
                    try:
                        if not is_watched:
                            yield act
                        else:
                            async with self._watched(act, wish):
                                with nullcontext() if keeps_deadline else _until(deadline):
                                    yield act
                    except DialogOpen:
                        if page.open_dialog is None:
                            raise
                        act.dialog = page.open_dialog
                    finally:
                        ended()
        if is_watched and act.dialog is None:
            # A page that asks before it is left does so after the click.
            act.dialog = page.dialog

    @asynccontextmanager
    async def _watched(self, act: Action, wish: ReportWish | None) -> AsyncIterator[None]:
        with watch_effects(act.page, self.instance.tabs) as effects:
            act.effects = effects
            before = await look_before(act.page, wish) if wish is not None else None
            yield
            await effects.settle(act.deadline)
            if wish is not None and before is not None:
                act.changes = await look_after(act.page, before, wish)

    @asynccontextmanager
    async def use_page(
        self,
        body: OnTab,
        doing: str,
        *,
        timeout: float | None = None,
        grace: float = 0.0,
        is_leaving: bool = False,
    ) -> AsyncIterator[Page]:
        """Have a page, whoever's turn it is, as long as `action` would.

        `grace` is how many seconds more the block is let run, so that it can say itself what it waited for.
        """
        with self._calling(timeout or body.seconds or self.timeouts.action, doing, grace) as (call, _):
            page = await self.page(body.tab_id, is_leaving=is_leaving)
            call.begin(page.session.connection, page)
            with in_our_words(page.id):
                yield page

    @asynccontextmanager
    async def use_chromium(self, doing: str) -> AsyncIterator[ChromiumInstance]:
        """As `use_page`, for what is asked of Chromium and of no page."""
        with self._calling(self.timeouts.action, doing) as (call, _):
            run = await self.running()
            call.begin(run.connection)
            with in_our_words(""):
                yield run

    @asynccontextmanager
    async def answering(self, body: Reported, wish: ReportWish) -> AsyncIterator[Action]:
        """Answer a page's dialog, and know what came of it.

        Of the page before, only what snapshots had seen is known: a dialog holds it, and whoever's turn it is.
        """
        seconds = body.seconds or self.timeouts.action
        async with self.use_page(body, "closing the dialog", timeout=seconds, grace=PATIENCE + GRACE) as page:
            act = Action(page, anyio.current_time() + seconds)
            with watch_effects(page, self.instance.tabs) as act.effects:
                before = last_look(page)
                ended = self.bus.act_begins(page.id)
                try:
                    yield act
                finally:
                    ended()
                async with page.turn:
                    try:
                        await act.effects.settle(act.deadline)
                        act.changes = await look_after(page, before, wish)
                    except DialogOpen:
                        pass
                    act.dialog = page.dialog

    @contextmanager
    def _calling(self, timeout: float, doing: str, grace: float = 0.0) -> Iterator[tuple[Call, float]]:
        """A call and its deadline, which it may overrun by `grace` seconds."""
        call = _call.get()
        if call is None or call.is_over:
            call = Call()
        call.began = anyio.current_time() if call.began is None else call.began
        deadline = call.began + timeout
        self._calls.add(call)
        try:
            with _until(deadline + grace):
                yield call, deadline
            call.is_over = True
        except TimeoutError as error:
            why = self.trouble(call.page)
            if call.page is not None:
                call.page.check_can_run()
                self._tasks.start_soon(self.look_after, call.page, name="look after a page that timed out")
            raise BrowserTimeout(f"Timed out after {timeout * 1000:.0f} ms while {doing}.{why}") from error
        finally:
            self._calls.discard(call)


@contextmanager
def _until(moment: float) -> Iterator[None]:
    """As `anyio.fail_after`, for a moment of the event loop's clock."""
    with anyio.fail_after(moment - anyio.current_time()):
        yield


@contextmanager
def in_our_words(tab_id: str) -> Iterator[None]:
    """Raise problems for what the layers below raise."""
    try:
        yield
    except DocumentGone as error:
        raise FrameGone() from error
    except TargetCrashed as error:
        raise (TabOutOfMemory(tab_id) if error.is_out_of_memory else TabCrashed(tab_id)) from error
    except CdpClosed as error:
        raise BrowserNotActive.meanwhile() from error
    except CdpGone as error:
        raise TabClosed(tab_id) from error
    except CdpError as error:
        raise BrowserCdpError(
            "Chromium refused a command.", method=error.method, message=error.message, cdp_code=error.code
        ) from error
