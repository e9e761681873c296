"""What was used and what was done: `/api/usage`, `/api/audit`."""

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.control.parts import TheAdmin, TheControl, TheKey
from belljar.control.registry import SessionRow
from belljar.control.views import event_view
from belljar.problems import Forbidden
from belljar.wire.sessions import EventList, SessionState, SessionUsage, Usage, UsageReport

router = Router(prefix="/api", tags=["records"])


@router.get("/usage", operation_id="getUsage")
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


@router.get("/audit", operation_id="getAudit", response_model_exclude_none=True, responses=problems(Forbidden))
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
