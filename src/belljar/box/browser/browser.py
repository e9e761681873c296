"""The browser as the box sees it: started, stopped, asked how it is, and asked for a page."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import anyio
import structlog
from anyio.abc import TaskGroup

from belljar.box.browser.calls import Outcome, in_our_words
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.emulation import Emulation
from belljar.box.browser.flags import ChromiumOptions
from belljar.box.browser.launch import LaunchError
from belljar.box.browser.page import Page, Watching
from belljar.box.browser.profile import prepare_profile
from belljar.box.browser.revival import end_endless_loop
from belljar.box.browser.run import Plan, Run, begin_run
from belljar.box.browser.signal import Signal
from belljar.box.browser.states import MOVES
from belljar.box.browser.timing import Timings
from belljar.box.browser.watchers import watchers_of
from belljar.box.browser.window import first_viewport, fit_window
from belljar.box.display import Display, DisplayError, ModeTaken
from belljar.box.folders import Folders
from belljar.box.process import Process, Processes
from belljar.dependencies import find_chromium, missing_for_browser
from belljar.problems import StreamError
from belljar.problems.browser import (
    BrowserAlreadyActive,
    BrowserDesktopConflict,
    BrowserInstallRequired,
    BrowserNotActive,
    BrowserProblem,
    BrowserStartFailed,
    BrowserTimeout,
    DialogOpen,
)
from belljar.tasks import the_only_one
from belljar.wire.browser.lifecycle import BrowserState, StartRequest
from belljar.wire.desktop import DisplayMode

log = structlog.get_logger(__name__)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Timeouts:
    """Seconds that a call may take when it does not say."""

    navigation: float = 30.0
    action: float = 10.0


class Browser:
    """Starts and stops the one Chromium, and gives out its pages."""

    def __init__(
        self,
        processes: Processes,
        display: Display,
        folders: Folders,
        tasks: TaskGroup,
        state_dir: Path,
        watching: Watching,
        timeouts: Timeouts,
    ) -> None:
        self._processes = processes
        self._display = display
        self._tasks = tasks
        self._state_dir = state_dir
        self._watching = watching
        self._plan: Plan | None = None
        self._run: Run | None = None
        # Starts, stops and restarts are taken one at a time.
        self._turn = anyio.Lock()
        self.folders = folders
        self.timeouts = timeouts
        self.state = BrowserState.INACTIVE
        self.changed = Signal()
        self.request: StartRequest | None = None
        self.started_at: float | None = None
        self.timings = Timings()
        self.last_error: BrowserProblem | None = None

    @property
    def run(self) -> Run:
        """The life of Chromium that calls go to.  Raises `BrowserNotActive`."""
        if self._run is None or self.state is not BrowserState.ACTIVE:
            raise BrowserNotActive()
        return self._run

    @property
    def display_name(self) -> str | None:
        """None when headless."""
        return self._display.name if self._display.mode is DisplayMode.BROWSER else None

    @property
    def display_process(self) -> Process | None:
        return self._display.process if self._display.mode is DisplayMode.BROWSER else None

    def missing(self) -> list[str]:
        return missing_for_browser(self._state_dir)

    async def page(self, tab_id: str | None = None) -> Page:
        """The tab of this id, or the active one, ready to be used; waits for a browser that is coming back."""
        if self.state is BrowserState.STARTING and self._plan is not None:
            await self.changed.until(lambda: self.state is not BrowserState.STARTING)
        page = self.run.tabs.get(tab_id)
        if not page.is_ready or page.is_crashed:
            await page.changed.until(lambda: page.is_closed or (page.is_ready and not page.is_crashed))
        return page

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
                    if page.dialog is None:
                        raise
                    return Outcome(page, None, page.dialog)

    async def start(self, request: StartRequest) -> None:
        """Start the display (unless headless) and Chromium, and open the first page."""
        if self.state not in (BrowserState.INACTIVE, BrowserState.FAILED):
            raise BrowserAlreadyActive()
        missing = self.missing()
        if missing:
            raise BrowserInstallRequired(missing)
        async with self._turn:
            if self.state not in (BrowserState.INACTIVE, BrowserState.FAILED):
                raise BrowserAlreadyActive()
            self._move(BrowserState.STARTING)
            self.request, self.timings, self.last_error = request, Timings(), None
            try:
                await self._bring_up(request)
            except BaseException as error:
                with anyio.move_on_after(20, shield=True):
                    await self._take_down()
                self._fail(error)
                raise
            self.started_at = time.time()
            self._move(BrowserState.ACTIVE)

    async def stop(self) -> None:
        """End Chromium and the display.  Not running: nothing happens."""
        async with self._turn:
            if self.state is BrowserState.FAILED:
                self._move(BrowserState.INACTIVE)
            if self.state is not BrowserState.ACTIVE:
                return
            self._move(BrowserState.STOPPING)
            with anyio.CancelScope(shield=True):
                await self._take_down()
            self._move(BrowserState.INACTIVE)

    async def _bring_up(self, request: StartRequest) -> None:
        if not request.headless:
            with self.timings.step("display"):
                await self._start_display(request)
        with self.timings.step("profile"):
            self._plan = await self._prepare(request)
        try:
            self._run = await begin_run(self._processes, self._tasks, self._plan, self.timings)
        except (LaunchError, StreamError, CdpError, CdpGone) as error:
            raise BrowserStartFailed("Chromium did not come up; the server's log has its last words.") from error
        with self.timings.step("window"):
            await fit_window(self._run.tabs.active, request)
        self._tasks.start_soon(self._watch, self._run, name="chromium's end")

    async def _start_display(self, request: StartRequest) -> None:
        try:
            await self._display.start(DisplayMode.BROWSER, request.width, request.height, request.dpi)
        except ModeTaken as error:
            raise BrowserDesktopConflict() from error
        except DisplayError as error:
            raise BrowserStartFailed("The display did not come up; the server's log says why.") from error

    async def _prepare(self, request: StartRequest) -> Plan:
        executable = find_chromium(self._state_dir)
        if executable is None:
            raise BrowserInstallRequired(["chromium"])
        profile = self.folders.profiles / f"run-{time.time_ns():x}"

        def make() -> None:
            profile.mkdir(mode=0o700)
            prepare_profile(profile)
            self.folders.give_all(profile)

        await anyio.to_thread.run_sync(make)
        options = ChromiumOptions(
            executable=executable,
            profile=profile,
            width=request.width,
            height=request.height,
            is_headless=request.headless,
            is_kiosk=request.kiosk,
            has_webgl=request.webgl,
        )
        env = {"HOME": str(self.folders.home), "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        if not request.headless:
            env |= self._display.environment
        emulation = replace(Emulation().with_fields(request), viewport=first_viewport(request))
        return Plan(options, env, self.folders.user, emulation, self._watching, self.folders.downloads)

    async def _watch(self, run: Run) -> None:
        """Chromium's end closes its connection, which fails everyone who waits."""
        await run.process.wait()
        run.connection.close()
        if self._run is run and self.state is BrowserState.ACTIVE:
            log.warning("browser.died", exit=str(run.process.exit))
            async with self._turn:
                if self._run is run and self.state is BrowserState.ACTIVE:
                    await self._take_down()
                    self._fail(BrowserStartFailed("Chromium died."))

    async def _take_down(self) -> None:
        run, self._run, self._plan = self._run, None, None
        try:
            if run is not None:
                await run.end()
        finally:
            if self._display.mode is DisplayMode.BROWSER:
                await self._display.stop()

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, BrowserProblem):
            self.last_error = error
        else:
            self.last_error = BrowserStartFailed("The start was interrupted.")
        log.warning("browser.failed", error=str(error.__cause__ or error))
        self._move(BrowserState.FAILED)

    def _move(self, to: BrowserState) -> None:
        assert to in MOVES[self.state], (self.state, to)
        self.state = to
        log.info("browser.moved", state=to, **({"timings": self.timings.steps} if to is BrowserState.ACTIVE else {}))
        self.changed.fire()


@asynccontextmanager
async def open_browser(
    processes: Processes,
    display: Display,
    folders: Folders,
    state_dir: Path,
    watching: Watching = watchers_of,
    timeouts: Timeouts = Timeouts(),  # noqa: B008  # frozen
) -> AsyncIterator[Browser]:
    """The browser part of a box, stopped; leaving the block stops it again."""
    try:
        async with anyio.create_task_group() as tasks:
            browser = Browser(processes, display, folders, tasks, state_dir, watching, timeouts)
            try:
                yield browser
            finally:
                with anyio.move_on_after(20, shield=True):
                    await browser.stop()
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
