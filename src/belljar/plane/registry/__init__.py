"""Sessions, boxes, keys, tokens, profiles and events at rest; one implementation, two databases."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from belljar.plane.registry.boxes import Boxes, BoxRow, BoxState, PlaneRow, Planes
from belljar.plane.registry.database import PATIENCE, Database, open_database
from belljar.plane.registry.events import Events
from belljar.plane.registry.hosts import Drained, Hosts
from belljar.plane.registry.keys import KeyRow, Keys, NameTaken
from belljar.plane.registry.profiles import ProfileRow, Profiles
from belljar.plane.registry.protocol import HostNameTaken, OtherProtocol
from belljar.plane.registry.records import Records
from belljar.plane.registry.sessions import SessionRow, Sessions
from belljar.plane.registry.sign_ins import (
    ClientRow,
    FoundSecret,
    SecretRow,
    SecretUse,
    SignInRow,
    SignIns,
    TooManyClients,
)
from belljar.plane.registry.tokens import OriginRevoked, TicketRow, TicketUse, TokenRow, Tokens
from belljar.plane.registry.webhooks import DeliveryRow, TooManyWebhooks, WebhookRow, Webhooks

__all__ = [
    "BoxRow",
    "BoxState",
    "ClientRow",
    "Database",
    "DeliveryRow",
    "Drained",
    "FoundSecret",
    "HostNameTaken",
    "KeyRow",
    "NameTaken",
    "OriginRevoked",
    "OtherProtocol",
    "PlaneRow",
    "ProfileRow",
    "Registry",
    "SecretRow",
    "SecretUse",
    "SessionRow",
    "SignInRow",
    "TicketRow",
    "TicketUse",
    "TokenRow",
    "TooManyClients",
    "TooManyWebhooks",
    "WebhookRow",
    "open_registry",
]


@dataclass(frozen=True)
class Registry:
    """The database by subject.  Nothing here is cached: whoever caches says for how long."""

    database: Database
    installation: str
    sessions: Sessions
    boxes: Boxes
    planes: Planes
    hosts: Hosts
    keys: Keys
    tokens: Tokens
    sign_ins: SignIns
    profiles: Profiles
    events: Events
    webhooks: Webhooks
    records: Records


@asynccontextmanager
async def open_registry(url: str, patience: float = PATIENCE) -> AsyncIterator[Registry]:
    """Connect, bring the schema up to date, and let go at the end of the block."""
    async with open_database(url, patience) as database:
        yield Registry(
            database,
            await database.installation(),
            Sessions(database),
            Boxes(database),
            Planes(database),
            Hosts(database),
            Keys(database),
            Tokens(database),
            SignIns(database),
            Profiles(database),
            Events(database),
            Webhooks(database),
            Records(database),
        )
