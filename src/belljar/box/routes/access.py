"""Access for programs: claiming the box, who holds control, tokens for others and signing in."""

import secrets
import time
from datetime import UTC, datetime
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from belljar.box.access.lease import AGENT, viewer
from belljar.box.access.sign_in import LINK_SECONDS
from belljar.box.allowance import tighten
from belljar.box.parts import TheBox, TheCaller, TheOperator
from belljar.problems import Conflict, Forbidden, InvalidRequest
from belljar.problems.box import ControlHeld, ViewerNotFound
from belljar.problems.plane import BoxNotTightened, NotHonoured
from belljar.server.openapi import problems
from belljar.server.router import AtGateway, Instead, Kind, Router, json_of
from belljar.server.signature import Query
from belljar.tokens import Role, cookie_name
from belljar.wire.access import (
    COOKIE_PATH,
    Claim,
    Claimed,
    MakeLink,
    MintedToken,
    MintToken,
    SignedIn,
    SignIn,
    ViewLink,
)
from belljar.wire.base import Ok
from belljar.wire.control import Control, ControlAction, ControlMoment, ControlQuery, ControlRequest
from belljar.wire.isolation import SessionIsolation

claim_router = Router(tags=["control"], acts=False)


@claim_router.post(
    "/v1/claim",
    operation_id="claimBox",
    counts=False,
    gateway=AtGateway(is_shut=True),
    responses=problems(BoxNotTightened, Conflict, Forbidden, NotHonoured),
)
async def claim(body: Claim, box: TheBox, _: TheOperator) -> Claimed:
    """Give the box to a session, with what it may use and do, or move its times; one session only, ever.

    Only the operator's token may.
    """
    box.tenancy.claim(body.session_id, body.expires_at, body.idle_timeout)
    if body.allowance is not None:
        parts = (box.permissions, box.isolation, box.live, box.record, box.session_film)
        await tighten(body.allowance, body.asked, *parts)
    report = box.isolation.report
    return Claimed(
        box_id=box.settings.box_id,
        session_id=body.session_id,
        expires_at=body.expires_at,
        isolation=SessionIsolation(jail=report.jail, reason=report.reason, disk=report.disk),
    )


control_router = Router(prefix="/v1/control", tags=["control"], acts=False)


@control_router.get("", operation_id="getControl", tells=Kind.STATE, response_model_exclude_none=True)
async def show(query: Annotated[ControlQuery, Query()], box: TheBox) -> Control:
    """Who holds control now, until when, and who asked for it; with `until` once that has changed."""
    if query.until is not None:
        await box.lease.until(has_person=query.until is ControlMoment.PERSON, wait=query.timeout / 1000)
    return box.lease.state()


@control_router.post(
    "",
    operation_id="setControl",
    gateway=AtGateway(audited="control"),
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


tokens_router = Router(tags=["tokens"], acts=False)


@tokens_router.post(
    "/v1/tokens",
    operation_id="createToken",
    is_operators=True,
    gateway=AtGateway(instead=Instead.REFUSAL),
    responses=problems(Forbidden),
)
async def mint(body: MintToken, request: Request, box: TheBox, _: TheOperator) -> MintedToken:
    """Sign a token for somebody else, to drive or only to watch, and a one-time link that opens the viewer page."""
    name = body.name or f"{body.role}-{secrets.token_hex(3)}"
    if body.once:
        token, said = box.keys.mint_once(body.role, name, min(body.ttl, LINK_SECONDS))
    else:
        token, said = box.keys.mint(body.role, name, body.ttl)
    ticket = box.people.make_ticket(body.role, name, until=said.expires_at)
    return MintedToken(
        id=said.id,
        token=token,
        role=said.role,
        name=name,
        expires_at=datetime.fromtimestamp(said.expires_at, UTC),
        link=f"{str(request.base_url).rstrip('/')}/view#ticket={ticket}",
    )


@tokens_router.post("/v1/live/links", operation_id="createLiveLink", gateway=AtGateway(instead=Instead.LINK))
async def make_link(body: MakeLink, request: Request, box: TheBox, caller: TheCaller) -> ViewLink:
    """A one-time link that opens the viewer page, for a person to watch or to take over from whoever asks."""
    name = f"{body.role}-{secrets.token_hex(3)}"
    ticket = box.people.make_ticket(body.role, name, until=caller.expires_at or 0)
    return ViewLink(
        link=f"{str(request.base_url).rstrip('/')}/view#ticket={ticket}",
        role=body.role,
        expires_at=datetime.fromtimestamp(time.time() + LINK_SECONDS, UTC),
    )


@tokens_router.post(
    "/view/session",
    operation_id="signInToView",
    is_open=True,
    gateway=AtGateway(is_page=True, instead=Instead.SIGN_IN),
    response_model=SignedIn,
    openapi_extra={"security": []},
)
async def sign_in(body: SignIn, request: Request, box: TheBox) -> Response:
    """Exchange a one-time link's ticket, or a token, for the cookie that the viewer page and its WebSocket use."""
    value, said = box.people.sign_in(body)
    expires_at = datetime.fromtimestamp(said.expires_at, UTC)
    response = json_of(SignedIn(role=said.role, name=said.user_id, expires_at=expires_at))
    _set_cookie(request, response, box, value, body.path, round(said.expires_at - time.time()))
    response.headers["cache-control"] = "no-store"
    return response


@tokens_router.delete(
    "/view/session",
    operation_id="signOutOfView",
    is_open=True,
    gateway=AtGateway(is_page=True, instead=Instead.SIGN_IN),
    response_model=Ok,
    openapi_extra={"security": []},
)
async def sign_out(
    request: Request, box: TheBox, path: Annotated[str, Query(pattern=f"^(?:{COOKIE_PATH})?$", max_length=512)] = ""
) -> Response:
    """Forget the cookie in this browser."""
    response = json_of(Ok())
    _set_cookie(request, response, box, "", path, 0)
    return response


def _set_cookie(request: Request, response: Response, box: TheBox, value: str, path: str | None, age: int) -> None:
    # TLS may end at a proxy before us: the browser knows, and says so in its Origin.
    is_secure = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
    own = request.scope.get("root_path", "")
    response.set_cookie(
        cookie_name(box.settings.box_id),
        value,
        max_age=age,
        path=f"{own}/" if own else path or "/",
        secure=is_secure,
        httponly=True,
        samesite="strict",
    )
