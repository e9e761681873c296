"""Carries one HTTP request to a box and its answer back, both as they come, neither held whole."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import anyio
from starlette.types import Message, Receive, Scope, Send

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Connection, Upstream, UpstreamClosed, UpstreamError, request_head
from belljar.plane.gateway.headers import Pairs
from belljar.plane.supervision import ControlMetrics
from belljar.problems import InvalidRequest, Problem
from belljar.problems.plane import BoxTimeout, BoxUnreachable
from belljar.server.requests import RequestHeaders
from belljar.tasks import the_only_one

# An answer that comes within this needs nobody to watch whether its client is still there.
_PROMPT_SECONDS = 0.25
_LAST_CHUNK = b"0\r\n\r\n"


@dataclass(frozen=True)
class Forward:
    """Where a request goes, what it carries there, and how the answer's head is dressed on its way back.

    `headers` say nothing about the body's length: that is `body`'s to say.
    """

    address: Address
    method: str
    target: bytes
    headers: Pairs
    body: "BodyFraming"
    dress: Callable[[Pairs], Pairs]

    @property
    def head(self) -> bytes:
        return request_head(self.method.encode(), self.target, [*self.headers, *self.body.headers])


class BodyFraming:
    """How long a body is, as our own head says it and as we then send it; the caller's head is not copied.

    Of a body with a length exactly so much is sent, and one that turns out otherwise ends the connection: nothing that
    a caller sends can be read as the beginning of another request.
    """

    def __init__(self, length: int | None, *, is_chunked: bool) -> None:
        self._left = length or 0
        self._is_chunked = is_chunked
        self.headers: Pairs = []
        if is_chunked:
            self.headers = [(b"transfer-encoding", b"chunked")]
        elif length is not None:
            self.headers = [(b"content-length", str(length).encode())]

    @property
    def is_expected(self) -> bool:
        return self._is_chunked or self._left > 0

    def frame(self, message: Message) -> tuple[bytes, bool]:
        """The next piece as it goes over the wire, and whether it is the last."""
        body: bytes = message.get("body", b"")
        is_last = not message.get("more_body", False)
        if self._is_chunked:
            framed = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            return (framed + _LAST_CHUNK if is_last else framed), is_last
        self._left -= len(body)
        if self._left < 0 or (is_last and self._left):
            raise BrokenBody("the body is not as long as its head says")
        return body, is_last


class BrokenBody(Exception):
    """What came of a body is not what was announced."""


class ClientGone(Exception):
    """The caller hung up."""


class Carrier:
    def __init__(self, upstream: Upstream, metrics: ControlMetrics, timeout: float) -> None:
        self._upstream = upstream
        self._metrics = metrics
        self._timeout = timeout

    async def carry_whole(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        address: Address,
        target: bytes,
        headers: Pairs,
        dress: Callable[[Pairs], Pairs],
    ) -> None:
        """The request of `scope`, to its end however that comes about.  Raises problems while nothing was sent."""
        try:
            await self.carry(_journey(scope, address, target, headers, dress), receive, send)
        except ClientGone:
            return
        except BrokenBody as error:
            raise ConnectionAbortedError("the caller's body was cut short") from error
        except UpstreamError as error:
            raise ConnectionAbortedError("the box's answer was cut short") from error

    async def carry(self, journey: Forward, receive: Receive, send: Send) -> None:
        """Raises problems while nothing was sent, `UpstreamError` when the answer broke off, or `ClientGone`."""
        first: Message = await receive() if journey.body.is_expected else {"type": "http.request"}
        if first["type"] == "http.disconnect":
            raise ClientGone
        piece, is_whole = journey.body.frame(first)
        connection = await self._begin(journey, piece, is_whole=is_whole)
        passage = _Passage(journey, connection, send, self._metrics)
        try:
            if not is_whole or not await passage.bring(_PROMPT_SECONDS):
                await self._carry_on(passage, receive, has_more=not is_whole)
        except UpstreamError as error:
            raise _unreachable(error) if not passage.is_begun else error from None
        finally:
            self._upstream.give_back(journey.address, connection)

    async def _begin(self, journey: Forward, piece: bytes, *, is_whole: bool) -> Connection:
        """Send the head and the body's first piece; a kept connection that turns out too old is replaced.

        A body that is still coming could not be sent a second time: it goes over a connection of its own.
        """
        data = journey.head + piece
        self._metrics.bytes_in.inc(len(data))
        for fresh in (False, True) if is_whole else (True,):
            try:
                connection = await self._upstream.connect(journey.address, fresh=fresh)
            except UpstreamError as error:
                raise _unreachable(error) from error
            connection.begin(data, is_head=journey.method == "HEAD", is_whole=is_whole)
            if fresh:
                break
            try:
                if await connection.wait_within(_PROMPT_SECONDS):
                    await connection.read_head()
                break
            except UpstreamClosed:
                connection.abort()
            except BaseException as error:
                connection.abort()
                if isinstance(error, UpstreamError):
                    raise _unreachable(error) from error
                raise
        return connection

    async def _carry_on(self, passage: "_Passage", receive: Receive, *, has_more: bool) -> None:
        """Bring the rest while somebody sends the rest of the body, and then watches whether the client is there."""
        try:
            async with anyio.create_task_group() as tasks:

                async def watch() -> None:
                    await passage.send_rest(receive, has_more=has_more)
                    raise ClientGone

                tasks.start_soon(watch, name="gateway body")
                with anyio.fail_after(self._timeout):
                    await passage.bring_head()
                await passage.bring(None)
                tasks.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            error = the_only_one(group)
            if isinstance(error, TimeoutError):
                raise BoxTimeout(f"The session's box did not answer within {self._timeout:g} seconds.") from error
            raise error from None


class _Passage:
    """One answer on its way from box to client."""

    def __init__(self, journey: Forward, connection: Connection, send: Send, metrics: ControlMetrics) -> None:
        self._journey = journey
        self._connection = connection
        self._send = send
        self._metrics = metrics
        self.is_begun = False

    async def bring_head(self) -> None:
        if not self.is_begun:
            status = await self._connection.read_head()
            self.is_begun = True
            headers = self._journey.dress(self._connection.headers)
            await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def bring(self, patience: float | None) -> bool:
        """Whether the whole answer was brought; False when it was not within `patience` seconds.

        All of it, not each piece: nobody watches meanwhile whether the client is there, and one that has left must not
        be sent to for as long as there is something to send.
        """
        deadline = None if patience is None else time.monotonic() + patience
        while True:
            if deadline is not None and not await self._connection.wait_within(deadline - time.monotonic()):
                return False
            await self._connection.wait()
            await self.bring_head()
            chunk = self._connection.take()
            is_last = self._connection.is_complete
            if chunk or is_last:
                self._metrics.bytes_out.inc(len(chunk))
                await self._send({"type": "http.response.body", "body": chunk, "more_body": not is_last})
            if is_last:
                return True

    async def send_rest(self, receive: Receive, *, has_more: bool) -> None:
        """Returns when the client is gone."""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            if has_more:
                data, is_last = self._journey.body.frame(message)
                self._metrics.bytes_in.inc(len(data))
                await self._connection.write(data, is_last=is_last)
                has_more = not is_last


def _journey(scope: Scope, address: Address, target: bytes, headers: Pairs, dress: Callable[[Pairs], Pairs]) -> Forward:
    given = RequestHeaders(scope)
    length = given.get("content-length")
    is_chunked = "transfer-encoding" in given
    if length is not None and (is_chunked or not length.isdecimal()):
        raise InvalidRequest("The request says in two ways, or in none that can be read, how long its body is.")
    body = BodyFraming(None if length is None else int(length), is_chunked=is_chunked)
    return Forward(address, scope["method"], target, headers, body, dress)


def _unreachable(error: UpstreamError) -> Problem:
    problem = BoxUnreachable("The session's box cannot be reached.")
    problem.__cause__ = error
    return problem
