"""The record: read it, follow it, and mark places in it."""

from collections.abc import AsyncIterator
from typing import Annotated

import anyio
from starlette.responses import Response, StreamingResponse

from belljar.box.parts import Box, TheActor, TheBox, TheCaller
from belljar.limits import whole_number
from belljar.problems import Conflict
from belljar.problems.box import DiskFull
from belljar.record.selection import Found, Selection, find, selection_of
from belljar.server.openapi import problems
from belljar.server.router import JsonBytes, Kind, Router
from belljar.server.signature import Header, Query
from belljar.tasks import background
from belljar.wire.record import EventKind, Mark, MarkedMoment, RecordEvent, RecordPage, RecordQuery

router = Router(prefix="/v1/events", tags=["record"], acts=False)

# A comment this often keeps proxies from closing a quiet stream, and tells us of clients that vanished.
COMMENT_SECONDS = 15.0
# Events that are read at once for a follower.
_BATCH = 500


# Reading what was done is no use of a box.
@router.get(
    "",
    operation_id="getEvents",
    tells=Kind.STATE,
    counts=False,
    events={"record": RecordEvent},
    response_model=RecordPage,
    response_model_exclude_none=True,
)
async def read_events(
    query: Annotated[RecordQuery, Query()],
    box: TheBox,
    caller: TheCaller,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """What agent, person, page and policy did, oldest first, as far as the caller's role may be told.

    Everything that happened before it is asked for is in it.  With `follow` as server-sent events, and then what comes;
    after a cut `Last-Event-ID` goes on where it ended, without losing or doubling anything.
    """
    selection = selection_of(query, caller.role)
    if query.follow:
        since = max(query.since, whole_number(last_event_id) or 0)
        headers = {"Cache-Control": "no-cache"}
        return StreamingResponse(_followed(box, selection, since), media_type="text/event-stream", headers=headers)
    await box.record.flush()
    return _page(box, await _find(box, selection, query.since, query.limit))


@router.post(
    "/marks", operation_id="markEvents", response_model_exclude_none=True, responses=problems(Conflict, DiskFull)
)
async def mark(body: Mark, box: TheBox, actor: TheActor) -> MarkedMoment:
    """Mark this moment, to find it again in the record and in films; with `film` also keep the minutes before it."""
    bus = box.record.bus
    moment = bus.clock.now()
    bus.tell(EventKind.MARK, "mark", actor=actor, data={"mark": body.text}, mono=moment)
    film = await box.session_film.keep() if body.film else None
    return MarkedMoment(t=bus.clock.origin.wall + moment, recording_id=None if film is None else film.id)


async def _find(box: Box, selection: Selection, since: int, limit: int) -> Found:
    return await anyio.to_thread.run_sync(find, box.record.reader, selection, since, limit)


async def _followed(box: Box, selection: Selection, since: int) -> AsyncIterator[bytes]:
    """What is there after `since`, then what comes, until the server stops or nothing more can come.

    What is there is told also to who began to follow only just before the stop, a batch at most.
    """
    record = box.record
    with record.followed():
        yield b":\n\n"
        await record.flush()
        while True:
            found = await _find(box, selection, since, _BATCH)
            since = found.cursor
            if found.lines:
                pairs = zip(found.numbers, found.lines, strict=True)
                yield b"".join(b"event: record\nid: %d\ndata: %b\n\n" % pair for pair in pairs)
            if found.is_over or box.stopping.is_set():
                return
            if not found.more and not await _written(box, since):
                yield b":\n\n"


async def _written(box: Box, since: int) -> bool:
    """Wait for something after `since`; false after a while of nothing.  The server's stop ends it too."""
    record = box.record
    with anyio.move_on_after(COMMENT_SECONDS) as scope:

        async def end() -> None:
            await box.stopping.wait()
            scope.cancel()
            await anyio.sleep_forever()

        async with background(end, name="the server's stop"):
            await record.written.until(lambda: record.newest > since)
    return not scope.cancelled_caught or box.stopping.is_set()


def _page(box: Box, found: Found) -> Response:
    """Events go out as they stand on disk: a `RecordPage`, without being read and written again."""
    record = box.record
    rest = b'"cursor":%d,"more":%b,"oldest":%d,"newest":%d,"level":"%b"' % (
        found.cursor,
        b"true" if found.more else b"false",
        record.reader.oldest(),
        record.newest,
        record.level.value.encode(),
    )
    return JsonBytes(b'{"events":[%b],%b}' % (b",".join(found.lines), rest))
