"""Browser profiles at rest, and which session has one in use."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select, update

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import record
from belljar.plane.registry.schema import profiles


@dataclass(frozen=True)
class ProfileRow:
    id: str
    user_id: str
    name: str
    host: str
    session_id: str | None
    created_at: float


class Profiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, id: str, *, user_id: str, name: str, host: str, actor: str) -> ProfileRow:
        row = ProfileRow(id, user_id, name, host, None, time.time())
        async with self._database.write() as connection:
            await connection.execute(insert(profiles).values(**vars(row)))
            await record(connection, "profile.made", actor=actor, user_id=user_id, detail={"profileId": id})
        return row

    async def get(self, id: str) -> ProfileRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(profiles).where(profiles.c.id == id))).first()
        return None if found is None else ProfileRow(**found._mapping)

    async def list(self, user_id: str | None = None) -> Sequence[ProfileRow]:
        query = select(profiles).order_by(profiles.c.created_at)
        if user_id is not None:
            query = query.where(profiles.c.user_id == user_id)
        async with self._database.read() as connection:
            return [ProfileRow(**found._mapping) for found in await connection.execute(query)]

    async def take(self, id: str, session_id: str) -> bool:
        """Whether the profile is the session's now: it can be one session's at a time."""
        async with self._database.write() as connection:
            taken = await connection.execute(
                update(profiles)
                .where(profiles.c.id == id, profiles.c.session_id.is_(None))
                .values(session_id=session_id)
            )
        return taken.rowcount == 1

    async def give_back(self, session_id: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(
                update(profiles).where(profiles.c.session_id == session_id).values(session_id=None)
            )

    async def remove(self, id: str, *, actor: str) -> bool:
        """Whether it was removed; one in use is not."""
        async with self._database.write() as connection:
            gone = await connection.execute(
                delete(profiles)
                .where(profiles.c.id == id, profiles.c.session_id.is_(None))
                .returning(profiles.c.user_id)
            )
            found = gone.first()
            if found is None:
                return False
            await record(connection, "profile.removed", actor=actor, user_id=found.user_id, detail={"profileId": id})
            return True
