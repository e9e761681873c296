"""Builds every part of the control plane, in order.  Read this first."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import anyio
from fastapi import FastAPI
from prometheus_client import CollectorRegistry
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from belljar.asgi.application import Lifespan, ShortWay, make_application
from belljar.asgi.guard import is_loopback
from belljar.asgi.head import HeadAsGet
from belljar.asgi.metrics import RequestMetrics
from belljar.asgi.mounts import Mount
from belljar.asgi.requests import Requests
from belljar.control.addresses import Addresses
from belljar.control.admission import Admission
from belljar.control.births import Births, Underway
from belljar.control.boxes import BoxCalls
from belljar.control.credentials import Credentials
from belljar.control.directory import Directory
from belljar.control.door import Door, DoorRules
from belljar.control.endings import Endings
from belljar.control.gateway.carry import Carrier
from belljar.control.gateway.gateway import Gateway
from belljar.control.gateway.judge import Judge
from belljar.control.gateway.neighbours import Neighbours
from belljar.control.gateway.people import SignIns
from belljar.control.launchers.base import Launcher
from belljar.control.launchers.local import LocalLauncher
from belljar.control.metrics import ControlMetrics
from belljar.control.parts import Control
from belljar.control.planes import Peers
from belljar.control.pool import Pool, Starter
from belljar.control.profiles import ProfileStore
from belljar.control.reaper import Reaper
from belljar.control.registry import open_registry
from belljar.control.routes import dashboard, health, keys, leavings, profiles, records, session_parts, sessions
from belljar.control.secrets import MasterKey
from belljar.control.sessions import SessionKeeper, open_tasks
from belljar.control.settings import ControlSettings
from belljar.control.upstream import Upstream
from belljar.tasks import background
from belljar.wire.sessions import CreateSession, SessionMode, Viewport

# How long the ends of sessions may take once open requests are over.
_END_SECONDS = 60.0


@dataclass(frozen=True)
class ControlApp:
    """The application, and the event that is set when it was told to stop."""

    app: ASGIApp
    stopping: anyio.Event


def create_app(settings: ControlSettings, master: MasterKey, mounts: Sequence[Mount] = ()) -> ControlApp:
    """The whole application; its parts start with the server and end with it, and `mounts` with them."""
    stopping = anyio.Event()
    metrics = CollectorRegistry()

    @asynccontextmanager
    async def running_parts(_: FastAPI) -> AsyncIterator[dict[str, Control]]:
        async with open_control(settings, master, metrics, stopping) as control, AsyncExitStack() as mounted:
            state = {"control": control}
            for mount in mounts:
                await mounted.enter_async_context(mount.running(whole, state))
            yield state

    routed = routed_app(running_parts)
    routed.router.routes.extend(Route(mount.path, endpoint=mount) for mount in mounts)
    whole = _guarded(ShortWay(routed), settings, metrics)
    return ControlApp(whole, stopping)


@asynccontextmanager
async def open_control(
    settings: ControlSettings,
    master: MasterKey,
    metrics: CollectorRegistry,
    stopping: anyio.Event,
    launcher: Launcher | None = None,
) -> AsyncIterator[Control]:
    """Every part, in the order they need each other; what was left by a crash is repaired before anyone is served."""
    host = settings.host_name
    measured = ControlMetrics(metrics)
    async with AsyncExitStack() as parts:
        registry = await parts.enter_async_context(open_registry(settings.database))
        upstream = await parts.enter_async_context(Upstream())
        launcher = launcher or LocalLauncher(settings.state_dir, registry.installation, host)
        credentials = Credentials(registry, master)
        directory = Directory(registry, launcher, master, host)
        calls = BoxCalls(upstream, master)
        peers = Peers(registry, host, settings.peer_url)
        starter = Starter(
            registry,
            launcher,
            calls,
            master,
            host=host,
            plane_id=peers.id,
            flags=_box_flags(settings),
            timeout=settings.start_timeout,
            at_once=settings.starts_at_once or 2 * (os.cpu_count() or 1),
        )
        pool = Pool(registry, launcher, starter, measured, size=settings.pool_size, wanted=_warm(settings))
        tasks = await parts.enter_async_context(open_tasks())
        underway = Underway()
        admission = Admission(settings, registry, directory, credentials, pool, peers.id, underway)
        endings = Endings(
            registry,
            launcher,
            directory,
            starter,
            calls,
            upstream,
            measured,
            host=host,
            plane_id=peers.id,
            stop_birth=underway.stop,
            on_freed=admission.freed,
        )
        births = Births(
            registry, launcher, directory, admission, pool, starter, calls, endings, measured, underway, tasks
        )
        keeper = SessionKeeper(registry, directory, calls, admission, births, underway, stopping, host)
        reaper = Reaper(settings, registry, launcher, directory, endings, starter, pool, calls, peers, measured)
        addresses = Addresses(settings.public_url, settings.trusted_proxies)
        carrier = Carrier(upstream, measured, settings.gateway_timeout)
        judge = Judge(registry, credentials)
        people = SignIns(judge, credentials, addresses)
        neighbours = Neighbours(peers, carrier, upstream, credentials, measured)
        gateway = Gateway(directory, judge, carrier, neighbours, measured, host, addresses, people)
        await peers.join()
        parts.push_async_callback(peers.leave)
        await directory.refresh()
        await reaper.look()
        control = Control(
            settings,
            metrics,
            stopping,
            registry,
            credentials,
            launcher,
            directory,
            keeper,
            endings,
            pool,
            ProfileStore(registry, settings.state_dir / "profiles", host),
            calls,
            peers,
            gateway,
            addresses,
        )
        parts.push_async_callback(_end, control)
        await parts.enter_async_context(background(directory.keep_fresh, name="directory"))
        await parts.enter_async_context(background(reaper.reap, name="reaper"))
        if settings.pool_size:
            await parts.enter_async_context(background(pool.keep_full, name="pool"))
        yield control


async def _end(control: Control) -> None:
    """Once nobody is served any more: the warm boxes go, and the sessions unless they shall live on."""
    control.stopping.set()
    with anyio.move_on_after(_END_SECONDS, shield=True):
        await control.pool.drain()
        if not control.settings.keep_sessions:
            await control.endings.end_own()


def routed_app(lifespan: Lifespan | None = None) -> FastAPI:
    """Every endpoint, without the layers around them; what `belljar openapi serve` describes."""
    areas = (health, sessions, session_parts, leavings, keys, profiles, records, dashboard)
    return make_application("Belljar control plane", "control", (area.router for area in areas), lifespan)


def _guarded(app: ASGIApp, settings: ControlSettings, metrics: CollectorRegistry) -> ASGIApp:
    """The layers a request passes, from the inside out."""
    allowed_hosts = settings.allowed_hosts if is_loopback(settings.host) else None
    app = Door(HeadAsGet(app), DoorRules(allowed_hosts, settings.cors_origins, settings.max_body))
    if settings.cors_origins:
        # Outside the door: a preflight carries no key.
        app = CORSMiddleware(
            app, allow_origins=settings.cors_origins, allow_methods=["*"], allow_headers=["*"], allow_credentials=True
        )
    return Requests(app, RequestMetrics(metrics))


def _box_flags(settings: ControlSettings) -> list[str]:
    """How every box is started, beside what its launcher adds."""
    allowed = [part for target in settings.allow for part in ("--allow", target)]
    return ["--log-level", settings.log_level, "--jail", settings.jail, "--egress", settings.egress, *allowed]


def _warm(settings: ControlSettings) -> CreateSession:
    """The session that warm boxes are made for."""
    return CreateSession(
        mode=SessionMode(settings.pool_mode),
        headless=settings.headless,
        viewport=Viewport(width=settings.width, height=settings.height),
    )
