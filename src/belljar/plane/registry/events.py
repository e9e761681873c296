"""The audit log: who did what to which session, key, token or profile, in order; and what of it webhooks are told."""

import json
import secrets
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Text, cast, delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database
from belljar.plane.registry.schema import events, sessions, webhook_deliveries, webhooks
from belljar.problems.plane import DatabaseUnavailable
from belljar.wire.webhooks import DeliveryState, WebhookKind

_MOST_UNWRITTEN = 10_000
# Events are shown to the microsecond, rounded, and kept as floats: the time that one says must find it.
_AS_SHOWN = 0.5e-6
# What webhooks call an event that has another name in the audit log.
_TOLD_AS = {"session.pending": WebhookKind.SESSION_CREATED}
_WEBHOOK_KINDS: frozenset[str] = frozenset(WebhookKind)


async def record(
    connection: AsyncConnection,
    kind: str,
    *,
    actor: str,
    session_id: str | None = None,
    user_id: str | None = None,
    detail: Mapping[str, object] | None = None,
    at: float | None = None,
) -> None:
    """Part of the transaction that does what is recorded: neither stands without the other.

    So with what webhooks are to be told: a control plane that dies a moment later leaves it to the others.
    """
    at = time.time() if at is None else at
    about = {"session_id": session_id, "user_id": user_id}
    await connection.execute(insert(events).values(at=at, kind=kind, actor=actor, detail=dict(detail or {}), **about))
    told_as = _TOLD_AS.get(kind, kind)
    if told_as in _WEBHOOK_KINDS:
        data = {"sessionId": session_id, "userId": user_id, "actor": actor, **(detail or {})}
        await tell_webhooks(connection, WebhookKind(told_as), data, at=at)


async def tell_webhooks(
    connection: AsyncConnection, kind: WebhookKind, data: Mapping[str, Any], *, at: float, only: str | None = None
) -> Sequence[str]:
    """Put down for each webhook that wants it, or for `only` one, what it is to be sent; the ids of that."""
    wanted = webhooks.c.id == only if only is not None else webhooks.c.kinds.contains(f",{kind},")
    ids = (await connection.scalars(select(webhooks.c.id).where(wanted, webhooks.c.disabled_at.is_(None)))).all()
    if not ids:
        return ()
    session_id = data.get("sessionId")
    if session_id is not None:
        tags = await connection.scalar(select(sessions.c.tags).where(sessions.c.id == session_id))
        data = {**data, "tags": tags or {}}
    body = {"type": kind, "timestamp": datetime.fromtimestamp(at, UTC).isoformat(), "data": data}
    row = {
        "kind": kind,
        "session_id": session_id,
        "body": msgspec.json.encode(body).decode(),
        "state": DeliveryState.PENDING,
        "attempts": 0,
        "due_at": at,
        "created_at": at,
    }
    rows = [{**row, "id": f"msg_{secrets.token_hex(12)}", "webhook_id": id} for id in ids]
    await connection.execute(insert(webhook_deliveries), rows)
    return [str(row["id"]) for row in rows]


@dataclass(frozen=True)
class EventSearch:
    """What is looked for in the audit log; what is None does not matter."""

    actor: str | None = None
    # A kind, or with a `.` at its end all that begin so.
    kind: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    since: float | None = None
    until: float | None = None
    # Anywhere in what an event says, whatever its case.
    text: str | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        row = events.c
        exact = ((row.actor, self.actor), (row.session_id, self.session_id), (row.user_id, self.user_id))
        yield from (column == value for column, value in exact if value is not None)
        if self.kind is not None:
            yield row.kind.startswith(self.kind, autoescape=True) if self.kind.endswith(".") else row.kind == self.kind
        if self.since is not None:
            yield row.at >= self.since - _AS_SHOWN
        if self.until is not None:
            yield row.at < self.until - _AS_SHOWN
        if self.text is not None:
            columns = (row.actor, row.kind, row.session_id, row.user_id)
            said = cast(row.detail, Text)
            # JSON is stored with quotes and with letters beyond ASCII escaped.
            escaped = json.dumps(self.text)[1:-1]
            yield or_(
                *(column.icontains(self.text, autoescape=True) for column in (*columns, said)),
                said.icontains(escaped, autoescape=True),
            )


class Events:
    def __init__(self, database: Database) -> None:
        self._database = database
        # What happened while there was nothing to write it into, oldest first; beyond this many the oldest go.
        self._unwritten: deque[dict[str, Any]] = deque(maxlen=_MOST_UNWRITTEN)

    async def add(self, kind: str, *, actor: str, **about: Any) -> None:
        async with self._database.write() as connection:
            await record(connection, kind, actor=actor, **about)

    async def add_in_time(self, kind: str, *, actor: str, **about: Any) -> None:
        """As `add`, for what has happened already and cannot be refused: without a database it is written later."""
        event = {"kind": kind, "actor": actor, "at": time.time(), **about}
        try:
            await self.add(**event)
        except DatabaseUnavailable:
            self._unwritten.append(event)

    async def write_late(self) -> None:
        """What was not written in time.  Raises `DatabaseUnavailable`, and has it still."""
        while self._unwritten:
            event = self._unwritten[0]
            await self.add(**event)
            if self._unwritten and self._unwritten[0] is event:
                self._unwritten.popleft()

    async def list(
        self, *, after: int = 0, session_id: str | None = None, limit: int = 200
    ) -> Sequence[Mapping[str, Any]]:
        """Oldest first, from after the event with id `after`."""
        return await self.search(EventSearch(session_id=session_id), limit=limit, after=after)

    async def search(
        self, wanted: "EventSearch", *, limit: int, after: int = 0, before: int | None = None, newest: bool = False
    ) -> Sequence[Mapping[str, Any]]:
        """Oldest first from after `after`, or newest first from before `before`."""
        query = select(events).where(*wanted.conditions(), events.c.id > after).limit(limit)
        if before is not None:
            query = query.where(events.c.id < before)
        query = query.order_by(events.c.id.desc() if newest else events.c.id)
        async with self._database.read() as connection:
            return [dict(found._mapping) for found in await connection.execute(query)]

    async def count(self, wanted: "EventSearch") -> int:
        async with self._database.read() as connection:
            query = select(func.count()).select_from(events).where(*wanted.conditions())
            return int(await connection.scalar(query) or 0)

    async def newest(self) -> int:
        """The id of the last event; 0 before there is one."""
        async with self._database.read() as connection:
            return await connection.scalar(select(func.max(events.c.id))) or 0

    async def forget(self, before: float) -> None:
        """Remove what is older than `before` and belongs to no session that is kept."""
        async with self._database.write() as connection:
            await connection.execute(delete(events).where(events.c.at < before, events.c.session_id.is_(None)))
