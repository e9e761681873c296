"""`Live`: everybody who watches, what they are told, and the figures of it for `/health` and `/metrics`."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

import anyio
from prometheus_client import CollectorRegistry, Gauge, Histogram

from belljar.box.access.lease import Lease
from belljar.box.access.tenancy import Activity
from belljar.box.browser import Browser
from belljar.box.desktop import Desktop
from belljar.box.display import Display
from belljar.box.live.active_source import ActiveSource, TabSource
from belljar.box.live.browser_events import BrowserEvents
from belljar.box.live.desktop_source import ScreenSource
from belljar.box.live.page_area import PageArea
from belljar.box.live.resizing import Resizing
from belljar.box.live.stream import FrameSource, Hub
from belljar.box.live.stream.hub import open_hub
from belljar.box.live.tab_pictures import TabPictures, pictures_of_tab
from belljar.box.live.video import Video, open_video
from belljar.box.process import Processes, User
from belljar.box.record import Bus
from belljar.box.settings import BoxSettings
from belljar.problems.box import TooManyViewers
from belljar.tasks import background
from belljar.wire.control import Control, HolderKind
from belljar.wire.live import EventName, LiveHealth, LiveMode

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class LiveMetrics:
    def __init__(self, registry: CollectorRegistry, health: Callable[[], LiveHealth]) -> None:
        self._commands = Histogram(
            "belljar_live_command_seconds",
            "Commands of live viewers",
            ["method", "outcome"],
            registry=registry,
            buckets=_BUCKETS,
        )
        for name, text, read in (
            ("belljar_live_viewers", "Live viewers connected now", lambda h: h.viewers),
            ("belljar_live_fps", "Frames a second from the source, now", lambda h: h.fps),
            ("belljar_live_dropped_frames", "Frames that viewers were too slow for", lambda h: h.dropped_frames),
            ("belljar_browser_running", "Whether the browser runs", lambda h: int(h.browser_running)),
            (
                "belljar_live_last_frame_timestamp_seconds",
                "When the last frame came",
                lambda h: h.last_frame_at.timestamp() if h.last_frame_at else 0,
            ),
            (
                "belljar_live_last_command_timestamp_seconds",
                "When the last command of a viewer was done",
                lambda h: h.last_command_at.timestamp() if h.last_command_at else 0,
            ),
        ):
            Gauge(name, text, registry=registry).set_function(lambda read=read: float(read(health())))  # type: ignore[misc]

    def command(self, method: str, seconds: float, *, is_ok: bool) -> None:
        self._commands.labels(method, "ok" if is_ok else "problem").observe(seconds)


STATS_SECONDS = 2.0


@dataclass(frozen=True)
class Limits:
    """What one viewer may do; see the settings of the same names."""

    max_viewers: int
    input_rate: float
    command_rate: float
    max_message: int
    idle_timeout: float


class Audience(Protocol):
    """A connected viewer, as `Live` sees it."""

    id: str

    def tell(self, name: EventName, data: dict[str, object]) -> None: ...

    def control_moved(self, control: Control) -> None: ...

    def mode_changed(self) -> None: ...

    def video_changed(self) -> None: ...

    def tell_stats(self) -> None: ...


class Live:
    def __init__(
        self,
        browser: Browser,
        lease: Lease,
        activity: Activity,
        source: ActiveSource,
        hub: Hub,
        video: Video,
        resizing: Resizing,
        limits: Limits,
        registry: CollectorRegistry,
        bus: Bus,
    ) -> None:
        self.browser = browser
        self.bus = bus
        self.lease = lease
        self.activity = activity
        self.source = source
        self.hub = hub
        self.video = video
        self.resizing = resizing
        self.limits = limits
        self.last_command_at: float | None = None
        self._viewers: dict[str, Audience] = {}
        self._came_or_went = anyio.Event()
        self._browser_events = BrowserEvents(browser, self.tell)
        self._metrics = LiveMetrics(registry, self.health)
        lease.listen(self._control_moved)
        source.on_mode.append(self._mode_changed)

    @contextmanager
    def attended_by(self, viewer: Audience) -> Iterator[None]:
        """Count `viewer` in for as long as the block.  Raises `TooManyViewers`."""
        if len(self._viewers) >= self.limits.max_viewers:
            raise TooManyViewers(f"{self.limits.max_viewers} viewers are connected already; see --max-viewers.")
        self._viewers[viewer.id] = viewer
        self._stir()
        try:
            yield
        finally:
            self._viewers.pop(viewer.id, None)
            self._stir()

    def tighten(self, viewers: int | None, input_rate: float | None, command_rate: float | None) -> None:
        """Lower what viewers may do; those who are here keep what they came with."""
        now = self.limits
        self.limits = replace(
            now,
            max_viewers=min(now.max_viewers, viewers or now.max_viewers),
            input_rate=min(now.input_rate, input_rate or now.input_rate),
            command_rate=min(now.command_rate, command_rate or now.command_rate),
        )

    async def pictures_of_tab(self, tab_id: str | None) -> TabPictures:
        """What a film of a tab is made of.  Raises `BrowserNotActive` and `TabNotFound`."""
        return await pictures_of_tab(self.browser, self.hub, tab_id)

    def is_here(self, id: str) -> bool:
        return id in self._viewers

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    def tell(self, name: EventName, data: dict[str, object]) -> None:
        """To every viewer; never waits."""
        for viewer in tuple(self._viewers.values()):
            viewer.tell(name, data)

    def health(self) -> LiveHealth:
        return LiveHealth(
            browser_running=self.source.mode is LiveMode.BROWSER,
            mode=self.source.mode,
            last_frame_at=_moment(max(self.hub.last_frame_at or 0.0, self.video.last_frame_at or 0.0) or None),
            last_command_at=_moment(self.last_command_at),
            last_activity=datetime.fromtimestamp(self.activity.last, UTC),
            viewers=self.viewers,
            fps=max(self.hub.meter.fps, self.video.meter.fps),
            dropped_frames=self.hub.dropped,
        )

    def command_done(self, method: str, seconds: float, *, is_ok: bool) -> None:
        self.last_command_at = time.time()
        self._metrics.command(method, seconds, is_ok=is_ok)

    async def watch(self) -> None:
        """Listens to the browser while there is somebody to tell."""
        while True:
            while not self._viewers:
                await self._came_or_went.wait()
            async with (
                background(self._browser_events.run, name="browser events"),
                background(self._tell_stats, name="stats"),
            ):
                while self._viewers:
                    await self._came_or_went.wait()

    async def _tell_stats(self) -> None:
        while True:
            await anyio.sleep(STATS_SECONDS)
            for viewer in tuple(self._viewers.values()):
                viewer.tell_stats()

    def _control_moved(self, control: Control) -> None:
        self.browser.attend(has_person=control.holder.kind is HolderKind.VIEWER)
        for viewer in tuple(self._viewers.values()):
            viewer.control_moved(control)
        self.tell(EventName.CONTROL, control.model_dump(mode="json", by_alias=True, exclude_none=True))

    async def watch_video(self) -> None:
        """Who wants video is told when there is none any more, or again."""
        while True:
            await self.video.changed.changed()
            for viewer in tuple(self._viewers.values()):
                viewer.video_changed()

    def _mode_changed(self, mode: LiveMode) -> None:
        for viewer in tuple(self._viewers.values()):
            viewer.mode_changed()

    def _stir(self) -> None:
        self._came_or_went.set()
        self._came_or_went = anyio.Event()


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


@asynccontextmanager
async def open_live(
    browser: Browser,
    display: Display,
    desktop: Desktop,
    lease: Lease,
    activity: Activity,
    settings: BoxSettings,
    registry: CollectorRegistry,
    processes: Processes,
    user: User | None,
    bus: Bus,
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
        LiveMode.BROWSER: TabSource(browser),
        LiveMode.DESKTOP: ScreenSource(display, desktop),
    }
    source = ActiveSource(browser, display, sources)
    async with AsyncExitStack() as parts:
        await parts.enter_async_context(background(source.watch, name="what is shown"))
        hub = await parts.enter_async_context(open_hub(source))
        video = await parts.enter_async_context(open_video(processes, display, user))
        video.find_page = PageArea(browser, display).find
        resizing = Resizing(display, desktop, browser, is_allowed=bool(settings.live_resize))
        await parts.enter_async_context(background(resizing.run, name="size of the display"))
        live = Live(browser, lease, activity, source, hub, video, resizing, limits, registry, bus)
        await parts.enter_async_context(background(live.watch_video, name="what video there is"))
        await parts.enter_async_context(background(live.watch, name="live events"))
        yield live
