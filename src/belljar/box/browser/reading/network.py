"""A tab's network: every request from its first moment on, with what it cost and how it ended."""

import base64
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.cdp.events import (
    DataReceived,
    FrameDetached,
    FrameNavigated,
    LoadingFailed,
    LoadingFinished,
    RendererCrashed,
    RequestExtraInfo,
    RequestServedFromCache,
    RequestWillBeSent,
    Response,
    ResponseExtraInfo,
    ResponseReceived,
    WebSocketAsked,
    WebSocketClosed,
    WebSocketCreated,
    WebSocketFrameError,
    WebSocketFrameSent,
    WebSocketOpened,
)
from belljar.box.browser.cdp.replies import ResponseBody
from belljar.box.browser.events import RING_SIZE, Ring
from belljar.box.browser.page.page import Page, Part
from belljar.box.browser.reading.request_details import Details, DetailStore
from belljar.problems.browser import RequestNotFound, ResponseBodyGone

MOST_URL = 10_000
# What stays open for as long as a page lives, or brings it nothing.
_LASTING = frozenset({"eventsource", "websocket", "media", "ping"})
# By which the egress proxy marks what it answers itself; it lets no server's own through.
PROXY_HEADER = "x-belljar-egress"
DENIED = re.compile(r'denied; host="([^"]*)"; port=(\d+); rule="([^"]*)"; reason="([^"]*)"')
_PROXY_WORDS = (("refused", "ERR_CONNECTION_REFUSED"), ("in time", "ERR_CONNECTION_TIMED_OUT"))


@dataclass(frozen=True)
class Exchange:
    """A request and what came of it.  Sizes are bytes; `wire_size` includes the response's headers."""

    id: str
    url: str
    method: str
    type: str
    # Seconds since 1970, and on Chromium's own clock, which durations are measured by.
    at: float
    began: float
    status: int = 0
    mime_type: str = ""
    wire_size: int = 0
    decoded_size: int = 0
    # Milliseconds; None while it runs.
    duration: float | None = None
    error: str | None = None
    is_cached: bool = False
    frame_id: str = ""
    # Of the document that asked, or that this request brings.
    loader_id: str = ""
    session: Session | None = field(default=None, compare=False, repr=False)

    @property
    def is_pending(self) -> bool:
        return self.duration is None


class Network:
    """Listens from a tab's first moment on.  Each hop of a redirect is a request of its own."""

    def __init__(self, page: Page) -> None:
        self.ring: Ring[Exchange] = Ring()
        # Called with a request that is over, or is followed no longer, and when that was by Chromium's clock.
        self.on_end: list[Callable[[Exchange, float | None], None]] = []
        self.ring.on_drop = self._dropped
        self._details = DetailStore()
        # Bytes that arrived for requests that run, decoded.
        self._arrived: dict[str, int] = {}
        self._hops: dict[str, int] = {}
        # What the egress proxy says of an answer that is its own, by the request's id.
        self._proxy_notes: dict[str, str] = {}
        self._main_frame = page.id
        # Messages that the page sent through its sockets.
        self.messages_sent = 0

    def attach(self, session: Session, part: Part) -> None:
        """The page has enabled the domain for its frames; workers have theirs enabled here."""
        session.on(RequestWillBeSent, lambda event: self._sent(session, event))
        session.on(RequestServedFromCache, self._cached)
        session.on(ResponseReceived, lambda event: self._answered(session, event))
        session.on(RequestExtraInfo, lambda event: self._details.sent_on_the_wire(event.request_id, event.headers))
        session.on(ResponseExtraInfo, self._answered_on_the_wire)
        session.on(DataReceived, self._received)
        session.on(LoadingFinished, self._finished)
        session.on(LoadingFailed, self._failed)
        session.on(WebSocketCreated, self._socket_made)
        session.on(WebSocketAsked, self._socket_asked)
        session.on(WebSocketOpened, self._socket_opened)
        session.on(WebSocketFrameSent, self._socket_used)
        session.on(WebSocketFrameError, self._socket_failed)
        session.on(WebSocketClosed, self._socket_closed)
        # Chromium does not tell the end of requests whose document or process went away under them.
        session.on(FrameNavigated, self._document_replaced)
        session.on(FrameDetached, self._frame_removed)
        session.on(RendererCrashed, lambda _: self._interrupt(lambda one: one.session is session))
        if part is Part.WORKER:
            session.tell("Network.enable")
        if part is Part.PAGE:
            session.on_gone.append(self.ring.close)
        else:
            session.on_gone.append(lambda: self._interrupt(lambda one: one.session is session))

    def is_loading(self, since: int, *, unanswered_only: bool = False) -> bool:
        """Whether a request that came or moved after the ring's number `since` is under way."""

        def is_under_way(one: Exchange) -> bool:
            return one.is_pending and one.type not in _LASTING and not (unanswered_only and one.status)

        return bool(self.ring.read(since, is_under_way))

    async def loaded(self, since: int, *, unanswered_only: bool = False) -> None:
        """Wait until nothing is loading any more."""
        while self.is_loading(since, unanswered_only=unanswered_only) and not self.ring.is_closed:
            await self.ring.changed(self.ring.cursor)

    def details(self, id: str) -> tuple[Exchange, Details]:
        """Raises `RequestNotFound`."""
        return self._get(id), self._details.read(id)

    async def body(self, id: str) -> tuple[bytes, str]:
        """The body of a response and its type.  Raises `RequestNotFound` and `ResponseBodyGone`."""
        exchange = self._get(id)
        session = exchange.session
        if session is None or session.is_gone or exchange.is_pending or exchange.error:
            raise ResponseBodyGone("This request has no body to give.", request_id=id)
        try:
            reply = await session.send_as(ResponseBody, "Network.getResponseBody", requestId=id.partition(":")[0])
        except CdpError as error:
            raise ResponseBodyGone("Chromium no longer has this body.", request_id=id) from error
        return base64.b64decode(reply.body) if reply.base64_encoded else reply.body.encode(), exchange.mime_type

    def _get(self, id: str) -> Exchange:
        exchange = self.ring.get(id)
        if exchange is None:
            raise RequestNotFound("No recorded request of this tab has this id.", request_id=id)
        return exchange

    def _sent(self, session: Session, event: RequestWillBeSent) -> None:
        id, request = event.request_id, event.request
        if request.url.startswith("data:"):
            return
        before = self.ring.get(id)
        if event.redirect_response is not None and before is not None:
            self._redirected(before, event.redirect_response, event)
        elif before is not None and not before.is_pending:
            return
        self._details.sent(id, request.headers, event.initiator)
        exchange = Exchange(
            id=id,
            url=(request.url + request.url_fragment)[:MOST_URL],
            method=request.method,
            type=event.type.lower(),
            at=event.wall_time,
            began=event.timestamp,
            frame_id=event.frame_id,
            loader_id=event.loader_id,
            session=session,
        )
        self.ring.put(id, exchange)

    def _redirected(self, hop: Exchange, response: Response, event: RequestWillBeSent) -> None:
        """Keep the hop under an id of its own; the request goes on under Chromium's."""
        self._hops[hop.id] = self._hops.get(hop.id, 0) + 1
        self._details.answered(hop.id, response, has_extra=event.redirect_has_extra_info)
        done = replace(
            hop,
            id=f"{hop.id}:{self._hops[hop.id]}",
            status=response.status,
            mime_type=response.mime_type,
            wire_size=round(response.encoded_data_length),
            duration=_milliseconds(hop, event.timestamp),
            session=None,
        )
        self._over(done, event.timestamp)

    def _cached(self, event: RequestServedFromCache) -> None:
        if (exchange := self._pending(event.request_id)) is not None:
            self.ring.put(exchange.id, replace(exchange, is_cached=True))

    def _answered(self, session: Session, event: ResponseReceived) -> None:
        id, response = event.request_id, event.response
        if (note := proxy_note(response)) is not None:
            _remember_note(self._proxy_notes, id, note)
        exchange = self._pending(id)
        if id in self._proxy_notes:
            if exchange is not None:
                self.ring.put(id, replace(exchange, error=proxy_error(self._proxy_notes[id]), session=session))
            return
        self._details.answered(id, response, has_extra=event.has_extra_info)
        if exchange is None:
            return
        answered = replace(
            exchange,
            status=response.status,
            mime_type=response.mime_type,
            wire_size=round(response.encoded_data_length),
            is_cached=response.from_disk_cache or response.from_prefetch_cache,
            session=session,
        )
        self.ring.put(id, answered)

    def _answered_on_the_wire(self, event: ResponseExtraInfo) -> None:
        """The headers also of answers that the page may not see, before or after what else is told of them."""
        id, note = event.request_id, event.headers.get("X-Belljar-Egress")
        exchange = self.ring.get(id)
        if note is None or (exchange is not None and not exchange.url.startswith("http:")):
            self._details.answered_on_the_wire(id, event.headers)
            return
        _remember_note(self._proxy_notes, id, note)
        if exchange is not None and (exchange.error or not exchange.is_pending):
            self.ring.put(id, _failed_with(exchange, proxy_error(note), exchange.duration))

    def _received(self, event: DataReceived) -> None:
        id = event.request_id
        self._arrived[id] = self._arrived.get(id, 0) + event.data_length
        if len(self._arrived) > 2 * RING_SIZE:
            # Requests that never end, and were dropped from the ring long ago.
            self._arrived = {one: size for one, size in self._arrived.items() if self.ring.get(one) is not None}

    def _finished(self, event: LoadingFinished) -> None:
        self._end(event.request_id, event.timestamp, wire_size=round(event.encoded_data_length))

    def _failed(self, event: LoadingFailed) -> None:
        reason = event.blocked_reason
        if not reason and event.cors_error_status is not None:
            reason = event.cors_error_status.cors_error
        error = event.error_text.removeprefix("net::") or "ERR_FAILED"
        self._end(event.request_id, event.timestamp, error=f"{error} ({reason})" if reason else error)

    def _end(self, id: str, now: float, *, wire_size: int = 0, error: str | None = None) -> None:
        exchange = self.ring.get(id)
        decoded = self._arrived.pop(id, 0)
        self._hops.pop(id, None)
        if exchange is None or not exchange.is_pending:
            # What follows a failure is Chromium's own page about it.
            return
        note = self._proxy_notes.get(id)
        error = exchange.error or (proxy_error(note) if note is not None else error)
        duration = _milliseconds(exchange, now)
        if error:
            self._over(_failed_with(exchange, error, duration), now)
        else:
            self._over(replace(exchange, wire_size=wire_size, decoded_size=decoded, duration=duration), now)

    def _document_replaced(self, event: FrameNavigated) -> None:
        id, loader, is_main = event.frame.id, event.frame.loader_id, event.frame.id == self._main_frame
        self._interrupt(lambda one: (is_main or one.frame_id == id) and one.loader_id != loader)

    def _frame_removed(self, event: FrameDetached) -> None:
        if event.reason != "swap":
            self._interrupt(lambda one: one.frame_id == event.frame_id)

    def _interrupt(self, is_concerned: Callable[[Exchange], bool]) -> None:
        """End what nobody waits for any more: the document that asked is gone."""
        for one in self.ring.read(0, lambda one: one.is_pending and is_concerned(one)):
            self._arrived.pop(one.id, None)
            self._hops.pop(one.id, None)
            duration = round(max(0.0, time.time() - one.at) * 1000, 1)
            self._over(_failed_with(one, one.error or "ERR_ABORTED", duration), None)

    def _socket_made(self, event: WebSocketCreated) -> None:
        # The event has no time on Chromium's clock; the handshake that follows has.
        id, url = event.request_id, event.url[:MOST_URL]
        self._details.sent(id, {}, event.initiator)
        self.ring.put(id, Exchange(id=id, url=url, method="GET", type="websocket", at=time.time(), began=0))

    def _socket_asked(self, event: WebSocketAsked) -> None:
        self._details.sent_on_the_wire(event.request_id, event.request.headers)

    def _socket_opened(self, event: WebSocketOpened) -> None:
        self._details.answered(event.request_id, event.response, has_extra=None)
        if (exchange := self._pending(event.request_id)) is not None:
            self.ring.put(exchange.id, replace(exchange, status=event.response.status, began=event.timestamp))

    def _socket_used(self, event: WebSocketFrameSent) -> None:
        self.messages_sent += 1

    def _socket_failed(self, event: WebSocketFrameError) -> None:
        if (exchange := self._pending(event.request_id)) is not None:
            self.ring.put(exchange.id, replace(exchange, status=0, error=event.error_message))

    def _socket_closed(self, event: WebSocketClosed) -> None:
        if (exchange := self._pending(event.request_id)) is not None:
            began = exchange.began or event.timestamp
            self._over(replace(exchange, duration=round((event.timestamp - began) * 1000, 1)), event.timestamp)

    def _dropped(self, exchange: Exchange) -> None:
        """More run than are followed at once: how this one ends will not be known."""
        if exchange.is_pending:
            for callback in self.on_end:
                callback(exchange, None)

    def _over(self, exchange: Exchange, at: float | None) -> None:
        self.ring.put(exchange.id, exchange)
        for callback in self.on_end:
            callback(exchange, at)

    def _pending(self, id: str) -> Exchange | None:
        exchange = self.ring.get(id)
        return exchange if exchange is not None and exchange.is_pending else None


def _failed_with(exchange: Exchange, error: str, duration: float | None) -> Exchange:
    """What came of it before it failed is nothing."""
    return replace(exchange, status=0, mime_type="", wire_size=0, decoded_size=0, duration=duration, error=error)


def _milliseconds(exchange: Exchange, now: float) -> float:
    return round(max(0.0, now - exchange.began) * 1000, 1)


def proxy_note(response: Response) -> str | None:
    """What the egress proxy says of an answer that it gave itself.  In a tunnel only the server speaks."""
    if not response.url.startswith("http:"):
        return None
    return next((value for name, value in response.headers.items() if name.lower() == PROXY_HEADER), None)


def proxy_error(note: str) -> str:
    """What Chromium would have said had it tried by itself; a refusal of the policy by its rule."""
    denied = DENIED.match(note)
    if denied is None:
        return next((code for words, code in _PROXY_WORDS if words in note), "ERR_CONNECTION_FAILED")
    rule = denied[3]
    return "ERR_NAME_NOT_RESOLVED" if rule == "unresolved" else f"ERR_BLOCKED_BY_ADMINISTRATOR (egress: {rule})"


def _remember_note(notes: dict[str, str], id: str, note: str) -> None:
    notes[id] = note
    while len(notes) > RING_SIZE:
        del notes[next(iter(notes))]
