"""What happens to the browser as a whole, to read or to follow."""

from typing import Annotated

import anyio
from starlette.responses import Response

from belljar.asgi.facts import Kind
from belljar.asgi.router import Router
from belljar.asgi.signature import Header, Query
from belljar.box.parts import TheBox
from belljar.box.routes.browser.following import event_number, event_stream
from belljar.wire.browser.events import BrowserEvent, BrowserEvents

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get(
    "/events",
    operation_id="getBrowserEvents",
    tells=Kind.HISTORY,
    events={"browser": BrowserEvent},
    response_model=BrowserEvents,
    response_model_exclude_none=True,
)
async def read_events(
    box: TheBox,
    since: Annotated[int, Query(ge=0)] = 0,
    follow: Annotated[bool, Query(description="Answer with an event stream.")] = False,
    timeout: Annotated[
        float, Query(ge=0, le=600_000, description="Milliseconds to wait for something to tell, at most.")
    ] = 0,
    last_event_id: Annotated[str | None, Header()] = None,
) -> BrowserEvents | Response:
    """States, tabs, crashes, dialogs and downloads, the last 1,000; also over stops and starts."""
    ring = box.browser.announcements.ring
    if follow:
        since = max(since, event_number(last_event_id))
        return event_stream(ring, since, lambda _: True, lambda one: one, name="browser", stopping=box.stopping)
    with anyio.move_on_after(timeout / 1000):
        await ring.changed(since)
    return BrowserEvents(events=ring.read(since, lambda _: True), cursor=ring.cursor)
