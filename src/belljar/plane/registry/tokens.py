"""Session tokens and one-time tickets at rest: enough to list, revoke and spend them, not to use them.

Each goes back to the key it was made with, and perhaps to a token or a sign-in in between; what is revoked takes along
all that goes back to it.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import record
from belljar.plane.registry.schema import keys, sign_ins, tickets, tokens


class TicketUse(StrEnum):
    """The one thing a ticket is good for."""

    CDP = "cdp"  # one CDP socket, and the lookups before it
    LIVE = "live"  # one live socket
    VIEW = "view"  # signs one person in to a session's viewer
    DASHBOARD = "dashboard"  # signs one person in to the dashboard, by the key it was made with


@dataclass(frozen=True)
class TokenRow:
    id: str
    session_id: str
    user_id: str
    role: str
    note: str
    created_at: float
    # None: as long as its session.
    expires_at: float | None = None
    revoked_at: float | None = None
    key_id: str | None = None
    parent_id: str | None = None
    sign_in_id: str | None = None


@dataclass(frozen=True)
class TicketRow:
    digest: str
    use: TicketUse
    user_id: str
    role: str
    expires_at: float
    session_id: str | None = None
    key_id: str | None = None
    token_id: str | None = None
    sign_in_id: str | None = None
    spent_at: float | None = None


class OriginRevoked(Exception):
    """The key, token or sign-in that something new would go back to is not good any more."""


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
        """Raises `OriginRevoked`, with nothing added."""
        if connection is None:
            async with self._database.write() as own:
                await self.add(rows, ticket_rows, actor=actor, connection=own)
            return
        await _hold_origins(connection, rows, ticket_rows)
        for row in rows:
            await _insert(connection, row)
            detail = {"tokenId": row.id, "role": row.role, "note": row.note}
            await record(connection, "token.made", actor=actor, session_id=row.session_id, detail=detail)
        if ticket_rows:
            await connection.execute(insert(tickets), [vars(ticket) for ticket in ticket_rows])

    async def get(self, id: str) -> TokenRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(tokens).where(tokens.c.id == id))).first()
        return None if found is None else TokenRow(**found._mapping)

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

    async def revoke(self, session_id: str, id: str, *, actor: str) -> frozenset[str] | None:
        """The token and all that went with it; None where the session has no such token.  Twice is fine.

        What goes with it: its unspent tickets, whatever people signed in to with them, and so on.
        """
        where = (tokens.c.session_id == session_id, tokens.c.id == id)
        gone = {id}
        async with self._database.write() as connection:
            found = (await connection.execute(select(tokens).where(*where))).first()
            if found is None:
                return None
            newly = await _revoke(connection, tokens.c.id == id)
            if newly:
                detail = {"tokenId": id, "role": found.role}
                await record(connection, "token.revoked", actor=actor, session_id=session_id, detail=detail)
            while newly:
                # Tickets first: whoever is spending one is waited for, and what they signed in to is found next.
                await connection.execute(delete(tickets).where(tickets.c.token_id.in_(newly)))
                newly = await _revoke(connection, tokens.c.parent_id.in_(newly))
                gone |= newly
        return frozenset(gone)

    async def of_key(self, key_id: str) -> frozenset[str]:
        """Tokens that go back to a key, and are good."""
        query = select(tokens.c.id).where(tokens.c.key_id == key_id, tokens.c.revoked_at.is_(None))
        async with self._database.read() as connection:
            return frozenset(await connection.scalars(query))

    async def ticket(self, digest: str) -> TicketRow | None:
        """A ticket that is still good."""
        query = select(tickets).where(_is_good(digest))
        async with self._database.read() as connection:
            found = (await connection.execute(query)).first()
        if found is None:
            return None
        row = dict(found._mapping)
        return TicketRow(**{**row, "use": TicketUse(row["use"])})

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


async def revoke_of_key(connection: AsyncConnection, key_id: str) -> Sequence[tuple[str, str]]:
    """The sessions' tokens that went with a key that was revoked in this transaction: (session, token)."""
    signed_in = (sign_ins.c.key_id == key_id) & sign_ins.c.revoked_at.is_(None)
    await connection.execute(update(sign_ins).where(signed_in).values(revoked_at=time.time(), id_token=None))
    await connection.execute(delete(tickets).where(tickets.c.key_id == key_id))
    return await _revoke_all(connection, tokens.c.key_id == key_id)


async def revoke_of_sign_in(connection: AsyncConnection, id: str) -> Sequence[tuple[str, str]]:
    """The same, of a sign-in that ended in this transaction."""
    await connection.execute(delete(tickets).where(tickets.c.sign_in_id == id))
    return await _revoke_all(connection, tokens.c.sign_in_id == id)


async def _revoke_all(connection: AsyncConnection, which: Any) -> Sequence[tuple[str, str]]:
    good = update(tokens).where(which, tokens.c.revoked_at.is_(None)).values(revoked_at=time.time())
    return [(session, id) for session, id in await connection.execute(good.returning(tokens.c.session_id, tokens.c.id))]


async def _revoke(connection: AsyncConnection, which: Any) -> set[str]:
    """Those that were good until now."""
    found = update(tokens).where(which, tokens.c.revoked_at.is_(None)).values(revoked_at=time.time())
    return {id for (id,) in await connection.execute(found.returning(tokens.c.id))}


async def _insert(connection: AsyncConnection, row: TokenRow) -> None:
    """Where it goes back to a key, only if that is good, and in one statement: every new session has a token."""
    insertion = insert(tokens)
    if row.key_id is None:
        await connection.execute(insertion.values(**vars(row)))
        return
    values = vars(row)
    good_key = (keys.c.id == row.key_id) & keys.c.revoked_at.is_(None)
    chosen = select(*(literal(values[column.name], column.type) for column in tokens.c)).where(good_key)
    added = await connection.execute(insertion.from_select(list(tokens.c), chosen.with_for_update(read=True)))
    if added.rowcount == 0:
        raise OriginRevoked


async def _hold_origins(
    connection: AsyncConnection, rows: Collection[TokenRow], ticket_rows: Collection[TicketRow]
) -> None:
    """Nobody revokes what the new ones go back to before this transaction ends: they are found then, or refused now.

    The keys of tokens are held as those are inserted.
    """
    new = {row.id for row in rows}
    key_ids = {ticket.key_id for ticket in ticket_rows} - {row.key_id for row in rows} - {None}
    token_ids = ({row.parent_id for row in rows} | {ticket.token_id for ticket in ticket_rows}) - {None} - new
    sign_in_ids = ({row.sign_in_id for row in rows} | {ticket.sign_in_id for ticket in ticket_rows}) - {None}
    for table, ids in ((keys, key_ids), (tokens, token_ids), (sign_ins, sign_in_ids)):
        if ids:
            good = select(table.c.id).where(table.c.id.in_(ids), table.c.revoked_at.is_(None))
            if len((await connection.execute(good.with_for_update(read=True))).all()) < len(ids):
                raise OriginRevoked
