"""`/api/keys`, `/api/profiles`, `/api/usage`, `/api/audit`: what an operator looks after."""

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated

from belljar.plane.parts import TheAdmin, TheControl, TheKey
from belljar.plane.registry import SessionRow
from belljar.plane.views import event_view, key_view, profile_view
from belljar.problems import Forbidden
from belljar.problems.plane import ProfileInUse, UnknownKey, UnknownProfile
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.access import AdminEgress, ApiKey, CreateKey, CreateProfile, KeyList, Me, Profile, ProfileList
from belljar.wire.base import Ok
from belljar.wire.sessions import EventList, SessionState, SessionUsage, Usage, UsageReport

keys_router = Router(prefix="/api", tags=["keys"])


@keys_router.get("/me", operation_id="getMe")
async def me(key: TheKey, control: TheControl) -> Me:
    """Whose key this is."""
    egress = control.settings.admin_egress if key.is_admin else AdminEgress.OFF
    return Me(user=key.user_id, role=key.role, key_id=key.id, egress=egress)


@keys_router.post("/keys", status_code=201, response_model_exclude_none=True, responses=problems(Forbidden))
async def create_key(body: CreateKey, control: TheControl, admin: TheAdmin) -> ApiKey:
    """Make a key.  It is shown in this answer and never again."""
    key, row = await control.credentials.make_key(body, actor=admin.user_id)
    return key_view(row, key)


@keys_router.get("/keys", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_keys(control: TheControl, _: TheAdmin) -> KeyList:
    """Every key, revoked ones included, without their secrets."""
    return KeyList(keys=[key_view(row) for row in await control.registry.keys.list()])


@keys_router.delete("/keys/{id}", responses=problems(Forbidden, UnknownKey))
async def revoke_key(id: str, control: TheControl, admin: TheAdmin) -> Ok:
    """Make a key worthless, with all tokens, links and cookies that go back to it, and close what they opened.

    Twice is fine.
    """
    gone = await control.registry.keys.revoke(id, actor=admin.user_id)
    if gone is None:
        raise UnknownKey(f"There is no key {id}.")
    control.credentials.forget_keys()
    control.directory.keys_revoked({id})
    for session_id, token_id in gone:
        control.directory.tokens_revoked(session_id, {token_id})
    return Ok()


profiles_router = Router(prefix="/api/profiles", tags=["profiles"])


@profiles_router.get("", response_model_exclude_none=True)
async def list_profiles(control: TheControl, key: TheKey) -> ProfileList:
    """Your profiles; an admin sees everyone's."""
    return ProfileList(profiles=[profile_view(row) for row in await control.profiles.list(key)])


@profiles_router.post("", status_code=201, response_model_exclude_none=True)
async def create_profile(control: TheControl, key: TheKey, body: CreateProfile | None = None) -> Profile:
    """An empty profile, to be used by sessions one after another."""
    return profile_view(await control.profiles.add(key, (body or CreateProfile()).name))


@profiles_router.get("/{id}", response_model_exclude_none=True, responses=problems(UnknownProfile))
async def get_profile(id: str, control: TheControl, key: TheKey) -> Profile:
    """One profile, and the session that runs on it."""
    return profile_view(await control.profiles.get(key, id))


@profiles_router.delete("/{id}", responses=problems(UnknownProfile, ProfileInUse))
async def delete_profile(id: str, control: TheControl, key: TheKey) -> Ok:
    """Remove a profile with everything in it.  Not while a session runs on it."""
    await control.profiles.remove(key, id)
    return Ok()


records_router = Router(prefix="/api", tags=["records"])


@records_router.get("/usage", operation_id="getUsage")
async def usage(
    control: TheControl,
    key: TheKey,
    sessions: Annotated[bool, Query(description="Also list every session.")] = False,
) -> UsageReport:
    """What sessions used, per user; an admin sees everyone's.  Covers what `--retain` keeps."""
    rows = await control.registry.sessions.list(user_id=None if key.is_admin else key.user_id, limit=100_000)
    by_user: dict[str, list[SessionRow]] = defaultdict(list)
    for row in rows:
        by_user[row.user_id].append(row)
    listed = [_of_session(row) for row in rows] if sessions else []
    return UsageReport(users=[_of_user(user, own) for user, own in sorted(by_user.items())], sessions=listed)


@records_router.get("/audit", operation_id="getAudit", response_model_exclude_none=True, responses=problems(Forbidden))
async def audit(
    control: TheControl,
    _: TheAdmin,
    after: Annotated[int, Query(ge=0)] = 0,
    session: Annotated[str | None, Query()] = None,
    user: Annotated[str | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> EventList:
    """Who did what, oldest first: keys, tokens, sessions, profiles, control of boxes."""
    found = await control.registry.events.list(after=after, session_id=session, user_id=user, limit=limit)
    return EventList(
        events=[event_view(event) for event in found], next=found[-1]["id"] if len(found) == limit else None
    )


def _of_user(user: str, rows: Sequence[SessionRow]) -> Usage:
    return Usage(
        user_id=user,
        sessions=len(rows),
        running=sum(row.state is SessionState.RUNNING for row in rows),
        seconds=round(sum(map(_seconds, rows)), 1),
        peak_memory_mb=round(max((row.peak_memory for row in rows), default=0) / 1e6, 1),
        egress_bytes=sum(row.egress_bytes for row in rows),
    )


def _of_session(row: SessionRow) -> SessionUsage:
    return SessionUsage(
        session_id=row.id,
        user_id=row.user_id,
        seconds=round(_seconds(row), 1),
        peak_memory_mb=round(row.peak_memory / 1e6, 1),
        egress_bytes=row.egress_bytes,
    )


def _seconds(row: SessionRow) -> float:
    """How long the session had a box of its own."""
    return 0.0 if row.started_at is None else (row.ended_at or time.time()) - row.started_at
