"""This control plane among its peers: it says that it lives, and knows who does not."""

import math
import os
import secrets
import time
from collections.abc import Mapping
from typing import Any

from belljar.plane.boxes.launchers import kernel
from belljar.plane.boxes.launchers.kernel import ProcessId
from belljar.plane.registry import PlaneRow, Registry

# A control plane of another host that has not said so for this long takes nothing that is forwarded.  On our own host
# its process is looked at: a database that stalls lets nobody say anything.
SILENT_SECONDS = 15.0
SAY_SECONDS = 3.0


class Peers:
    def __init__(self, registry: Registry, host: str, peer_url: str | None) -> None:
        self._registry = registry
        self._host = host
        self._peer_url = peer_url
        self.id = f"p-{secrets.token_hex(6)}"
        self._known: Mapping[str, PlaneRow] = {}
        self._said_at = -math.inf

    async def join(self) -> None:
        me = kernel.identify(os.getpid())
        assert me is not None
        process = {"pid": me.pid, "startTime": me.start_time, "bootId": kernel.boot_id()}
        await self._registry.planes.add(self.id, host=self._host, peer_url=self._peer_url, process=process)

    async def leave(self) -> None:
        await self._registry.planes.remove(self.id)

    async def refresh(self) -> None:
        """Say that we live, now and then; see who else does; forget the dead."""
        if time.monotonic() - self._said_at > SAY_SECONDS:
            if not await self._registry.planes.seen(self.id):
                await self.join()
            self._said_at = time.monotonic()
        known = await self._registry.planes.list()
        self._known = {plane.id: plane for plane in known}
        for plane in known:
            # Of other hosts nobody here knows, so they are given time.
            patience = 0.0 if plane.host == self._host else 10 * SILENT_SECONDS
            if not is_alive(plane, self._host, time.time()) and time.time() - plane.seen_at > patience:
                await self._registry.planes.remove(plane.id)

    async def lives(self, plane_id: str) -> bool:
        """Its row is there before anything else of it and until all else is gone: who has none is dead."""
        if plane_id == self.id:
            return True
        plane = self._known.get(plane_id) or await self._registry.planes.get(plane_id)
        return plane is not None and is_alive(plane, self._host, time.time())

    def url_of(self, host: str) -> str | None:
        """Where a living control plane of `host` takes what is forwarded."""
        for plane in self._known.values():
            if plane.host == host and plane.peer_url and is_alive(plane, self._host, time.time()):
                return plane.peer_url
        return None


def is_alive(plane: PlaneRow, own_host: str, now: float) -> bool:
    """On one host a control plane is dead when its process is, however long it has been silent."""
    if plane.host == own_host:
        return _is_process(plane.process)
    return now - plane.seen_at < SILENT_SECONDS


def _is_process(process: Mapping[str, Any]) -> bool:
    if process["bootId"] != kernel.boot_id():
        return False
    return kernel.is_alive(ProcessId(process["pid"], process["startTime"]))
