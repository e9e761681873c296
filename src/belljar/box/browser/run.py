"""One life of Chromium, from its launch to its end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import structlog
from anyio.abc import TaskGroup

from belljar.box.browser.cdp import CdpError, CdpGone, Connection
from belljar.box.browser.emulation import Emulation
from belljar.box.browser.flags import ChromiumOptions
from belljar.box.browser.launch import Launched, launch
from belljar.box.browser.page import Page, Watching
from belljar.box.browser.revival import Reloads
from belljar.box.browser.tabs import Tabs
from belljar.box.browser.timing import Timings
from belljar.box.process import Process, Processes, User

log = structlog.get_logger(__name__)
# How long Chromium may take to write its profile and go.
CLOSE_TIMEOUT = 5.0


@dataclass(frozen=True)
class Plan:
    """What a run is made from, and made from again after Chromium died."""

    options: ChromiumOptions
    env: Mapping[str, str]
    user: User | None
    emulation: Emulation
    watching: Watching
    downloads: Path


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
        with anyio.move_on_after(CLOSE_TIMEOUT, shield=True):
            try:
                await self.connection.browser.send("Browser.close")
            except (CdpError, CdpGone):
                pass
            await self.process.wait()
        self.connection.close()
        with anyio.move_on_after(CLOSE_TIMEOUT, shield=True):
            await self.process.kill()


async def begin_run(processes: Processes, tasks: TaskGroup, plan: Plan, timings: Timings) -> Run:
    """Launch Chromium and attach to its first tab.  Raises `LaunchError`; leaves nothing behind then."""
    with timings.step("chromium"):
        launched = await launch(processes, plan.options, plan.env, plan.user)
    tabs = Tabs(launched.connection, tasks, plan.emulation, plan.watching)
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
