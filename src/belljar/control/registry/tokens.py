"""Session tokens and one-time tickets at rest: enough to list, revoke and spend them, not to use them."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.control.registry.database import Database
from belljar.control.registry.events import record
from belljar.control.registry.schema import tickets, tokens


@dataclass(frozen=True)
class TokenRow:
    id: str
    session_id: str
    role: str
    note: str
    created_at: float
    expires_at: float
    revoked_at: float | None
    parent_id: str | None = None


@dataclass(frozen=True)
class TicketRow:
    digest: str
    session_id: str | None
    key_id: str | None
    role: str
    token_id: str | None
    expires_at: float
    spent_at: float | None


class Tokens:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        rows: Collection[TokenRow],
        ticket_rows: Collection[TicketRow] = (),
        *,
        actor: str,
        connection: AsyncConnection | None = None,
    ) -> None:
        if connection is None:
            async with self._database.write() as own:
                await self.add(rows, ticket_rows, actor=actor, connection=own)
            return
        for row in rows:
            await connection.execute(insert(tokens).values(**vars(row)))
            detail = {"tokenId": row.id, "role": row.role, "note": row.note}
            await record(connection, "token.made", actor=actor, session_id=row.session_id, detail=detail)
        if ticket_rows:
            await connection.execute(insert(tickets), [vars(ticket) for ticket in ticket_rows])

    async def list(self, session_id: str) -> Sequence[TokenRow]:
        query = select(tokens).where(tokens.c.session_id == session_id).order_by(tokens.c.created_at)
        async with self._database.read() as connection:
            return [TokenRow(**found._mapping) for found in await connection.execute(query)]

    async def revoked(self, session_ids: Collection[str]) -> Mapping[str, frozenset[str]]:
        """The revoked tokens of each session that has any."""
        if not session_ids:
            return {}
        query = select(tokens.c.session_id, tokens.c.id).where(
            tokens.c.session_id.in_(session_ids), tokens.c.revoked_at.is_not(None)
        )
        found: dict[str, set[str]] = {}
        async with self._database.read() as connection:
            for session_id, id in await connection.execute(query):
                found.setdefault(session_id, set()).add(id)
        return {session_id: frozenset(ids) for session_id, ids in found.items()}

    async def revoke(self, session_id: str, id: str, *, actor: str) -> bool:
        """Whether the session has such a token; revoking twice is fine.

        Its unspent tickets go with it, and so does what people signed in to with them.
        """
        where = (tokens.c.session_id == session_id, tokens.c.id == id)
        async with self._database.write() as connection:
            found = (await connection.execute(select(tokens).where(*where))).first()
            if found is None:
                return False
            if found.revoked_at is None:
                family = (tokens.c.session_id == session_id) & ((tokens.c.id == id) | (tokens.c.parent_id == id))
                await connection.execute(update(tokens).where(family).values(revoked_at=time.time()))
                await connection.execute(delete(tickets).where(tickets.c.token_id == id))
                detail = {"tokenId": id, "role": found.role}
                await record(connection, "token.revoked", actor=actor, session_id=session_id, detail=detail)
            return True

    async def ticket(self, digest: str) -> TicketRow | None:
        """A ticket that is still good."""
        query = select(tickets).where(_is_good(digest))
        async with self._database.read() as connection:
            found = (await connection.execute(query)).first()
        return None if found is None else TicketRow(**found._mapping)

    async def spend(self, digest: str) -> bool:
        """Whether this call spent it: only one can."""
        async with self._database.write() as connection:
            spent = await connection.execute(update(tickets).where(_is_good(digest)).values(spent_at=time.time()))
        return spent.rowcount == 1

    async def forget_tickets(self) -> None:
        async with self._database.write() as connection:
            await connection.execute(delete(tickets).where(tickets.c.expires_at < time.time() - 3600))


def _is_good(digest: str) -> Any:
    return (tickets.c.digest == digest) & tickets.c.spent_at.is_(None) & (tickets.c.expires_at > time.time())
