"""A tab's console."""

from datetime import UTC, datetime
from typing import Annotated

from starlette.responses import Response

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Header, Query
from belljar.box.browser.console import Console, Message
from belljar.box.parts import TheBox
from belljar.box.patterns import searcher
from belljar.box.routes.browser.following import event_number, event_stream
from belljar.problems.browser import BrowserNotActive, TabNotFound
from belljar.wire.browser.console import ConsoleMessage, ConsoleMessages, ConsoleQuery

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
        return event_stream(ring, since, wants, _told, name="console", stopping=box.stopping)
    found = ring.read(query.since, wants)[-query.limit :]
    return ConsoleMessages(messages=[_told(message) for message in found], cursor=ring.cursor)


def _told(message: Message) -> ConsoleMessage:
    return ConsoleMessage(
        level=message.level,
        text=message.text,
        url=message.url,
        line=message.line,
        timestamp=datetime.fromtimestamp(message.at, UTC),
    )
