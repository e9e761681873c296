"""What a record is proved by, and what it can be had as."""

from typing import Annotated

import anyio
import msgspec
from starlette.concurrency import iterate_in_threadpool
from starlette.responses import FileResponse, Response, StreamingResponse

from belljar.box.parts import TheBox
from belljar.problems import NotFound
from belljar.record.pictures import picture_response
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.wire.record import ExportFormat, RecordHead, RecordKey, RecordProof

# Reading what was done is no use of a box.
router = Router(prefix="/v1/events", tags=["record"], acts=False)


@router.get(
    "/proof",
    operation_id="getEventsProof",
    tells=Kind.STATE,
    counts=False,
    response_model_exclude_none=True,
    responses=problems(NotFound),
)
async def proof(box: TheBox) -> RecordProof:
    """The public half of the key that signs the record, and its last head: over all that happened until now."""
    if box.heads is None:
        raise NotFound("key", "record")
    await box.record.flush()
    head = box.heads.head
    return RecordProof(
        key=RecordKey.model_validate(msgspec.to_builtins(box.heads.public)),
        head=None if head is None else RecordHead.model_validate(msgspec.to_builtins(head)),
    )


@router.get(
    "/pictures/{sha256}",
    operation_id="getEventPicture",
    tells=Kind.FILES,
    counts=False,
    response_class=FileResponse,
    responses={200: {"content": {"image/jpeg": {}}}, **problems(NotFound)},
)
async def picture(sha256: str, box: TheBox) -> Response:
    """A picture that events of kind `screen` name."""
    return await picture_response(box.record.folder, sha256)


@router.get(
    "/export",
    operation_id="exportEvents",
    tells=Kind.HISTORY,
    counts=False,
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "As it is made."}},
)
async def export_events(
    box: TheBox,
    format: Annotated[ExportFormat, Query(description="What to make of it.")] = ExportFormat.ZIP,
) -> Response:
    """The whole record, as other programs read it; it is sent as it is made."""
    # Loaded when it is asked for: an idle box needs none of it.
    from belljar.record.export import RecordSource, export

    await box.record.flush()
    state = box.settings.state_dir.resolve()
    films = await anyio.to_thread.run_sync(lambda: sorted(state.glob("desktop/recordings/rec_*.mp4")))
    source = RecordSource(box.record.folder, tuple(films))
    made = export(source, format)
    return StreamingResponse(iterate_in_threadpool(made.pieces), media_type=made.media_type, headers=made.headers)
