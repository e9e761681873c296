"""Builds every part of a box, in order.  Read this first."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
from prometheus_client import CollectorRegistry
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from belljar.asgi.application import make_application
from belljar.asgi.guard import Door, Guard, is_loopback
from belljar.asgi.head import HeadAsGet
from belljar.asgi.metrics import RequestMetrics
from belljar.asgi.mounts import Mount
from belljar.asgi.openapi import describe
from belljar.asgi.requests import Requests
from belljar.asgi.router import Application, Routed, Router
from belljar.asgi.signed_caller import CallerVerifier
from belljar.box.account import claim_user
from belljar.box.activity import Activity, Noted
from belljar.box.addresses import Addresses
from belljar.box.allowance import Permissions
from belljar.box.browser import Timeouts, open_browser
from belljar.box.browser.crawl import open_crawls
from belljar.box.browser.markdown import open_converter
from belljar.box.desktop import open_desktop
from belljar.box.display import open_display
from belljar.box.files import open_files
from belljar.box.folders import make_folders, remove_stale_folders
from belljar.box.ground import all_binds, prepare_ground, shared_paths
from belljar.box.held_back import HeldBack
from belljar.box.isolation import CannotIsolate, Isolation, IsolationOptions, open_isolation, read_options
from belljar.box.isolation.image import SizedDisk
from belljar.box.lease import open_lease
from belljar.box.live import open_live
from belljar.box.memory import memory_given_back
from belljar.box.parts import Box
from belljar.box.people import People
from belljar.box.process import open_processes
from belljar.box.routes import claim, control, egress, health, terminal, tokens, view, workspace
from belljar.box.routes import files as file_routes
from belljar.box.routes import live as live_routes
from belljar.box.routes import processes as process_routes
from belljar.box.routes.browser import ROUTERS as BROWSER_ROUTERS
from belljar.box.routes.desktop import ROUTERS as DESKTOP_ROUTERS
from belljar.box.settings import BoxSettings
from belljar.box.tenancy import open_tenancy
from belljar.tasks import background
from belljar.tokens import Keys, cookie_name


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

    @asynccontextmanager
    async def running_parts(_: object) -> AsyncIterator[dict[str, Box]]:
        async with AsyncExitStack() as parts:
            processes = await parts.enter_async_context(open_processes())
            await parts.enter_async_context(processes.ending_streams_on(stopping))
            user = parts.enter_context(claim_user())
            folders = parts.enter_context(make_folders(user, None if disk is None else disk.place))
            ground = prepare_ground(folders, settings.state_dir, options, disk)
            try:
                isolation = await parts.enter_async_context(open_isolation(processes, options, ground))
            except CannotIsolate as refusal:
                started.refusal = str(refusal)
                raise
            started.isolation = isolation
            shared = all_binds(ground, options)
            files = parts.enter_context(
                open_files(folders, shared, is_jailed=isolation.is_jailed, is_full=lambda: isolation.disk.is_full)
            )
            display = await parts.enter_async_context(open_display(processes, user, ground.given[0]))
            desktop = await parts.enter_async_context(
                open_desktop(
                    processes,
                    display,
                    settings.state_dir / "desktop",
                    folders.home,
                    most_film_bytes=options.limits.disk_bytes,
                )
            )
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
                )
            )
            converter = await parts.enter_async_context(open_converter(processes, user))
            desktop.has_headless_browser = lambda: browser.is_headless
            crawls = await parts.enter_async_context(open_crawls(browser, converter))
            await parts.enter_async_context(memory_given_back(activity))
            await parts.enter_async_context(background(remove_stale_folders, name="what killed boxes left"))
            tenancy = await parts.enter_async_context(open_tenancy(settings, activity))
            lease = await parts.enter_async_context(open_lease(settings.control_ttl))
            live = await parts.enter_async_context(
                open_live(browser, display, desktop, lease, activity, settings, metrics)
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
                    keys=keys,
                    people=people,
                )
            }
            for mount in mounts:
                await parts.enter_async_context(mount.running(whole, state))
            yield state

    routed = make_application("box", routers(), running_parts, {mount.path: mount for mount in mounts})
    whole = _guarded(routed, activity, settings, keys, metrics, control_plane)
    return BoxApp(whole, stopping, people, started)


_OTHER_ROUTERS = (
    health.router,
    claim.router,
    tokens.router,
    control.router,
    view.router,
    egress.router,
    live_routes.router,
    terminal.router,
    workspace.router,
)


def routers() -> tuple[Router, ...]:
    """In the order in which their routes are tried: what is called most comes first."""
    return (*BROWSER_ROUTERS, process_routes.router, file_routes.router, *DESKTOP_ROUTERS, *_OTHER_ROUTERS)


def openapi() -> dict[str, Any]:
    """What `belljar openapi box` prints."""
    return describe("Belljar box", [route for router in routers() for route in router.routes])


def _guarded(
    routed: Application,
    activity: Activity,
    settings: BoxSettings,
    keys: Keys,
    metrics: CollectorRegistry,
    control_plane: CallerVerifier | None,
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
    app: ASGIApp = Guard(HeldBack(HeadAsGet(Noted(routed, activity))), door)
    if settings.cors_origins:
        # Outside the guard: a preflight carries no token.
        app = CORSMiddleware(
            app, allow_origins=settings.cors_origins, allow_methods=["*"], allow_headers=["*"], allow_credentials=True
        )
    return Requests(Routed(app, routed), RequestMetrics(metrics))
