"""End sessions: however often, by whomever and wherever in its life one is asked to end, it comes to rest once."""

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import anyio
import msgspec

from belljar.logs import log
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.registry import BoxRow, SessionRow
from belljar.plane.registry.sessions import allowance_of
from belljar.plane.sessions.box_starter import BoxStarter
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.starts import StartsInProgress
from belljar.plane.sessions.states import LIVE, final_state
from belljar.problems.plane import DatabaseUnavailable
from belljar.server.telemetry.spans import Span, SpanKind, session_trace
from belljar.wire.record import FilmMode
from belljar.wire.sessions import EndReason, SessionState

# How long one control plane waits for another that ends a session.
_WAIT_SECONDS = 30.0
_LOOK_SECONDS = 0.1
# For the last minutes of a session that failed to become a film.
_FILM_SECONDS = 20.0
# Between two tries to end a session: doubled with each that fails.
_LEAST_PAUSE = 1.0
_MOST_PAUSE = 30.0


@dataclass(frozen=True)
class _Asked:
    reason: EndReason
    actor: str
    detail: str | None


class SessionEnder:
    """A session in STOPPING belongs to the control plane that its row names: that one alone removes its box."""

    def __init__(self, context: Context, starter: BoxStarter, starts: StartsInProgress) -> None:
        self._context = context
        self._registry = context.registry
        self._launcher = context.launcher
        self._directory = context.directory
        self._peers = context.peers
        self._starter = starter
        self._starts = starts
        # Being removed by this control plane now.
        self._endings: dict[str, anyio.Event] = {}
        # Asked for when it could not be written down.
        self._asked: dict[str, _Asked] = {}
        # When the removal of one that failed may be tried again (monotonic), and the pause before that.
        self._again: dict[str, tuple[float, float]] = {}

    async def end(self, id: str, reason: EndReason, *, actor: str, detail: str | None = None) -> SessionRow | None:
        """The session at rest, however often and by whomever it is asked for; None when there is none.

        One that another control plane ends is waited for, and given as it is should that take long.  What cannot be
        written down for want of a database is remembered, and done when that is back.
        """
        try:
            return await self._end(id, _Asked(reason, actor, detail), wait=_WAIT_SECONDS)
        except DatabaseUnavailable:
            self.remember(id, reason, actor, detail)
            raise

    def remember(self, id: str, reason: EndReason, actor: str, detail: str | None) -> None:
        """End it when the database is back; the first reason stands."""
        self._asked.setdefault(id, _Asked(reason, actor, detail))

    @property
    def remembered(self) -> list[str]:
        return list(self._asked)

    async def end_remembered(self, id: str) -> None:
        """For the reaper: what was asked for meanwhile.  Raises `DatabaseUnavailable` if it still is."""
        if asked := self._asked.get(id):
            await self._end(id, asked, wait=0)
            self._asked.pop(id, None)

    async def end_soon(self, id: str, reason: EndReason, *, actor: str, detail: str | None = None) -> None:
        """As `end`, but one that another control plane ends is left to it."""
        await self._end(id, _Asked(reason, actor, detail), wait=0)

    async def carry_on(self, row: SessionRow) -> None:
        """Of a session in STOPPING: what failed here, or was begun by somebody who is gone, is tried again."""
        if time.monotonic() >= self._again.get(row.id, (0.0, 0.0))[0] and await self._is_ours(row):
            await self._finish(row.id)

    async def end_own(self) -> bool:
        """At this control plane's own end: all that it started or adopted.  Whether everything came to rest."""
        rows = [row for row in await self._registry.sessions.live() if row.plane_id == self._peers.id]
        left: list[str] = []

        async def end(id: str) -> None:
            try:
                await self.end(id, EndReason.RELEASED, actor="control plane", detail="the control plane stopped")
            except DatabaseUnavailable:
                left.append(id)
            except Exception:  # one session's trouble is not the others'
                log.exception("session.end_failed", session_id=id)
                left.append(id)

        async with anyio.create_task_group() as tasks:
            for row in rows:
                tasks.start_soon(end, row.id)
        return not left

    async def _end(self, id: str, asked: _Asked, *, wait: float) -> SessionRow | None:
        deadline = time.monotonic() + wait
        while True:
            row = await self._registry.sessions.get(id)
            if row is None or row.state not in LIVE:
                return row
            if row.state is SessionState.PENDING:
                await self._end_pending(row, asked)
            elif await self._begin(row, asked):
                await self._finish(id)
            elif time.monotonic() >= deadline:
                return row
            else:
                await anyio.sleep(_LOOK_SECONDS)

    async def _end_pending(self, row: SessionRow, asked: _Asked) -> None:
        """It owns nothing yet."""
        final = final_state(asked.reason)
        changes: dict[str, Any] = {"reason": asked.reason, "detail": asked.detail, "ended_at": time.time()}
        if await self._registry.sessions.move(row.id, SessionState.PENDING, final, actor=asked.actor, **changes):
            self._tell_span(row, asked.reason)
            await self._starts.stop(row.id)

    async def _begin(self, row: SessionRow, asked: _Asked) -> bool:
        """Whether it is in STOPPING and ours to remove."""
        if row.state is SessionState.STOPPING:
            return await self._is_ours(row)
        # Who brings it up must stop doing so first, and nobody else can.
        is_theirs = row.state is SessionState.STARTING and await self._peers.lives(row.plane_id)
        owner = row.plane_id if is_theirs else self._peers.id
        changes: dict[str, Any] = {"reason": asked.reason, "detail": asked.detail, "plane_id": owner}
        if not await self._registry.sessions.move(
            row.id, row.state, SessionState.STOPPING, actor=asked.actor, **changes
        ):
            return False
        self._directory.over(row.id, asked.reason)
        return owner == self._peers.id

    async def _is_ours(self, row: SessionRow) -> bool:
        """Of a session in STOPPING; that of a control plane which is gone is taken over, by one of those left."""
        if row.plane_id == self._peers.id:
            return True
        if await self._peers.lives(row.plane_id):
            return False
        return await self._registry.sessions.take_over(
            row.id, self._peers.id, was=row.plane_id, state=SessionState.STOPPING, kind="session.adopted"
        )

    async def _finish(self, id: str) -> None:
        """Remove the box of a session in STOPPING that is ours, and bring it to rest.  Many may call it at any time."""
        if (ending := self._endings.get(id)) is not None:
            await ending.wait()
            return
        self._endings[id] = anyio.Event()
        pause = min(max(self._again.get(id, (0.0, 0.0))[1] * 2, _LEAST_PAUSE), _MOST_PAUSE)
        try:
            with anyio.CancelScope(shield=True):
                await self._remove(id)
            self._again.pop(id, None)
        except BaseException:
            self._again[id] = (time.monotonic() + pause, pause)
            raise
        finally:
            self._endings.pop(id).set()

    async def _remove(self, id: str) -> None:
        await self._starts.stop(id)
        row = await self._registry.sessions.get(id)
        if row is None or row.state is not SessionState.STOPPING:
            return
        for box in await self._registry.boxes.list(place=self._launcher.place):
            if box.session_id == id:
                is_measured = await self._last_measure(row, box)
                await self._keep_film(row, box)
                await self._starter.remove(box)
                await self._context.records.note_end(row)
                if not is_measured and (sent := await self._context.records.egress_of(row)):
                    await self._registry.sessions.note({row.id: sent})
        await self._registry.profiles.give_back(id)
        reason = row.reason or EndReason.FAILED
        if not await self._registry.sessions.move(
            id, SessionState.STOPPING, final_state(reason), actor="control plane", ended_at=time.time()
        ):
            return
        self._context.metrics.ended(reason)
        self._tell_span(row, reason)
        lived = round(time.time() - row.created_at, 1)
        log.info("session.over", **self._directory.about(row), reason=reason, lived_s=lived)
        self._starts.room_freed()

    def _tell_span(self, row: SessionRow, reason: EndReason) -> None:
        if self._context.telemetry is None:
            return
        trace_id, span_id = session_trace(row.id)
        state = final_state(reason)
        self._context.telemetry.add(
            Span(
                trace_id,
                span_id,
                name="session",
                kind=SpanKind.INTERNAL,
                began=round(row.created_at * 1e9),
                ended=time.time_ns(),
                is_error=state is SessionState.FAILED,
                attributes={"belljar.session": row.id, "belljar.state": state.value, "belljar.reason": reason.value},
            )
        )

    async def _keep_film(self, row: SessionRow, box: BoxRow) -> None:
        """Of a session that failed though its box lives; what a dead one left is found with its films."""
        is_wanted = final_state(row.reason or EndReason.FAILED) is SessionState.FAILED
        if not is_wanted or allowance_of(row.spec).film is not FilmMode.ON_FAILURE or not box.handle:
            return
        mark = msgspec.json.encode({"text": f"the session failed: {row.reason}", "film": True})
        with suppress(BoxRefused, UpstreamError, TimeoutError):
            address = self._launcher.address(box.handle)
            await self._context.calls.call(address, box.id, "POST", "/v1/events/marks", mark, within=_FILM_SECONDS)

    async def _last_measure(self, row: SessionRow, box: BoxRow) -> bool:
        """What the session used to its end, if its box can still say; whether it said how much went out and in."""
        if not box.handle or not await self._launcher.is_alive(box.handle):
            return False
        address = self._launcher.address(box.handle)
        stats = await self._launcher.stats(box.handle)
        notes: dict[str, object] = {
            "peak_memory": max(row.peak_memory, stats.memory),
            "cpu_seconds": max(row.cpu_seconds, stats.cpu_seconds),
        }
        with suppress(BoxRefused, UpstreamError, TimeoutError):
            await self._context.calls.close_way_out(address, box.id)
            notes |= (await self._context.calls.health(address, box.id)).egress
        await self._registry.sessions.note({row.id: notes})
        self._context.calls.forget(address)
        return "egress_bytes" in notes
