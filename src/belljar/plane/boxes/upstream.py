"""HTTP/1.1 to boxes: connections kept open between requests, bodies passed on as they come, with back-pressure.

Written for the gateway, where every request pays for it: one parser in C, no layers, no copies of whole bodies.
"""

import asyncio
import ssl
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import Any, Self, cast

import httptools

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.socket_path import connectable

Headers = Sequence[tuple[bytes, bytes]]

# Bytes of an answer held while its reader is busy; beyond that the box is made to wait.
_HIGH_WATER = 256 * 1024
# Less than the five seconds after which a box closes a connection that nobody uses.
_KEEP_SECONDS = 3.0
_KEEP_PER_BOX = 16
_CONNECT_TIMEOUT = 5.0
_MAX_SMALL_ANSWER = 32 * 1024 * 1024


class UpstreamError(Exception):
    """The box cannot be reached, or what it says is not HTTP."""


class UpstreamClosed(UpstreamError):
    """The connection ended before an answer began: a kept connection may just have been too old."""


@dataclass(frozen=True)
class Answer:
    """A small answer, read whole."""

    status: int
    headers: Headers
    body: bytes


class Connection(asyncio.Protocol):
    """One request at a time; the next may follow when the last was sent and its answer read, both to their ends."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._parser: Any = None
        self._waiter: asyncio.Future[None] | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._is_paused = False
        self._error: Exception | None = None
        self._is_head = False
        self._may_keep = False
        self.idle_since = 0.0
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self._is_complete = False
        self._is_head_read = False
        self._is_sent = False
        self._reset()

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._parser is None:
            # Nobody asked: a box does not speak first.
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(UpstreamError(str(error)))
        if self._held > _HIGH_WATER and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        return None

    def connection_lost(self, error: Exception | None) -> None:
        self._may_write.set()
        if self._parser is not None and self.status and not self._is_complete and self._ends_with_connection:
            self._is_complete = True
        elif not self._is_complete:
            self._fail(UpstreamClosed("closed") if not self.status else UpstreamError("cut short"))
        self._wake()

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    # What the parser calls.

    def on_message_begin(self) -> None:
        if self._is_complete:
            raise httptools.HttpParserError("more than the one answer that was asked for")

    def on_header(self, name: bytes, value: bytes) -> None:
        # What follows a body is no part of the head.
        if not self.status:
            self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        status: int = self._parser.get_status_code()
        if status < 200 and status != 101:
            self.headers = []
            return
        self.status = status
        names = {name for name, _ in self.headers}
        self._ends_with_connection = not names & {b"content-length", b"transfer-encoding"}
        # The parser forgets it with the message.
        self._may_keep = self._parser.should_keep_alive() and not self._is_head
        if self._is_head:
            self._is_complete = True

    def on_body(self, body: bytes) -> None:
        self._chunks.append(body)
        self._held += len(body)

    def on_message_complete(self) -> None:
        if self.status:
            self._is_complete = True

    # What we call.

    @property
    def is_usable(self) -> bool:
        return not self._transport.is_closing() and self._error is None

    @property
    def can_be_kept(self) -> bool:
        """Whether the next thing that goes over it would be read as a request, and the next that comes as its answer:
        a box that answers before it has everything would take what follows for the rest.
        """
        is_over = self._is_complete and self._is_sent and not self._transport.get_write_buffer_size()
        return self.is_usable and is_over and self._may_keep

    def begin(self, head: bytes, *, is_head: bool = False, is_whole: bool) -> None:
        """Send the head of a request, with the body or its beginning; `is_whole` when nothing follows."""
        self._reset()
        self._is_head = is_head
        self._is_sent = is_whole
        self._parser = httptools.HttpResponseParser(self)
        self._transport.write(head)

    def rest(self) -> None:
        """Nobody asks now: whatever comes ends it."""
        self._parser = None

    async def write(self, data: bytes, *, is_last: bool) -> None:
        """Returns when the box takes more; at once once it is gone, which reading will tell."""
        if not self._transport.is_closing():
            self._transport.write(data)
            self._is_sent = is_last
        await self._may_write.wait()

    async def read_head(self) -> int:
        """The answer's status; `headers` hold the rest of its head."""
        while not self.status:
            self._raise()
            await self._wait()
        return self.status

    @property
    def has_news(self) -> bool:
        """Whether `wait` would return at once."""
        return bool(self._chunks or self._is_complete or (self.status and not self._is_head_read))

    async def wait(self) -> None:
        """Until there is something new: the head, more of the body, or the end."""
        while not self.has_news:
            self._raise()
            await self._wait()
        self._is_head_read = True

    async def wait_within(self, seconds: float) -> bool:
        """Whether there is something new within `seconds`; `wait` then returns at once, or raises.

        By a timer of the loop: every request waits here, and a cancel scope costs ten times as much.
        """
        if self.has_news or self._error is not None:
            return True
        if seconds <= 0:
            return False
        timer = asyncio.get_running_loop().call_later(seconds, self._wake)
        try:
            await self._wait()
        finally:
            timer.cancel()
        return self.has_news or self._error is not None

    def take(self) -> bytes:
        """What has come of the body since the last time; the box may go on sending."""
        data = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        self._chunks.clear()
        self._held = 0
        if self._is_paused:
            self._is_paused = False
            self._transport.resume_reading()
        return data

    async def read(self) -> bytes:
        """The next of the body; empty at its end."""
        while not self._chunks and not self._is_complete:
            self._raise()
            await self._wait()
        return self.take()

    @property
    def is_complete(self) -> bool:
        """Whether everything of the answer has come; `take` may still have some of it."""
        return self._is_complete

    def close(self) -> None:
        self._transport.close()

    def abort(self) -> None:
        self._transport.abort()

    def _reset(self) -> None:
        self.status = 0
        self.headers = []
        self._chunks: deque[bytes] = deque()
        self._held = 0
        self._is_complete = False
        self._is_head_read = False
        self._is_sent = False
        self._ends_with_connection = False

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self._transport.close()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None


class Upstream:
    """Connections to all boxes; leaving the block closes those nobody uses."""

    def __init__(self) -> None:
        self._kept: dict[Address, list[Connection]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for address in list(self._kept):
            self.forget(address)
        # Transports close on the loop's next turn.
        await asyncio.sleep(0)

    async def connect(self, address: Address, *, fresh: bool = False) -> Connection:
        """A connection that was kept, or a new one.  Raises `UpstreamError`."""
        kept = self._kept.get(address, [])
        now = time.monotonic()
        while kept and not fresh:
            connection = kept.pop()
            if connection.is_usable and now - connection.idle_since < _KEEP_SECONDS:
                return connection
            connection.close()
        try:
            async with asyncio.timeout(_CONNECT_TIMEOUT):
                return await _open(address)
        except (OSError, TimeoutError) as error:
            raise UpstreamError(f"cannot connect: {error}") from error

    def give_back(self, address: Address, connection: Connection) -> None:
        """Keep the connection if both sides of the exchange came to their ends, else close it."""
        kept = self._kept.setdefault(address, [])
        if connection.can_be_kept and len(kept) < _KEEP_PER_BOX:
            connection.rest()
            connection.idle_since = time.monotonic()
            kept.append(connection)
        else:
            connection.abort()

    def forget(self, address: Address) -> None:
        """Close what is kept to a box that is over."""
        for connection in self._kept.pop(address, ()):
            connection.close()

    async def request(
        self,
        address: Address,
        method: str,
        path: str,
        *,
        token: str | None = None,
        json: bytes | None = None,
        headers: Headers = (),
    ) -> Answer:
        """A request of our own to a box.  The deadline is the caller's.  Raises `UpstreamError`."""
        own = [(b"host", _host(address)), *headers]
        if token is not None:
            own.append((b"authorization", b"Bearer " + token.encode()))
        if json is not None:
            own += [(b"content-type", b"application/json"), (b"content-length", str(len(json)).encode())]
        head = request_head(method.encode(), path.encode(), own) + (json or b"")
        for fresh in (False, True):
            connection = await self.connect(address, fresh=fresh)
            try:
                connection.begin(head, is_whole=True)
                status = await connection.read_head()
                body = bytearray()
                while (chunk := await connection.read()) and len(body) < _MAX_SMALL_ANSWER:
                    body += chunk
                return Answer(status, connection.headers, bytes(body))
            except UpstreamClosed:
                if fresh:
                    raise
            finally:
                self.give_back(address, connection)
        raise AssertionError("unreachable")


def _host(address: Address) -> bytes:
    if address.host is None:
        return b"box"
    name = f"[{address.host}]" if ":" in address.host else address.host
    return f"{name}:{address.port}".encode()


def request_head(method: bytes, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    lines = [b"%b %b HTTP/1.1\r\n" % (method, target)]
    lines.extend(b"%b: %b\r\n" % header for header in headers)
    lines.append(b"\r\n")
    return b"".join(lines)


@cache
def tls_context() -> ssl.SSLContext:
    """For other control planes: the system's trusted authorities, or those of SSL_CERT_FILE."""
    return ssl.create_default_context()


async def _open(address: Address) -> Connection:
    loop = asyncio.get_running_loop()
    if address.path is None:
        assert address.host is not None
        tls = tls_context() if address.is_tls else None
        _, connection = await loop.create_connection(Connection, address.host, address.port, ssl=tls)
        return connection
    with connectable(address.path) as name:
        _, connection = await loop.create_unix_connection(Connection, name)
    return connection
