"""HTTP/1.1 as both servers take it: heads that can be read in one way and come in time, and no body for nothing."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from belljar.limits import MAX_HEADER_BYTES
from belljar.problems import CONTENT_TYPE, BodyTimeout, HeadersTooLarge, InvalidRequest, Problem, TooManyConnections
from belljar.server.answers import SAFE_HEADERS, problem_bytes
from belljar.server.connections import Connections

Pairs = Sequence[tuple[bytes, bytes]]

# A second of these would be believed by one reader and passed over by the next.
_ONCE = frozenset({b"authorization", b"belljar-caller", b"content-length", b"host", b"transfer-encoding", b"upgrade"})
_VERSIONS = frozenset({"1.0", "1.1"})
# As RFC 9112 has them; a space, a control character, a byte beyond ASCII or a fragment is in none.
_TARGET = re.compile(rb'[!"$-~]+')
_LENGTH = re.compile(rb"[0-9]{1,18}")
_ABSOLUTE = re.compile(rb"https?://(?P<host>[^/?#@]+)(?P<path>/.*)", re.IGNORECASE)
_ENCODED = re.compile(rb"%[0-9A-Fa-f]{2}")
# In a path that has been decoded: a byte that ends or divides names somewhere, and what would be one decoded again.
_DIVIDING = re.compile(r"[\x00-\x1f\x7f\\]|%(?:25)*(?:00|2[ef]|5c)", re.IGNORECASE)


def check_head(version: str, target: bytes, headers: Pairs) -> bytes:
    """The path and query that are asked for.  Raises `InvalidRequest`.

    The parser has seen to the grammar; this is about what it lets pass.
    """
    if version not in _VERSIONS:
        raise InvalidRequest("This server speaks HTTP/1.1 and HTTP/1.0.")
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in _ONCE:
            if name in found:
                raise InvalidRequest(f"The request has more than one {name.decode().title()} header.")
            found[name] = value
    _check_framing(version, found)
    if b"host" not in found and version == "1.1":
        raise InvalidRequest("The request has no Host header.")
    return _check_target(target, found.get(b"host", b""))


def check_handshake(version: str, method: str, headers: Pairs) -> None:
    """That a request to become a WebSocket is one.  Raises `InvalidRequest`."""
    keys = [value for name, value in headers if name == b"sec-websocket-key"]
    versions = [value for name, value in headers if name == b"sec-websocket-version"]
    if version != "1.1" or method != "GET" or len(keys) != 1 or versions != [b"13"]:
        raise InvalidRequest("A WebSocket opens with GET in HTTP/1.1, one Sec-WebSocket-Key and the version 13.")


def check_path(raw: bytes) -> None:
    """That the raw path and the decoded one name the same thing, segment by segment, for every reader."""
    if b"%" not in raw and b"\\" not in raw and b"/." not in raw:
        return
    if raw.count(b"%") != len(_ENCODED.findall(raw)):
        raise InvalidRequest("The path has a percent sign that begins no encoded byte.")
    try:
        segments = [unquote(segment.decode("ascii"), errors="strict") for segment in raw.split(b"/")]
    except UnicodeDecodeError:
        raise InvalidRequest("The path is not UTF-8.") from None
    for segment in segments:
        if segment in (".", "..") or "/" in segment or _DIVIDING.search(segment):
            raise InvalidRequest(
                "The path can be read in two ways: it has an encoded slash, a backslash, a control character or a "
                "segment that is only dots."
            )


def _check_framing(version: str, found: dict[bytes, bytes]) -> None:
    coding = found.get(b"transfer-encoding")
    length = found.get(b"content-length")
    if coding is not None and (length is not None or version == "1.0" or coding.strip().lower() != b"chunked"):
        raise InvalidRequest("A body comes with its length or, in HTTP/1.1, with the transfer encoding chunked alone.")
    if length is not None and not _LENGTH.fullmatch(length):
        raise InvalidRequest("The Content-Length is not a number of bytes.")
    if b"upgrade" in found and (coding is not None or int(length or 0)):
        # The parser takes what follows such a head for the other protocol, whether or not anybody speaks it.
        raise InvalidRequest("A request for another protocol has no body.")


def _check_target(target: bytes, host: bytes) -> bytes:
    if not _TARGET.fullmatch(target):
        raise InvalidRequest("The request's target has characters that must be encoded.")
    if not target.startswith(b"/"):
        absolute = _ABSOLUTE.fullmatch(target)
        if absolute is None or absolute["host"].lower() != host.lower():
            raise InvalidRequest("The request's target must be a path, or an address of the Host it names.")
        target = absolute["path"]
    if target.startswith(b"//"):
        # Some would take what follows for a host.
        raise InvalidRequest("The request's path begins with two slashes.")
    check_path(target.partition(b"?")[0])
    return target


# After an answer that did not wait for the body: for how long, and how much of it, is taken and thrown away, so that
# the client gets to read the answer before its connection breaks.
_LINGER_SECONDS = 2.0
_LINGER_BYTES = 256 * 1024


class _HeadWithBody:
    """A transport that keeps the head of an answer for the body, or for the end of this turn of the loop.

    Uvloop sends each write at once: a head by itself is one more system call here and wakes the client for nothing.
    """

    def __init__(self, protocol: "HttpProtocol") -> None:
        self._protocol = protocol
        self._transport = protocol.transport
        self._kept: bytes | None = None
        self._has_kept = False
        self.is_closing = protocol.transport.is_closing

    def write(self, data: bytes) -> None:
        if not self._has_kept:
            self._kept, self._has_kept = data, True
            asyncio.get_running_loop().call_soon(self._let_go)
        elif self._kept is not None:
            kept, self._kept = self._kept, None
            self._transport.writelines((kept, data))
        else:
            self._transport.write(data)

    def close(self) -> None:
        self._let_go()
        self._protocol.close()

    def _let_go(self) -> None:
        kept, self._kept = self._kept, None
        # Uvloop raises where the client has gone meanwhile.
        if kept is not None and not self._transport.is_closing():
            self._transport.write(kept)


class _Exchange(RequestResponseCycle):
    """A request and its answer.  Uvicorn answers in plain text where the application did not; here it does not.

    Whoever waits for the body hears with `BodyTimeout` that nothing of it has come for `body_seconds`.
    """

    body_seconds: float
    _is_late = False

    async def run_asgi(self, app: Any) -> None:
        try:
            await app(self.scope, self.receive, self.send)
        except asyncio.CancelledError:
            # Told to stop, and the time for open requests is over: what became of this one nobody could say.
            self.logger.warning("a request was cut off")
        except Exception:
            # What the application could not put into an answer, for one was begun.
            self.logger.exception("an answer was cut off")
        finally:
            if not self.response_complete and not self.disconnected:
                self.transport.close()
            self.on_response = lambda: None

    async def receive(self) -> Any:
        if not self.more_body or self.message_event.is_set():
            return await super().receive()
        self._is_late = False
        timer = asyncio.get_running_loop().call_later(self.body_seconds, self._body_is_late)
        try:
            message = await super().receive()
        finally:
            timer.cancel()
        if self._is_late and message["type"] == "http.request" and message["more_body"] and not message["body"]:
            raise BodyTimeout(f"Nothing of the request's body has come for {self.body_seconds:g} seconds.")
        return message

    def _body_is_late(self) -> None:
        self._is_late = True
        self.message_event.set()


class ServerConfig(uvicorn.Config):
    """Uvicorn's, with how long a head and a pause of a body may take, and who has how many connections."""

    head_seconds: float
    body_seconds: float
    per_address: Connections


class HttpProtocol(HttpToolsProtocol):
    """Strict heads with a size and a time, and a problem document where uvicorn would answer in plain text."""

    config: ServerConfig
    _header_bytes = 0
    _is_upgraded = False
    _may_keep = False
    _in_head = False
    # Whether the head that is being read began with the data that came last.
    _has_just_begun = False
    _problem: Problem | None = None
    _head_timer: asyncio.TimerHandle | None = None
    _linger_timer: asyncio.TimerHandle | None = None
    # Bytes that were thrown away; None while everything is read.
    _thrown: int | None = None
    _counted_as: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        try:
            self._counted_as = self.config.per_address.open(self.client[0] if self.client else None)
        except TooManyConnections as problem:
            self.refuse(problem)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.per_address.close(self._counted_as)
        self._head_came()
        if self._linger_timer is not None:
            self._linger_timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._thrown is not None:
            self._thrown += len(data)
            if self._thrown > _LINGER_BYTES:
                self.transport.close()
            return
        self._has_just_begun = False
        super().data_received(data)
        # What a head began with may have come behind whole requests: how much of that is its own nobody says here.
        if self._in_head and not self._has_just_begun:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
                self.send_400_response("")
        # Between two requests only what is no request's beginning can have come: it buys no time.
        if self._in_head or self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()

    def handle_websocket_upgrade(self) -> None:
        # The WebSocket's own protocol counts it from here.
        self.config.per_address.close(self._counted_as)
        self._counted_as = None
        self._is_upgraded = True
        super().handle_websocket_upgrade()

    # What the parser calls.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = self._has_just_begun = True
        self._header_bytes = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """As uvicorn's, of the head alone: what follows a body is no part of it, whatever it is called."""
        if self._in_head:
            name = name.lower()
            if name == b"expect" and value.lower() == b"100-continue":
                self.expect_100_continue = True
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._head_came()
        self._header_bytes = len(self.url) + sum([len(name) + len(value) for name, value in self.headers])
        if self._header_bytes > MAX_HEADER_BYTES:
            raise httptools.HttpParserError("headers too large")
        version = self.parser.get_http_version()
        self.scope["method"] = self.parser.get_method().decode("ascii")
        self.scope["http_version"] = version
        is_upgrade = self.parser.should_upgrade()
        is_websocket = is_upgrade and self._should_upgrade()
        try:
            self.url = check_head(version, self.url, self.headers)
            if is_websocket:
                check_handshake(version, self.scope["method"], self.headers)
        except InvalidRequest as problem:
            self._problem = problem
            raise
        if is_websocket:
            return
        self._begin(may_keep=version == "1.1" and not is_upgrade and self.parser.should_keep_alive())

    def on_message_complete(self) -> None:
        super().on_message_complete()
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.keep_alive = self._may_keep

    def shutdown(self) -> None:
        self._may_keep = False
        super().shutdown()

    def _begin(self, *, may_keep: bool) -> None:
        """As uvicorn's, with how an answer leaves here."""
        path, _, query = self.url.partition(b"?")
        self.scope["raw_path"] = path
        self.scope["path"] = unquote(path.decode("ascii"))
        self.scope["query_string"] = query
        before = self.cycle
        self._may_keep = may_keep
        self.cycle = _Exchange(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            # Until the request has ended: an answer that begins before that is the last on its connection.
            keep_alive=False,
            on_response=self.on_response_complete,
        )
        self.cycle.body_seconds = self.config.body_seconds
        self.cycle.transport = _HeadWithBody(self)  # type: ignore[assignment]  # all that a cycle uses of one
        if before is None or before.response_complete:
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._in_head:
            # The next request has begun: it has the time of a head, not that of a connection which nobody uses.
            self._unset_keepalive_if_required()
        if self._thrown is not None and not self.pipeline and self.cycle.response_complete and not self.cycle.more_body:
            self.transport.close()

    # What we call.

    def close(self) -> None:
        """After the last answer.  A client that still sends is not cut off in the middle of reading it."""
        if self.transport.is_closing() or self._thrown is not None:
            return
        if self.cycle is None or not self.cycle.more_body or not self.transport.can_write_eof():
            self.transport.close()
            return
        self._thrown = 0
        self.transport.write_eof()
        self.flow.resume_reading()
        self._linger_timer = self.loop.call_later(_LINGER_SECONDS, self.transport.close)

    def send_400_response(self, msg: str) -> None:
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and not cycle.more_body:
            # What comes after a request that is not answered yet: it gets its answer, and nothing follows.
            self._thrown = 0
            return
        if self.pipeline or (cycle is not None and cycle.response_started and not cycle.response_complete):
            self.transport.close()
            return
        problem = self._problem or InvalidRequest("This is not an HTTP request that can be read.")
        if self._header_bytes > MAX_HEADER_BYTES:
            problem = HeadersTooLarge(f"The request's headers are over the limit of {MAX_HEADER_BYTES} bytes.")
        self.refuse(problem)

    def refuse(self, problem: Problem) -> None:
        """Answer in place of the application, and close."""
        body = problem_bytes(problem)
        headers = {"content-type": CONTENT_TYPE, "content-length": len(body), "connection": "close"}
        lines = [f"{name}: {value}\r\n" for name, value in {**headers, **SAFE_HEADERS, **problem.headers}.items()]
        self.transport.write(STATUS_LINE[problem.status] + "".join(lines).encode() + b"\r\n" + body)
        self.transport.close()

    def _wait_for_head(self) -> None:
        if self._head_timer is None and not self._is_upgraded and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(self.config.head_seconds, self.transport.close)

    def _head_came(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
