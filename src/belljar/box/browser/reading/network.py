"""A tab's network: every request from its first moment on, with what it cost and how it ended."""

import base64
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.events import RING_SIZE, Ring
from belljar.box.browser.page.page import Page, Part
from belljar.box.browser.reading.request_details import Details, DetailStore
from belljar.problems.browser import RequestNotFound, ResponseBodyGone

Params = dict[str, Any]
MOST_URL = 10_000
# What stays open for as long as a page lives, or brings it nothing.
_LASTING = frozenset({"eventsource", "websocket", "media", "ping"})
# By which the egress proxy marks what it answers itself; it lets no server's own through.
PROXY_HEADER = "x-belljar-egress"
DENIED = re.compile(r'denied; host="([^"]*)"; port=(\d+); rule="([^"]*)"; reason="([^"]*)"')
_PROXY_WORDS = (("refused", "ERR_CONNECTION_REFUSED"), ("in time", "ERR_CONNECTION_TIMED_OUT"))
# What a request has that failed.
_NOTHING_CAME: Params = {"status": 0, "mime_type": "", "wire_size": 0, "decoded_size": 0}


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
        session.on("Network.requestWillBeSent", lambda params: self._sent(session, params))
        session.on("Network.requestServedFromCache", self._cached)
        session.on("Network.responseReceived", lambda params: self._answered(session, params))
        session.on("Network.requestWillBeSentExtraInfo", self._details.sent_on_the_wire)
        session.on("Network.responseReceivedExtraInfo", self._answered_on_the_wire)
        session.on("Network.dataReceived", self._received)
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.loadingFailed", self._failed)
        session.on("Network.webSocketCreated", self._socket_made)
        session.on("Network.webSocketWillSendHandshakeRequest", self._socket_asked)
        session.on("Network.webSocketHandshakeResponseReceived", self._socket_opened)
        session.on("Network.webSocketFrameSent", self._socket_used)
        session.on("Network.webSocketFrameError", self._socket_failed)
        session.on("Network.webSocketClosed", self._socket_closed)
        # Chromium does not tell the end of requests whose document or process went away under them.
        session.on("Page.frameNavigated", self._document_replaced)
        session.on("Page.frameDetached", self._frame_removed)
        session.on("Inspector.targetCrashed", lambda params: self._interrupt(lambda one: one.session is session))
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
            reply = await session.send("Network.getResponseBody", requestId=id.partition(":")[0])
        except CdpError as error:
            raise ResponseBodyGone("Chromium no longer has this body.", request_id=id) from error
        body: str = reply["body"]
        return base64.b64decode(body) if reply["base64Encoded"] else body.encode(), exchange.mime_type

    def _get(self, id: str) -> Exchange:
        exchange = self.ring.get(id)
        if exchange is None:
            raise RequestNotFound("No recorded request of this tab has this id.", request_id=id)
        return exchange

    def _sent(self, session: Session, params: Params) -> None:
        id, request = params["requestId"], params["request"]
        if request["url"].startswith("data:"):
            return
        before = self.ring.get(id)
        if "redirectResponse" in params and before is not None:
            self._redirected(before, params)
        elif before is not None and not before.is_pending:
            return
        self._details.sent(id, params)
        exchange = Exchange(
            id=id,
            url=(request["url"] + request.get("urlFragment", ""))[:MOST_URL],
            method=request["method"],
            type=str(params.get("type", "Other")).lower(),
            at=params["wallTime"],
            began=params["timestamp"],
            frame_id=params.get("frameId", ""),
            loader_id=params.get("loaderId", ""),
            session=session,
        )
        self.ring.put(id, exchange)

    def _redirected(self, hop: Exchange, params: Params) -> None:
        """Keep the hop under an id of its own; the request goes on under Chromium's."""
        response = params["redirectResponse"]
        self._hops[hop.id] = self._hops.get(hop.id, 0) + 1
        self._details.answered(hop.id, response, has_extra=params.get("redirectHasExtraInfo"))
        done = replace(
            hop,
            id=f"{hop.id}:{self._hops[hop.id]}",
            status=response["status"],
            mime_type=response["mimeType"],
            wire_size=round(response.get("encodedDataLength", 0)),
            duration=_milliseconds(hop, params["timestamp"]),
            session=None,
        )
        self._over(done, params["timestamp"])

    def _cached(self, params: Params) -> None:
        self._change(params["requestId"], is_cached=True)

    def _answered(self, session: Session, params: Params) -> None:
        id, response = params["requestId"], params["response"]
        if (note := proxy_note(response)) is not None:
            _remember_note(self._proxy_notes, id, note)
        if id in self._proxy_notes:
            self._change(id, error=proxy_error(self._proxy_notes[id]), session=session)
            return
        self._details.answered(id, response, has_extra=params.get("hasExtraInfo"))
        self._change(
            id,
            status=response["status"],
            mime_type=response["mimeType"],
            wire_size=round(response.get("encodedDataLength", 0)),
            is_cached=bool(response.get("fromDiskCache") or response.get("fromPrefetchCache")),
            session=session,
        )

    def _answered_on_the_wire(self, params: Params) -> None:
        """The headers also of answers that the page may not see, before or after what else is told of them."""
        id, note = params["requestId"], params["headers"].get("X-Belljar-Egress")
        exchange = self.ring.get(id)
        if note is None or (exchange is not None and not exchange.url.startswith("http:")):
            self._details.answered_on_the_wire(params)
            return
        _remember_note(self._proxy_notes, id, note)
        if exchange is not None and (exchange.error or not exchange.is_pending):
            self.ring.put(id, replace(exchange, **_NOTHING_CAME, error=proxy_error(note)))

    def _received(self, params: Params) -> None:
        id = params["requestId"]
        self._arrived[id] = self._arrived.get(id, 0) + params["dataLength"]
        if len(self._arrived) > 2 * RING_SIZE:
            # Requests that never end, and were dropped from the ring long ago.
            self._arrived = {one: size for one, size in self._arrived.items() if self.ring.get(one) is not None}

    def _finished(self, params: Params) -> None:
        self._end(params, wire_size=round(params["encodedDataLength"]))

    def _failed(self, params: Params) -> None:
        reason = params.get("blockedReason") or params.get("corsErrorStatus", {}).get("corsError")
        error = params["errorText"].removeprefix("net::") or "ERR_FAILED"
        self._end(params, error=f"{error} ({reason})" if reason else error)

    def _end(self, params: Params, *, wire_size: int = 0, error: str | None = None) -> None:
        id = params["requestId"]
        exchange = self.ring.get(id)
        decoded = self._arrived.pop(id, 0)
        self._hops.pop(id, None)
        if exchange is None or not exchange.is_pending:
            # What follows a failure is Chromium's own page about it.
            return
        note = self._proxy_notes.get(id)
        error = exchange.error or (proxy_error(note) if note is not None else error)
        came = _NOTHING_CAME if error else {"wire_size": wire_size, "decoded_size": decoded}
        duration = _milliseconds(exchange, params["timestamp"])
        self._over(replace(exchange, **came, duration=duration, error=error), params["timestamp"])

    def _document_replaced(self, params: Params) -> None:
        frame = params["frame"]
        id, loader, is_main = frame["id"], frame["loaderId"], frame["id"] == self._main_frame
        self._interrupt(lambda one: (is_main or one.frame_id == id) and one.loader_id != loader)

    def _frame_removed(self, params: Params) -> None:
        if params.get("reason") != "swap":
            self._interrupt(lambda one: one.frame_id == params["frameId"])

    def _interrupt(self, is_concerned: Callable[[Exchange], bool]) -> None:
        """End what nobody waits for any more: the document that asked is gone."""
        for one in self.ring.read(0, lambda one: one.is_pending and is_concerned(one)):
            self._arrived.pop(one.id, None)
            self._hops.pop(one.id, None)
            duration = round(max(0.0, time.time() - one.at) * 1000, 1)
            self._over(replace(one, **_NOTHING_CAME, duration=duration, error=one.error or "ERR_ABORTED"), None)

    def _socket_made(self, params: Params) -> None:
        # The event has no time on Chromium's clock; the handshake that follows has.
        id, url = params["requestId"], params["url"][:MOST_URL]
        self._details.sent(id, {"request": {"headers": {}}, "initiator": params.get("initiator")})
        self.ring.put(id, Exchange(id=id, url=url, method="GET", type="websocket", at=time.time(), began=0))

    def _socket_asked(self, params: Params) -> None:
        self._details.sent_on_the_wire({"requestId": params["requestId"], "headers": params["request"]["headers"]})

    def _socket_opened(self, params: Params) -> None:
        self._details.answered(params["requestId"], params["response"], has_extra=None)
        self._change(params["requestId"], status=params["response"]["status"], began=params["timestamp"])

    def _socket_used(self, params: Params) -> None:
        self.messages_sent += 1

    def _socket_failed(self, params: Params) -> None:
        self._change(params["requestId"], status=0, error=params["errorMessage"])

    def _socket_closed(self, params: Params) -> None:
        exchange = self.ring.get(params["requestId"])
        if exchange is not None:
            began = exchange.began or params["timestamp"]
            if exchange.is_pending:
                duration = round((params["timestamp"] - began) * 1000, 1)
                self._over(replace(exchange, duration=duration), params["timestamp"])

    def _dropped(self, exchange: Exchange) -> None:
        """More run than are followed at once: how this one ends will not be known."""
        if exchange.is_pending:
            for callback in self.on_end:
                callback(exchange, None)

    def _over(self, exchange: Exchange, at: float | None) -> None:
        self.ring.put(exchange.id, exchange)
        for callback in self.on_end:
            callback(exchange, at)

    def _change(self, id: str, **changes: Any) -> None:
        exchange = self.ring.get(id)
        if exchange is not None and exchange.is_pending:
            self.ring.put(id, replace(exchange, **changes))


def _milliseconds(exchange: Exchange, now: float) -> float:
    return round(max(0.0, now - exchange.began) * 1000, 1)


def proxy_note(response: Params) -> str | None:
    """What the egress proxy says of an answer that it gave itself.  In a tunnel only the server speaks."""
    if not response["url"].startswith("http:"):
        return None
    return next((value for name, value in response["headers"].items() if name.lower() == PROXY_HEADER), None)


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
