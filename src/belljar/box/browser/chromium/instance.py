"""One life of Chromium, from its launch to its end."""

from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.cdp import CdpError, CdpGone, Connection
from belljar.box.browser.chromium.launch import Launched, Timings, launch
from belljar.box.browser.chromium.plan import Plan
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.recovery import Reloads, end_endless_loop
from belljar.box.browser.page.tabs import Tabs
from belljar.box.process import Process, Processes
from belljar.logs import log

# How long Chromium may take to write its profile and go.
CLOSE_TIMEOUT = 8.0
# Seconds after which a process that has closed its pipe must have ended.
_ENDING = 5.0


@dataclass
class ChromiumInstance:
    launched: Launched
    tabs: Tabs
    reloads: Reloads = field(default_factory=Reloads)
    # Why it had to be ended, where it did not die by itself.
    given_up: str | None = None
    _trying: anyio.Lock = field(default_factory=anyio.Lock)
    _looked_after: set[Page] = field(default_factory=set)

    @property
    def process(self) -> Process:
        return self.launched.process

    @property
    def connection(self) -> Connection:
        return self.launched.connection

    async def revive(self, page: Page) -> None:
        """Load a crashed page again.  Where no page can be had at all any more, Chromium has to be replaced."""
        await self.reloads.reload(page)
        await self.see_to(page)

    async def see_to(self, page: Page) -> None:
        """Of a page that has no process to live in: find out whether there are any to be had."""
        async with self._trying:
            is_without = (page.is_crashed or not page.is_ready) and not page.is_closed
            if is_without and self.given_up is None and not await self.tabs.can_open():
                await self.give_up("Chromium could start no more pages")

    async def look_after(self, page: Page) -> None:
        """Bring a page that keeps a call waiting to answer again, by whatever that takes."""
        if page in self._looked_after:
            return
        self._looked_after.add(page)
        try:
            if not page.is_ready:
                await self.see_to(page)
            elif not await end_endless_loop(page):
                async with self._trying:
                    if self.given_up is None and not await self.tabs.can_open():
                        await self.give_up("Chromium could start no more pages")
                if self.given_up is None:
                    await self.tabs.replace(page)
        finally:
            self._looked_after.discard(page)

    async def over(self) -> None:
        """Wait until Chromium is gone, and see to it that its pipe and its process are when either of them is."""
        closed = anyio.Event()
        self.connection.on_closed.append(closed.set)
        async with anyio.create_task_group() as tasks:

            async def close_when_gone() -> None:
                await self.process.wait()
                self.connection.close()

            tasks.start_soon(close_when_gone, name="chromium's process")
            if not self.connection.is_closed:
                await closed.wait()
            with anyio.move_on_after(CLOSE_TIMEOUT if self.tabs.is_ending else _ENDING):
                await self.process.wait()
            tasks.cancel_scope.cancel()
        if self.process.is_running:
            log.warning("browser.without_pipe")
            await self.process.kill()

    async def give_up(self, reason: str) -> None:
        """End one that is of no use; whoever watches its process starts another."""
        log.warning("browser.given_up", reason=reason)
        self.given_up = reason
        await self.process.kill()

    async def end(self) -> None:
        """Let Chromium close by itself, so that its profile is whole; kill it when it does not."""
        self.tabs.is_ending = True
        with anyio.move_on_after(CLOSE_TIMEOUT, shield=True):
            try:
                await self.connection.browser.send("Browser.close")
            except (CdpError, CdpGone):
                pass
            await self.process.wait()
        self.connection.close()
        with anyio.move_on_after(CLOSE_TIMEOUT, shield=True):
            await self.process.kill()


async def begin_instance(
    processes: Processes, tasks: TaskGroup, plan: Plan, timings: Timings, timeout: float
) -> ChromiumInstance:
    """Launch Chromium and attach to its first tab.  Raises `LaunchError`; leaves nothing behind then."""
    with timings.step("chromium"):
        launched = await launch(processes, plan.options, plan.env, timeout)
    tabs = Tabs(launched.connection, tasks, plan.watching)
    plan.downloads.follow(launched.connection.browser, tabs.is_hidden)
    run = ChromiumInstance(launched, tabs)

    def crashed(page: Page) -> None:
        tasks.start_soon(run.revive, page, name="reload after a crash")

    tabs.on_attached.append(lambda page: page.on_crash.append(crashed))
    try:
        with timings.step("first_page"):
            await tabs.begin()
    except BaseException:
        await run.end()
        raise
    return run
