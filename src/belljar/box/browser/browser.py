"""The browser as the box sees it: started, stopped, brought back when it dies, and asked for a page."""

import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.acting.action import PageAccess, Timeouts, again_after_restart
from belljar.box.browser.acting.pulse import GIVEN_UP, TICK, Pulse
from belljar.box.browser.acting.upload import Choosers
from belljar.box.browser.asking.asks import Asks
from belljar.box.browser.asking.permissions import Permissions
from belljar.box.browser.asking.presses import Presses
from belljar.box.browser.asking.sign_ins import Attendance, SignIns
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.chromium.contexts import CONTEXTS_FOLDER, Contexts
from belljar.box.browser.chromium.instance import ChromiumInstance, begin_instance
from belljar.box.browser.chromium.launch import LaunchError, Timings, redacted
from belljar.box.browser.chromium.plan import LaunchContext, Plan, fit_window, leaves_room, make_plan, remove_profile
from belljar.box.browser.chromium.profile import prepare_profile
from belljar.box.browser.events import Announcements
from belljar.box.browser.page.front import filling_display, find_window, follow_front
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page, Watcher
from belljar.box.browser.reading.console import Console
from belljar.box.browser.reading.downloads import Download, Downloads
from belljar.box.browser.reading.network import Network
from belljar.box.browser.reading.snapshot import Snapshots
from belljar.box.browser.record_source import PageSource, TabSource, tell_download
from belljar.box.browser.states import MOVES, State, on_the_wire
from belljar.box.browser.tab_events import Event, Following, TabsChanged
from belljar.box.display import Display, DisplayError, ModeTaken
from belljar.box.process import Process, Processes
from belljar.box.record import Bus
from belljar.box.sandbox.folders import Folders
from belljar.dependencies import missing_for_browser
from belljar.limits import MAX_DOWNLOAD_BYTES
from belljar.logs import log
from belljar.problems import Problem, StreamError
from belljar.problems.browser import (
    BrowserAlreadyActive,
    BrowserCdpError,
    BrowserDesktopConflict,
    BrowserInstallRequired,
    BrowserNotActive,
    BrowserStartFailed,
    TabCrashed,
    TabNotFound,
)
from belljar.tasks import Signal, background, the_only_one
from belljar.wire.browser.common import OnTab, WaitUntil
from belljar.wire.browser.lifecycle import EventKind, Resolution, StartRequest
from belljar.wire.desktop import DisplayMode
from belljar.wire.record import EventKind as RecordKind


def watchers_of(page: Page, bus: Bus, attendance: Attendance) -> Sequence[Watcher]:
    """The watchers of a new page; `page.watcher(kind)` finds them again."""
    console, network = Console(page), Network(page)
    choosers = Choosers(page)
    asks = Asks(page, choosers)
    return (
        console,
        network,
        Snapshots(page),
        choosers,
        asks,
        SignIns(page, asks, attendance),
        Permissions(page, asks, attendance),
        PageSource(page, console, network, bus),
    )


# A Chromium that dies again before it ran this long is not started again.
RAN_WELL = 60.0
# Seconds that whoever goes elsewhere waits for a crashed page to be loaded again first.
RELOADING = 2.0
# Seconds beside a start's own, to end what did not come up and to say why.
_TELLING = 2.0
# Seconds beside a start's own for the tabs of a Chromium that died to be there again.
_REOPENING = 30.0


class Browser(PageAccess):
    """Starts and stops the one Chromium, and gives out its pages."""

    def __init__(
        self,
        processes: Processes,
        display: Display,
        tasks: TaskGroup,
        grounds: LaunchContext,
        timeouts: Timeouts,
        bus: Bus,
        attendance: Attendance,
    ) -> None:
        super().__init__(tasks, timeouts, bus)
        self._attendance = attendance
        self._processes = processes
        self._display = display
        self._grounds = grounds
        self._plan: Plan | None = None
        self._instance: ChromiumInstance | None = None
        self._pulse: Pulse | None = None
        self._began_at = 0.0
        # Starts, stops and restarts are taken one at a time.
        self._turn = anyio.Lock()
        self.folders = grounds.folders
        self.contexts = grounds.contexts
        self.downloads = grounds.downloads
        self.state = State.INACTIVE
        self.changed = Signal()
        self.request: StartRequest | None = None
        self.started_at: float | None = None
        self.restarts = 0
        self.timings = Timings()
        self.last_error: Problem | None = None
        self.announcements = Announcements()
        # What people do in pages, after which these may ask something of them.
        self.presses = Presses()
        self.downloads.on_change.append(self.announcements.follow_download)
        self.downloads.on_change.append(self._record_download)

    @property
    def instance(self) -> ChromiumInstance:
        """The life of Chromium that calls go to.  Raises `BrowserNotActive`."""
        if self._instance is None or self.state is not State.ACTIVE:
            if self.state is State.FAILED and self.last_error is not None:
                raise BrowserNotActive(f"The browser is not running: {self.last_error.detail} Start it again.")
            if self.state in (State.STARTING, State.RESTARTING):
                raise BrowserNotActive("The browser is starting. Ask again in a moment.")
            raise BrowserNotActive()
        return self._instance

    @property
    def current(self) -> ChromiumInstance | None:
        """As `instance`; None where it would raise."""
        return self._instance if self.state is State.ACTIVE else None

    @property
    def active_page(self) -> Page | None:
        """The tab that receives what names no tab, if there is one."""
        return self.current.tabs.active_or_none if self.current is not None else None

    async def running(self) -> ChromiumInstance:
        if self.state is State.RESTARTING:
            await self.changed.until(lambda: self.state is not State.RESTARTING)
        return self.instance

    @property
    def context_id(self) -> str | None:
        """The saved context in use."""
        return self._plan.context_id if self._plan is not None else None

    @property
    def profile(self) -> Path:
        """Chromium's folder.  Raises `BrowserNotActive`."""
        if self._plan is None:
            raise BrowserNotActive()
        return self._plan.options.profile

    @property
    def display_name(self) -> str | None:
        """None when headless."""
        return self._display.name if self._display.mode is DisplayMode.BROWSER else None

    @property
    def resolution(self) -> Resolution:
        """The screen's as it is now, or the headless window's.  Raises `BrowserNotActive`."""
        if self.request is None:
            raise BrowserNotActive()
        if self._display.mode is not DisplayMode.BROWSER:
            return Resolution(width=self.request.width, height=self.request.height, dpi=self.request.dpi)
        size = self._display.resolution
        return Resolution(width=size.width, height=size.height, dpi=size.dpi)

    @property
    def display_mode(self) -> DisplayMode | None:
        """What the box's one display is used for; None while there is none."""
        return self._display.mode

    @property
    def is_headless(self) -> bool:
        """Whether it runs, or is coming up or going down, without a screen."""
        is_there = self.state not in (State.INACTIVE, State.FAILED)
        return is_there and self.request is not None and self.request.headless

    @property
    def display_process(self) -> Process | None:
        return self._display.process if self._display.mode is DisplayMode.BROWSER else None

    def attend(self, *, has_person: bool) -> None:
        """Whether a person has control now: what only a person can answer is asked then."""
        if has_person == self._attendance.has_person:
            return
        self._attendance.has_person = has_person
        if self.current is not None:
            for page in tuple(self.current.tabs.pages.values()):
                page.watcher(SignIns).attended()
                page.watcher(Permissions).attended()

    def stop_loading(self, tab_id: str | None) -> None:
        """Of this tab, or the one in front, without waiting; where there is none, nothing."""
        if self.current is not None:
            with suppress(TabNotFound):
                self.current.tabs.get(tab_id).stop_loading()

    def missing(self) -> list[str]:
        return missing_for_browser(self._grounds.state_dir)

    @property
    def silence(self) -> float:
        """Seconds for which Chromium itself has not answered."""
        return self._pulse.silence if self._pulse is not None else 0.0

    def trouble(self, page: Page | None) -> str:
        if self.state is State.RESTARTING:
            return " Chromium died and is being started again."
        if self.silence < TICK:
            is_awaiting = page is not None and page.awaits_server
            return " The tab waits for a server to answer with its next document." if is_awaiting else ""
        return f" Chromium itself has not answered for {self.silence:.0f} s; after {GIVEN_UP:.0f} s it is replaced."

    async def look_after(self, page: Page) -> None:
        if self._instance is not None and not self._instance.connection.is_closed:
            await self._instance.look_after(page)

    def ask_for_pulse(self) -> None:
        """Find out soon whether Chromium still answers, though no call waits for it."""
        if self._pulse is not None:
            self._pulse.is_wanted = True

    async def page(self, tab_id: str | None = None, *, is_leaving: bool = False) -> Page:
        run = await self.running()
        page = run.tabs.get(tab_id)
        reloads = run.reloads
        is_left = reloads.has_given_up
        if not page.is_ready or page.is_crashed:
            with anyio.move_on_after(RELOADING if is_leaving else math.inf):
                await page.changed.until(
                    lambda: page.is_closed or is_left(page) or (page.is_ready and not page.is_crashed)
                )
            if run.connection.is_closed:
                # Each time another Chromium has died, and soon none is started any more.
                return await self.page(tab_id, is_leaving=is_leaving)
        if is_leaving and page.is_crashed:
            reloads.forget(page)
        elif page.is_crashed and is_left(page):
            raise TabCrashed(
                page.id,
                "The page crashed again and again and is left as it is: navigate elsewhere, or open another tab.",
            )
        return page

    async def follow_events(self, tell: Callable[[Event], None]) -> None:
        """Tell of what happens in tabs, in whichever Chromium runs, until cancelled.  `tell` must not wait."""
        while True:
            run = self.current
            if run is None:
                tell(TabsChanged(None))
                await self.changed.changed()
                continue
            following = Following(run, tell)
            with ExitStack() as stops:
                following.begin(stops)
                async with background(following.watch_tabs, name="tabs"):
                    await self.changed.until(lambda run=run: self.current is not run)  # type: ignore[misc]

    async def start(self, request: StartRequest) -> None:
        """Start the display (unless headless) and Chromium, and open the first page."""
        self._check_startable()
        missing = self.missing()
        if missing:
            raise BrowserInstallRequired(missing)
        async with self._turn:
            self._check_startable()
            self._move(State.STARTING)
            self.request, self.timings, self.last_error, self.restarts = request, Timings(), None, 0
            try:
                run = await self._bring_up_in_time(request)
            except BaseException as error:
                await self._fail(error)
                raise
            self.started_at = time.time()
            self._take_calls(run)
        if request.url is not None and request.url != "about:blank":
            await self._open_first(request.url)

    async def stop(self) -> None:
        """End Chromium and the display.  Not running: nothing happens."""
        async with self._turn:
            if self.state is State.FAILED:
                self._move(State.INACTIVE)
            if self.state not in (State.ACTIVE, State.RESTARTING):
                return
            self._move(State.STOPPING)
            with anyio.CancelScope(shield=True):
                await self._take_down()
            self._move(State.INACTIVE)

    def _check_startable(self) -> None:
        if self.state not in (State.INACTIVE, State.FAILED):
            raise BrowserAlreadyActive()

    async def _bring_up_in_time(self, request: StartRequest) -> ChromiumInstance:
        # Chromium itself has less: what it said is to be told.
        with anyio.move_on_after(self.timeouts.start + _TELLING):
            return await self._bring_up(request)
        after = next(reversed(self.timings.steps), None)
        seen = f"; it had come as far as: {after}" if after else ""
        raise BrowserStartFailed(f"The browser did not come up within {self.timeouts.start:g} s{seen}.")

    async def _bring_up(self, request: StartRequest) -> ChromiumInstance:
        display: dict[str, str] = {}
        if not request.headless:
            with self.timings.step("display"):
                await self._start_display(request)
            display = self._display.environment
        with self.timings.step("profile"):
            self._plan = await anyio.to_thread.run_sync(make_plan, self._grounds, request, display)
        run = await self._begin(self._plan)
        with self.timings.step("window"):
            await fit_window(run.tabs.active, request)
            if not request.headless:
                await self._follow_person(run)
            if await leaves_room(run.tabs.active, request):
                self._plan = replace(self._plan, emulation=replace(self._plan.emulation, viewport=None))
        await run.tabs.emulate(self._plan.emulation)
        return run

    async def _follow_person(self, run: ChromiumInstance) -> None:
        """Have what a person does in Chromium's own tab strip noticed."""
        server = await self._display.connection()
        window = await find_window(server)
        if window is None:
            log.info("browser.no_window")
            return
        self._tasks.start_soon(follow_front, server, window, run.tabs, name="the tab in front")

    async def _begin(self, plan: Plan) -> ChromiumInstance:
        """A life of Chromium, watched from its first moment."""
        try:
            async with self._filled_display(plan):
                self._instance = run = await begin_instance(
                    self._processes, self._tasks, plan, self.timings, self.timeouts.start
                )
        except LaunchError as error:
            log.warning("browser.launch_failed", error=str(error), said=error.said)
            last = f": {error.lines[-1]}" if error.lines else ", and said nothing"
            raise BrowserStartFailed(f"{error}{last}", stderr=error.lines) from error
        except StreamError as error:
            log.warning("browser.launch_failed", error=str(error))
            raise BrowserStartFailed(f"Chromium cannot be started: {redacted(error.detail)}") from error
        except (CdpError, CdpGone) as error:
            log.warning("browser.launch_failed", error=str(error))
            raise BrowserStartFailed(f"Chromium came up and then failed: {error}") from error
        self._began_at = time.monotonic()
        self.announcements.follow(run.tabs)
        TabSource(self.bus, run.tabs)
        run.connection.on_closed.append(lambda: self._lost(run))
        self._tasks.start_soon(self._watch, run, name="chromium's end")
        self._tasks.start_soon(self._watch_pulse, run, name="chromium's pulse")
        return run

    def _record_download(self, download: Download) -> None:
        tell_download(self.bus, None if self._instance is None else self._instance.tabs, download)

    @asynccontextmanager
    async def _filled_display(self, plan: Plan) -> AsyncIterator[None]:
        options = plan.options
        if options.is_headless or options.is_kiosk:
            yield
            return
        with filling_display(await self._display.connection(), options.width, options.height):
            yield

    async def _start_display(self, request: StartRequest) -> None:
        try:
            await self._display.start(
                DisplayMode.BROWSER, *request.screen, request.dpi, has_sound=request.stream_audio_codec != "none"
            )
        except ModeTaken as error:
            raise BrowserDesktopConflict() from error
        except DisplayError as error:
            raise BrowserStartFailed(f"The display did not come up: {redacted(str(error))}") from error

    @again_after_restart
    async def _open_first(self, url: str) -> None:
        """The address that start names; what goes wrong there is the caller's to know, and the browser stays up."""
        seconds = self.timeouts.navigation
        async with self.action(OnTab(), "loading the first page", timeout=seconds, keeps_deadline=False) as act:
            await navigate(act.page, url, WaitUntil.LOAD)

    async def _watch(self, run: ChromiumInstance) -> None:
        """When it is over, and nobody wanted that, it is brought back, once."""
        await run.over()
        async with self._turn:
            if self._instance is not run or self.state is not State.RESTARTING:
                return
            exit = run.process.exit
            log.warning("browser.died", code=exit and exit.code, signal=exit and exit.signal_name)
            died = {"exitCode": exit and exit.code, "signal": exit and exit.signal_name, "reason": run.given_up}
            self.bus.tell(RecordKind.SYSTEM, "browser.died", data=died)
            try:
                await self._bring_back_in_time(run)
            except Exception as error:  # whatever it was, the state must say so
                log.exception("browser.not_brought_back")
                await self._fail(error)

    def _take_calls(self, run: ChromiumInstance) -> None:
        self._move(State.ACTIVE)
        if run.connection.is_closed:
            self._lost(run)

    def _lost(self, run: ChromiumInstance) -> None:
        """Its pipe has closed: from this moment on calls wait for the next one, before those that it fails go on."""
        if self._instance is run and self.state is State.ACTIVE:
            self._move(State.RESTARTING)

    async def _watch_pulse(self, run: ChromiumInstance) -> None:
        """One that lives and does not answer is as bad as one that died: it is made to."""
        self._pulse = pulse = Pulse(run, self._calls)
        await pulse.watch()
        if not run.connection.is_closed and not run.tabs.is_ending:
            await run.give_up(f"Chromium did not answer for {GIVEN_UP:.0f} s")

    async def _bring_back_in_time(self, died: ChromiumInstance) -> None:
        with anyio.move_on_after(self.timeouts.start + _REOPENING):
            return await self._bring_back(died)
        raise BrowserStartFailed("Chromium died, and another one was not there with the same tabs in time.")

    async def _bring_back(self, died: ChromiumInstance) -> None:
        plan = self._plan
        if plan is None or time.monotonic() - self._began_at < RAN_WELL and self.restarts:
            reason = died.given_up or "Chromium died again"
            raise BrowserStartFailed(f"{reason} soon after it had been started again.")
        self.restarts += 1
        if not plan.options.is_headless:
            # When Xvfb died Chromium died with it; the display brings its own back.
            await self._display.connection()
        await anyio.to_thread.run_sync(prepare_profile, plan.options.profile)
        run = await self._begin(plan)
        if self.request is not None:
            # Chromium counts its bars in, headless too.
            await fit_window(run.tabs.active, self.request)
        if not plan.options.is_headless:
            await self._follow_person(run)
        await run.tabs.emulate(died.tabs.emulation)
        await run.tabs.reopen(died.tabs)
        reason = died.given_up or "Chromium died"
        self.last_error = BrowserCdpError(f"{reason} and was started again, with the same profile and tabs.")
        self._take_calls(run)

    async def _take_down(self) -> None:
        run, self._instance = self._instance, None
        plan, self._plan = self._plan, None
        try:
            if run is not None:
                await run.end()
            if plan is not None and plan.context_id is None:
                await anyio.to_thread.run_sync(remove_profile, plan)
        finally:
            if self._display.mode is DisplayMode.BROWSER:
                await self._display.stop()

    async def _fail(self, error: BaseException) -> None:
        """First of all nobody may think it still runs; whoever starts it again waits for the rest to be gone."""
        self.last_error = error if isinstance(error, Problem) else BrowserStartFailed("The start was interrupted.")
        log.warning("browser.failed", code=self.last_error.code)
        self._move(State.FAILED)
        with anyio.move_on_after(20, shield=True):
            await self._take_down()

    def _move(self, to: State) -> None:
        assert to in MOVES[self.state], (self.state, to)
        self.state = to
        log.info("browser.moved", state=to, **({"timings": self.timings.steps} if to is State.ACTIVE else {}))
        reason = self.last_error.code if to is State.FAILED and self.last_error is not None else None
        self.announcements.tell(EventKind.STATE, state=on_the_wire(to), reason=reason)
        self.bus.tell(
            RecordKind.SYSTEM,
            f"browser.{to.value}",
            data={"state": to.value, "code": reason, "restarts": self.restarts},
        )
        self.changed.fire()


@asynccontextmanager
async def open_browser(
    processes: Processes,
    display: Display,
    folders: Folders,
    state_dir: Path,
    *,
    timeouts: Timeouts | None = None,
    max_download: int = MAX_DOWNLOAD_BYTES,
    proxy_port: int | None = None,
    bus: Bus | None = None,
    was_short_of_memory: Callable[[], bool] = lambda: False,
) -> AsyncIterator[Browser]:
    """The browser part of a box, stopped; leaving the block stops it again."""
    told = bus or Bus()
    attendance = Attendance()

    def watch(page: Page) -> Sequence[Watcher]:
        page.was_short_of_memory = was_short_of_memory
        return watchers_of(page, told, attendance)

    contexts = Contexts((state_dir / CONTEXTS_FOLDER).resolve(), folders)
    grounds = LaunchContext(
        state_dir,
        folders,
        contexts,
        Downloads(folders, max_download),
        watch,
        proxy_port,
        processes.is_jailed,
    )
    try:
        async with anyio.create_task_group() as tasks:
            browser = Browser(processes, display, tasks, grounds, timeouts or Timeouts(), told, attendance)
            tasks.start_soon(browser.presses.run, name="what people open")
            try:
                yield browser
            finally:
                with anyio.move_on_after(20, shield=True):
                    await browser.stop()
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
