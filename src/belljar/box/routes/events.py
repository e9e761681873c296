"""The record: read it, follow it, and mark places in it."""

from typing import Annotated

import anyio
from starlette.responses import Response

from belljar.box.parts import Box, TheBox, TheCaller
from belljar.record.selection import Found, find, selection_of
from belljar.server.router import JsonBytes, Kind, Router
from belljar.server.signature import Query
from belljar.wire.record import RecordEvent, RecordPage, RecordQuery

# Reading what was done is no use of a box.
router = Router(prefix="/v1/events", tags=["record"], acts=False)


@router.get(
    "",
    operation_id="getEvents",
    tells=Kind.STATE,
    counts=False,
    events={"record": RecordEvent},
    response_model=RecordPage,
    response_model_exclude_none=True,
)
async def read_events(query: Annotated[RecordQuery, Query()], box: TheBox, caller: TheCaller) -> Response:
    """What agent, person, page and policy did, oldest first, as far as the caller's role may be told.

    Everything that happened before it is asked for is in it.
    """
    selection = selection_of(query, caller.role)
    await box.record.flush()
    found = await anyio.to_thread.run_sync(find, box.record.reader, selection, query.since, query.limit)
    return _page(box, found)


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
