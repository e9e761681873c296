"""Parts of one session: its tokens and tickets, events, picture."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated
from urllib.parse import quote

import anyio
import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.plane.access.credentials import origin_of
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.parts import Plane, TheControl, TheKey
from belljar.plane.registry import KeyRow, TicketUse
from belljar.plane.routes.sessions import own_session
from belljar.plane.sessions.states import LIVE
from belljar.plane.views import connect_view, event_view, token_view
from belljar.problems import NotFound
from belljar.problems.plane import BoxUnreachable, SessionOver, UnknownSession
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Header, Query
from belljar.wire.base import Ok
from belljar.wire.sessions import Connect, CreateTicket, CreateToken, SessionEvent, SessionToken, TokenList

router = Router(prefix="/api/sessions/{id}", tags=["sessions"])

# How often a stream of events looks for what other control planes recorded.
_LOOK_SECONDS = 0.4
_KEEP_ALIVE_SECONDS = 15.0


@router.post(
    "/tokens",
    operation_id="createSessionToken",
    status_code=201,
    response_model_exclude_none=True,
    responses=problems(UnknownSession, SessionOver),
)
async def create_token(id: str, body: CreateToken, request: Request, control: TheControl, key: TheKey) -> SessionToken:
    """A token for somebody else: to watch only, or for a short time."""
    row = await own_session(control, key, id)
    if row.state not in LIVE or row.revoked:
        raise SessionOver("The session is over.", state=row.state, reason=row.reason)
    origin = origin_of(key, is_lasting=True)
    made = control.credentials.make_token(id, origin, body.role, time.time() + body.ttl, body.note)
    of_token = replace(origin, token_id=made.row.id)
    ticket, ticket_row = control.credentials.make_ticket(TicketUse.VIEW, body.role, of_token, id)
    await control.credentials.add([made.row], [ticket_row], actor=key.user_id)
    view_url = f"{control.addresses.of(request.scope).http}/s/{id}/view#ticket={ticket}"
    return token_view(made.row, row, token=made.token, view_url=view_url)


@router.get(
    "/tokens", operation_id="listSessionTokens", response_model_exclude_none=True, responses=problems(UnknownSession)
)
async def list_tokens(id: str, control: TheControl, key: TheKey) -> TokenList:
    """The session's tokens, without their secrets."""
    session = await own_session(control, key, id)
    return TokenList(tokens=[token_view(row, session) for row in await control.registry.tokens.list(id)])


@router.delete("/tokens/{token_id}", operation_id="revokeSessionToken", responses=problems(UnknownSession, NotFound))
async def revoke_token(id: str, token_id: str, control: TheControl, key: TheKey) -> Ok:
    """Make one token worthless, with what it was exchanged for, and close the connections they opened."""
    await own_session(control, key, id)
    gone = await control.registry.tokens.revoke(id, token_id, actor=key.user_id)
    if gone is None:
        raise NotFound("token", token_id)
    control.directory.tokens_revoked(id, gone)
    return Ok()


@router.post(
    "/tickets", operation_id="createSessionTickets", status_code=201, responses=problems(UnknownSession, SessionOver)
)
async def create_tickets(
    id: str, request: Request, control: TheControl, key: TheKey, body: CreateTicket | None = None
) -> Connect:
    """Addresses that open once each, and only what they say, so that no secret of lasting use stands in one."""
    row = await own_session(control, key, id)
    if row.state not in LIVE or row.revoked:
        raise SessionOver("The session is over.", state=row.state, reason=row.reason)
    role = (body or CreateTicket()).role
    made = control.credentials.make_tickets(role, origin_of(key), id)
    await control.credentials.add([], [ticket for _, ticket in made.values()], actor=key.user_id)
    tickets = {use: ticket for use, (ticket, _) in made.items()}
    return connect_view(id, tickets, control.addresses.of(request.scope), time.time())


@router.get(
    "/events",
    operation_id="followSessionEvents",
    # Each is named after its kind.
    events={"*": SessionEvent},
    response_class=StreamingResponse,
    responses=problems(UnknownSession),
)
async def session_events(
    id: str,
    control: TheControl,
    key: TheKey,
    after: Annotated[int, Query(ge=0, le=2**63 - 1, description="An event's id.")] = 0,
    last_event_id: Annotated[
        int, Header(ge=0, le=2**63 - 1, description="As `after`; what browsers send to go on.")
    ] = 0,
) -> Response:
    """The session's life as server-sent events, from its beginning; ends when the session or the key is over."""
    await own_session(control, key, id)
    return StreamingResponse(_stream(control, key, id, max(after, last_event_id)), media_type="text/event-stream")


async def _stream(control: Plane, key: KeyRow, id: str, after: int) -> AsyncIterator[bytes]:
    silent = time.monotonic()
    while not control.stopping.is_set() and not await control.registry.keys.revoked([key.id]):
        row = await control.registry.sessions.get(id)
        for event in await control.registry.events.list(after=after, session_id=id):
            after = event["id"]
            body = event_view(event).model_dump(mode="json", by_alias=True, exclude_none=True)
            yield f"id: {after}\nevent: {event['kind']}\ndata: ".encode() + msgspec.json.encode(body) + b"\n\n"
            silent = time.monotonic()
        if row is None or row.state not in LIVE:
            return
        if time.monotonic() - silent > _KEEP_ALIVE_SECONDS:
            yield b": still here\n\n"
            silent = time.monotonic()
        with anyio.move_on_after(_LOOK_SECONDS):
            await control.stopping.wait()


@router.get(
    "/thumbnail",
    operation_id="getSessionThumbnail",
    is_on_its_host=True,
    response_class=Response,
    responses=problems(UnknownSession, SessionOver, BoxUnreachable),
)
async def session_thumbnail(id: str, control: TheControl, key: TheKey) -> Response:
    """A small picture of what the session shows now."""
    row = await own_session(control, key, id)
    entry = await control.directory.get(id)
    if entry is None or entry.address is None or row.box_id is None or row.state not in LIVE:
        raise SessionOver("The session shows nothing.", state=row.state, reason=row.reason)
    is_desktop = row.spec["mode"] == "desktop"
    shot = f"/v1/{'desktop' if is_desktop else 'browser'}/screenshot?format=jpeg&quality=40"
    headers = {"Cache-Control": "no-store"}
    try:
        answer = await control.calls.call(entry.address, row.box_id, "GET", shot, within=10)
        if not is_desktop:
            said = await control.calls.call(entry.address, row.box_id, "GET", "/v1/browser/status", within=5)
            headers["X-Page-Url"] = quote(str(msgspec.json.decode(said.body).get("url", "")))
    except (BoxRefused, UpstreamError, TimeoutError) as error:
        raise BoxUnreachable("The session's box gave no picture.") from error
    kind = dict(answer.headers).get(b"content-type", b"image/jpeg").decode("latin-1")
    return Response(answer.body, media_type=kind, headers=headers)
