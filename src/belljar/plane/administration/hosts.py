"""Hosts: who runs where, how much room there is, and draining one so that it takes no more sessions."""

import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from belljar import __version__
from belljar.plane.boxes.launchers.base import Launcher
from belljar.plane.peers import Peers, is_alive
from belljar.plane.registry import BoxRow, BoxState, Drained, PlaneRow, Registry, SessionRow
from belljar.plane.sessions.pool import Pool
from belljar.plane.settings import PlaneSettings
from belljar.plane.views import maybe_time, time_at
from belljar.problems import NotFound
from belljar.wire.administration import Host, HostPlane
from belljar.wire.sessions import SessionState


class Hosts:
    def __init__(
        self, settings: PlaneSettings, registry: Registry, launcher: Launcher, peers: Peers, pool: Pool
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._launcher = launcher
        self._peers = peers
        self._pool = pool

    async def report(self) -> dict[str, object]:
        """What this control plane tells the others of its host, each time it says that it lives."""
        room = await self._launcher.room()
        return {
            "version": __version__,
            "launcher": self._settings.launcher,
            "freeMemoryMb": _megabytes(room.memory),
            "freeDiskMb": _megabytes(room.disk),
            "warmStarting": self._pool.starting,
            "warmWanted": self._pool.size,
        }

    async def list(self) -> Sequence[Host]:
        """Every host with a control plane, a session or a drain, by name."""
        planes = await self._registry.planes.list()
        live = await self._registry.sessions.live()
        boxes = await self._registry.boxes.list()
        drained = await self._registry.hosts.drained()
        names = {plane.host for plane in planes} | {row.host for row in live} | drained.keys()
        return [
            self._host(
                name,
                [plane for plane in planes if plane.host == name],
                [row for row in live if row.host == name],
                [box for box in boxes if box.host == name],
                drained.get(name),
            )
            for name in sorted(names)
        ]

    async def drain(self, name: str, *, actor: str) -> Host:
        """Raises `NotFound`.  Warm boxes, which nobody has, go; sessions do not."""
        await self._find(name)
        await self._registry.hosts.drain(name, actor=actor)
        return await self._changed(name)

    async def undrain(self, name: str, *, actor: str) -> Host:
        """Raises `NotFound`."""
        before = await self._find(name)
        await self._registry.hosts.undrain(name, actor=actor)
        # One that was known for its drain alone is not known any more.
        return await self._changed(name) if before.planes or before.sessions else before.model_copy(update=_NOT_DRAINED)

    async def _changed(self, name: str) -> Host:
        await self._peers.look_for_drained()
        self._pool.look()
        return await self._find(name)

    async def _find(self, name: str) -> Host:
        found = next((host for host in await self.list() if host.name == name), None)
        if found is None:
            raise NotFound("host", name)
        return found

    def _host(
        self,
        name: str,
        planes: Sequence[PlaneRow],
        live: Sequence[SessionRow],
        boxes: Sequence[BoxRow],
        drained: Drained | None,
    ) -> Host:
        now = time.time()
        alive = [plane for plane in planes if is_alive(plane, now)]
        said = max(alive, key=lambda plane: plane.seen_at, default=None)
        report: Mapping[str, Any] = (said.report if said else None) or {}
        return Host(
            name=name,
            is_alive=bool(alive),
            is_this=any(plane.id == self._peers.id for plane in planes),
            drained_at=maybe_time(drained.drained_at if drained else None),
            drained_by=drained.actor if drained else None,
            sessions=len(live),
            running=sum(row.state is SessionState.RUNNING for row in live),
            warm=sum(box.state is BoxState.WARM for box in boxes),
            warm_starting=report.get("warmStarting") or 0,
            warm_wanted=report.get("warmWanted") or 0,
            free_memory_mb=report.get("freeMemoryMb"),
            free_disk_mb=report.get("freeDiskMb"),
            launcher=report.get("launcher"),
            planes=[self._plane(plane, is_alive=plane in alive) for plane in planes],
        )

    def _plane(self, plane: PlaneRow, *, is_alive: bool) -> HostPlane:
        return HostPlane(
            id=plane.id,
            is_alive=is_alive,
            is_this=plane.id == self._peers.id,
            version=(plane.report or {}).get("version"),
            started_at=time_at(plane.started_at),
            seen_at=time_at(plane.seen_at),
            peer_url=plane.peer_url,
        )


_NOT_DRAINED = {"drained_at": None, "drained_by": None}


def _megabytes(size: int) -> int | None:
    """None for room without end."""
    return None if size >= sys.maxsize else size >> 20
