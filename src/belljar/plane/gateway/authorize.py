"""Who may use a session: the only place that judges keys, session tokens, tickets, roles and revocation for boxes."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.types import Scope

from belljar.plane.access.credentials import KEY_PREFIX, Credentials, Origin
from belljar.plane.access.secrets import digest
from belljar.plane.access.sign_ins import ACCESS_PREFIX, SignInKeeper
from belljar.plane.addresses import Addresses, Public
from belljar.plane.registry import Registry, TicketUse
from belljar.plane.sessions.directory import SessionEntry
from belljar.problems import Forbidden, TokenInvalid
from belljar.problems.plane import SessionNotReady, SessionOver, UnknownSession
from belljar.server.guard import TOKEN_SUBPROTOCOL, cookie_token
from belljar.server.inprocess import VIA
from belljar.server.router import AtGateway
from belljar.tokens import Role, cookie_name
from belljar.wire.record import ActorVia
from belljar.wire.sessions import SessionState, TokenRole

_PEER_SECONDS = 300.0
_SECRET_PARAMETERS = frozenset({"token", "access_token", "ticket"})


@dataclass(frozen=True)
class Credential:
    """The credential of a request, and what is left of its query without it."""

    secret: str | None
    ticket: str | None
    query: bytes
    # As it stood in the query, to stand in the address that a lookup leads to.
    query_credential: str = ""


@dataclass(frozen=True)
class Grant:
    """Someone who may come in."""

    entry: SessionEntry
    role: Role | None
    caller: str
    token_id: str | None = None
    key_id: str | None = None
    # When what they came with ends by itself, in seconds since 1970.
    expires_at: float = math.inf
    # A ticket that is spent when a socket opens, and passed on to it by the lookup before.
    ticket: str | None = None
    # The sign-in, of a browser or an app, that they came by.
    sign_in_id: str | None = None


class Authorizer:
    def __init__(
        self, registry: Registry, credentials: Credentials, sign_ins: SignInKeeper, addresses: Addresses
    ) -> None:
        self._registry = registry
        self._credentials = credentials
        self._sign_ins = sign_ins
        self._addresses = addresses

    async def admit(
        self, scope: Scope, headers: Headers, entry: SessionEntry | None, id: str, at: AtGateway
    ) -> tuple[Grant, Credential]:
        """Raises the problem a caller gets instead.  A ticket is looked at, not spent."""
        shown = presented(scope, headers, id, at)
        if entry is None:
            if shown.secret is None and shown.ticket is None:
                raise TokenInvalid()
            raise unknown(id)
        if shown.secret is not None and is_from_app(scope, shown.secret):
            admitted = await self._by_app(shown.secret, entry, self._addresses.of(scope))
        else:
            admitted = await self._pass(shown, entry, at)
        if at.is_shut:
            raise Forbidden("Only the control plane itself may do this.")
        check_state(entry)
        return admitted, shown

    def for_peer(self, scope: Scope, admitted: Grant, shown: Credential) -> Scope:
        """As another control plane takes it: an app's token is good by way of our own tools alone, and those are here.

        What stands for it is a token of the session for as long as one request may take; it is in nobody's hands.
        """
        if shown.secret is None or not is_from_app(scope, shown.secret):
            return scope
        role = TokenRole.VIEW if admitted.role is Role.VIEW else TokenRole.DRIVE
        origin = Origin(admitted.caller, admitted.key_id)
        made = self._credentials.make_token(admitted.entry.row.id, origin, role, time.time() + _PEER_SECONDS)
        kept = [(name, value) for name, value in scope["headers"] if name != b"authorization"]
        return {**scope, "headers": [*kept, (b"authorization", f"Bearer {made.token}".encode())]}

    async def spend(self, admitted: Grant) -> None:
        """When the socket that a ticket is for opens.  Raises `TokenInvalid` for the second of two."""
        if admitted.ticket is not None and not await self._registry.tokens.spend(digest(admitted.ticket)):
            raise TokenInvalid("the ticket was used before")

    async def record(self, kind: str, admitted: Grant) -> None:
        """Before it is done: what cannot be recorded is refused."""
        row = admitted.entry.row
        await self._registry.events.add(kind, actor=admitted.caller, session_id=row.id, user_id=row.user_id)

    async def record_done(self, kind: str, admitted: Grant) -> None:
        """What the box has done already."""
        row = admitted.entry.row
        await self._registry.events.add_in_time(kind, actor=admitted.caller, session_id=row.id, user_id=row.user_id)

    async def by_secret(self, secret: str, entry: SessionEntry) -> Grant:
        """By a key or a session token."""
        if secret.startswith(KEY_PREFIX):
            return await self._by_key(secret, entry)
        return self._by_token(secret, entry)

    async def by_ticket(self, ticket: str, entry: SessionEntry, is_for: Callable[[TicketUse], bool]) -> Grant:
        row = await self._registry.tokens.ticket(digest(ticket))
        if row is None or row.session_id != entry.row.id or row.token_id in entry.revoked_tokens:
            raise TokenInvalid("the ticket is not, or no longer, good for this session")
        if not is_for(row.use):
            raise TokenInvalid("the ticket was made for something else, and opens only that")
        role = _role(TokenRole(row.role))
        made = Grant(entry, role, row.user_id, token_id=row.token_id, key_id=row.key_id, ticket=ticket)
        return replace(made, sign_in_id=row.sign_in_id)

    async def _pass(self, shown: Credential, entry: SessionEntry, at: AtGateway) -> Grant:
        if shown.ticket is not None:
            # Only a socket spends it.  A lookup tells nothing but where that socket is, so it may come first, and
            # again.  A link's ticket is in no query: the page posts it, and gets a cookie.
            return await self.by_ticket(shown.ticket, entry, lambda use: use == at.ticket)
        if shown.secret is None:
            if at.is_page:
                return Grant(entry, None, "")
            raise TokenInvalid()
        return await self.by_secret(shown.secret, entry)

    async def _by_key(self, key: str, entry: SessionEntry) -> Grant:
        row = await self._credentials.judge_key(key)
        if row is None:
            raise TokenInvalid()
        if not (row.is_admin or row.user_id == entry.row.user_id):
            raise unknown(entry.row.id)
        return Grant(entry, Role.DRIVE, row.user_id, key_id=row.id)

    async def _by_app(self, token: str, entry: SessionEntry, public: Public) -> Grant:
        judged = await self._sign_ins.judge_app(token, public.mcp)
        if judged is None:
            raise TokenInvalid()
        row, expires_at = judged
        if row.user_id != entry.row.user_id or row.app_role is None:
            raise unknown(entry.row.id)
        role = _role(row.app_role)
        return Grant(entry, role, row.user_id, key_id=row.id, expires_at=expires_at, sign_in_id=row.sign_in_id)

    def _by_token(self, token: str, entry: SessionEntry) -> Grant:
        judged = entry.judged.get(token) or self._credentials.judge_token(token, entry.row.id)
        # Judged again each time it may have run out: the signature is what is remembered, not the time.
        if judged is None or self._credentials.is_past(judged) or judged.id in entry.revoked_tokens:
            raise TokenInvalid()
        if len(entry.judged) > 1000:
            entry.judged.clear()
        entry.judged[token] = judged
        role = _role(judged.role)
        return Grant(entry, role, judged.user_id, token_id=judged.id, expires_at=judged.expires_at)


def is_from_app(scope: Scope, secret: str) -> bool:
    """Whether it is an app's token, and one of our own tools asks by it: from outside it opens `/mcp` and no more."""
    return secret.startswith(ACCESS_PREFIX) and scope.get(VIA) is ActorVia.MCP


def presented(scope: Scope, headers: Headers, id: str, at: AtGateway) -> Credential:
    """The credential, wherever a client could put it, and the query without it."""
    query: bytes = scope["query_string"]
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True) if query else []
    secrets = {name: value for name, value in pairs if name in _SECRET_PARAMETERS and value}
    if secrets:
        query = urlencode([(name, value) for name, value in pairs if name not in _SECRET_PARAMETERS]).encode()
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and given:
        return Credential(given.strip(), None, query)
    if ticket := secrets.get("ticket"):
        return Credential(None, ticket, query, f"?ticket={quote(ticket)}")
    is_websocket = scope["type"] == "websocket"
    if is_websocket or "text/event-stream" in headers.get("accept", "") or at.is_lookup:
        if token := secrets.get("token") or secrets.get("access_token"):
            return Credential(token, None, query, f"?token={quote(token)}")
    if is_websocket:
        for offered in scope["subprotocols"]:
            if offered.startswith(TOKEN_SUBPROTOCOL):
                return Credential(offered.removeprefix(TOKEN_SUBPROTOCOL), None, query)
    return Credential(cookie_token(scope, headers, cookie_name(id)), None, query)


def check_state(entry: SessionEntry) -> None:
    row = entry.row
    if row.state in (SessionState.PENDING, SessionState.STARTING):
        raise SessionNotReady("The session is still starting.", state=row.state, headers={"Retry-After": "1"})
    if row.state is not SessionState.RUNNING or row.revoked:
        raise SessionOver("The session is over.", state=row.state, reason=row.reason)


def unknown(id: str) -> UnknownSession:
    return UnknownSession(f"There is no session {id} of yours.")


def _role(role: TokenRole) -> Role:
    return Role.VIEW if role is TokenRole.VIEW else Role.DRIVE
