"""The audit log: who did what to which session, key, token or profile, in order."""

import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database
from belljar.plane.registry.schema import events
from belljar.problems.plane import DatabaseUnavailable

_MOST_UNWRITTEN = 10_000


async def record(
    connection: AsyncConnection,
    kind: str,
    *,
    actor: str,
    session_id: str | None = None,
    user_id: str | None = None,
    detail: Mapping[str, Any] | None = None,
    at: float | None = None,
) -> None:
    """Part of the transaction that does what is recorded: neither stands without the other."""
    await connection.execute(
        insert(events).values(
            at=time.time() if at is None else at,
            kind=kind,
            session_id=session_id,
            user_id=user_id,
            actor=actor,
            detail=dict(detail or {}),
        )
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
        self, *, after: int = 0, session_id: str | None = None, user_id: str | None = None, limit: int = 200
    ) -> Sequence[Mapping[str, Any]]:
        """Oldest first, from after the event with id `after`."""
        query = select(events).where(events.c.id > after).order_by(events.c.id).limit(limit)
        if session_id is not None:
            query = query.where(events.c.session_id == session_id)
        if user_id is not None:
            query = query.where(events.c.user_id == user_id)
        async with self._database.read() as connection:
            return [dict(found._mapping) for found in await connection.execute(query)]

    async def forget(self, before: float) -> None:
        """Remove what is older than `before` and belongs to no session that is kept."""
        async with self._database.write() as connection:
            await connection.execute(delete(events).where(events.c.at < before, events.c.session_id.is_(None)))
