"""`Box`: the running parts, and how a route asks for them."""

import time
from dataclasses import dataclass, field
from typing import Annotated, cast

import anyio
from prometheus_client import CollectorRegistry
from starlette.requests import HTTPConnection

from belljar.box.access.lease import Lease
from belljar.box.access.sign_in import People
from belljar.box.access.tenancy import Tenancy
from belljar.box.allowance import Addresses, Permissions
from belljar.box.browser import Browser
from belljar.box.browser.crawl import Crawls
from belljar.box.browser.reading.markdown import Converter
from belljar.box.desktop import Desktop
from belljar.box.display import Display
from belljar.box.files import Files
from belljar.box.live import Live
from belljar.box.live.rtc import Streaming
from belljar.box.live.session_film import SessionFilm
from belljar.box.process import Processes
from belljar.box.record import Record
from belljar.box.record.calls import actor_of
from belljar.box.sandbox import Isolation
from belljar.box.settings import BoxSettings
from belljar.problems import Forbidden
from belljar.record.segments import Actor
from belljar.record.signing import HeadWriter
from belljar.server.signature import Depends, FromState
from belljar.server.telemetry.spans import GatheredSpans
from belljar.tokens import Caller, Keys, Role


@dataclass(frozen=True)
class Box:
    settings: BoxSettings
    metrics: CollectorRegistry
    # Set as soon as the server was told to stop: streams without an end watch it.
    stopping: anyio.Event
    processes: Processes
    files: Files
    isolation: Isolation
    permissions: Permissions
    addresses: Addresses
    display: Display
    desktop: Desktop
    browser: Browser
    converter: Converter
    crawls: Crawls
    tenancy: Tenancy
    lease: Lease
    live: Live
    streaming: Streaming
    session_film: SessionFilm
    record: Record
    # Signs it; none where no key can be kept.
    heads: HeadWriter | None
    # Spans of calls that wait for the control plane; none where they are sent from here, or nowhere.
    spans: GatheredSpans | None
    keys: Keys
    people: People
    started_at: float = field(default_factory=time.time)


TheBox = Annotated[Box, FromState("box")]
TheCaller = Annotated[Caller, FromState("caller")]


def _operator(connection: HTTPConnection) -> Caller:
    caller = cast(Caller, connection.state.caller)
    if caller.role is not Role.OPERATOR:
        raise Forbidden("Only the operator's token may do this.")
    return caller


TheOperator = Annotated[Caller, Depends(_operator)]


def _actor(connection: HTTPConnection) -> Actor:
    return actor_of(connection.scope, connection.state.box.lease)


# The caller as the record has it.
TheActor = Annotated[Actor, Depends(_actor)]
