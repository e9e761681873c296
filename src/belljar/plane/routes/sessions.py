"""`/api/sessions`: create, look, change, end."""

import re
import time
from collections.abc import Sequence
from typing import Annotated

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.plane.parts import Plane, TheControl, TheKey
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.routes.session_stream import SessionFilter, follow_sessions
from belljar.plane.routes.usage import tags_of
from belljar.plane.sessions.states import LIVE
from belljar.plane.views import created_view, session_view
from belljar.problems import Forbidden, InvalidRequest
from belljar.problems.plane import (
    AboveCeiling,
    BoxTimeout,
    BoxUnreachable,
    Draining,
    LaunchFailed,
    NoRoom,
    NotHonoured,
    ProfileInUse,
    SessionExists,
    SessionOver,
    TooManySessions,
    UnknownProfile,
    UnknownSession,
    UserCeiling,
    WrongHost,
)
from belljar.server.openapi import problems
from belljar.server.router import Router, json_of
from belljar.server.signature import Header, Query
from belljar.wire.sessions import (
    CreateSession,
    EndReason,
    PatchSession,
    Removed,
    Session,
    SessionGone,
    SessionList,
    SessionsListed,
    SessionState,
)

router = Router(prefix="/api/sessions", tags=["sessions"])

_CREATE = problems(
    AboveCeiling,
    Draining,
    Forbidden,
    LaunchFailed,
    NoRoom,
    NotHonoured,
    ProfileInUse,
    SessionExists,
    SessionOver,
    TooManySessions,
    UnknownProfile,
    UserCeiling,
)
_ONE = problems(UnknownSession)
_ON_ITS_HOST = problems(UnknownSession, WrongHost, BoxUnreachable, BoxTimeout)

# Sessions that are ended side by side.
_AT_ONCE = 8

_CURSOR = re.compile(r"[0-9]{1,12}\.[0-9]{1,12}_[a-z0-9-]{1,48}")

Tags = Annotated[list[str], Query(alias="tag", description="`name` or `name:value`; all must match.")]


@router.post("", status_code=201, response_model=Session, responses=_CREATE)
async def create_session(
    request: Request,
    control: TheControl,
    key: TheKey,
    body: CreateSession | None = None,
    wait: Annotated[bool | None, Query(description="Instead of the body's `wait`.")] = None,
    idempotency_key: Annotated[str | None, Header(max_length=255)] = None,
) -> Response:
    """Start a session.  Answers once its box is usable, or at once with `wait=false`."""
    wanted = body or CreateSession()
    if wait is not None:
        wanted = wanted.model_copy(update={"wait": wait})
    created = await control.sessions.create(wanted, key, idempotency_key)
    view = created_view(created, control.addresses.of(request.scope), control.directory)
    if created.token is None:
        status = 200
    else:
        status = 201 if created.row.state is SessionState.RUNNING else 202
    return json_of(view, status, without_none=True)


@router.get(
    "",
    events={"session": Session, "gone": SessionGone, "listed": SessionsListed},
    response_model=SessionList,
    response_model_exclude_none=True,
)
async def list_sessions(
    request: Request,
    control: TheControl,
    key: TheKey,
    state: Annotated[list[SessionState] | None, Query(description="Those in one of these states.")] = None,
    user: Annotated[str | None, Query(description="An admin's filter; others see their own anyway.")] = None,
    tag: Tags = [],  # noqa: B006  # Pydantic copies it
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    after: Annotated[str | None, Query(description="`next` of the page before.")] = None,
    follow: Annotated[bool, Query(description="Answer with an event stream, which goes on with what changes.")] = False,
) -> SessionList | Response:
    """Sessions, newest first, those that are over included as long as they are kept."""
    if follow:
        user_id = user if key.is_admin else key.user_id
        wanted = SessionFilter(user_id, state, tags_of(tag), limit)
        stream = follow_sessions(control, key, wanted, control.addresses.of(request.scope))
        return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})
    rows = await control.registry.sessions.list(
        user_id=user if key.is_admin else key.user_id,
        states=state,
        tags=tags_of(tag),
        before=None if after is None else _cursor(after),
        limit=limit + 1,
    )
    page = rows[:limit]
    public = control.addresses.of(request.scope)
    next = f"{page[-1].created_at!r}_{page[-1].id}" if len(rows) > limit else None
    return SessionList(sessions=[session_view(row, public, control.directory) for row in page], next=next)


@router.delete("", responses=_ON_ITS_HOST)
async def delete_sessions(control: TheControl, key: TheKey, tag: Annotated[list[str], Query(min_length=1)]) -> Removed:
    """End every session of yours that has all these tags, side by side, on whatever host they run.

    Where another host cannot be reached the answer is `wrong_host`, with what was `removed` and what is `left`.
    """
    rows = await control.registry.sessions.list(
        user_id=None if key.is_admin else key.user_id, states=LIVE, tags=tags_of(tag)
    )
    left = await end_many(control, key, rows)
    removed = [row.id for row in rows if row.id not in left]
    if left:
        raise WrongHost("Some sessions run on hosts that cannot be reached from here.", removed=removed, left=left)
    return Removed(removed=removed)


@router.get("/{id}", response_model_exclude_none=True, responses=_ONE)
async def get_session(id: str, request: Request, control: TheControl, key: TheKey) -> Session:
    """One session, for as long as it is kept."""
    row = await own_session(control, key, id)
    return session_view(row, control.addresses.of(request.scope), control.directory)


@router.patch(
    "/{id}",
    operation_id="updateSession",
    is_on_its_host=True,
    response_model_exclude_none=True,
    responses=_ON_ITS_HOST | problems(SessionOver),
)
async def patch_session(id: str, body: PatchSession, request: Request, control: TheControl, key: TheKey) -> Session:
    """Extend a session, or change its tags and metadata.  The box learns of new times too."""
    row = await own_session(control, key, id)
    if row.state not in LIVE or row.state is SessionState.STOPPING:
        raise SessionOver("The session is over.", state=row.state, reason=row.reason)
    changes = _changes(body, row)
    if body.ttl is not None:
        control.sessions.check_ttl(body.ttl, key)
        changes["expires_at"] = time.time() + body.ttl
    if changes:
        await control.registry.sessions.change(id, kind="session.changed", actor=key.user_id, **changes)
    row = await own_session(control, key, id)
    if "expires_at" in changes or "idle_timeout" in changes:
        await control.sessions.extend(row)
    return session_view(row, control.addresses.of(request.scope), control.directory)


@router.delete("/{id}", is_on_its_host=True, response_model_exclude_none=True, responses=_ON_ITS_HOST)
async def delete_session(id: str, request: Request, control: TheControl, key: TheKey) -> Session:
    """End a session; answers when its box is gone.  Ending it twice is fine."""
    row = await control.sessions.end(id, _reason(key, await own_session(control, key, id)), actor=key.user_id)
    assert row is not None
    return session_view(row, control.addresses.of(request.scope), control.directory)


@router.post("/{id}/revoke", is_on_its_host=True, response_model_exclude_none=True, responses=_ON_ITS_HOST)
async def revoke_session(id: str, request: Request, control: TheControl, key: TheKey) -> Session:
    """Make every token of the session worthless, close its connections and end it."""
    await own_session(control, key, id)
    await control.registry.sessions.change(id, kind="session.revoked", actor=key.user_id, revoked=True)
    row = await control.sessions.end(id, EndReason.REVOKED, actor=key.user_id)
    assert row is not None
    return session_view(row, control.addresses.of(request.scope), control.directory)


async def own_session(control: Plane, key: KeyRow, id: str) -> SessionRow:
    """The session if the key may see it; another user's is as good as none."""
    row = await control.registry.sessions.get(id)
    if row is None or not (key.is_admin or row.user_id == key.user_id):
        raise UnknownSession(f"There is no session {id} of yours.")
    return row


async def end_many(control: Plane, key: KeyRow, rows: Sequence[SessionRow]) -> list[str]:
    """End them all, through other hosts' control planes where they run there; the ids of those that could not be."""
    left: list[str] = []
    turns = anyio.CapacityLimiter(_AT_ONCE)

    async def end(row: SessionRow) -> None:
        async with turns:
            if row.place == control.launcher.place:
                await control.sessions.end(row.id, _reason(key, row), actor=key.user_id)
            elif not await control.gateway.neighbours.end(row, key):
                left.append(row.id)

    async with anyio.create_task_group() as tasks:
        for row in rows:
            tasks.start_soon(end, row)
    return left


def _reason(key: KeyRow, row: SessionRow) -> EndReason:
    """Whose session it was gives it back; anybody else, who must be an admin, takes it away."""
    return EndReason.RELEASED if key.user_id == row.user_id else EndReason.EVICTED


def _changes(body: PatchSession, row: SessionRow) -> dict[str, object]:
    changes: dict[str, object] = {}
    if body.idle_timeout is not None:
        changes["idle_timeout"] = body.idle_timeout
    if body.metadata is not None:
        changes["metadata"] = body.metadata
    if body.tags is not None:
        merged = {**row.tags, **body.tags}
        changes["tags"] = {name: value for name, value in merged.items() if value is not None}
    return changes


def _cursor(after: str) -> tuple[float, str]:
    if not _CURSOR.fullmatch(after):
        raise InvalidRequest("`after` must be the `next` of an earlier answer.")
    at, _, id = after.partition("_")
    return float(at), id
