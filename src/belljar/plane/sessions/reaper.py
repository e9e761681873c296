"""The net under everything: ends what is over, each with its reason, and repairs what a crash left behind."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial

import anyio
from anyio.abc import TaskGroup

from belljar.logs import log
from belljar.plane.boxes.calls import BoxHealth, BoxRefused
from belljar.plane.boxes.launchers.base import Ending, LaunchError
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.registry import BoxRow, BoxState, SessionRow
from belljar.plane.sessions.box_starter import BoxStarter
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.end import SessionEnder
from belljar.plane.sessions.pool import Pool
from belljar.plane.sessions.starts import StartsInProgress
from belljar.plane.supervision import repeat
from belljar.problems.plane import DatabaseUnavailable
from belljar.wire.sessions import EndReason
from belljar.wire.sessions import SessionState as S

LOOK_SECONDS = 1.0
_ORPHANS_EVERY = 10.0
_MEASURE_EVERY = 10.0
_FORGET_EVERY = 300.0
_KEYS_EVERY = 10.0
# Between two evictions: what the last one freed must show first.
_EVICT_EVERY = 5.0
# What a start may take beyond its own limit, to be given up and written down.
_LATE_SECONDS = 20.0
_DAY = 86_400.0


def verdict(row: SessionRow, now: float, *, owner_lives: bool, start_timeout: float) -> EndReason | None:
    """Why a session must end whatever its box says; None when there is no reason."""
    if row.revoked:
        return EndReason.REVOKED
    if row.expires_at <= now and row.state is not S.STOPPING:
        return EndReason.EXPIRED
    if row.state in (S.PENDING, S.STARTING):
        # Whoever was bringing it up is gone, or should have been done long ago.
        is_stuck = row.state is S.STARTING and now - row.moved_at > start_timeout + _LATE_SECONDS
        return EndReason.FAILED if not owner_lives or is_stuck else None
    return None


def seems_idle(row: SessionRow, now: float, last_activity: float) -> bool:
    return row.state is S.RUNNING and row.idle_timeout > 0 and now - last_activity >= row.idle_timeout


def to_evict(rows: Sequence[SessionRow], last_activity: Callable[[SessionRow], float]) -> SessionRow | None:
    """The running session that nobody has used for longest."""
    return min((row for row in rows if row.state is S.RUNNING), key=last_activity, default=None)


def _reason(ending: Ending) -> EndReason:
    if ending.was_oom:
        return EndReason.OOM
    return EndReason.EVICTED if ending.was_evicted else EndReason.CRASHED


class Reaper:
    def __init__(
        self, context: Context, ender: SessionEnder, starter: BoxStarter, pool: Pool, starts: StartsInProgress
    ) -> None:
        self._settings = context.settings
        self._registry = context.registry
        self._launcher = context.launcher
        self._directory = context.directory
        self._calls = context.calls
        self._peers = context.peers
        self._metrics = context.metrics
        self._ender = ender
        self._starter = starter
        self._pool = pool
        self._starts = starts
        self._due: dict[str, float] = {}
        # Sessions that are being looked at, or ended, since an earlier round.
        self._busy: set[str] = set()

    async def reap(self) -> None:
        """Runs as long as the control plane."""
        async with anyio.create_task_group() as tasks:
            await repeat("reaper", partial(self._round, tasks), every=LOOK_SECONDS)

    async def look(self) -> None:
        """One round, and the end of all that it ended."""
        async with anyio.create_task_group() as tasks:
            await self._round(tasks)

    async def _round(self, tasks: TaskGroup) -> None:
        """Sessions that must end do so side by side, in `tasks`: one that is slow to end holds up no other."""
        await self._peers.refresh()
        rows = await self._registry.sessions.live(self._launcher.place)
        boxes = {box.id: box for box in await self._registry.boxes.list(place=self._launcher.place)}
        await self._registry.events.write_late()
        if self._is_due("keys", _KEYS_EVERY):
            await self._registry.keys.write_uses()
        self._metrics.seen(dict(Counter(row.state for row in rows)))
        for id in self._ender.remembered:
            self._begin(tasks, id, partial(self._ender.end_remembered, id))
        for row in rows:
            self._begin(tasks, row.id, partial(self._judge, row, boxes.get(row.box_id or "")))
        if await self._is_short_of_memory():
            await self._evict(rows)
        if self._is_due("orphans", _ORPHANS_EVERY):
            await self.end_orphans()
        if self._is_due("measure", _MEASURE_EVERY):
            await self._measure(rows, boxes)
        if self._is_due("forget", _FORGET_EVERY):
            await self.forget()

    def _begin(self, tasks: TaskGroup, id: str, do: Callable[[], Awaitable[None]]) -> None:
        if id not in self._busy:
            self._busy.add(id)
            tasks.start_soon(self._do, id, do, name=f"reap {id}")

    async def _do(self, id: str, do: Callable[[], Awaitable[None]]) -> None:
        try:
            await do()
        except DatabaseUnavailable:
            return
        except Exception:  # one session's trouble is not the others', and the next round tries again
            log.exception("reaper.session_failed", session_id=id)
        finally:
            self._busy.discard(id)

    async def _judge(self, row: SessionRow, box: BoxRow | None) -> None:
        now = time.time()
        if row.state is S.STOPPING:
            await self._ender.carry_on(row)
            return
        owner_lives = await self._peers.lives(row.plane_id) and not await self._is_lost(row)
        reason = verdict(row, now, owner_lives=owner_lives, start_timeout=self._settings.start_timeout)
        if reason is not None:
            await self._end(row, reason)
        elif row.state is S.RUNNING:
            await self._judge_running(row, box, owner_lives=owner_lives)

    async def _is_lost(self, row: SessionRow) -> bool:
        """Of ours, one that nobody brings up: its admission was told of an outage, and it was written all the same."""
        if row.plane_id != self._peers.id or row.state not in (S.PENDING, S.STARTING) or row.id in self._starts:
            return False
        # As it is now: it may have been brought up since it was read.
        now = await self._registry.sessions.get(row.id)
        return now is not None and now.state is row.state

    async def _judge_running(self, row: SessionRow, box: BoxRow | None, *, owner_lives: bool) -> None:
        if box is None or box.handle is None or not await self._launcher.is_alive(box.handle):
            reason, detail = EndReason.CRASHED, None
            if box is not None and box.handle is not None:
                ending = await self._launcher.wait_ended(box.handle)
                reason, detail = _reason(ending), ending.detail or None
            # A box that knew its time and went by itself did not crash.
            if row.expires_at <= time.time() + LOOK_SECONDS:
                reason, detail = EndReason.EXPIRED, None
            await self._end(row, reason, detail)
            return
        if not owner_lives and not await self._adopt(row, box):
            return
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
        last = health.last_activity.timestamp()
        if self._settings.watching_counts and health.open_streams:
            last = time.time()
        if seems_idle(row, time.time(), last):
            await self._end(row, EndReason.IDLE)
        else:
            await self._registry.sessions.note({row.id: {"last_activity": last}})

    async def _is_short_of_memory(self) -> bool:
        least = self._settings.evict_below * 1024 * 1024
        return least > 0 and (await self._launcher.room()).memory < least

    async def _evict(self, rows: Sequence[SessionRow]) -> None:
        """One at a time: better one session by our choice than any process by the kernel's."""
        row = to_evict(rows, self._last_activity)
        if row is not None and self._is_due("evict", _EVICT_EVERY):
            log.warning("session.evicted", **self._directory.about(row))
            await self._end(row, EndReason.EVICTED, "the host ran short of memory")

    def _last_activity(self, row: SessionRow) -> float:
        entry = self._directory.entries.get(row.id)
        return max(row.last_activity or row.created_at, 0.0 if entry is None else entry.last_activity)

    async def _adopt(self, row: SessionRow, box: BoxRow) -> bool:
        """Whether the box of a control plane that is gone lives on as ours: one of those left gets it."""
        if not await self._registry.sessions.take_over(
            row.id, self._peers.id, was=row.plane_id, state=S.RUNNING, kind="session.adopted"
        ):
            return False
        await self._registry.boxes.take_over(box.id, self._peers.id, was=box.plane_id)
        self._starter.adopt(box)
        log.info("session.adopted", **self._directory.about(row))
        return True

    async def _end(self, row: SessionRow, reason: EndReason, detail: str | None = None) -> None:
        self._metrics.reaped(reason)
        await self._ender.end_soon(row.id, reason, actor="reaper", detail=detail)

    async def end_orphans(self) -> None:
        """Remove boxes without a living row, and rows without a living purpose."""
        found, own = await self._launcher.find_all(), frozenset(self._starter.own)
        rows = {box.id: box for box in await self._registry.boxes.list(place=self._launcher.place)}
        self._starter.forget(own - rows.keys())
        for one in found:
            # A row is written before its box is made, so a box that has none was forgotten by everyone.
            if one.box_id not in rows:
                log.warning("box.orphan", box_id=one.box_id)
                self._metrics.reaped("orphan")
                await self._removing(one.box_id, partial(self._launcher.destroy, one.box_id, one.handle))
        live = {row.id for row in await self._registry.sessions.live()}
        for box in rows.values():
            if await self._is_left_over(box, live) and not await self._is_adopted_warm(box):
                log.info("box.left_over", box_id=box.id, state=box.state)
                self._metrics.reaped("left_over")
                await self._removing(box.id, partial(self._starter.remove, box))

    async def _is_left_over(self, box: BoxRow, live: Collection[str]) -> bool:
        """Whether the box is nobody's and ours to remove: its control plane's, or taken over from one that is gone."""
        if box.state is BoxState.LENT and box.session_id in live:
            return False
        if box.plane_id == self._peers.id:
            return not (self._pool.owns(box.id) or (box.session_id or "") in self._starts)
        if await self._peers.lives(box.plane_id):
            return False
        return await self._registry.boxes.take_over(box.id, self._peers.id, was=box.plane_id)

    async def _is_adopted_warm(self, box: BoxRow) -> bool:
        """Whether a warm box of a control plane that is gone serves on in our pool."""
        if box.state is not BoxState.WARM or box.plane_id == self._peers.id or not await self._pool.adopt(box):
            return False
        log.info("pool.adopted", box_id=box.id, was=box.plane_id)
        return True

    async def _removing(self, box_id: str, remove: Callable[[], Awaitable[None]]) -> None:
        try:
            await remove()
        except (OSError, LaunchError):
            # The others' turn comes all the same, and this one's again.
            log.exception("box.destroy_failed", box_id=box_id)

    async def _measure(self, rows: Sequence[SessionRow], boxes: Mapping[str, BoxRow]) -> None:
        """What running sessions use, side by side: a box that is slow to answer holds up no other."""
        notes: dict[str, dict[str, object]] = {}

        async def measure(row: SessionRow, box: BoxRow) -> None:
            assert box.handle is not None
            stats = await self._launcher.stats(box.handle)
            health: BoxHealth | None = None
            with suppress(BoxRefused, UpstreamError, TimeoutError):
                health = await self._calls.health(self._launcher.address(box.handle), box.id)
            if (entry := self._directory.entries.get(row.id)) is not None:
                entry.memory, entry.cpu_seconds = stats.memory, stats.cpu_seconds
            last = row.last_activity if health is None else health.last_activity.timestamp()
            notes[row.id] = {
                "peak_memory": max(row.peak_memory, stats.memory),
                "cpu_seconds": stats.cpu_seconds,
                "last_activity": max(row.last_activity or 0.0, last or 0.0),
                **({} if health is None else health.egress),
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
        await self._registry.webhooks.forget(before)
        await self._launcher.forget(before)

    def _is_due(self, what: str, every: float) -> bool:
        now = time.monotonic()
        if now < self._due.get(what, 0.0):
            return False
        self._due[what] = now + every
        return True
