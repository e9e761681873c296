"""The net under everything: ends what is over, each with its reason, and repairs what a crash left behind."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import anyio
import structlog

from belljar.control.boxes import BoxCalls, BoxRefused
from belljar.control.directory import Directory
from belljar.control.endings import Endings
from belljar.control.launchers import kernel
from belljar.control.launchers.base import Launcher
from belljar.control.metrics import ControlMetrics
from belljar.control.planes import Peers
from belljar.control.pool import Pool, Starter
from belljar.control.registry import BoxRow, BoxState, Registry, SessionRow
from belljar.control.settings import ControlSettings
from belljar.control.upstream import UpstreamError
from belljar.wire.sessions import EndReason
from belljar.wire.sessions import SessionState as S

log = structlog.get_logger("belljar.reaper")

LOOK_SECONDS = 1.0
_ORPHANS_EVERY = 10.0
_MEASURE_EVERY = 10.0
_FORGET_EVERY = 300.0
# Between two evictions: what the last one freed must show first.
_EVICT_EVERY = 5.0
# A session in STOPPING for longer is taken over from whoever is, or was, ending it.
_STOPPING_SECONDS = 20.0
_DAY = 86_400.0


def verdict(row: SessionRow, now: float, *, owner_lives: bool, start_timeout: float) -> EndReason | None:
    """Why a session must end whatever its box says; None when there is no reason."""
    if row.revoked:
        return EndReason.REVOKED
    if row.expires_at <= now and row.state is not S.STOPPING:
        return EndReason.EXPIRED
    if row.state in (S.PENDING, S.STARTING):
        # Whoever was bringing it up is gone, or should have been done long ago.
        is_stuck = row.state is S.STARTING and now - row.moved_at > start_timeout + _STOPPING_SECONDS
        return EndReason.FAILED if not owner_lives or is_stuck else None
    return None


def seems_idle(row: SessionRow, now: float, last_activity: float) -> bool:
    return row.state is S.RUNNING and row.idle_timeout > 0 and now - last_activity >= row.idle_timeout


def to_evict(rows: Sequence[SessionRow], last_activity: Callable[[SessionRow], float]) -> SessionRow | None:
    """The running session that nobody has used for longest."""
    return min((row for row in rows if row.state is S.RUNNING), key=last_activity, default=None)


class Reaper:
    def __init__(
        self,
        settings: ControlSettings,
        registry: Registry,
        launcher: Launcher,
        directory: Directory,
        endings: Endings,
        starter: Starter,
        pool: Pool,
        calls: BoxCalls,
        peers: Peers,
        metrics: ControlMetrics,
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._launcher = launcher
        self._directory = directory
        self._endings = endings
        self._starter = starter
        self._pool = pool
        self._calls = calls
        self._peers = peers
        self._metrics = metrics
        self._due: dict[str, float] = {}

    async def reap(self) -> None:
        """Runs as long as the control plane."""
        while True:
            try:
                await self.look()
            except Exception:  # the top of a supervised loop
                log.exception("reaper.failed")
            await anyio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """One round.  Sessions that must end do so side by side: one that is slow to end holds up no other."""
        await self._peers.refresh()
        rows = await self._registry.sessions.live(self._settings.host_name)
        boxes = {box.id: box for box in await self._registry.boxes.list(host=self._settings.host_name)}
        self._metrics.seen(dict(Counter(row.state for row in rows)))
        async with anyio.create_task_group() as tasks:
            for row in rows:
                tasks.start_soon(self._look_at, row, boxes.get(row.box_id or ""))
        if self._is_short_of_memory():
            await self._evict(rows)
        if self._is_due("orphans", _ORPHANS_EVERY):
            await self.end_orphans()
        if self._is_due("measure", _MEASURE_EVERY):
            await self._measure(rows, boxes)
        if self._is_due("forget", _FORGET_EVERY):
            await self.forget()

    async def _look_at(self, row: SessionRow, box: BoxRow | None) -> None:
        try:
            await self._judge(row, box)
        except Exception:  # one session's trouble is not the others'
            log.exception("reaper.session_failed", session_id=row.id)

    async def _judge(self, row: SessionRow, box: BoxRow | None) -> None:
        now = time.time()
        owner_lives = self._peers.lives(row.plane_id)
        if row.state is S.STOPPING:
            if not owner_lives or now - row.moved_at > _STOPPING_SECONDS:
                await self._endings.finish(row.id)
            return
        reason = verdict(row, now, owner_lives=owner_lives, start_timeout=self._settings.start_timeout)
        if reason is not None:
            await self._end(row, reason)
        elif row.state is S.RUNNING:
            await self._judge_running(row, box, owner_lives=owner_lives)

    async def _judge_running(self, row: SessionRow, box: BoxRow | None, *, owner_lives: bool) -> None:
        if box is None or box.handle is None or not await self._launcher.is_alive(box.handle):
            reason, detail = EndReason.CRASHED, None
            if box is not None and box.handle is not None:
                ending = await self._launcher.wait_ended(box.handle)
                reason, detail = (EndReason.OOM if ending.was_oom else EndReason.CRASHED), ending.detail or None
            # A box that knew its time and went by itself did not crash.
            if row.expires_at <= time.time() + LOOK_SECONDS:
                reason, detail = EndReason.EXPIRED, None
            await self._end(row, reason, detail)
            return
        if not owner_lives:
            await self._adopt(row, box)
        if seems_idle(row, time.time(), self._last_activity(row)):
            await self._ask_whether_idle(row, box)

    async def _ask_whether_idle(self, row: SessionRow, box: BoxRow) -> None:
        """The box has seen every control plane's traffic, and what agents inside it do."""
        assert box.handle is not None
        try:
            health = await self._calls.health(self._launcher.address(box.handle), box.id)
        except (BoxRefused, UpstreamError, TimeoutError):
            # Nobody can use a box that does not answer.
            await self._end(row, EndReason.IDLE)
            return
        last = datetime.fromisoformat(health["lastActivity"]).timestamp()
        if self._settings.watching_counts and health.get("openStreams", 0):
            last = time.time()
        if seems_idle(row, time.time(), last):
            await self._end(row, EndReason.IDLE)
        else:
            await self._registry.sessions.note({row.id: {"last_activity": last}})

    def _is_short_of_memory(self) -> bool:
        least = self._settings.evict_below * 1024 * 1024
        return least > 0 and kernel.available_memory() < least

    async def _evict(self, rows: Sequence[SessionRow]) -> None:
        """One at a time: better one session by our choice than any process by the kernel's."""
        row = to_evict(rows, self._last_activity)
        if row is not None and self._is_due("evict", _EVICT_EVERY):
            log.warning("session.evicted", **self._directory.about(row))
            await self._end(row, EndReason.EVICTED, "the host ran short of memory")

    def _last_activity(self, row: SessionRow) -> float:
        entry = self._directory.entries.get(row.id)
        return max(row.last_activity or row.created_at, 0.0 if entry is None else entry.last_activity)

    async def _adopt(self, row: SessionRow, box: BoxRow) -> None:
        """The box of a control plane that is gone lives on as ours."""
        await self._registry.boxes.adopt(box.id, self._peers.id)
        await self._registry.sessions.change(row.id, kind="session.adopted", actor="reaper", plane_id=self._peers.id)
        log.info("session.adopted", **self._directory.about(row))

    async def _end(self, row: SessionRow, reason: EndReason, detail: str | None = None) -> None:
        self._metrics.reaped(reason)
        await self._endings.end(row.id, reason, actor="reaper", detail=detail)

    async def end_orphans(self) -> None:
        """Remove boxes without a living row, and rows without a living purpose."""
        found = await self._launcher.find_all()
        rows = {box.id: box for box in await self._registry.boxes.list(host=self._settings.host_name)}
        for one in found:
            # A row is written before its box is made, so a box that has none was forgotten by everyone.
            if one.box_id not in rows:
                log.warning("box.orphan", box_id=one.box_id)
                self._metrics.reaped("orphan")
                await self._launcher.destroy(one.handle)
        live = {row.id for row in await self._registry.sessions.live()}
        for box in rows.values():
            is_lost = box.session_id not in live if box.state is BoxState.LENT else not self._peers.lives(box.plane_id)
            if is_lost:
                log.info("box.left_over", box_id=box.id, state=box.state)
                self._metrics.reaped("left_over")
                await self._starter.remove(box)

    async def _measure(self, rows: Sequence[SessionRow], boxes: Mapping[str, BoxRow]) -> None:
        """What running sessions use, side by side: a box that is slow to answer holds up no other."""
        notes: dict[str, dict[str, Any]] = {}

        async def measure(row: SessionRow, box: BoxRow) -> None:
            assert box.handle is not None
            stats = await self._launcher.stats(box.handle)
            health: Mapping[str, Any] = {}
            with suppress(BoxRefused, UpstreamError, TimeoutError):
                health = await self._calls.health(self._launcher.address(box.handle), box.id)
            if (entry := self._directory.entries.get(row.id)) is not None:
                entry.memory, entry.cpu_seconds = stats.memory, stats.cpu_seconds
            last = datetime.fromisoformat(health["lastActivity"]).timestamp() if health else row.last_activity
            notes[row.id] = {
                "peak_memory": max(row.peak_memory, stats.memory),
                "cpu_seconds": stats.cpu_seconds,
                "egress_bytes": max(row.egress_bytes, health.get("egressBytes", 0)),
                "last_activity": max(row.last_activity or 0.0, last or 0.0),
            }

        async with anyio.create_task_group() as tasks:
            for row in rows:
                box = boxes.get(row.box_id or "")
                if row.state is S.RUNNING and box is not None and box.handle is not None:
                    tasks.start_soon(measure, row, box)
        if notes:
            await self._registry.sessions.note(notes)

    async def forget(self) -> None:
        """What ended longer ago than `--retain` goes, with its logs and recordings."""
        before = time.time() - self._settings.retain * _DAY
        await self._registry.sessions.forget(before)
        await self._registry.events.forget(before)
        await self._registry.tokens.forget_tickets()
        await self._launcher.forget(before)

    def _is_due(self, what: str, every: float) -> bool:
        now = time.monotonic()
        if now < self._due.get(what, 0.0):
            return False
        self._due[what] = now + every
        return True
