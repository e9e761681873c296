"""One life of Chromium, from its launch to its end."""

from dataclasses import dataclass, field

import anyio
import structlog
from anyio.abc import TaskGroup

from belljar.box.browser.cdp import CdpError, CdpGone, Connection
from belljar.box.browser.launch import Launched, launch
from belljar.box.browser.page import Page
from belljar.box.browser.plan import Plan
from belljar.box.browser.revival import Reloads
from belljar.box.browser.tabs import Tabs
from belljar.box.browser.timing import Timings
from belljar.box.process import Process, Processes

log = structlog.get_logger(__name__)
# How long Chromium may take to write its profile and go.
CLOSE_TIMEOUT = 8.0


@dataclass
class Run:
    launched: Launched
    tabs: Tabs
    reloads: Reloads = field(default_factory=Reloads)

    @property
    def process(self) -> Process:
        return self.launched.process

    @property
    def connection(self) -> Connection:
        return self.launched.connection

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


async def begin_run(processes: Processes, tasks: TaskGroup, plan: Plan, timings: Timings, timeout: float) -> Run:
    """Launch Chromium and attach to its first tab.  Raises `LaunchError`; leaves nothing behind then."""
    with timings.step("chromium"):
        launched = await launch(processes, plan.options, plan.env, plan.user, timeout)
    plan.downloads.follow(launched.connection.browser)
    tabs = Tabs(launched.connection, tasks, plan.watching)
    run = Run(launched, tabs)

    def crashed(page: Page) -> None:
        tasks.start_soon(run.reloads.reload, page, name="reload after a crash")

    tabs.on_attached.append(lambda page: page.on_crash.append(crashed))
    try:
        with timings.step("first_page"):
            await tabs.begin()
    except BaseException:
        await run.end()
        raise
    return run
