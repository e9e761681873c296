"""Bring a session up, from its row to a box that answers and belongs to it."""

import time
from dataclasses import replace
from typing import Any

import structlog
from anyio.abc import TaskGroup

from belljar.control.admission import Admission, Admitted, over
from belljar.control.boxes import BoxCalls, BoxRefused
from belljar.control.directory import Directory
from belljar.control.endings import Endings
from belljar.control.launchers.base import Handle, Launcher, LaunchError
from belljar.control.metrics import ControlMetrics
from belljar.control.pool import Pool, Starter, new_box_id
from belljar.control.registry import BoxRow, Registry, SessionRow
from belljar.control.underway import Birth, Underway
from belljar.control.upstream import UpstreamError
from belljar.problems.control import DatabaseUnavailable, LaunchFailed, NoRoom, ProfileInUse, SessionOver
from belljar.wire.claims import Claim
from belljar.wire.sessions import CreateSession, EndReason, SessionState

log = structlog.get_logger("belljar.sessions")

# A box that was started for a session ends itself after this, unless it was claimed.
_UNCLAIMED_SECONDS = 120.0


class Births:
    def __init__(
        self,
        registry: Registry,
        launcher: Launcher,
        directory: Directory,
        admission: Admission,
        pool: Pool,
        starter: Starter,
        calls: BoxCalls,
        endings: Endings,
        metrics: ControlMetrics,
        underway: Underway,
        tasks: TaskGroup,
    ) -> None:
        self._registry = registry
        self._launcher = launcher
        self._directory = directory
        self._admission = admission
        self._pool = pool
        self._starter = starter
        self._calls = calls
        self._endings = endings
        self._metrics = metrics
        self._underway = underway
        self._tasks = tasks

    def begin(self, admitted: Admitted, wanted: CreateSession) -> None:
        name = f"bring up {admitted.row.id}"
        self._tasks.start_soon(self._bring_up, admitted.row, wanted, admitted.box, admitted.birth, name=name)

    async def _bring_up(self, row: SessionRow, wanted: CreateSession, box: BoxRow | None, birth: Birth) -> None:
        """From PENDING to RUNNING, or to the end with a reason; never raises."""
        began = time.monotonic()
        try:
            with birth.scope:
                if row.state is SessionState.PENDING:
                    row = await self._admission.wait_for_room(row)
                row = await self._start(row, wanted, box)
                took = time.monotonic() - began
                self._metrics.created(took)
                log.info("session.running", **self._directory.about(row), took_ms=round(took * 1000, 1))
            if birth.scope.cancelled_caught:
                birth.problem = over(await self._reread(row))
        except NoRoom as problem:
            birth.problem = problem
        except DatabaseUnavailable as problem:
            # Its end cannot be written down either; the reaper does once there is somewhere to write.
            birth.problem = problem
            self._endings.remember(row.id, EndReason.FAILED, "control plane", "the database was away while it started")
        except (LaunchFailed, SessionOver, ProfileInUse) as problem:
            birth.problem = problem
            await self._fail(row, problem.detail)
        except Exception:  # the boundary of a task of its own
            log.exception("session.start_failed", **self._directory.about(row))
            birth.problem = LaunchFailed("The session could not be started.", session_id=row.id)
            await self._fail(row, "the session could not be started")
        finally:
            self._underway.forget(row.id)
            birth.done.set()

    async def _start(self, row: SessionRow, wanted: CreateSession, box: BoxRow | None) -> SessionRow:
        if wanted.profile_id and not wanted.read_only:
            if not await self._registry.profiles.take(wanted.profile_id, row.id):
                raise in_use("another")
        box_id, handle = await self._box_for(row, wanted, box)
        claim = Claim(
            session_id=row.id,
            expires_at=row.expires_at,
            idle_timeout=row.idle_timeout,
            policy=wanted.policy,
            viewport=wanted.viewport,
            url=wanted.url,
        )
        try:
            await self._calls.claim(self._launcher.address(handle), box_id, claim)
        except (BoxRefused, UpstreamError, TimeoutError) as error:
            raise LaunchFailed("The session's box did not take the session.", session_id=row.id) from error
        now = time.time()
        running: dict[str, Any] = {"box_id": box_id, "started_at": now, "last_activity": now}
        if not await self._registry.sessions.move(
            row.id, SessionState.STARTING, SessionState.RUNNING, actor=row.user_id, **running
        ):
            raise over(await self._reread(row))
        row = replace(row, state=SessionState.RUNNING, **running)
        self._directory.put(row, handle)
        return row

    async def _box_for(self, row: SessionRow, wanted: CreateSession, box: BoxRow | None) -> tuple[str, Handle]:
        if warm := box or await self._pool.take(wanted, row.id):
            assert warm.handle is not None
            if wanted.url:
                await self._open_first_page(warm.handle, warm.id, wanted.url)
            return warm.id, warm.handle
        box_id = new_box_id()
        try:
            return box_id, await self._starter.start(
                wanted, box_id=box_id, expires_in=_UNCLAIMED_SECONDS, session_id=row.id, flags=_flags_of(wanted)
            )
        except BoxRefused as error:
            raise LaunchFailed(f"The session's box refused to start: {error.detail}", session_id=row.id) from error
        except (LaunchError, UpstreamError, TimeoutError) as error:
            log.warning("session.launch_failed", **self._directory.about(row), box_id=box_id, error=str(error))
            raise LaunchFailed("A box could not be started in time.", session_id=row.id) from error

    async def _open_first_page(self, handle: Handle, box_id: str, url: str) -> None:
        try:
            await self._calls.navigate(self._launcher.address(handle), box_id, url)
        except BoxRefused as error:
            raise LaunchFailed(f"The first page could not be opened: {error.detail}") from error
        except (UpstreamError, TimeoutError) as error:
            raise LaunchFailed("The first page could not be opened in time.") from error

    async def _fail(self, row: SessionRow, detail: str) -> None:
        """After a birth that went wrong, from within its own task.  Never raises: the reaper tries until it ends."""
        self._underway.forget(row.id)
        try:
            await self._endings.end(row.id, EndReason.FAILED, actor="control plane", detail=detail)
        except DatabaseUnavailable:
            return
        except Exception:  # the boundary of a task of its own
            log.exception("session.end_failed", **self._directory.about(row))

    async def _reread(self, row: SessionRow) -> SessionRow:
        return await self._registry.sessions.get(row.id) or row


def in_use(session_id: str) -> ProfileInUse:
    return ProfileInUse(
        "Another session runs on this profile; wait for its end, or ask for a copy with readOnly.",
        session_id=session_id,
    )


def _flags_of(wanted: CreateSession) -> list[str]:
    """What a session may narrow of how its box is started; every value was checked, none is a caller's text."""
    limits = wanted.limits
    if limits is None:
        return []
    memory = [] if limits.memory_mb is None else ["--max-memory", f"{limits.memory_mb}M"]
    processes = [] if limits.processes is None else ["--max-processes", str(limits.processes)]
    return [*memory, *processes]
