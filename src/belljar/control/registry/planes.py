"""Control planes at rest: who runs where, and who has stopped saying so."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select, update

from belljar.control.registry.database import Database
from belljar.control.registry.schema import planes


@dataclass(frozen=True)
class PlaneRow:
    id: str
    host: str
    peer_url: str | None
    process: Mapping[str, Any]
    started_at: float
    seen_at: float


class Planes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, id: str, *, host: str, peer_url: str | None, process: Mapping[str, Any]) -> None:
        now = time.time()
        values = {"id": id, "host": host, "peer_url": peer_url, "process": dict(process)}
        async with self._database.write() as connection:
            await connection.execute(insert(planes).values(**values, started_at=now, seen_at=now))

    async def seen(self, id: str) -> bool:
        """Whether its row is there still: somebody may have taken it for dead while it could not say so."""
        async with self._database.write() as connection:
            said = await connection.execute(update(planes).where(planes.c.id == id).values(seen_at=time.time()))
        return said.rowcount == 1

    async def get(self, id: str) -> PlaneRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(planes).where(planes.c.id == id))).first()
        return None if found is None else PlaneRow(**found._mapping)

    async def list(self) -> Sequence[PlaneRow]:
        async with self._database.read() as connection:
            return [PlaneRow(**found._mapping) for found in await connection.execute(select(planes))]

    async def remove(self, id: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(delete(planes).where(planes.c.id == id))
