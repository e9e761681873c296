"""The one guard before routing and body reading, for HTTP and WebSocket alike: Host, Origin, token, size.

What has no end of its own, a WebSocket or an event stream, ends with the credential that opened it: no endpoint has to
think of it.  One that has last words of its own says so in its facts (`last_words`), and is given that long.
"""

import math
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlsplit

import anyio
from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.problems import BodyTooLarge, Forbidden, ForeignHost, ForeignOrigin, InvalidRequest, Problem, TokenInvalid
from belljar.server.answers import answer
from belljar.server.requests import RequestHeaders
from belljar.server.router import Kind, facts_of, may_be_told
from belljar.server.signed_caller import CALLER_HEADER, CallerVerifier
from belljar.tokens import Caller, Keys, Role

# A WebSocket client that cannot set headers offers the token as a subprotocol, beside `belljar`.
SUBPROTOCOL = "belljar"
TOKEN_SUBPROTOCOL = "belljar.bearer."

# Where calls from inside the server have their caller: a key of the scope, which nothing from outside can set.
INSIDE = "belljar.caller"

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Door:
    """Who may come in, and with how much.

    `allowed_hosts` None means any Host.  A server bound to loopback answers for loopback names and these only, so
    that a page whose name was rebound to 127.0.0.1 gets nothing.
    """

    keys: Keys
    allowed_hosts: Collection[str] | None
    allowed_origins: Collection[str]
    max_body: int
    # For endpoints that stream a larger body to disk instead of reading it into memory.
    max_upload: int = 0
    # The cookie in which a person's browser brings its token.
    cookie: str | None = None
    # For a server that a control plane started: its word for who calls is the only credential there is.
    control_plane: CallerVerifier | None = None


class Guard:
    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        facts = facts_of(scope)
        max_body = self._door.max_upload if facts.takes_files else self._door.max_body
        try:
            scope["state"]["caller"] = caller = self._admit(scope, max_body)
        except Problem as problem:
            await answer(problem, scope, receive, send)
            return
        if scope["type"] == "http":
            receive = limited(receive, max_body)
        expires_at = None if caller is None else caller.expires_at
        await serve_until(expires_at, self._app, scope, receive, send, last_words=facts.last_words)

    def _admit(self, scope: Scope, max_body: int) -> Caller | None:
        headers = RequestHeaders(scope)
        check_host(headers, self._door.allowed_hosts)
        check_origin(headers, self._door.allowed_origins)
        if facts_of(scope).is_open:
            return None
        caller = self._caller(scope, headers)
        check_length(headers, max_body)
        needed = role_needed(scope)
        if caller.role < needed:
            raise Forbidden(f"This needs the role {needed.word}; the token has the role {caller.role.word}.")
        return caller

    def _caller(self, scope: Scope, headers: Headers) -> Caller:
        inside: Caller | None = scope.get(INSIDE)
        if inside is not None:
            return inside
        if self._door.control_plane is not None:
            return self._door.control_plane.admit(scope, headers)
        if CALLER_HEADER in headers:
            # Not passed over: whoever names a caller with few rights must not get the token's own instead.
            raise InvalidRequest("No control plane started this server: it believes no header Belljar-Caller.")
        token = presented_token(scope, headers)
        if token is None and self._door.cookie is not None:
            token = cookie_token(scope, headers, self._door.cookie)
        keys = self._door.keys
        caller = keys.spend(token) if scope["type"] == "websocket" else keys.caller(token)
        if caller is None:
            raise TokenInvalid()
        return caller


def role_needed(scope: Scope) -> Role:
    """The least role for a request; endpoints only ever ask for more.

    `view` for what it may be told, `drive` for all else, new endpoints included.  What only the operator may do asks
    for it in its route.
    """
    facts = facts_of(scope)
    if facts.tells is not None and scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
        kind = Kind.MARKUP if _reaches_into_the_page(facts.tells, scope["query_string"]) else facts.tells
        return Role.VIEW if may_be_told(Role.VIEW, kind) else Role.DRIVE
    return facts.needs


def _reaches_into_the_page(told: Kind, query: bytes) -> bool:
    """A selector finds what is hidden, and whether it is found tells attributes letter by letter; so does a frame's."""
    if not query or told not in (Kind.PIXELS, Kind.TEXT):
        return False
    return any(
        name in ("selector", "frame") or (name == "urls" and value != "false")
        for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    )


def presented_token(scope: Scope, headers: Headers) -> str | None:
    """The token of a request: the Authorization header, and where a client cannot set it, query or subprotocol."""
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and credentials:
        return credentials.strip()
    is_websocket = scope["type"] == "websocket"
    if is_websocket or "text/event-stream" in headers.get("accept", "") or facts_of(scope).gateway.is_lookup:
        query = QueryParams(scope["query_string"])
        if token := query.get("token") or query.get("access_token"):
            return token
    if is_websocket:
        for offered in scope["subprotocols"]:
            if offered.startswith(TOKEN_SUBPROTOCOL):
                return str(offered.removeprefix(TOKEN_SUBPROTOCOL))
    return None


def cookie_token(scope: Scope, headers: Headers, name: str) -> str | None:
    """The token in the cookie.  What may change something must come from this server's own page to use it."""
    token = cookie_parser(headers.get("cookie", "")).get(name)
    if token and (scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS):
        if not is_own_origin(headers):
            raise ForeignOrigin("A request with the cookie must name this server's own Origin.")
    return token or None


@lru_cache(maxsize=64)
def is_loopback(host: str) -> bool:
    """Whether a Host's name, or an address to bind, means this machine alone."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def check_host(headers: Headers, allowed: Collection[str] | None) -> None:
    hosts = headers.getlist("host")
    if len(hosts) > 1:
        raise InvalidRequest("The request has more than one Host header.")
    if allowed is None:
        return
    name = _hostname(hosts[0] if hosts else "")
    if name is None or not (is_loopback(name) or name in allowed):
        raise ForeignHost("This server listens on loopback and does not answer for that Host; see --allowed-host.")


def check_origin(headers: Headers, allowed: Collection[str]) -> None:
    """Absent is fine: only browsers send it.  `null` (a sandboxed frame, a file) is not."""
    origin = headers.get("origin")
    if origin is None or origin in allowed:
        return
    if not is_own_origin(headers):
        raise ForeignOrigin("Requests from web pages of another origin are refused; see --cors-origin.")


def is_own_origin(headers: Headers) -> bool:
    """The scheme is left out of the comparison: TLS may end at a proxy before us."""
    _, _, origin_host = headers.get("origin", "").partition("://")
    return bool(origin_host) and origin_host.lower() == headers.get("host", "").lower()


@lru_cache(maxsize=64)
def _hostname(host: str) -> str | None:
    try:
        return urlsplit("//" + host).hostname
    except ValueError:
        return None


def check_length(headers: Headers, max_body: int) -> None:
    length = headers.get("content-length", "")
    if length.isdigit() and int(length) > max_body:
        raise _too_large(max_body)


def _too_large(max_body: int) -> BodyTooLarge:
    return BodyTooLarge(f"The request body is over the limit of {max_body} bytes.", max_body_bytes=max_body)


def limited(receive: Receive, max_body: int) -> Receive:
    """Count the body while it comes in, for requests that do not say their length beforehand."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > max_body:
                raise _too_large(max_body)
        return message

    return counted


# What a WebSocket is closed with, where it is the time of its credential that is over.
CLOSE_CODE = 1008
EXPIRED = "credential over: expired"
# For the last message to reach a client; the connection of one that does not read is dropped.
_LAST_SECONDS = 2.0


def seconds_left(expires_at: float) -> float:
    """Of a time in seconds since 1970."""
    return math.inf if expires_at == math.inf else max(0.0, expires_at - time.time())


async def serve_until(
    expires_at: float | None, app: ASGIApp, scope: Scope, receive: Receive, send: Send, *, last_words: float = 0.0
) -> None:
    """Serve a caller whose credential is good until `expires_at`, in seconds since 1970.

    Every answer that is neither a socket nor an event stream ends by itself, and is not cut short.
    """
    if expires_at is None or expires_at == math.inf:
        await app(scope, receive, send)
        return
    until = anyio.current_time() + seconds_left(expires_at) + last_words
    with anyio.CancelScope() as endless:

        def begin() -> None:
            endless.deadline = until

        answer = Answer(send, on_endless=begin)
        if scope["type"] == "websocket":
            begin()
        await app(scope, receive, answer.send)
    if endless.cancelled_caught:
        await answer.end_early(EXPIRED, credential_over("expired"))


def credential_over(why: str) -> TokenInvalid:
    return TokenInvalid(f"the credential was {why} while it was used")


class Answer:
    """What a client was sent so far, and so in which way it can be told that no more will come."""

    def __init__(self, send: Send, on_endless: Callable[[], None] | None = None) -> None:
        """`on_endless` is called when an event stream begins."""
        self._send = send
        self._on_endless = on_endless
        self._is_open = False
        self._is_endless = False
        self._is_over = False

    async def send(self, message: Message) -> None:
        match message["type"]:
            case "websocket.accept":
                self._is_open = True
            case "http.response.start" if _is_event_stream(message):
                self._is_endless = True
                if self._on_endless is not None:
                    self._on_endless()
            case "websocket.close":
                self._is_over = True
            case "http.response.body" | "websocket.http.response.body":
                self._is_over = not message.get("more_body", False)
        await self._send(message)

    async def end_early(self, reason: str, problem: Problem) -> None:
        """A stream of events just ends: whoever asks again learns why.  All else must not look as if it were whole.

        Raises `problem`, of which the outermost layer makes an answer where nothing was sent, and breaks off what was.
        """
        if self._is_over:
            return
        if self._is_open:
            last: Message = {"type": "websocket.close", "code": CLOSE_CODE, "reason": reason}
        elif self._is_endless:
            last = {"type": "http.response.body", "body": b"", "more_body": False}
        else:
            raise problem
        with anyio.move_on_after(_LAST_SECONDS) as telling:
            await self._send(last)
        if telling.cancelled_caught and not self._is_open:
            raise problem


def _is_event_stream(start: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in start.get("headers", ())
    )
