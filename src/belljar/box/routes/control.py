"""Who holds control, for programs.  A viewer does the same over its WebSocket."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.lease import AGENT, viewer
from belljar.box.parts import TheBox, TheCaller
from belljar.problems import Forbidden, InvalidRequest
from belljar.problems.live import ControlHeld, ViewerNotFound
from belljar.tokens import Role
from belljar.wire.control import Control, ControlAction, ControlMoment, ControlQuery, ControlRequest

router = Router(prefix="/v1/control", tags=["control"], acts=False)


@router.get("", operation_id="getControl", tells=Kind.STATE, response_model_exclude_none=True)
async def show(query: Annotated[ControlQuery, Query()], box: TheBox) -> Control:
    """Who holds control now, until when, and who asked for it; with `until` once that has changed."""
    if query.until is not None:
        await box.lease.until(has_person=query.until is ControlMoment.PERSON, wait=query.timeout / 1000)
    return box.lease.state()


@router.post(
    "",
    operation_id="setControl",
    response_model_exclude_none=True,
    responses=problems(ControlHeld, Forbidden, ViewerNotFound),
)
async def move(body: ControlRequest, box: TheBox, caller: TheCaller) -> Control:
    """Take, request, renew, release or give control as the agent, or ask for a person's help.

    What a person holds an agent can ask for and wait for, not take; the operator can end anyone's with `force`.
    """
    match body.action:
        case ControlAction.TAKE:
            await box.lease.take_in_turn(AGENT, wait=body.timeout / 1000)
        case ControlAction.REQUEST:
            box.lease.request(AGENT)
        case ControlAction.RENEW:
            box.lease.check(AGENT)
        case ControlAction.RELEASE:
            if body.force and caller.role is not Role.OPERATOR:
                raise Forbidden("Only the operator's token may end another's control.")
            box.lease.release(AGENT, by_force=body.force)
        case ControlAction.GIVE:
            if not body.to:
                raise InvalidRequest("With the action give, `to` must name a viewer, or agent.")
            box.lease.give(AGENT, AGENT if body.to == "agent" else viewer(body.to))
        case ControlAction.ASK:
            box.lease.ask(body.question)
    return box.lease.state()
