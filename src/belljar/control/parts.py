"""`Control`: the running parts, and how a route asks for them."""

from dataclasses import dataclass
from typing import Annotated, cast

import anyio
from prometheus_client import CollectorRegistry
from starlette.requests import HTTPConnection

from belljar.asgi.signature import Depends
from belljar.control.addresses import Addresses
from belljar.control.boxes import BoxCalls
from belljar.control.credentials import Credentials
from belljar.control.gateway.gateway import Gateway
from belljar.control.launchers.base import Launcher
from belljar.control.peers import Peers
from belljar.control.profiles import ProfileStore
from belljar.control.registry import KeyRow, Registry
from belljar.control.sessions.directory import Directory
from belljar.control.sessions.keeper import SessionKeeper
from belljar.control.settings import ControlSettings
from belljar.control.supervision import Supervisor
from belljar.problems import Forbidden


@dataclass(frozen=True)
class Control:
    settings: ControlSettings
    metrics: CollectorRegistry
    # Set as soon as the server was told to stop: streams without an end watch it.
    stopping: anyio.Event
    registry: Registry
    credentials: Credentials
    launcher: Launcher
    directory: Directory
    sessions: SessionKeeper
    profiles: ProfileStore
    calls: BoxCalls
    peers: Peers
    gateway: Gateway
    addresses: Addresses
    supervisor: Supervisor


def _the_control(connection: HTTPConnection) -> Control:
    return cast(Control, connection.state.control)


def _the_key(connection: HTTPConnection) -> KeyRow:
    return cast(KeyRow, connection.state.key)


def _admin(connection: HTTPConnection) -> KeyRow:
    key = _the_key(connection)
    if not key.is_admin:
        raise Forbidden("Only an admin's key may do this.")
    return key


TheControl = Annotated[Control, Depends(_the_control)]
TheKey = Annotated[KeyRow, Depends(_the_key)]
TheAdmin = Annotated[KeyRow, Depends(_admin)]
