"""Heads of sessions' records at rest, and how far their marks were told."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import tell_webhooks
from belljar.plane.registry.schema import record_heads
from belljar.record.signing import Head
from belljar.wire.webhooks import WebhookKind

if TYPE_CHECKING:
    from belljar.plane.registry.sessions import SessionRow

_HEAD = ("seq", "chain", "t", "key", "signature")


class Records:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, session_id: str, head: Head) -> None:
        """Unless a later one is known."""
        values = {name: getattr(head, name) for name in _HEAD} | {"noted_at": time.time()}
        row = record_heads.c
        async with self._database.admission() as connection:
            known = (await connection.execute(select(row.seq).where(row.session_id == session_id))).first()
            if known is None:
                await connection.execute(insert(record_heads).values(session_id=session_id, told=0, **values))
            elif known.seq is None or known.seq < head.seq:
                await connection.execute(update(record_heads).where(row.session_id == session_id).values(**values))

    async def head(self, session_id: str) -> Head | None:
        row = record_heads.c
        async with self._database.read() as connection:
            query = select(*(row[name] for name in _HEAD)).where(row.session_id == session_id)
            found = (await connection.execute(query)).first()
        return None if found is None or found.seq is None else Head(*found)

    async def told(self, session_id: str) -> int:
        """Up to which event its marks were told."""
        row = record_heads.c
        async with self._database.read() as connection:
            return int(await connection.scalar(select(row.told).where(row.session_id == session_id)) or 0)

    async def tell(
        self,
        session: "SessionRow",
        about: Sequence[tuple[WebhookKind, Mapping[str, Any]]],
        *,
        since: int,
        told: int,
    ) -> bool:
        """Whether this call told it: of several that looked from `since` on, one does."""
        row = record_heads.c
        async with self._database.admission() as connection:
            known = await connection.scalar(select(row.told).where(row.session_id == session.id))
            if (known or 0) != since:
                return False
            if known is None:
                await connection.execute(insert(record_heads).values(session_id=session.id, told=told))
            else:
                await connection.execute(update(record_heads).where(row.session_id == session.id).values(told=told))
            for kind, data in about:
                named = {"sessionId": session.id, "userId": session.user_id, **data}
                await tell_webhooks(connection, kind, named, at=data["t"] / 1e6)
        return True
