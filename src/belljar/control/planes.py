"""This control plane among its peers: it says that it lives, and knows who does not."""

import os
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

from belljar.control.launchers import kernel
from belljar.control.launchers.kernel import ProcessId
from belljar.control.registry import PlaneRow, Registry

# A control plane that has not said so for this long is taken for dead; on the same host a look is enough.
SILENT_SECONDS = 15.0
SAY_SECONDS = 3.0


class Peers:
    def __init__(self, registry: Registry, host: str, peer_url: str | None) -> None:
        self._registry = registry
        self._host = host
        self._peer_url = peer_url
        self.id = f"p-{secrets.token_hex(6)}"
        self._known: Sequence[PlaneRow] = ()
        self._said_at = 0.0

    async def join(self) -> None:
        me = kernel.identify(os.getpid())
        assert me is not None
        process = {"pid": me.pid, "startTime": me.start_time, "bootId": kernel.boot_id()}
        await self._registry.planes.add(self.id, host=self._host, peer_url=self._peer_url, process=process)
        await self.refresh()

    async def leave(self) -> None:
        await self._registry.planes.remove(self.id)

    async def refresh(self) -> None:
        """Say that we live, now and then; see who else does; forget the dead."""
        if time.monotonic() - self._said_at > SAY_SECONDS:
            await self._registry.planes.seen(self.id)
            self._said_at = time.monotonic()
        self._known = await self._registry.planes.list()
        for plane in self._known:
            if not is_alive(plane, self._host, time.time()) and time.time() - plane.seen_at > 10 * SILENT_SECONDS:
                await self._registry.planes.remove(plane.id)

    def lives(self, plane_id: str) -> bool:
        if plane_id == self.id:
            return True
        return any(plane.id == plane_id and is_alive(plane, self._host, time.time()) for plane in self._known)

    def url_of(self, host: str) -> str | None:
        """Where a living control plane of `host` takes what is forwarded."""
        for plane in self._known:
            if plane.host == host and plane.peer_url and is_alive(plane, self._host, time.time()):
                return plane.peer_url
        return None


def is_alive(plane: PlaneRow, own_host: str, now: float) -> bool:
    if plane.host == own_host and not _is_process(plane.process):
        return False
    return now - plane.seen_at < SILENT_SECONDS


def _is_process(process: Mapping[str, Any]) -> bool:
    if process["bootId"] != kernel.boot_id():
        return False
    return kernel.is_alive(ProcessId(process["pid"], process["startTime"]))
