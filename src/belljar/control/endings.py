"""End sessions: however often, by whomever and wherever in its life one is asked to end, it comes to rest once."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
import structlog

from belljar.control.boxes import BoxCalls, BoxRefused
from belljar.control.directory import Directory
from belljar.control.launchers.base import Launcher
from belljar.control.metrics import ControlMetrics
from belljar.control.pool import Starter
from belljar.control.registry import BoxRow, Registry, SessionRow
from belljar.control.states import LIVE, final_state
from belljar.control.upstream import Upstream, UpstreamError
from belljar.wire.sessions import EndReason, SessionState

log = structlog.get_logger("belljar.sessions")


class Endings:
    def __init__(
        self,
        registry: Registry,
        launcher: Launcher,
        directory: Directory,
        starter: Starter,
        calls: BoxCalls,
        upstream: Upstream,
        metrics: ControlMetrics,
        *,
        host: str,
        plane_id: str,
        stop_birth: Callable[[str], Awaitable[None]],
        on_freed: Callable[[], None],
    ) -> None:
        """`stop_birth` returns once nobody brings the session up; `on_freed` is told that there is room."""
        self._registry = registry
        self._launcher = launcher
        self._directory = directory
        self._starter = starter
        self._calls = calls
        self._upstream = upstream
        self._metrics = metrics
        self._host = host
        self._plane_id = plane_id
        self._stop_birth = stop_birth
        self._on_freed = on_freed
        self._endings: dict[str, anyio.Event] = {}

    async def end(self, id: str, reason: EndReason, *, actor: str, detail: str | None = None) -> SessionRow | None:
        """The session at rest, however often and by whomever it is asked for; None when there is none."""
        row = await self._registry.sessions.get(id)
        if row is None or row.state not in LIVE:
            return row
        changes: dict[str, Any] = {"reason": reason, "detail": detail}
        if row.state is SessionState.PENDING:
            final = final_state(reason)
            moved = await self._registry.sessions.move(
                id, SessionState.PENDING, final, actor=actor, ended_at=time.time(), **changes
            )
            if not moved:
                return await self.end(id, reason, actor=actor, detail=detail)
            await self._stop_birth(id)
            return await self._registry.sessions.get(id)
        if row.state is not SessionState.STOPPING:
            if not await self._registry.sessions.move(id, row.state, SessionState.STOPPING, actor=actor, **changes):
                return await self.end(id, reason, actor=actor, detail=detail)
            self._directory.over(id, reason)
        await self.finish(id)
        return await self._registry.sessions.get(id)

    async def finish(self, id: str) -> None:
        """Remove the box of a session in STOPPING and bring it to rest.  Safe to call by many, at any time."""
        if (ending := self._endings.get(id)) is not None:
            await ending.wait()
            return
        self._endings[id] = anyio.Event()
        try:
            with anyio.CancelScope(shield=True):
                await self._finish(id)
        finally:
            self._endings.pop(id).set()

    async def end_own(self) -> None:
        """At this control plane's own end: all that it started or adopted."""
        rows = [row for row in await self._registry.sessions.live() if row.plane_id == self._plane_id]
        async with anyio.create_task_group() as tasks:
            for row in rows:
                tasks.start_soon(self._end_one, row.id)

    async def _end_one(self, id: str) -> None:
        await self.end(id, EndReason.RELEASED, actor="control plane", detail="the control plane stopped")

    async def _finish(self, id: str) -> None:
        await self._stop_birth(id)
        row = await self._registry.sessions.get(id)
        if row is None or row.state is not SessionState.STOPPING:
            return
        for box in await self._registry.boxes.list(host=self._host):
            if box.session_id == id:
                await self._last_measure(row, box)
                await self._starter.remove(box)
        await self._registry.profiles.give_back(id)
        reason = row.reason or EndReason.FAILED
        await self._registry.sessions.move(
            id, SessionState.STOPPING, final_state(reason), actor="control plane", ended_at=time.time()
        )
        self._metrics.ended(reason)
        lived = round(time.time() - row.created_at, 1)
        log.info("session.over", **self._directory.about(row), reason=reason, lived_s=lived)
        self._on_freed()

    async def _last_measure(self, row: SessionRow, box: BoxRow) -> None:
        """What the session used to its end, if its box can still say."""
        if not box.handle or not await self._launcher.is_alive(box.handle):
            return
        address = self._launcher.address(box.handle)
        stats = await self._launcher.stats(box.handle)
        notes: dict[str, Any] = {
            "peak_memory": max(row.peak_memory, stats.memory),
            "cpu_seconds": max(row.cpu_seconds, stats.cpu_seconds),
        }
        with suppress(BoxRefused, UpstreamError, TimeoutError):
            notes["egress_bytes"] = (await self._calls.health(address, box.id)).get("egressBytes", 0)
        await self._registry.sessions.note({row.id: notes})
        self._upstream.forget(address)
