"""The requests a tab made."""

from datetime import UTC, datetime
from typing import Annotated, Any

from starlette.responses import Response

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Header, Query
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.network import Exchange, Network
from belljar.box.parts import TheBox
from belljar.box.patterns import searcher
from belljar.box.routes.browser.following import event_number, event_stream
from belljar.problems.browser import (
    BrowserNotActive,
    BrowserTimeout,
    RequestNotFound,
    ResponseBodyGone,
    TabNotFound,
)
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.network import NetworkQuery, NetworkRequest, NetworkRequests

router = Router(prefix="/v1/browser", tags=["browser"])
_BODY: dict[int | str, dict[str, Any]] = {200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}}


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
        return event_stream(ring, since, wants, _told, name="request", stopping=box.stopping)
    found = ring.read(query.since, wants)[-query.limit :]
    return NetworkRequests(requests=[_told(exchange) for exchange in found], cursor=ring.cursor)


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


def _told(exchange: Exchange) -> NetworkRequest:
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
