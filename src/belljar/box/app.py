"""Builds every part of a box, in order.  Read this first."""

import ctypes
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
from prometheus_client import CollectorRegistry
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from belljar.box.access.lease import ControlRequired, open_lease
from belljar.box.access.sign_in import People
from belljar.box.access.tenancy import Activity, TrackActivity, open_tenancy
from belljar.box.allowance import Addresses, Permissions
from belljar.box.browser import Browser, Timeouts, open_browser
from belljar.box.browser.crawl import open_crawls
from belljar.box.browser.reading.markdown import open_converter
from belljar.box.desktop import Desktop, open_desktop
from belljar.box.display import Display, open_display, read_size
from belljar.box.files import open_files
from belljar.box.jail_layout import all_binds, prepare_ground, shared_paths
from belljar.box.live import open_live
from belljar.box.live.rtc import open_streaming
from belljar.box.live.rtc.ports import PortSettings
from belljar.box.live.rtc.streaming import StreamWishes
from belljar.box.live.screens import open_screens
from belljar.box.live.session_film import open_session_film
from belljar.box.parts import Box
from belljar.box.process import open_processes
from belljar.box.record import Bus, Record, open_record
from belljar.box.record.calls import RecordCalls
from belljar.box.record.retention import Retention, retained
from belljar.box.routes import access, egress, events, files, health, live, record_export, terminal
from belljar.box.routes import files as file_routes
from belljar.box.routes import live as live_routes
from belljar.box.routes import processes as process_routes
from belljar.box.routes.browser import ROUTERS as BROWSER_ROUTERS
from belljar.box.routes.desktop import ROUTERS as DESKTOP_ROUTERS
from belljar.box.sandbox import CannotIsolate, Isolation, IsolationOptions, open_isolation, read_options
from belljar.box.sandbox.folders import claim_user, make_folders, remove_stale_folders
from belljar.box.sandbox.image import SizedDisk
from belljar.box.settings import BoxSettings
from belljar.logs import log
from belljar.record.selection import read_kinds
from belljar.record.signing import HeadWriter, box_seed, read_or_make_seed
from belljar.server.answers import AnswerRefusals
from belljar.server.application import Application, FindRoute, Mount, make_application
from belljar.server.guard import Door, Guard, is_loopback
from belljar.server.openapi import describe
from belljar.server.requests import RequestMetrics, Requests
from belljar.server.router import Router
from belljar.server.signed_caller import CallerVerifier
from belljar.server.telemetry.export import exporting, make_telemetry
from belljar.server.telemetry.spans import GatheredSpans
from belljar.settings import read_bytes
from belljar.tasks import background
from belljar.tokens import Keys, cookie_name
from belljar.wire.desktop import DisplayMode
from belljar.wire.record import EventKind

# So long after the last request nobody is kept waiting by it.
IDLE_SECONDS = 2.0


@asynccontextmanager
async def memory_given_back(activity: Activity, idle: float = IDLE_SECONDS) -> AsyncIterator[None]:
    """The allocator keeps what was freed, in case it is needed again; while the box is used that is as it should be."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None:
        # Only glibc keeps so much.
        yield
        return

    # What the start has left; a fifth of a millisecond.
    trim(0)

    async def give_back_when_idle() -> None:
        trimmed = 0.0
        while True:
            await anyio.sleep(idle)
            if trimmed < activity.last < time.time() - idle:
                await anyio.to_thread.run_sync(trim, 0)
                trimmed = time.time()

    async with background(give_back_when_idle, name="memory"):
        yield


@dataclass(frozen=True)
class BoxApp:
    """The application, the event that tells its endless streams to end, and who makes links for people."""

    app: ASGIApp
    stopping: anyio.Event
    people: People
    started: "Started"


@dataclass
class Started:
    """What came of the start: what keeps programs in, or why there was none."""

    isolation: Isolation | None = None
    refusal: str | None = None


def create_app(
    settings: BoxSettings,
    keys: Keys,
    isolated: IsolationOptions | None = None,
    disk: SizedDisk | None = None,
    mounts: Sequence[Mount] = (),
    control_plane: CallerVerifier | None = None,
) -> BoxApp:
    """The whole application; its parts start with the server and end with it, and `mounts` with them.

    `disk` is where its folders go; `control_plane` knows the word of the one that started it.
    """
    stopping = anyio.Event()
    metrics = CollectorRegistry()
    activity = Activity()
    people = People(keys)
    started = Started()
    options = isolated or read_options(settings)
    held = GatheredSpans() if settings.hold_spans else None
    telemetry = None if held is not None else make_telemetry(settings, "belljar-box", {"belljar.box": settings.box_id})

    @asynccontextmanager
    async def running_parts(_: object) -> AsyncIterator[dict[str, Box]]:
        async with AsyncExitStack() as parts:
            await parts.enter_async_context(exporting(telemetry))
            bus = Bus()
            processes = await parts.enter_async_context(open_processes(bus=bus))
            await parts.enter_async_context(processes.ending_streams_on(stopping))
            record = await parts.enter_async_context(
                open_record(
                    bus,
                    settings.state_dir,
                    box=settings.box_id,
                    level=settings.record,
                    kinds=read_kinds(settings.record_kinds) or frozenset(EventKind),
                )
            )
            heads = _sign_heads(record, settings, control_plane)
            user = parts.enter_context(claim_user())
            folders = parts.enter_context(make_folders(user, None if disk is None else disk.place))
            ground = prepare_ground(folders, settings.state_dir, options, disk)
            try:
                isolation = await parts.enter_async_context(open_isolation(processes, options, ground, bus))
            except CannotIsolate as refusal:
                started.refusal = str(refusal)
                raise
            started.isolation = isolation
            shared = all_binds(ground, options)
            files = parts.enter_context(
                open_files(folders, shared, is_jailed=isolation.is_jailed, is_full=lambda: isolation.disk.is_full)
            )
            display = await parts.enter_async_context(
                open_display(processes, user, ground.given[0], read_size(settings.live_resize))
            )
            display.listen(
                lambda state: bus.tell(EventKind.SYSTEM, f"display.{state.value}", data={"state": state.value})
            )
            desktop = await parts.enter_async_context(
                open_desktop(
                    processes,
                    display,
                    settings.state_dir / "desktop",
                    folders.home,
                    most_film_bytes=options.limits.disk_bytes,
                    bus=bus,
                )
            )
            retention = Retention(
                read_bytes(settings.record_size) or None,
                settings.record_days * 86400 or None,
            )
            await parts.enter_async_context(retained(record, desktop.recordings, retention))
            browser = await parts.enter_async_context(
                open_browser(
                    processes,
                    display,
                    folders,
                    settings.state_dir,
                    timeouts=Timeouts(
                        settings.navigation_timeout / 1000, settings.action_timeout / 1000, settings.start_timeout
                    ),
                    max_download=settings.max_download,
                    proxy_port=isolation.proxy_port,
                    bus=bus,
                    was_short_of_memory=isolation.memory.was_short,
                )
            )
            converter = await parts.enter_async_context(open_converter(processes, user))
            desktop.has_headless_browser = lambda: browser.is_headless
            crawls = await parts.enter_async_context(open_crawls(browser, converter))
            await parts.enter_async_context(memory_given_back(activity))
            await parts.enter_async_context(background(remove_stale_folders, name="what killed boxes left"))
            tenancy = await parts.enter_async_context(open_tenancy(settings, activity))
            lease = await parts.enter_async_context(open_lease(settings.control_ttl, bus))
            live = await parts.enter_async_context(
                open_live(browser, display, desktop, lease, activity, settings, metrics, processes, user, bus)
            )
            desktop.recordings.video = live.video
            streaming = await parts.enter_async_context(
                open_streaming(
                    live.video,
                    display,
                    _stream_ports(settings),
                    settings.box_id,
                    lambda: _stream_wishes(display, browser, desktop),
                )
            )
            session_film = await parts.enter_async_context(
                open_session_film(
                    desktop.recordings, display, browser, live.hub, bus, settings.film, settings.film_minutes * 60
                )
            )
            await parts.enter_async_context(
                open_screens(
                    record,
                    live.hub,
                    browser,
                    _shown_acts(),
                    lambda: session_film.is_filming or desktop.recordings.is_recording,
                    session_film.changed,
                )
            )
            permissions = Permissions(settings.evaluate, settings.cdp)
            state = {
                "box": Box(
                    settings=settings,
                    metrics=metrics,
                    stopping=stopping,
                    processes=processes,
                    files=files,
                    isolation=isolation,
                    permissions=permissions,
                    addresses=Addresses(
                        isolation,
                        shared_paths(ground, options, is_jailed=isolation.is_jailed),
                        permissions,
                    ),
                    display=display,
                    desktop=desktop,
                    browser=browser,
                    converter=converter,
                    crawls=crawls,
                    tenancy=tenancy,
                    lease=lease,
                    live=live,
                    streaming=streaming,
                    session_film=session_film,
                    record=record,
                    heads=heads,
                    spans=held,
                    keys=keys,
                    people=people,
                )
            }
            for mount in mounts:
                await parts.enter_async_context(mount.running(whole, state))
            yield state

    routed = make_application("box", routers(), running_parts, {mount.path: mount for mount in mounts})
    whole = _guarded(routed, activity, settings, keys, metrics, control_plane, telemetry if held is None else held)
    return BoxApp(whole, stopping, people, started)


def _stream_ports(settings: BoxSettings) -> PortSettings:
    return PortSettings(
        settings.webrtc, settings.webrtc_addresses, settings.webrtc_port, not settings.no_webrtc_tcp, settings.turn
    )


def _stream_wishes(display: Display, browser: Browser, desktop: Desktop) -> StreamWishes:
    """As the start of what is on the display said."""
    asked = browser.request if display.mode is DisplayMode.BROWSER else desktop.request
    if asked is None:
        return StreamWishes()
    return StreamWishes.read(
        asked.stream_video_codec, asked.stream_frame_rate, asked.webrtc_port_range, asked.stream_audio_codec
    )


def _shown_acts() -> set[str]:
    """The operations that act on what browser or desktop show."""
    return {
        route.operation_id
        for router in (*BROWSER_ROUTERS, *DESKTOP_ROUTERS)
        for route in router.routes
        if route.facts.acts and route.operation_id is not None
    }


_OTHER_ROUTERS = (
    health.router,
    access.claim_router,
    access.tokens_router,
    access.control_router,
    live.view_router,
    egress.router,
    events.router,
    record_export.router,
    live_routes.router,
    terminal.router,
    files.workspace_router,
)


def routers() -> tuple[Router, ...]:
    """In the order in which their routes are tried: what is called most comes first."""
    return (*BROWSER_ROUTERS, process_routes.router, file_routes.router, *DESKTOP_ROUTERS, *_OTHER_ROUTERS)


def openapi() -> dict[str, Any]:
    """What `belljar openapi box` prints."""
    return describe("Belljar box", [route for router in routers() for route in router.routes])


def _sign_heads(record: Record, settings: BoxSettings, control_plane: CallerVerifier | None) -> HeadWriter | None:
    """After each write.  Behind a control plane with a key that that one can vouch for, else with one of its own."""
    try:
        own_key = settings.state_dir / "record.key"
        seed = read_or_make_seed(own_key) if control_plane is None else box_seed(control_plane.key)
    except OSError as error:
        log.warning("record.cannot_sign", error=os.strerror(error.errno or 0))
        return None
    heads = HeadWriter(record.folder, seed, settings.box_id)
    record.on_flush.append(heads)
    return heads


def _guarded(
    routed: Application,
    activity: Activity,
    settings: BoxSettings,
    keys: Keys,
    metrics: CollectorRegistry,
    control_plane: CallerVerifier | None,
    spans: GatheredSpans | None,
) -> ASGIApp:
    """The layers a request passes, from the inside out."""
    is_local = settings.socket is None and is_loopback(settings.host)
    allowed_hosts = settings.allowed_hosts if is_local else None
    door = Door(
        keys,
        allowed_hosts,
        settings.cors_origins,
        settings.max_body,
        settings.max_upload,
        cookie=cookie_name(settings.box_id),
        control_plane=control_plane,
    )
    app: ASGIApp = Guard(RecordCalls(ControlRequired(TrackActivity(routed, activity))), door)
    if settings.cors_origins:
        # Outside the guard: a preflight carries no token.
        app = CORSMiddleware(
            AnswerRefusals(app),
            allow_origins=settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["*"],
            allow_credentials=True,
        )
    return Requests(FindRoute(app, routed), RequestMetrics(metrics), spans)
