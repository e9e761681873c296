"""Boxes and control planes at rest: a box's row is written before the box is made."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database
from belljar.plane.registry.protocol import PROTOCOL, OtherProtocol, is_process_seen, may_live, name_taken, refusal
from belljar.plane.registry.schema import boxes, planes, sessions

if TYPE_CHECKING:
    from belljar.plane.boxes.launchers.base import Handle


class BoxState(StrEnum):
    STARTING = "starting"  # being made; its handle may or may not be kept yet
    WARM = "warm"  # up and nobody's
    LENT = "lent"  # a session's, from before it is made until it is gone


@dataclass(frozen=True)
class BoxRow:
    id: str
    # Which control plane's host it was made by, and where it is: in a launcher's words.
    host: str
    place: str
    plane_id: str
    state: BoxState
    kind: str
    # What only its launcher can read.
    handle: "Handle | None"
    session_id: str | None
    created_at: float


_FIELDS = [field.name for field in fields(BoxRow)]


class Boxes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        id: str,
        *,
        host: str,
        place: str,
        plane_id: str,
        state: BoxState,
        kind: str,
        session_id: str | None = None,
    ) -> None:
        """With `session_id`, that session's row names it from then on, and its start is counted from now."""
        values = {"id": id, "host": host, "place": place, "plane_id": plane_id, "state": state, "kind": kind}
        async with self._database.write() as connection:
            await connection.execute(
                insert(boxes).values(**values, session_id=session_id, handle=None, created_at=time.time())
            )
            if session_id is not None:
                named = {"box_id": id, "moved_at": time.time()}
                await connection.execute(update(sessions).where(sessions.c.id == session_id).values(**named))

    async def keep(self, id: str, handle: "Handle") -> None:
        """Remember what is needed to remove the box, from the moment it exists."""
        await self._update(id, handle=handle)

    async def warm(self, id: str) -> None:
        await self._update(id, state=BoxState.WARM)

    async def take_over(self, id: str, plane_id: str, *, was: str) -> bool:
        """Whether the box is `plane_id`'s from now on: of several that take it from `was`, one gets it."""
        async with self._database.write() as connection:
            taken = await connection.execute(
                update(boxes).where(boxes.c.id == id, boxes.c.plane_id == was).values(plane_id=plane_id)
            )
        return taken.rowcount == 1

    async def lend(self, id: str, session_id: str, connection: AsyncConnection) -> bool:
        """Whether this call got the warm box: only one can.  The session's row, if there is one yet, names it."""
        lent = await connection.execute(
            update(boxes)
            .where(boxes.c.id == id, boxes.c.state == BoxState.WARM)
            .values(state=BoxState.LENT, session_id=session_id)
        )
        if lent.rowcount != 1:
            return False
        await connection.execute(update(sessions).where(sessions.c.id == session_id).values(box_id=id))
        return True

    async def get(self, id: str) -> BoxRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(boxes).where(boxes.c.id == id))).first()
        return None if found is None else _row(found)

    async def list(self, *, place: str | None = None) -> Sequence[BoxRow]:
        query = select(boxes).order_by(boxes.c.created_at)
        if place is not None:
            query = query.where(boxes.c.place == place)
        async with self._database.read() as connection:
            return [_row(found) for found in await connection.execute(query)]

    async def remove(self, id: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(delete(boxes).where(boxes.c.id == id))

    async def _update(self, id: str, **changes: object) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(boxes).where(boxes.c.id == id).values(**changes))


def _row(found: Row[object]) -> BoxRow:
    row = {name: found._mapping[name] for name in _FIELDS}
    row["state"] = BoxState(row["state"])
    return BoxRow(**row)


@dataclass(frozen=True)
class PlaneRow:
    id: str
    host: str
    place: str
    protocol: int
    peer_url: str | None
    process: Mapping[str, object]
    started_at: float
    seen_at: float
    report: Mapping[str, Any] | None = None


class Planes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, id: str, *, host: str, place: str, peer_url: str | None, process: Mapping[str, object]) -> None:
        now = time.time()
        values = {"id": id, "host": host, "place": place, "protocol": PROTOCOL, "peer_url": peer_url}
        values["process"] = dict(process)
        async with self._database.write() as connection:
            await connection.execute(insert(planes).values(**values, started_at=now, seen_at=now))

    async def seen(self, id: str, report: Mapping[str, object]) -> bool:
        """Whether its row is there still: somebody may have taken it for dead while it could not say so."""
        said_now = {"seen_at": time.time(), "report": dict(report)}
        async with self._database.write() as connection:
            said = await connection.execute(update(planes).where(planes.c.id == id).values(**said_now))
        return said.rowcount == 1

    async def get(self, id: str) -> PlaneRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(planes).where(planes.c.id == id))).first()
        return None if found is None else PlaneRow(**found._mapping)

    async def list(self) -> Sequence[PlaneRow]:
        async with self._database.read() as connection:
            return [PlaneRow(**found._mapping) for found in await connection.execute(select(planes))]

    async def check_protocol(self) -> None:
        """Raises `OtherProtocol` where one that may live does things differently."""
        for plane in await self.list():
            if plane.protocol != PROTOCOL and may_live(plane.process, plane.seen_at):
                raise OtherProtocol(refusal(plane.id, plane.host))

    async def check_host(self, host: str, *, before: str | None = None) -> None:
        """Raises `HostNameTaken` where one may live that has this host's name and is not among the processes here.

        With `before`, the id of one that has a row: only one that came before it.  Of two that join at the same time
        each sees the other's row, and one gives way.
        """
        known = await self.list()
        own = next((plane for plane in known if plane.id == before), None)
        for plane in known:
            is_later = own is not None and (plane.started_at, plane.id) >= (own.started_at, own.id)
            is_hidden = plane.host == host and not is_process_seen(plane.process)
            if is_hidden and not is_later and may_live(plane.process, plane.seen_at):
                raise name_taken(plane.id, plane.host)

    async def remove(self, id: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(delete(planes).where(planes.c.id == id))
