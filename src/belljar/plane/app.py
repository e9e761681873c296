"""Builds every part of the control plane, in order.  Read this first."""

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any

import anyio
from prometheus_client import CollectorRegistry
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from belljar.ice import OpenPort
from belljar.logs import log
from belljar.plane.access.apps import Apps
from belljar.plane.access.credentials import Credentials
from belljar.plane.access.oidc import open_provider
from belljar.plane.access.secrets import MasterKey
from belljar.plane.access.sign_ins import SignInKeeper, Times
from belljar.plane.addresses import Addresses, ProxiedClients
from belljar.plane.administration.checks import HostChecks
from belljar.plane.administration.hosts import Hosts
from belljar.plane.boxes.artifacts.artifacts import open_artifacts
from belljar.plane.boxes.calls import BoxCalls
from belljar.plane.boxes.launchers.base import Launcher
from belljar.plane.boxes.launchers.choice import open_launcher
from belljar.plane.boxes.profiles import ProfileStore
from belljar.plane.boxes.spans import BoxSpans
from belljar.plane.boxes.upstream import Upstream
from belljar.plane.front_guard import FrontGuard, FrontGuardRules
from belljar.plane.gateway.authorize import Authorizer
from belljar.plane.gateway.forward_http import Carrier
from belljar.plane.gateway.gateway import Gateway
from belljar.plane.gateway.peer_forwarding import Neighbours
from belljar.plane.gateway.sign_in import SignIns
from belljar.plane.gateway.webrtc import open_webrtc
from belljar.plane.glances import Glances
from belljar.plane.parts import Plane
from belljar.plane.peers import Peers
from belljar.plane.records import SessionRecords
from belljar.plane.registry import Database, open_registry
from belljar.plane.routes import (
    admin,
    administration,
    artifacts,
    dashboard,
    egress,
    health,
    oauth,
    record,
    session_parts,
    sessions,
    usage,
    webhooks,
)
from belljar.plane.routes import sign_ins as sign_in_routes
from belljar.plane.sessions.admission import Admission
from belljar.plane.sessions.box_starter import BoxStarter
from belljar.plane.sessions.bring_up import BringUp
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.directory import Directory
from belljar.plane.sessions.end import SessionEnder
from belljar.plane.sessions.keeper import SessionKeeper
from belljar.plane.sessions.pool import Pool
from belljar.plane.sessions.reaper import Reaper
from belljar.plane.sessions.starts import StartsInProgress
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import ControlMetrics, Supervisor
from belljar.plane.webhooks import AddressRules, Secrets, WebhookSender, read_networks
from belljar.problems.plane import DatabaseUnavailable
from belljar.server.answers import AnswerRefusals
from belljar.server.application import Application, Mount, make_application
from belljar.server.guard import is_loopback
from belljar.server.openapi import describe
from belljar.server.requests import RequestMetrics, Requests
from belljar.server.router import Router
from belljar.server.telemetry.export import Telemetry, exporting, make_telemetry
from belljar.tasks import background

# How long the ends of sessions may take once open requests are over.
_END_SECONDS = 60.0


@dataclass(frozen=True)
class ControlApp:
    """The application, and the event that is set when it was told to stop."""

    app: ASGIApp
    stopping: anyio.Event


def create_app(
    settings: PlaneSettings,
    master: MasterKey,
    mounts: Sequence[Mount] = (),
    launcher: Launcher | None = None,
    webrtc: OpenPort | None = None,
) -> ControlApp:
    """The whole application; its parts start with the server and end with it, and `mounts` with them.

    `webrtc` is the port by which viewers come, None for none.
    """
    stopping = anyio.Event()
    metrics = CollectorRegistry()
    telemetry = make_telemetry(settings, "belljar", {"host.name": settings.host_name})

    @asynccontextmanager
    async def running_parts(_: object) -> AsyncIterator[dict[str, Plane]]:
        async with (
            exporting(telemetry),
            open_control(settings, master, metrics, stopping, launcher, mounts, webrtc, telemetry) as control,
            AsyncExitStack() as mounted,
        ):
            state = {"control": control}
            for mount in mounts:
                await mounted.enter_async_context(mount.running(whole, state))
            yield state

    routed = make_application("control", routers(), running_parts, {mount.path: mount for mount in mounts})
    whole = _guarded(routed, settings, metrics, telemetry)
    return ControlApp(whole, stopping)


@asynccontextmanager
async def open_control(
    settings: PlaneSettings,
    master: MasterKey,
    metrics: CollectorRegistry,
    stopping: anyio.Event,
    launcher: Launcher | None = None,
    mounts: Sequence[Mount] = (),
    webrtc: OpenPort | None = None,
    telemetry: Telemetry | None = None,
) -> AsyncIterator[Plane]:
    """Every part, in the order they need each other; what was left by a crash is repaired before anyone is served."""
    measured = ControlMetrics(metrics)
    async with AsyncExitStack() as parts:
        registry = await parts.enter_async_context(open_registry(settings.database, settings.database_timeout))
        await registry.database.reserve_space()
        upstream = await parts.enter_async_context(Upstream())
        if launcher is None:
            launcher = await parts.enter_async_context(open_launcher(settings, registry.installation, master.box_key))

        async def live_boxes() -> set[str]:
            return {row.box_id for row in await registry.sessions.live() if row.box_id is not None}

        kept, uploads = await parts.enter_async_context(
            open_artifacts(settings, registry.installation, launcher, live_boxes, measured)
        )
        credentials = Credentials(registry, master)
        directory = Directory(registry, launcher, master)
        calls = BoxCalls(upstream, master)
        peers = Peers(registry, settings.host_name, launcher.place, settings.peer_url)
        records = SessionRecords(registry, launcher, kept, calls, master, peers.id)
        context = Context(settings, registry, launcher, directory, calls, peers, measured, records, telemetry)
        starts = StartsInProgress()
        starter = BoxStarter(context, master)
        pool = Pool(context, starter)
        admission = Admission(context, credentials, pool, starts)
        ender = SessionEnder(context, starter, starts)
        bring_up = await parts.enter_async_context(BringUp(context, admission, pool, starter, ender, starts))
        keeper = SessionKeeper(context, admission, bring_up, ender, starts, stopping)
        reaper = Reaper(context, ender, starter, pool, starts)
        supervisor = Supervisor()
        addresses = Addresses(settings.public_url, settings.trusted_proxies)
        carrier = Carrier(upstream, measured, settings.gateway_timeout)
        sign_ins = SignInKeeper(registry, directory, Times(settings.sign_in_ttl, settings.sign_in_idle or math.inf))
        judge = Authorizer(registry, credentials, sign_ins, addresses)
        people = SignIns(judge, credentials, addresses)
        neighbours = Neighbours(peers, carrier, upstream, credentials, measured, addresses)
        relays = await parts.enter_async_context(
            open_webrtc(webrtc, settings.webrtc_advertised, settings.turn, measured)
        )
        gateway = Gateway(
            directory,
            judge,
            carrier,
            neighbours,
            measured,
            launcher.place,
            addresses,
            people,
            relays,
            mounts,
            settings.max_body,
        )
        hosts = Hosts(settings, registry, launcher, peers, pool)
        peers.report = hosts.report
        provider = None
        if settings.oidc is not None:
            provider = await parts.enter_async_context(open_provider(settings.oidc, master))
        glances = Glances(directory, calls, launcher.place)
        webhook_rules = AddressRules(read_networks(settings.webhook_networks))
        webhook_secrets = Secrets(master)
        await peers.join()
        parts.push_async_callback(_leave, peers, registry.database)
        await directory.refresh()
        await reaper.look()
        control = Plane(
            settings,
            metrics,
            stopping,
            registry,
            credentials,
            sign_ins,
            Apps(registry, sign_ins),
            provider,
            launcher,
            kept,
            directory,
            keeper,
            ProfileStore(registry, settings.state_dir / "profiles", settings.host_name),
            calls,
            peers,
            gateway,
            addresses,
            supervisor,
            records,
            webhook_rules,
            webhook_secrets,
            glances,
            hosts,
            HostChecks(settings, registry, supervisor, uploads),
            starter.flags,
        )
        if telemetry is not None:
            # Until the last box is gone.
            spans = BoxSpans(lambda: starter.own, starter.changed, launcher, calls, telemetry)
            keeps = partial(supervisor.keep_running, "spans", spans.keep_taking)
            await parts.enter_async_context(background(keeps, name="spans"))
        parts.push_async_exit(partial(_end, control, pool, ender, starter, starts))
        core = {
            "directory": directory.keep_fresh,
            "reaper": reaper.reap,
            "database reserve": registry.database.keep_reserve,
            "records": records.keep_noting,
            "sign-ins": sign_ins.keep_watch,
            "glances": glances.keep_looking,
            "webhooks": WebhookSender(
                registry, webhook_rules, webhook_secrets, settings.webhook_retry_seconds, measured
            ).send_all,
        }
        if uploads is not None:
            core["artifacts"] = uploads.keep_uploading
        if settings.pool_size:
            core["pool"] = pool.keep_full
        await parts.enter_async_context(background(partial(_keep_running, supervisor, core), name="core"))
        yield control


async def _keep_running(supervisor: Supervisor, core: Mapping[str, Callable[[], Awaitable[None]]]) -> None:
    """All at once, so that at the end they stop side by side too: each may wait for a database in vain first."""
    async with anyio.create_task_group() as tasks:
        for name, run in core.items():
            tasks.start_soon(supervisor.keep_running, name, run, name=name)


async def _end(
    control: Plane,
    pool: Pool,
    ender: SessionEnder,
    starter: BoxStarter,
    starts: StartsInProgress,
    kind: type[BaseException] | None,
    _error: BaseException | None,
    _trace: TracebackType | None,
) -> None:
    """Once nobody is served any more: the warm boxes go, and the sessions unless they shall live on.

    After a fault they do, as after a crash.  A database that is away keeps no box alive: their rows are what is left,
    which the next start puts right.
    """
    control.stopping.set()
    keeps = control.settings.keep_sessions or kind is not None
    with anyio.move_on_after(_END_SECONDS, shield=True):
        # Side by side: each of them may wait for a database in vain.
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pool.drain)
            if not keeps:
                tasks.start_soon(_end_sessions, ender, starter, starts)


async def _end_sessions(ender: SessionEnder, starter: BoxStarter, starts: StartsInProgress) -> None:
    try:
        is_over = await ender.end_own()
    except DatabaseUnavailable:
        is_over = False
    if not is_over:
        await starts.stop_all()
        await starter.destroy_own()
        log.warning("sessions.left", detail="their boxes are gone, and the next start brings their rows to rest")


async def _leave(peers: Peers, database: Database) -> None:
    """Others see that our process is gone, should the database not be there to be told."""
    if not database.is_away:
        with suppress(DatabaseUnavailable):
            await peers.leave()


def routers() -> list[Router]:
    admin_routers = [admin.keys_router, admin.profiles_router, usage.router, administration.router]
    areas = (health, sessions, session_parts, egress, artifacts, record)
    others = [record.keys_router, webhooks.router, sign_in_routes.router, oauth.api_router]
    pages = [sign_in_routes.pages, oauth.router, dashboard.router]
    return [*(area.router for area in areas), *admin_routers, *others, *pages]


def openapi() -> dict[str, Any]:
    """What `belljar openapi serve` prints."""
    routes = [route for router in routers() for route in router.routes]
    return describe("Belljar control plane", routes, [DatabaseUnavailable])


def _guarded(
    routed: Application, settings: PlaneSettings, metrics: CollectorRegistry, telemetry: Telemetry | None
) -> ASGIApp:
    """The layers a request passes, from the inside out."""
    allowed_hosts = settings.own_names if is_loopback(settings.host) else None
    app: ASGIApp = FrontGuard(routed, FrontGuardRules(allowed_hosts, settings.cors_origins, settings.max_body))
    if settings.cors_origins:
        # Outside the door: a preflight carries no key.
        app = CORSMiddleware(
            AnswerRefusals(app),
            allow_origins=settings.cors_origins,
            allow_methods=["*"],
            allow_headers=["*"],
            allow_credentials=True,
        )
    if settings.trusted_proxies:
        app = ProxiedClients(app, settings.trusted_proxies, settings.max_connections_per_address)
    return Requests(app, RequestMetrics(metrics), telemetry)
