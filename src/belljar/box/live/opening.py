"""Builds the live view out of the parts it shows."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from prometheus_client import CollectorRegistry

from belljar.box.activity import Activity
from belljar.box.browser import Browser
from belljar.box.desktop import Desktop
from belljar.box.display import Display
from belljar.box.lease import Lease
from belljar.box.live.live import Limits, Live
from belljar.box.live.metrics import LiveMetrics
from belljar.box.live.screen import ScreenSource
from belljar.box.live.screencast import Screencast
from belljar.box.live.shown import Shown
from belljar.box.settings import BoxSettings
from belljar.box.stream import FrameSource
from belljar.box.stream.hub import open_hub
from belljar.tasks import background
from belljar.wire.live import LiveMode


@asynccontextmanager
async def open_live(
    browser: Browser,
    display: Display,
    desktop: Desktop,
    lease: Lease,
    activity: Activity,
    settings: BoxSettings,
    registry: CollectorRegistry,
) -> AsyncIterator[Live]:
    """Nothing is captured and nothing listened to before the first viewer comes."""
    limits = Limits(
        max_viewers=settings.max_viewers,
        input_rate=settings.live_input_rate,
        command_rate=settings.live_command_rate,
        max_message=settings.live_max_message,
        idle_timeout=settings.live_idle_timeout,
    )
    sources: dict[LiveMode, FrameSource] = {
        LiveMode.BROWSER: Screencast(browser),
        LiveMode.DESKTOP: ScreenSource(display, desktop),
    }
    shown = Shown(browser, display, sources)
    async with AsyncExitStack() as parts:
        await parts.enter_async_context(background(shown.watch, name="what is shown"))
        hub = await parts.enter_async_context(open_hub(shown))
        live = Live(browser, lease, activity, shown, hub, limits)
        live.metrics = LiveMetrics(registry, live.health)
        await parts.enter_async_context(background(live.watch, name="live events"))
        yield live
