"""`Control`: the running parts, and how a route asks for them."""

from dataclasses import dataclass
from typing import Annotated, cast

import anyio
from prometheus_client import CollectorRegistry
from starlette.requests import HTTPConnection

from belljar.plane.access.apps import Apps
from belljar.plane.access.credentials import Credentials
from belljar.plane.access.oidc import Provider
from belljar.plane.access.sign_ins import SignInKeeper
from belljar.plane.addresses import Addresses
from belljar.plane.administration.checks import HostChecks
from belljar.plane.administration.hosts import Hosts
from belljar.plane.boxes.artifacts.artifacts import SessionArtifacts
from belljar.plane.boxes.calls import BoxCalls
from belljar.plane.boxes.launchers.base import Launcher
from belljar.plane.boxes.profiles import ProfileStore
from belljar.plane.gateway.gateway import Gateway
from belljar.plane.glances import Glances
from belljar.plane.peers import Peers
from belljar.plane.records import SessionRecords
from belljar.plane.registry import KeyRow, Registry
from belljar.plane.sessions.directory import Directory
from belljar.plane.sessions.keeper import SessionKeeper
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import Supervisor
from belljar.plane.webhooks import AddressRules, Secrets
from belljar.problems import Forbidden
from belljar.server.signature import Depends, FromState


@dataclass(frozen=True)
class Plane:
    settings: PlaneSettings
    metrics: CollectorRegistry
    # Set as soon as the server was told to stop: streams without an end watch it.
    stopping: anyio.Event
    registry: Registry
    credentials: Credentials
    sign_ins: SignInKeeper
    apps: Apps
    provider: Provider | None
    launcher: Launcher
    artifacts: SessionArtifacts
    directory: Directory
    sessions: SessionKeeper
    profiles: ProfileStore
    calls: BoxCalls
    peers: Peers
    gateway: Gateway
    addresses: Addresses
    supervisor: Supervisor
    records: SessionRecords
    webhook_rules: AddressRules
    webhook_secrets: Secrets
    glances: Glances
    hosts: Hosts
    checks: HostChecks
    # How every box is started, beside what its session and its launcher add.
    box_flags: tuple[str, ...]


def _admin(connection: HTTPConnection) -> KeyRow:
    key = cast(KeyRow, connection.state.key)
    if not key.is_admin:
        raise Forbidden("Only an admin's key may do this.")
    return key


TheControl = Annotated[Plane, FromState("control")]
TheKey = Annotated[KeyRow, FromState("key")]
TheAdmin = Annotated[KeyRow, Depends(_admin)]
