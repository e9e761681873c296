"""What a record is proved by, and what it can be had as."""

import msgspec

from belljar.box.parts import TheBox
from belljar.problems import NotFound
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.wire.record_export import RecordHead, RecordKey, RecordProof

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
