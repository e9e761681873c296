"""Bring a session up, from its row to a box that answers and belongs to it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self

import anyio

from belljar.logs import log
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.launchers.base import Handle, LaunchError
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.ceilings import asked_for, box_flags
from belljar.plane.registry import BoxRow, SessionRow
from belljar.plane.sessions.admission import Admission, Admitted, over
from belljar.plane.sessions.box_starter import BoxStarter, new_box_id
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.end import SessionEnder
from belljar.plane.sessions.pool import Pool
from belljar.plane.sessions.starts import Start, StartsInProgress
from belljar.problems.plane import (
    BoxNotTightened,
    DatabaseUnavailable,
    LaunchFailed,
    NoRoom,
    NotHonoured,
    ProfileInUse,
    SessionOver,
)
from belljar.tasks import the_only_one
from belljar.wire.access import Claim
from belljar.wire.sessions import Allowance, CreateSession, EndReason, SessionState

# A box that was started for a session ends itself after this, unless it was claimed.
_UNCLAIMED_SECONDS = 120.0
# What a warm box may take to become what a session wants: most of it is another browser's start.
_ADAPT_SECONDS = 60.0


class BringUp:
    """Brings sessions up, each in a task of its own, for as long as its block lasts."""

    def __init__(
        self,
        context: Context,
        admission: Admission,
        pool: Pool,
        starter: BoxStarter,
        ender: SessionEnder,
        starts: StartsInProgress,
    ) -> None:
        self._context = context
        self._registry = context.registry
        self._launcher = context.launcher
        self._calls = context.calls
        self._directory = context.directory
        self._admission = admission
        self._pool = pool
        self._starter = starter
        self._ender = ender
        self._starts = starts
        self._tasks = anyio.create_task_group()

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        """Those that are still being brought up are cancelled."""
        self._tasks.cancel_scope.cancel()
        try:
            await self._tasks.__aexit__(*raised)
        except BaseExceptionGroup as group:
            raise the_only_one(group) from None

    def begin(self, admitted: Admitted, wanted: CreateSession, allowance: Allowance) -> None:
        """Its outcome is that of `admitted.start`."""
        name = f"bring up {admitted.row.id}"
        self._tasks.start_soon(self._bring_up, admitted, wanted, allowance, name=name)

    async def _bring_up(self, admitted: Admitted, wanted: CreateSession, allowance: Allowance) -> None:
        """From PENDING to RUNNING, or to the end with a reason; never raises."""
        start = admitted.start
        began = time.monotonic()
        outcome: SessionRow | Exception = over(start.row)
        try:
            with start.scope:
                if start.row.state is SessionState.PENDING:
                    start.row = await self._admission.wait_for_room(start.row)
                outcome = await self._start(start.row, wanted, allowance, admitted.box)
                took = time.monotonic() - began
                self._context.metrics.created(took)
                log.info("session.running", **self._directory.about(outcome), took_ms=round(took * 1000, 1))
            if start.scope.cancelled_caught:
                outcome = over(await self._reread(start.row))
        except NoRoom as problem:
            outcome = problem
        except DatabaseUnavailable as problem:
            # Its end cannot be written down either; the reaper does once there is somewhere to write.
            outcome = problem
            why = "the database was away while it started"
            self._ender.remember(start.row.id, EndReason.FAILED, "control plane", why)
        except (LaunchFailed, NotHonoured, SessionOver, ProfileInUse) as problem:
            outcome = problem
            await self._fail(start, problem.detail)
        except Exception:  # the boundary of a task of its own
            log.exception("session.start_failed", **self._directory.about(start.row))
            outcome = LaunchFailed("The session could not be started.", session_id=start.row.id)
            await self._fail(start, "the session could not be started")
        finally:
            self._starts.forget(start.row.id)
            start.finish(outcome)

    async def _start(
        self, row: SessionRow, wanted: CreateSession, allowance: Allowance, box: BoxRow | None
    ) -> SessionRow:
        if wanted.profile_id and not wanted.read_only:
            if not await self._registry.profiles.take(wanted.profile_id, row.id):
                raise in_use("another")
        claim = Claim(
            session_id=row.id,
            expires_at=row.expires_at,
            idle_timeout=row.idle_timeout,
            allowance=allowance,
            asked=tuple(asked_for(wanted)),
        )
        warm = box or await self._pool.take(wanted, allowance, row.id)
        isolation = None if warm is None else await self._claim_warm(warm, claim)
        if warm is not None and isolation is not None:
            box_id, handle = warm.id, _handle_of(warm)
            await self._adapt(row, box_id, handle, wanted)
        else:
            box_id, handle = await self._new_box(row, wanted, allowance)
            # Extended meanwhile, its first end may have passed: claimed for that one the box would end at once.
            current = await self._reread(row)
            lasting = {"expires_at": current.expires_at, "idle_timeout": current.idle_timeout}
            claim = claim.model_copy(update=lasting)
            isolation = await self._claim(row, box_id, handle, claim)
        now = time.time()
        running: dict[str, Any] = {
            "box_id": box_id,
            "isolation": isolation,
            "started_at": now,
            "last_activity": now,
        }
        times = await self._registry.sessions.run(row.id, actor=row.user_id, **running)
        if times is None:
            raise over(await self._reread(row))
        expires_at, idle_timeout = times
        row = replace(row, state=SessionState.RUNNING, expires_at=expires_at, idle_timeout=idle_timeout, **running)
        self._directory.put(row, handle)
        if times != (claim.expires_at, claim.idle_timeout):
            # Somebody extended it while its box came up, and could not tell the box.
            again = Claim(session_id=row.id, expires_at=expires_at, idle_timeout=idle_timeout)
            await self._claim(row, box_id, handle, again)
        return row

    async def _claim_warm(self, warm: BoxRow, claim: Claim) -> dict[str, object] | None:
        """As `_claim`; None where the warm box did not take it: one that cannot be tightened any more is removed."""
        try:
            return await self._calls.claim(self._launcher.address(_handle_of(warm)), warm.id, claim)
        except BoxRefused as error:
            if error.status == 422:
                raise _not_honoured(error) from error
            if error.code != BoxNotTightened.code:
                raise LaunchFailed("The session's box did not take the session.") from error
            log.info("session.box_not_tightened", box_id=warm.id, error=error.detail)
        except (UpstreamError, TimeoutError) as error:
            log.warning("session.warm_box_lost", box_id=warm.id, error=str(error))
        await self._starter.remove(warm)
        return None

    async def _claim(self, row: SessionRow, box_id: str, handle: Handle, claim: Claim) -> dict[str, object]:
        """What keeps the box's programs in, once it took the session with its limits."""
        try:
            return await self._calls.claim(self._launcher.address(handle), box_id, claim)
        except BoxRefused as error:
            if error.status == 422:
                raise _not_honoured(error) from error
            raise LaunchFailed("The session's box did not take the session.", session_id=row.id) from error
        except (UpstreamError, TimeoutError) as error:
            raise LaunchFailed("The session's box did not take the session.", session_id=row.id) from error

    async def _new_box(self, row: SessionRow, wanted: CreateSession, allowance: Allowance) -> tuple[str, Handle]:
        box_id = new_box_id()
        with self._launch_problems(row, box_id):
            return box_id, await self._starter.start(
                wanted,
                box_id=box_id,
                expires_in=_UNCLAIMED_SECONDS,
                session_id=row.id,
                flags=box_flags(allowance),
            )
        raise AssertionError("unreachable")

    async def _adapt(self, row: SessionRow, box_id: str, handle: Handle, wanted: CreateSession) -> None:
        """Make of a warm box what a new one would be: its network, then its browser, then its first page."""
        address = self._launcher.address(handle)
        with self._launch_problems(row, box_id):
            await self._calls.confine(address, box_id, wanted, _ADAPT_SECONDS, self._launcher.hold_egress)
            if not self._pool.is_as_started(wanted):
                if wanted.profile_id is not None:
                    await self._launcher.lend_profile(handle, wanted.profile_id, read_only=wanted.read_only)
                await self._calls.start_anew(address, box_id, wanted, _ADAPT_SECONDS)
            elif wanted.url:
                await self._calls.navigate(address, box_id, wanted.url)

    @contextmanager
    def _launch_problems(self, row: SessionRow, box_id: str) -> Iterator[None]:
        """What goes wrong with a box, as the session's caller is told of it."""
        try:
            yield
        except BoxRefused as error:
            raise LaunchFailed(f"The session's box refused to start: {error.detail}", session_id=row.id) from error
        except (LaunchError, UpstreamError, TimeoutError) as error:
            log.warning("session.launch_failed", **self._directory.about(row), box_id=box_id, error=str(error))
            raise LaunchFailed(
                "A box could not be started in time.",
                headers={"Retry-After": "5"},
                retry_after_ms=5000,
                session_id=row.id,
            ) from error

    async def _fail(self, start: Start, detail: str) -> None:
        """After a start that went wrong, from within its own task.  Never raises: the reaper tries until it ends."""
        self._starts.forget(start.row.id)
        try:
            await self._ender.end(start.row.id, EndReason.FAILED, actor="control plane", detail=detail)
        except DatabaseUnavailable:
            return
        except Exception:  # the boundary of a task of its own
            log.exception("session.end_failed", **self._directory.about(start.row))

    async def _reread(self, row: SessionRow) -> SessionRow:
        return await self._registry.sessions.get(row.id) or row


def in_use(session_id: str) -> ProfileInUse:
    return ProfileInUse(
        "Another session runs on this profile; wait for its end, or ask for a copy with readOnly.",
        session_id=session_id,
    )


def _handle_of(box: BoxRow) -> Handle:
    assert box.handle is not None
    return box.handle


def _not_honoured(error: BoxRefused) -> NotHonoured:
    """A limit that the caller named and this host cannot enforce."""
    return NotHonoured(error.detail, errors=error.errors)
