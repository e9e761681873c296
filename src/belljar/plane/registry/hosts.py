"""Hosts that are drained, at rest: they take no more sessions, whether their control planes run or not."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import record
from belljar.plane.registry.schema import drained_hosts


@dataclass(frozen=True)
class Drained:
    name: str
    drained_at: float
    actor: str


class Hosts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def drain(self, name: str, *, actor: str) -> bool:
        """Whether this call drained it; twice is fine."""
        async with self._database.admission() as connection:
            if await self.is_drained(connection, name):
                return False
            await connection.execute(insert(drained_hosts).values(name=name, drained_at=time.time(), actor=actor))
            await record(connection, "host.drained", actor=actor, detail={"host": name})
        return True

    async def undrain(self, name: str, *, actor: str) -> bool:
        """Whether it was drained until now."""
        async with self._database.write() as connection:
            gone = await connection.execute(delete(drained_hosts).where(drained_hosts.c.name == name))
            if gone.rowcount == 0:
                return False
            await record(connection, "host.undrained", actor=actor, detail={"host": name})
        return True

    async def is_drained(self, connection: AsyncConnection, name: str) -> bool:
        """Within an admission: nobody drains it meanwhile."""
        return await connection.scalar(select(drained_hosts.c.name).where(drained_hosts.c.name == name)) is not None

    async def drained(self) -> Mapping[str, Drained]:
        async with self._database.read() as connection:
            rows = await connection.execute(select(drained_hosts))
            return {row.name: Drained(**row._mapping) for row in rows}
