"""What happens to the browser as a whole, to read or to follow."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from belljar.asgi.routing import JsonRoute
from belljar.box.parts import TheBox
from belljar.box.routes.browser.following import event_number, event_stream
from belljar.wire.browser.events import BrowserEvents

router = APIRouter(prefix="/v1/browser", tags=["browser"], route_class=JsonRoute)


@router.get("/events", response_model=BrowserEvents, response_model_exclude_none=True)
async def read_events(
    box: TheBox,
    since: Annotated[int, Query(ge=0)] = 0,
    follow: Annotated[bool, Query(description="Answer with an event stream.")] = False,
    last_event_id: Annotated[str | None, Header()] = None,
) -> BrowserEvents | Response:
    """States, tabs, crashes, dialogs and downloads, the last 1,000; also over stops and starts."""
    ring = box.browser.announcements.ring
    if follow:
        since = max(since, event_number(last_event_id))
        return event_stream(ring, since, lambda _: True, lambda one: one, name="browser", stopping=box.stopping)
    return BrowserEvents(events=ring.read(since, lambda _: True), cursor=ring.cursor)
