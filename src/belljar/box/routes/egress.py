"""The network policy: read it, tighten or replace it, and see what went through."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal

import anyio
import msgspec
from starlette.responses import Response, StreamingResponse

from belljar.box.parts import Box, TheBox, TheCaller, TheOperator
from belljar.box.sandbox import WayOut
from belljar.egress.policy.file import BadPolicy, redacted, suggest
from belljar.egress.proxy.gate import Record
from belljar.problems import Forbidden
from belljar.problems.box import PolicyInvalid
from belljar.server.openapi import problems
from belljar.server.router import AtGateway, Kind, Router
from belljar.server.signature import Query
from belljar.tokens import Role
from belljar.wire.isolation import (
    EgressConnection,
    EgressLog,
    EgressLoosening,
    EgressPolicy,
    EgressRestriction,
    EgressSuggestion,
)

router = Router(prefix="/v1/egress", tags=["egress"], acts=False)

# A comment goes out after this long without an event, so that a reader that left is noticed.
SILENCE = 15.0


@router.get("/policy", operation_id="getEgressPolicy", tells=Kind.EGRESS, response_model_exclude_none=True)
async def read_policy(box: TheBox) -> EgressPolicy:
    """The policy in force."""
    return _shown(box.isolation.way_out)


@router.put(
    "/policy",
    operation_id="setEgressPolicy",
    is_operators=True,
    gateway=AtGateway(audited="egress"),
    response_model_exclude_none=True,
)
async def set_policy(body: EgressPolicy, box: TheBox, caller: TheCaller) -> EgressPolicy:
    """Replace the policy.  It holds when this answers, and connections that it does not allow are cut.

    Whoever drives the box may only tighten: put `deny` rules before what is there, or allow nothing at all.
    """
    way_out = box.isolation.way_out
    allow = tuple(body.allow)
    try:
        async with way_out.changing:
            if caller.role is not Role.OPERATOR and not way_out.is_tightened_by(body.policy, allow):
                raise Forbidden("Only the operator's token may loosen the network policy.")
            await way_out.set_policy(body.policy, allow)
    except BadPolicy as error:
        raise PolicyInvalid(error.reason, error.line) from error
    return _shown(way_out)


@router.post(
    "/restrict",
    operation_id="restrictEgress",
    gateway=AtGateway(audited="egress"),
    response_model_exclude_none=True,
)
async def restrict(body: EgressRestriction, box: TheBox) -> EgressPolicy:
    """Put refusals before the policy in force, for as long as the box runs; whoever drives it may.

    It holds when this answers, and connections that it does not allow are cut.  Asking twice is as good as once.
    """
    way_out = box.isolation.way_out
    try:
        await way_out.restrict(deny=body.deny, only=body.only)
    except BadPolicy as error:
        raise PolicyInvalid(error.reason, error.line) from error
    return _shown(way_out)


@router.post(
    "/loosen",
    operation_id="loosenEgress",
    is_operators=True,
    gateway=AtGateway(is_shut=True),
    response_model_exclude_none=True,
    responses=problems(Forbidden, PolicyInvalid),
)
async def loosen(body: EgressLoosening, box: TheBox, _: TheOperator) -> EgressPolicy:
    """Put permissions before the policy in force, or have it learn, for as long as the box runs; the operator may.

    It holds when this answers.  Asking twice is as good as once.
    """
    way_out = box.isolation.way_out
    try:
        await way_out.loosen(allow=body.allow, learn=body.learn)
    except BadPolicy as error:
        raise PolicyInvalid(error.reason, error.line) from error
    return _shown(way_out)


@router.get(
    "/log",
    operation_id="getEgressLog",
    tells=Kind.EGRESS,
    events={"connection": EgressConnection},
    response_model=EgressLog,
    response_model_exclude_none=True,
)
async def read_log(
    box: TheBox,
    follow: Annotated[Literal["true", "false"], Query(description="Answer with an event stream.")] = "false",
    decision: Annotated[Literal["allow", "deny"] | None, Query(description="Only these.")] = None,
) -> EgressLog | Response:
    """Each connection: when it is decided and, in the stream, again when it ends."""
    if follow == "true":
        headers = {"Cache-Control": "no-cache"}
        return StreamingResponse(_events(box, decision), media_type="text/event-stream", headers=headers)
    records = [record for record in box.isolation.way_out.log if decision in (None, record.decision)]
    return EgressLog(connections=[_connection(record) for record in records])


@router.get("/suggestion", operation_id="getEgressSuggestion", tells=Kind.EGRESS, response_model_exclude_none=True)
async def read_suggestion(box: TheBox) -> EgressSuggestion:
    """After a time in learn mode: the policy that fits."""
    return EgressSuggestion(policy=suggest(box.isolation.way_out.log))


async def _events(box: Box, decision: str | None) -> AsyncIterator[bytes]:
    with box.isolation.way_out.log.watch() as records:
        yield b":\n\n"
        while not box.stopping.is_set():
            record = None
            with anyio.move_on_after(SILENCE):
                record = await records.receive()
            if record is None:
                yield b":\n\n"
            elif decision in (None, record.decision):
                body = _connection(record).model_dump(mode="json", by_alias=True, exclude_none=True)
                yield b"event: connection\nid: %d\ndata: %b\n\n" % (record.id, msgspec.json.encode(body))


def _shown(way_out: WayOut) -> EgressPolicy:
    return EgressPolicy(policy=redacted(way_out.text), allow=list(way_out.allow))


def _connection(record: Record) -> EgressConnection:
    return EgressConnection(
        id=record.id,
        time=record.time,
        host=record.host,
        port=record.port,
        scheme=record.scheme,
        address=record.address,
        upstream=record.upstream,
        decision=record.decision,
        rule=record.rule,
        reason=record.reason or None,
        requests=record.requests,
        bytes_sent=record.bytes_sent,
        bytes_received=record.bytes_received,
        duration_ms=None if record.duration is None else round(record.duration * 1000, 3),
    )
