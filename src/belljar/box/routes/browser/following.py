"""Console and network of a tab, to read or to follow as server-sent events; patterns in linear time."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, TypeVar

import anyio
from starlette.responses import Response, StreamingResponse

from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.events import Ring
from belljar.box.browser.reading.console import Console, Message
from belljar.box.browser.reading.network import Exchange, Network
from belljar.box.browser.reading.request_details import phases, redact_address
from belljar.box.parts import TheBox
from belljar.limits import MAX_PATTERN_CHARS, whole_number
from belljar.problems import InvalidRequest
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, RequestNotFound, ResponseBodyGone, TabNotFound
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Header, Query
from belljar.tasks import background
from belljar.wire.base import Model
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.reading import (
    ConsoleMessage,
    ConsoleMessages,
    ConsoleQuery,
    NetworkHeader,
    NetworkInitiator,
    NetworkQuery,
    NetworkRequest,
    NetworkRequestDetails,
    NetworkRequests,
    NetworkTiming,
)


@lru_cache(maxsize=100)
def searcher(pattern: str) -> Callable[[str], bool]:
    """Whether a text has a match of `pattern` (RE2's syntax).  Raises `InvalidRequest`."""
    # Three megabytes that a box nobody filters in can do without.
    import re2

    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidRequest(f"The pattern is longer than {MAX_PATTERN_CHARS} characters.")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        compiled = re2.compile(pattern, options=options)
    except re2.error as error:
        raise InvalidRequest(f"The pattern cannot be used: {_words(error)}") from error
    return lambda text: compiled.search(text) is not None


def _words(error: Exception) -> str:
    said = error.args[0] if error.args else error
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


Item = TypeVar("Item")
# A comment this often keeps proxies from closing a quiet stream, and tells us of clients that vanished.
COMMENT_SECONDS = 15.0


def event_stream(
    ring: Ring[Item],
    since: int,
    wants: Callable[[Item], bool],
    told: Callable[[Item], Model],
    *,
    name: str,
    stopping: anyio.Event,
    ending: Callable[[], Model] | None = None,
) -> StreamingResponse:
    """What is in the ring after `since`, then what comes, until the ring closes or the server stops.

    `ending` gives a last event, `end`, for a ring that was closed.
    """

    async def events() -> AsyncIterator[bytes]:
        seen = since
        while not stopping.is_set():
            batch, seen = ring.read(seen, wants), ring.cursor
            if batch:
                yield b"".join(event(name, seen, told(item)) for item in batch)
            elif ring.is_closed:
                if ending is not None:
                    yield event("end", seen, ending())
                return
            if not await _changed(ring, seen, stopping):
                yield b":\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-cache"})


def event(name: str, id: int, model: Model) -> bytes:
    body = model.model_dump_json(by_alias=True, exclude_none=True)
    return f"event: {name}\nid: {id}\ndata: {body}\n\n".encode()


def event_number(last_event_id: str | None) -> int:
    """Where a client that lost its stream goes on; anything that is not a number of ours is the beginning."""
    return whole_number(last_event_id) or 0


async def _changed(ring: Ring[Item], seen: int, stopping: anyio.Event) -> bool:
    """Wait for something new; false after a while of nothing.  The server's stop ends it too."""
    with anyio.move_on_after(COMMENT_SECONDS) as scope:

        async def end() -> None:
            await stopping.wait()
            scope.cancel()
            await anyio.sleep_forever()

        async with background(end, name="the server's stop"):
            await ring.changed(seen)
    return not scope.cancelled_caught or stopping.is_set()


router = Router(prefix="/v1/browser", tags=["browser"])


@router.get(
    "/console",
    operation_id="getBrowserConsole",
    tells=Kind.CONSOLE,
    events={"console": ConsoleMessage},
    response_model=ConsoleMessages,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def read_console(
    query: Annotated[ConsoleQuery, Query()], box: TheBox, last_event_id: Annotated[str | None, Header()] = None
) -> ConsoleMessages | Response:
    """What the tab's scripts logged and threw, the last 1,000; with `follow` as server-sent events."""
    ring = (await box.browser.page(query.tab_id)).watcher(Console).ring
    matches = searcher(query.pattern) if query.pattern is not None else None

    def wants(message: Message) -> bool:
        return (query.level is None or message.level is query.level) and (matches is None or matches(message.text))

    if query.follow:
        since = max(query.since, event_number(last_event_id))
        return event_stream(ring, since, wants, _console_entries, name="console", stopping=box.stopping)
    found = ring.read(query.since, wants)[-query.limit :]
    return ConsoleMessages(messages=[_console_entries(message) for message in found], cursor=ring.cursor)


def _console_entries(message: Message) -> ConsoleMessage:
    return ConsoleMessage(
        level=message.level,
        text=message.text,
        url=message.url,
        line=message.line,
        timestamp=datetime.fromtimestamp(message.at, UTC),
    )


_BODY: dict[int | str, dict[str, object]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get(
    "/network",
    operation_id="getBrowserNetwork",
    tells=Kind.HEADERS,
    events={"request": NetworkRequest},
    response_model=NetworkRequests,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def read_network(
    query: Annotated[NetworkQuery, Query()], box: TheBox, last_event_id: Annotated[str | None, Header()] = None
) -> NetworkRequests | Response:
    """The tab's last 1,000 requests, failed ones too; with `follow` as server-sent events, one for each change."""
    ring = (await box.browser.page(query.tab_id)).watcher(Network).ring
    matches = searcher(query.url_pattern) if query.url_pattern is not None else None

    def wants(exchange: Exchange) -> bool:
        return matches is None or matches(exchange.url)

    if query.follow:
        since = max(query.since, event_number(last_event_id))
        return event_stream(ring, since, wants, _network_entries, name="request", stopping=box.stopping)
    found = ring.read(query.since, wants)[-query.limit :]
    return NetworkRequests(requests=[_network_entries(exchange) for exchange in found], cursor=ring.cursor)


@router.get(
    "/network/{id}",
    operation_id="getBrowserNetworkRequest",
    tells=Kind.HEADERS,
    response_model=NetworkRequestDetails,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound, RequestNotFound),
)
async def request_details(
    id: str, box: TheBox, tab_id: Annotated[str | None, Query(alias="tabId")] = None
) -> NetworkRequestDetails:
    """One request with its headers, timing and what began it; without cookies, credentials, tokens and query values."""
    page = await box.browser.page(tab_id)
    exchange, found = page.watcher(Network).details(id)
    entry = _network_entries(exchange).model_dump() | {"url": redact_address(exchange.url)}
    timing = phases(found.timing, exchange.began, exchange.duration) if found.timing else {}
    return NetworkRequestDetails(
        **entry,
        status_text=found.status_text,
        protocol=found.protocol,
        request_headers=[NetworkHeader(name=name, value=value) for name, value in found.request_headers],
        response_headers=[NetworkHeader(name=name, value=value) for name, value in found.response_headers],
        provisional=None if found.is_from_wire else True,
        cut=found.is_cut or None,
        connection_reused=found.is_reused,
        timing=NetworkTiming(**timing) if timing else None,
        initiator=None if found.initiator is None else NetworkInitiator.model_validate(found.initiator),
    )


@router.get(
    "/network/{id}/body",
    operation_id="getBrowserNetworkBody",
    tells=Kind.HEADERS,
    response_class=Response,
    responses=_BODY | problems(BrowserNotActive, TabNotFound, RequestNotFound, ResponseBodyGone, BrowserTimeout),
)
@again_after_restart
async def response_body(id: str, query: Annotated[OnTab, Query()], box: TheBox) -> Response:
    """The body of a response, decoded, as long as Chromium has it: until the tab goes to another page, mostly."""
    async with box.browser.use_page(query, "reading a response") as page:
        body, mime_type = await page.watcher(Network).body(id)
    # Never as a page of ours: a stranger wrote it.
    headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
    return Response(body, media_type=mime_type or "application/octet-stream", headers=headers)


def _network_entries(exchange: Exchange) -> NetworkRequest:
    return NetworkRequest(
        id=exchange.id,
        url=exchange.url,
        method=exchange.method,
        type=exchange.type,
        status=exchange.status,
        mime_type=exchange.mime_type,
        response_size=exchange.wire_size,
        decoded_size=exchange.decoded_size,
        duration=exchange.duration or 0,
        timestamp=datetime.fromtimestamp(exchange.at, UTC),
        error=exchange.error,
        pending=exchange.is_pending or None,
        from_cache=exchange.is_cached or None,
    )
