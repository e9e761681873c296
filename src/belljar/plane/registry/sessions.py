"""Sessions at rest.  A state moves by compare-and-swap, so that of two who try one wins."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database, is_taken
from belljar.plane.registry.events import record
from belljar.plane.registry.schema import events, record_heads, sessions, tickets, tokens
from belljar.plane.sessions.states import LIVE, OWNING, check_move
from belljar.wire.sessions import Allowance, EndReason, SessionState


@dataclass(frozen=True)
class SessionRow:
    id: str
    user_id: str
    state: SessionState
    reason: EndReason | None
    detail: str | None
    box_id: str | None
    host: str
    place: str
    plane_id: str
    spec: dict[str, object]
    tags: dict[str, str]
    metadata: dict[str, object]
    idempotency_key: str | None
    idempotency_digest: str | None
    profile_id: str | None
    revoked: bool
    created_at: float
    moved_at: float
    started_at: float | None
    ended_at: float | None
    expires_at: float
    idle_timeout: int
    last_activity: float | None
    peak_memory: int
    cpu_seconds: float
    egress_bytes: int
    egress_sent: int
    egress_received: int
    isolation: dict[str, object] | None


# The note of the token that a session is made with.
FIRST_TOKEN = "made with the session"

_FIELDS = [field.name for field in fields(SessionRow)]


@dataclass(frozen=True)
class UsageRow:
    """Of a session only what it used: there may be a hundred thousand."""

    id: str
    user_id: str
    state: SessionState
    tags: dict[str, str]
    created_at: float
    started_at: float | None
    ended_at: float | None
    peak_memory: int
    egress_bytes: int
    egress_sent: int
    egress_received: int


_USAGE = [field.name for field in fields(UsageRow)]


class Taken(Exception):
    """The id or the idempotency key was used before."""


class Sessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: Mapping[str, Any], connection: AsyncConnection) -> None:
        """Within an admission, so that what was counted still holds.

        Raises `Taken`, after which the transaction is of no use any more.
        """
        try:
            await connection.execute(insert(sessions).values(**row))
        except IntegrityError as error:
            if is_taken(error):
                raise Taken from error
            raise
        about = {"actor": row["user_id"], "session_id": row["id"], "user_id": row["user_id"]}
        await record(connection, "session.pending", **about)
        if row["state"] is SessionState.STARTING:
            await record(connection, "session.starting", **about)

    async def get(self, id: str) -> SessionRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(sessions).where(sessions.c.id == id))).first()
        return None if found is None else _row(found)

    async def by_idempotency_key(self, user_id: str, key: str) -> SessionRow | None:
        where = and_(sessions.c.user_id == user_id, sessions.c.idempotency_key == key)
        async with self._database.read() as connection:
            found = (await connection.execute(select(sessions).where(where))).first()
        return None if found is None else _row(found)

    async def list(
        self,
        *,
        user_id: str | None = None,
        states: Collection[SessionState] | None = None,
        tags: Mapping[str, str | None] | None = None,
        place: str | None = None,
        before: tuple[float, str] | None = None,
        limit: int = 1000,
    ) -> Sequence[SessionRow]:
        """Newest first; `before` is the creation time and id of the last one already seen."""
        query = select(sessions).order_by(sessions.c.created_at.desc(), sessions.c.id.desc()).limit(limit)
        if user_id is not None:
            query = query.where(sessions.c.user_id == user_id)
        if states is not None:
            query = query.where(sessions.c.state.in_(states))
        if place is not None:
            query = query.where(sessions.c.place == place)
        query = query.where(*_has_tags(tags or {}))
        if before is not None:
            at, id = before
            query = query.where(or_(sessions.c.created_at < at, and_(sessions.c.created_at == at, sessions.c.id < id)))
        async with self._database.read() as connection:
            return [_row(found) for found in await connection.execute(query)]

    async def usage(
        self,
        *,
        user_id: str | None = None,
        tags: Mapping[str, str | None] | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> Sequence[UsageRow]:
        """Of every session that was asked for between these times, newest first."""
        query = select(*(sessions.c[name] for name in _USAGE)).where(*_has_tags(tags or {}))
        query = query.order_by(sessions.c.created_at.desc(), sessions.c.id.desc())
        if user_id is not None:
            query = query.where(sessions.c.user_id == user_id)
        if since is not None:
            query = query.where(sessions.c.created_at >= since)
        if until is not None:
            query = query.where(sessions.c.created_at < until)
        async with self._database.read() as connection:
            found = (row._mapping for row in await connection.execute(query))
            return [UsageRow(**{**row, "state": SessionState(row["state"])}) for row in found]

    async def live(self, place: str | None = None) -> Sequence[SessionRow]:
        return await self.list(states=LIVE, place=place, limit=100_000)

    async def live_of_key(self, key_id: str) -> Sequence[SessionRow]:
        """Those that the key started and that are not over: their first token goes back to it."""
        first = select(tokens.c.session_id).where(tokens.c.key_id == key_id, tokens.c.note == FIRST_TOKEN)
        query = select(sessions).where(sessions.c.state.in_(LIVE), sessions.c.id.in_(first))
        async with self._database.read() as connection:
            return [_row(found) for found in await connection.execute(query.order_by(sessions.c.created_at))]

    async def move(
        self,
        id: str,
        before: SessionState,
        after: SessionState,
        *,
        actor: str,
        connection: AsyncConnection | None = None,
        **changes: object,
    ) -> bool:
        """Whether this call made the move; False when the session was not in `before` any more."""
        if connection is None:
            async with self._database.write() as own:
                return await self._move(own, id, before, after, actor, changes) is not None
        return await self._move(connection, id, before, after, actor, changes) is not None

    async def run(self, id: str, *, actor: str, **changes: object) -> tuple[float, int] | None:
        """Move it from STARTING to RUNNING; its end and idle time as they are now, or None as `move` has False.

        They may have been changed while its box came up.
        """
        async with self._database.write() as connection:
            moved = await self._move(connection, id, SessionState.STARTING, SessionState.RUNNING, actor, changes)
        return None if moved is None else (moved.expires_at, moved.idle_timeout)

    async def _move(
        self,
        connection: AsyncConnection,
        id: str,
        before: SessionState,
        after: SessionState,
        actor: str,
        changes: Mapping[str, object],
    ) -> Row[object] | None:
        check_move(before, after)
        now = time.time()
        moved = await connection.execute(
            update(sessions)
            .where(sessions.c.id == id, sessions.c.state == before)
            .values(state=after, moved_at=now, **changes)
            .returning(sessions.c.user_id, sessions.c.reason, sessions.c.expires_at, sessions.c.idle_timeout)
        )
        found = moved.first()
        if found is None:
            return None
        detail = {"reason": found.reason} if found.reason else {}
        await record(connection, f"session.{after}", actor=actor, session_id=id, user_id=found.user_id, detail=detail)
        return found

    async def change(self, id: str, *, kind: str | None = None, actor: str = "", **changes: object) -> None:
        """Anything but the state; with `kind` it is an event too."""
        async with self._database.write() as connection:
            await connection.execute(update(sessions).where(sessions.c.id == id).values(**changes))
            if kind is not None:
                await record(connection, kind, actor=actor, session_id=id, detail={"changed": sorted(changes)})

    async def take_over(self, id: str, plane_id: str, *, was: str, state: SessionState, kind: str) -> bool:
        """Whether the session is `plane_id`'s from now on: of several that take it from `was`, one gets it."""
        mine = update(sessions).where(sessions.c.id == id, sessions.c.plane_id == was, sessions.c.state == state)
        async with self._database.write() as connection:
            taken = await connection.execute(mine.values(plane_id=plane_id))
            if taken.rowcount != 1:
                return False
            await record(connection, kind, actor="reaper", session_id=id, detail={"changed": ["plane_id"]})
            return True

    async def note(self, notes: Mapping[str, Mapping[str, object]]) -> None:
        """Many small changes (activity, memory) in one transaction."""
        async with self._database.write() as connection:
            for id, changes in notes.items():
                await connection.execute(update(sessions).where(sessions.c.id == id).values(**changes))

    async def counts(self, connection: AsyncConnection, user_id: str) -> tuple[int, int, int]:
        """Within an admission: of the user, owning a box in all, waiting in all."""
        live = sessions.c.state.in_(LIVE)
        query = select(
            func.count().filter(sessions.c.user_id == user_id),
            func.count().filter(sessions.c.state.in_(OWNING)),
            func.count().filter(sessions.c.state == SessionState.PENDING),
        )
        mine, owning, waiting = (await connection.execute(query.where(live))).one()
        return int(mine), int(owning), int(waiting)

    async def allowances(self, connection: AsyncConnection, user_id: str) -> Sequence[Allowance]:
        """Within an admission: what each session of the user has that is not over."""
        query = select(sessions.c.spec).where(sessions.c.user_id == user_id, sessions.c.state.in_(LIVE))
        return [allowance_of(spec) for spec in await connection.scalars(query)]

    async def is_first_in_line(self, connection: AsyncConnection, id: str) -> bool:
        oldest = (
            select(sessions.c.id)
            .where(sessions.c.state == SessionState.PENDING)
            .order_by(sessions.c.created_at, sessions.c.id)
            .limit(1)
        )
        return (await connection.scalar(oldest)) == id

    async def forget(self, ended_before: float) -> Sequence[str]:
        """Remove sessions that ended before then, with their tokens and events; their ids."""
        old = select(sessions.c.id).where(sessions.c.ended_at < ended_before, sessions.c.state.not_in(LIVE))
        async with self._database.write() as connection:
            ids = [str(id) for id in await connection.scalars(old.limit(1000))]
            for table in (tokens, tickets, events, record_heads):
                await connection.execute(delete(table).where(table.c.session_id.in_(ids)))
            await connection.execute(delete(sessions).where(sessions.c.id.in_(ids)))
        return ids


def _has_tags(tags: Mapping[str, str | None]) -> Iterator[ColumnElement[bool]]:
    """The names are part of what the database is asked: a caller's are checked before."""
    for name, value in tags.items():
        at = sessions.c.tags[name].as_string()
        yield at.is_not(None) if value is None else at == value


def allowance_of(spec: Mapping[str, object]) -> Allowance:
    """What a session was given, which stands beside what it asked for."""
    return Allowance.model_validate(spec.get("allowance", {}))


def row_of(values: Mapping[str, object]) -> SessionRow:
    """What `add` was given, as it would be read again."""
    row: dict[str, Any] = {name: values.get(name) for name in _FIELDS}
    return SessionRow(**row)


def _row(found: Row[object]) -> SessionRow:
    values = found._mapping
    row = {name: values[name] for name in _FIELDS}
    row["state"] = SessionState(row["state"])
    row["reason"] = None if row["reason"] is None else EndReason(row["reason"])
    return SessionRow(**row)
