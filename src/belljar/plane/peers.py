"""This control plane among its peers: it says that it lives, and knows who does not."""

import math
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping

from belljar.plane import kernel
from belljar.plane.registry import Drained, HostNameTaken, PlaneRow, Registry
from belljar.plane.registry.protocol import SILENT_SECONDS, is_process, is_process_seen, pid_namespace

SAY_SECONDS = 3.0


class Peers:
    """A peer whose process can be seen from here is dead when that is gone, however long it has been silent.

    Any other (on another host, or in a container with processes of its own) is known by what it says alone.  Its
    silence counts only while we could have heard it: when the database stalls nobody says anything, and each would
    take all others for dead.
    """

    def __init__(self, registry: Registry, host: str, place: str, peer_url: str | None) -> None:
        self._registry = registry
        self._host = host
        self._place = place
        self._peer_url = peer_url
        self.id = f"p-{secrets.token_hex(6)}"
        # What is said of this host beside that we live: its room, its warm boxes.
        self.report: Callable[[], Awaitable[Mapping[str, object]]] = _nothing
        self._known: Mapping[str, PlaneRow] = {}
        self._drained: Mapping[str, Drained] = {}
        self._said_at = -math.inf
        # When we last looked at who says what, and since when we have done so without a gap (monotonic).
        self._looked_at = -math.inf
        self._listening_since = math.inf

    async def join(self) -> None:
        """Raises `OtherProtocol` beside one of another version, `HostNameTaken` beside one we would be mistaken for."""
        await self._registry.planes.check_protocol()
        me = kernel.identify(os.getpid())
        assert me is not None
        process = {
            "pid": me.pid,
            "startTime": me.start_time,
            "bootId": kernel.boot_id(),
            "pidNamespace": pid_namespace(),
        }
        await self._registry.planes.add(
            self.id, host=self._host, place=self._place, peer_url=self._peer_url, process=process
        )
        try:
            await self._registry.planes.check_host(self._host, before=self.id)
        except HostNameTaken:
            await self.leave()
            raise

    async def leave(self) -> None:
        await self._registry.planes.remove(self.id)

    async def refresh(self) -> None:
        """Say that we live, now and then; see who else does; forget the dead."""
        if time.monotonic() - self._said_at > SAY_SECONDS:
            if not await self._registry.planes.seen(self.id, await self.report()):
                await self.join()
            self._said_at = time.monotonic()
        await self.look_for_drained()
        known = await self._registry.planes.list()
        now = time.monotonic()
        if now - self._looked_at > SILENT_SECONDS / 2:
            self._listening_since = now
        self._looked_at = now
        self._known = {plane.id: plane for plane in known}
        for plane in known:
            # Of those that cannot be seen nobody here knows, so they are given time.
            patience = 0.0 if is_process_seen(plane.process) else 10 * SILENT_SECONDS
            if not self._is_alive(plane) and time.time() - plane.seen_at > patience:
                await self._registry.planes.remove(plane.id)

    async def look_for_drained(self) -> None:
        self._drained = await self._registry.hosts.drained()

    @property
    def is_drained(self) -> bool:
        """Whether this host takes no more sessions, as of a moment ago."""
        return self._host in self._drained

    async def lives(self, plane_id: str) -> bool:
        """Its row is there before anything else of it and until all else is gone: who has none is dead."""
        if plane_id == self.id:
            return True
        plane = self._known.get(plane_id) or await self._registry.planes.get(plane_id)
        return plane is not None and self._is_alive(plane)

    def url_of(self, place: str) -> str | None:
        """Where a living control plane of `place` takes what is forwarded."""
        for plane in self._known.values():
            if plane.place == place and plane.peer_url and is_alive(plane, time.time()):
                return plane.peer_url
        return None

    def _is_alive(self, plane: PlaneRow) -> bool:
        """As `is_alive`, but silence that we may have missed the end of is no death."""
        could_hear = time.monotonic() - self._listening_since >= SILENT_SECONDS
        return is_alive(plane, time.time()) or not (is_process_seen(plane.process) or could_hear)


async def _nothing() -> Mapping[str, object]:
    return {}


def is_alive(plane: PlaneRow, now: float) -> bool:
    if is_process_seen(plane.process):
        return is_process(plane.process)
    return now - plane.seen_at < SILENT_SECONDS
