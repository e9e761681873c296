"""A session's record, while it runs and after, for as long as it is kept."""

import time
from collections.abc import AsyncIterator
from typing import Annotated

import anyio
import msgspec
from starlette.concurrency import iterate_in_threadpool
from starlette.responses import FileResponse, Response, StreamingResponse

from belljar.plane.parts import Plane, TheControl, TheKey
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.registry.sessions import allowance_of
from belljar.plane.routes.sessions import own_session
from belljar.plane.sessions.states import LIVE
from belljar.problems import NotFound
from belljar.problems.plane import ArtifactsUnavailable, UnknownSession
from belljar.record.export import export
from belljar.record.pictures import picture_response
from belljar.record.segments import Reader
from belljar.record.selection import Found, Selection, find, selection_of
from belljar.server.openapi import problems
from belljar.server.router import JsonBytes, Router
from belljar.server.signature import Header, Query
from belljar.tokens import Role
from belljar.wire.record import (
    ExportFormat,
    RecordEvent,
    RecordHead,
    RecordKey,
    RecordLevel,
    RecordPage,
    RecordQuery,
    SessionRecordProof,
)

router = Router(prefix="/api/sessions/{id}/record", tags=["sessions"], is_on_its_host=True)
keys_router = Router(prefix="/api/record", tags=["records"])

# How often a stream looks for what its box has written.
_LOOK_SECONDS = 0.5
_KEEP_ALIVE_SECONDS = 15.0
_BATCH = 500


@router.get(
    "",
    operation_id="getSessionRecord",
    events={"record": RecordEvent},
    response_model=RecordPage,
    response_model_exclude_none=True,
    responses=problems(UnknownSession, ArtifactsUnavailable),
)
async def session_record(
    id: str,
    query: Annotated[RecordQuery, Query()],
    control: TheControl,
    key: TheKey,
    last_event_id: Annotated[int, Header(ge=0, description="As `since`; what browsers send to go on.")] = 0,
) -> Response:
    """What happened in a session, oldest first; with `follow` as server-sent events, until the session is over."""
    row = await own_session(control, key, id)
    selection = selection_of(query, Role.DRIVE)
    if query.follow:
        stream = _follow(control, key, id, selection, max(query.since, last_event_id))
        return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})
    level = allowance_of(row.spec).record
    async with control.records.open(row) as source:
        if source is None:
            return _page([], query.since, more=False, oldest=0, newest=0, level=level)
        reader = Reader(source.folder)
        found = await anyio.to_thread.run_sync(find, reader, selection, query.since, query.limit)
        newest = await anyio.to_thread.run_sync(reader.newest)
        return _page(found.lines, found.cursor, more=found.more, oldest=reader.oldest(), newest=newest, level=level)


@router.get(
    "/export",
    operation_id="exportSessionRecord",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/octet-stream": {}}},
        **problems(UnknownSession, NotFound, ArtifactsUnavailable),
    },
)
async def export_record(
    id: str,
    control: TheControl,
    key: TheKey,
    format: Annotated[ExportFormat, Query(description="What to make of it.")] = ExportFormat.ZIP,
) -> Response:
    """The whole record, as other programs read it."""
    row = await own_session(control, key, id)
    async with control.records.open(row, films=True) as source:
        if source is None:
            raise NotFound("record", id)
        made = export(source, format, f"session-{id}")

    async def pieces() -> AsyncIterator[bytes]:
        async with control.records.open(row, films=True) as source:
            if source is not None:
                async for piece in iterate_in_threadpool(export(source, format).pieces):
                    yield piece

    return StreamingResponse(pieces(), media_type=made.media_type, headers=made.headers)


@router.get(
    "/pictures/{sha256}",
    operation_id="getSessionRecordPicture",
    response_class=FileResponse,
    responses={200: {"content": {"image/jpeg": {}}}, **problems(UnknownSession, NotFound, ArtifactsUnavailable)},
)
async def session_picture(id: str, sha256: str, control: TheControl, key: TheKey) -> Response:
    """A picture that events of kind `screen` name."""
    row = await own_session(control, key, id)
    if row.box_id is None:
        raise NotFound("picture", sha256[:64])
    async with control.artifacts.record(row.box_id) as found:
        if found is None:
            raise NotFound("picture", sha256[:64])
        return await picture_response(found.folder, sha256)


@router.get(
    "/proof",
    operation_id="getSessionRecordProof",
    response_model_exclude_none=True,
    responses=problems(UnknownSession, NotFound),
)
async def session_proof(id: str, control: TheControl, key: TheKey) -> SessionRecordProof:
    """The key of the session's box, certified by the installation's, and the last head that the database has."""
    row = await own_session(control, key, id)
    if row.box_id is None:
        raise NotFound("record", id)
    head = await control.registry.records.head(id)
    return SessionRecordProof(
        installation=_installation_key(control),
        key=RecordKey.model_validate(msgspec.to_builtins(control.records.key_of(row.box_id))),
        head=None if head is None else RecordHead.model_validate(msgspec.to_builtins(head)),
    )


@keys_router.get("/key", operation_id="getRecordKey", response_model_exclude_none=True)
async def record_key(control: TheControl, _: TheKey) -> RecordKey:
    """The public key of this installation, which certifies those of its boxes: keep it, to verify records with."""
    return _installation_key(control)


def _installation_key(control: Plane) -> RecordKey:
    key = control.records.installation_key
    return RecordKey(id=key.id, public_key=key.public_key)


async def _follow(control: Plane, key: KeyRow, id: str, selection: Selection, since: int) -> AsyncIterator[bytes]:
    """What is there, then what comes; ends when the session or the key is over, or the server stops."""
    yield b":\n\n"
    silent = time.monotonic()
    while not control.stopping.is_set() and not await control.registry.keys.revoked([key.id]):
        row = await control.registry.sessions.get(id)
        if row is None:
            return
        while (found := await _find(control, row, selection, since)) is not None:
            since = found.cursor
            if found.lines:
                pairs = zip(found.numbers, found.lines, strict=True)
                yield b"".join(b"event: record\nid: %d\ndata: %b\n\n" % pair for pair in pairs)
                silent = time.monotonic()
            if found.is_over:
                return
            if not found.more:
                break
        if row.state not in LIVE:
            return
        if time.monotonic() - silent > _KEEP_ALIVE_SECONDS:
            yield b":\n\n"
            silent = time.monotonic()
        with anyio.move_on_after(_LOOK_SECONDS):
            await control.stopping.wait()


async def _find(control: Plane, row: SessionRow, selection: Selection, since: int) -> Found | None:
    async with control.records.open(row) as source:
        if source is None:
            return None
        return await anyio.to_thread.run_sync(find, Reader(source.folder), selection, since, _BATCH)


def _page(lines: list[bytes], cursor: int, *, more: bool, oldest: int, newest: int, level: RecordLevel) -> Response:
    """Events go out as they stand on disk."""
    rest = b'"cursor":%d,"more":%b,"oldest":%d,"newest":%d,"level":"%b"' % (
        cursor,
        b"true" if more else b"false",
        oldest,
        newest,
        level.value.encode(),
    )
    return JsonBytes(b'{"events":[%b],%b}' % (b",".join(lines), rest))
