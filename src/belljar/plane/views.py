"""Rows as a caller sees them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from belljar.plane.access.credentials import TICKET_SECONDS
from belljar.plane.addresses import Public
from belljar.plane.registry import KeyRow, ProfileRow, SessionRow, TicketUse, TokenRow
from belljar.plane.registry.sessions import allowance_of
from belljar.plane.sessions.directory import Directory
from belljar.plane.sessions.keeper import Created
from belljar.plane.sessions.states import LIVE
from belljar.wire.access import ApiKey, KeyKind, Profile
from belljar.wire.browser.lifecycle import StartRequest, ViewportSize
from belljar.wire.isolation import CdpRelay, SessionIsolation
from belljar.wire.sessions import (
    Connect,
    CreateSession,
    Session,
    SessionEvent,
    SessionMode,
    SessionToken,
    TokenRole,
    Viewport,
)

_CAPABILITIES = {
    SessionMode.BROWSER: ["http", "cdp", "live", "view", "processes"],
    SessionMode.DESKTOP: ["http", "live", "view", "desktop", "processes"],
    SessionMode.NONE: ["http", "processes"],
}


def time_at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def maybe_time(seconds: float | None) -> datetime | None:
    return None if seconds is None else time_at(seconds)


def session_view(row: SessionRow, public: Public, directory: Directory, **more: object) -> Session:
    # An earlier version may have written fields that there are no more.
    spec = CreateSession.model_validate(row.spec, extra="ignore")
    allowance = allowance_of(row.spec)
    entry = directory.entries.get(row.id)
    last = max(row.last_activity or row.created_at, 0.0 if entry is None else entry.last_activity)
    is_live = row.state in LIVE
    at = f"/s/{row.id}"
    return Session(
        id=row.id,
        state=row.state,
        reason=row.reason,
        detail=row.detail,
        user_id=row.user_id,
        sandbox_id=row.box_id,
        host=row.host,
        revoked=row.revoked,
        mode=spec.mode,
        headless=spec.headless,
        viewport=spec.viewport,
        screen=screen_of(spec),
        url=spec.url,
        profile_id=row.profile_id,
        read_only=spec.read_only,
        tags=row.tags,
        metadata=row.metadata,
        http_url=public.http + at,
        ws_url=public.ws + at + "/v1/live",
        cdp_url=public.ws + at + "/v1/browser/cdp",
        view_url=public.http + at + "/view",
        capabilities=[one for one in _CAPABILITIES[spec.mode] if one != "cdp" or allowance.cdp is CdpRelay.ON],
        isolation=None if row.isolation is None else SessionIsolation.model_validate(row.isolation),
        created_at=time_at(row.created_at),
        started_at=maybe_time(row.started_at),
        ended_at=maybe_time(row.ended_at),
        expires_at=time_at(row.expires_at),
        idle_timeout=row.idle_timeout,
        idle_timeout_at=time_at(last + row.idle_timeout) if is_live and row.idle_timeout else None,
        last_activity=time_at(last),
        limits=allowance,
        memory_mb=round((row.peak_memory if entry is None else entry.memory) / 1e6, 1) or None,
        cpu_seconds=round(row.cpu_seconds if entry is None else entry.cpu_seconds, 1) or None,
        **more,
    )


def screen_of(spec: CreateSession) -> Viewport | None:
    """How large a session's display is; None where it has none."""
    if spec.mode is SessionMode.NONE or spec.headless and spec.mode is SessionMode.BROWSER:
        return None
    if spec.mode is SessionMode.DESKTOP:
        return spec.viewport
    asked = ViewportSize(width=spec.viewport.width, height=spec.viewport.height)
    width, height = StartRequest(viewport=asked).screen
    return Viewport(width=width, height=height)


def created_view(created: Created, public: Public, directory: Directory) -> Session:
    if created.token is None:
        return session_view(created.row, public, directory)
    connect = connect_view(created.row.id, created.tickets, public, created.row.created_at)
    return session_view(created.row, public, directory, token=created.token.token, connect=connect)


def connect_view(session_id: str, tickets: Mapping[TicketUse, str], public: Public, now: float) -> Connect:
    at = f"/s/{session_id}"
    return Connect(
        cdp_url=f"{public.ws}{at}/v1/browser/cdp?ticket={tickets[TicketUse.CDP]}",
        ws_url=f"{public.ws}{at}/v1/live?ticket={tickets[TicketUse.LIVE]}",
        view_url=f"{public.http}{at}/view#ticket={tickets[TicketUse.VIEW]}",
        expires_at=time_at(now + TICKET_SECONDS),
    )


def token_view(row: TokenRow, session: SessionRow, **more: object) -> SessionToken:
    """A token ends with its session, or before."""
    ends_at = session.expires_at if row.expires_at is None else min(row.expires_at, session.expires_at)
    return SessionToken(
        id=row.id,
        session_id=row.session_id,
        role=TokenRole(row.role),
        note=row.note,
        created_at=time_at(row.created_at),
        expires_at=time_at(ends_at),
        revoked=row.revoked_at is not None,
        **more,
    )


def key_view(row: KeyRow, key: str | None = None) -> ApiKey:
    return ApiKey(
        id=row.id,
        kind=KeyKind.PERSON if row.is_person else KeyKind.KEY,
        user=row.user_id,
        role=row.role,
        name=row.name,
        max_sessions=row.max_sessions,
        max_ttl=row.max_ttl,
        created_at=time_at(row.created_at),
        revoked_at=maybe_time(row.revoked_at),
        last_used_at=maybe_time(row.last_used_at),
        key=key,
    )


def profile_view(row: ProfileRow) -> Profile:
    return Profile(
        id=row.id, user_id=row.user_id, name=row.name, created_at=time_at(row.created_at), session_id=row.session_id
    )


def event_view(event: Mapping[str, Any]) -> SessionEvent:
    return SessionEvent(**{**event, "at": time_at(event["at"])})
