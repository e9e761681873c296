"""API keys at rest: a digest, never the key."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import record
from belljar.plane.registry.schema import keys
from belljar.plane.registry.tokens import OriginRevoked, revoke_of_key
from belljar.wire.access import CreateKey, KeyRole
from belljar.wire.sessions import TokenRole


@dataclass(frozen=True)
class KeyRow:
    id: str
    user_id: str
    name: str
    role: KeyRole
    digest: str
    max_sessions: int | None
    max_ttl: int | None
    created_at: float
    revoked_at: float | None
    last_used_at: float | None = None
    # The sign-in of a browser or app by which a request has this key: not of the row.
    sign_in_id: str | None = None
    # What an app that has it may do: never more than its user may, and only by MCP.
    app_role: TokenRole | None = None

    @property
    def is_person(self) -> bool:
        """Whether nobody holds it: it stands for somebody whom a provider signs in."""
        return self.digest == ""

    @property
    def is_admin(self) -> bool:
        return self.role is KeyRole.ADMIN


_FIELDS = [column.name for column in keys.c]


class NameTaken(Exception):
    """A provider names somebody as a user is called already who is not known to be the same person."""


class Keys:
    def __init__(self, database: Database) -> None:
        self._database = database
        # When keys were used that nobody has written down yet, by id.
        self._used: dict[str, float] = {}

    async def add(self, id: str, digest: str, wanted: CreateKey, *, actor: str) -> KeyRow:
        row = KeyRow(
            id, wanted.user, wanted.name, wanted.role, digest, wanted.max_sessions, wanted.max_ttl, time.time(), None
        )
        async with self._database.write() as connection:
            await connection.execute(insert(keys).values(**{name: getattr(row, name) for name in _FIELDS}))
            await record(connection, "key.made", actor=actor, user_id=wanted.user, detail=_about(row))
        return row

    async def put_person(self, id: str, wanted: CreateKey, *, may_share_name: bool) -> KeyRow:
        """The row of somebody whom a provider has just vouched for: made the first time, with what it says now after.

        The name stays what it was.  Raises `NameTaken`, and `OriginRevoked` for one whom the operator has shut out.
        """
        async with self._database.admission() as connection:
            if (found := (await connection.execute(select(keys).where(keys.c.id == id))).first()) is not None:
                if found.revoked_at is not None:
                    raise OriginRevoked
                said = {"role": wanted.role, "max_sessions": wanted.max_sessions, "max_ttl": wanted.max_ttl}
                if any(found._mapping[name] != value for name, value in said.items()):
                    await connection.execute(update(keys).where(keys.c.id == id).values(**said))
                    about = {"keyId": id, "role": wanted.role}
                    await record(connection, "person.changed", actor="provider", user_id=found.user_id, detail=about)
                row = key_row(found._mapping)
                return replace(row, role=wanted.role, max_sessions=wanted.max_sessions, max_ttl=wanted.max_ttl)
            others = select(keys.c.digest).where(keys.c.user_id == wanted.user)
            digests = (await connection.scalars(others)).all()
            if digests and not (may_share_name and "" not in digests):
                raise NameTaken
            row = KeyRow(
                id, wanted.user, wanted.name, wanted.role, "", wanted.max_sessions, wanted.max_ttl, time.time(), None
            )
            await connection.execute(insert(keys).values(**{name: getattr(row, name) for name in _FIELDS}))
            await record(connection, "person.made", actor="provider", user_id=wanted.user, detail=_about(row))
            return row

    async def get(self, id: str) -> KeyRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(keys).where(keys.c.id == id))).first()
        return None if found is None else self._with_use(key_row(found._mapping))

    async def list(self) -> Sequence[KeyRow]:
        async with self._database.read() as connection:
            rows = [
                key_row(found._mapping) for found in await connection.execute(select(keys).order_by(keys.c.created_at))
            ]
        return [self._with_use(row) for row in rows]

    def _with_use(self, row: KeyRow) -> KeyRow:
        at = self._used.get(row.id)
        return row if at is None else replace(row, last_used_at=at)

    def note_use(self, id: str) -> None:
        """It was used just now; `write_uses` puts that down, for many at once."""
        self._used[id] = time.time()

    async def write_uses(self) -> None:
        """Raises `DatabaseUnavailable`, and has them still."""
        if not (used := dict(self._used)):
            return
        newer = [{"of": id, "at": at} for id, at in used.items()]
        is_older = keys.c.last_used_at.is_(None) | (keys.c.last_used_at < bindparam("at"))
        note = update(keys).where(keys.c.id == bindparam("of"), is_older).values(last_used_at=bindparam("at"))
        async with self._database.write() as connection:
            await connection.execute(note, newer)
        self._used = {id: at for id, at in self._used.items() if at != used.get(id)}

    async def first_admin(self) -> KeyRow | None:
        query = select(keys).where(keys.c.role == KeyRole.ADMIN, keys.c.revoked_at.is_(None), keys.c.digest != "")
        async with self._database.read() as connection:
            found = (await connection.execute(query.order_by(keys.c.created_at).limit(1))).first()
        return None if found is None else key_row(found._mapping)

    async def count(self) -> int:
        async with self._database.read() as connection:
            return int(await connection.scalar(select(func.count()).select_from(keys)) or 0)

    async def revoked(self, ids: Collection[str]) -> frozenset[str]:
        """Those of `ids` that are not good any more."""
        if not ids:
            return frozenset()
        query = select(keys.c.id).where(keys.c.id.in_(ids), keys.c.revoked_at.is_not(None))
        async with self._database.read() as connection:
            return frozenset(await connection.scalars(query))

    async def revoke(self, id: str, *, actor: str) -> Sequence[tuple[str, str]] | None:
        """The sessions' tokens that went with it: (session, token).  None where there is no such key; twice is fine."""
        async with self._database.write() as connection:
            found = (await connection.execute(select(keys).where(keys.c.id == id))).first()
            if found is None:
                return None
            good = (keys.c.id == id) & keys.c.revoked_at.is_(None)
            done = await connection.execute(update(keys).where(good).values(revoked_at=time.time()))
            if done.rowcount == 0:
                return ()
            await record(
                connection, "key.revoked", actor=actor, user_id=found.user_id, detail=_about(key_row(found._mapping))
            )
            return await revoke_of_key(connection, id)

    async def admit(self, id: str, *, actor: str) -> None:
        """Let a person whom an operator shut out sign in again.  What that ended stays so.  Twice is fine."""
        async with self._database.write() as connection:
            shut_out = (keys.c.id == id) & (keys.c.digest == "") & keys.c.revoked_at.is_not(None)
            back = update(keys).where(shut_out).values(revoked_at=None).returning(*keys.c)
            if (found := (await connection.execute(back)).first()) is not None:
                about = _about(key_row(found._mapping))
                await record(connection, "person.admitted", actor=actor, user_id=found.user_id, detail=about)


def _about(row: KeyRow) -> dict[str, object]:
    return {"keyId": row.id, "role": row.role, "name": row.name}


def key_row(found: Mapping[Any, Any]) -> KeyRow:
    row = {name: found[name] for name in _FIELDS}
    row["role"] = KeyRole(row["role"])
    return KeyRow(**row)
