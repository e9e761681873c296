"""Create and end a session, out of quotas, registry, pool and launcher."""

import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import structlog
from anyio.abc import TaskGroup
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.control.boxes import BoxCalls, BoxRefused
from belljar.control.credentials import Credentials, Made
from belljar.control.directory import Directory, log_fields
from belljar.control.launchers import kernel
from belljar.control.launchers.base import Handle, Launcher, LaunchError
from belljar.control.metrics import ControlMetrics
from belljar.control.pool import Pool, Starter, new_box_id
from belljar.control.quotas import Limits, Load, has_room, may_queue, user_may_add
from belljar.control.registry import BoxRow, KeyRow, Registry, SessionRow, TicketRow
from belljar.control.registry.sessions import Taken, row_of
from belljar.control.secrets import MasterKey
from belljar.control.settings import ControlSettings
from belljar.control.states import LIVE, final_state
from belljar.control.upstream import Upstream, UpstreamError
from belljar.problems import Forbidden, InvalidRequest
from belljar.problems.control import (
    Draining,
    LaunchFailed,
    NoRoom,
    ProfileInUse,
    SessionExists,
    SessionOver,
    TooManySessions,
    UnknownProfile,
    WrongHost,
)
from belljar.wire.claims import Claim
from belljar.wire.sessions import CreateSession, EndReason, SessionState, TokenRole

log = structlog.get_logger("belljar.sessions")

# How often one that waits for room looks whether another control plane made some.
_LOOK_SECONDS = 0.25
# A box that was started for a session ends itself after this, unless it was claimed.
_UNCLAIMED_SECONDS = 120.0


@dataclass(eq=False)
class _Birth:
    """A session being brought up by this control plane."""

    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    done: anyio.Event = field(default_factory=anyio.Event)
    problem: Exception | None = None


@dataclass(frozen=True)
class Created:
    """A session, and its first token and tickets unless it was there already."""

    row: SessionRow
    token: Made | None
    tickets: Mapping[str, str]


class SessionKeeper:
    def __init__(
        self,
        settings: ControlSettings,
        registry: Registry,
        launcher: Launcher,
        directory: Directory,
        pool: Pool,
        starter: Starter,
        calls: BoxCalls,
        credentials: Credentials,
        upstream: Upstream,
        master: MasterKey,
        metrics: ControlMetrics,
        plane_id: str,
        tasks: TaskGroup,
        stopping: anyio.Event,
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._launcher = launcher
        self._directory = directory
        self._pool = pool
        self._starter = starter
        self._calls = calls
        self._credentials = credentials
        self._upstream = upstream
        self._master = master
        self._metrics = metrics
        self._plane_id = plane_id
        self._tasks = tasks
        self._limits = Limits(
            settings.max_sessions,
            settings.max_sessions_per_user,
            settings.queue_length,
            settings.memory_per_session * 1024 * 1024,
            settings.memory_reserve * 1024 * 1024,
        )
        self._births: dict[str, _Birth] = {}
        self._endings: dict[str, anyio.Event] = {}
        # Set and replaced whenever a session of this control plane has ended.
        self._freed = anyio.Event()
        self._stopping = stopping

    @property
    def is_draining(self) -> bool:
        """From the moment this control plane was told to stop."""
        return self._stopping.is_set()

    # Create.

    async def create(self, wanted: CreateSession, key: KeyRow, idempotency_key: str | None) -> Created:
        """A running session, or with `wait` false one that is on its way.  Raises problems for the caller."""
        if self.is_draining:
            raise Draining("This control plane is stopping; ask another, or again in a moment.")
        digest = _digest_of(wanted)
        if idempotency_key is not None:
            if known := await self._registry.sessions.by_idempotency_key(key.user_id, idempotency_key):
                return await self._again(known, wanted, digest)
        if wanted.proxy is not None and not key.is_admin:
            # The proxy's own address is dialled by the host, whatever it is.
            raise Forbidden("Only an admin's key may send a session through a proxy.")
        await self._check_profile(wanted, key)
        row, token, tickets = await self._add(wanted, key, idempotency_key, digest)
        birth = self._births[row.id] = _Birth()
        self._tasks.start_soon(self._bring_up, row, wanted, birth, name=f"bring up {row.id}")
        if wanted.wait:
            await birth.done.wait()
            if birth.problem is not None:
                raise birth.problem
        entry = self._directory.entries.get(row.id)
        return Created(row if entry is None else entry.row, token, tickets)

    async def _again(self, row: SessionRow, wanted: CreateSession, digest: str) -> Created:
        if row.idempotency_digest != digest:
            raise SessionExists("This Idempotency-Key was used with another request before.", session_id=row.id)
        if wanted.wait and (birth := self._births.get(row.id)):
            await birth.done.wait()
            if birth.problem is not None:
                raise birth.problem
        return Created(await self._reread(row), None, {})

    async def _check_profile(self, wanted: CreateSession, key: KeyRow) -> None:
        if wanted.profile_id is None:
            return
        profile = await self._registry.profiles.get(wanted.profile_id)
        if profile is None or not (key.is_admin or profile.user_id == key.user_id):
            raise UnknownProfile(f"There is no profile {wanted.profile_id} of yours.")
        if profile.host != self._settings.host_name:
            raise WrongHost(f"The profile is kept on {profile.host}.", host=profile.host)
        if profile.session_id is not None and not wanted.read_only:
            raise _in_use(profile.session_id)

    async def _add(
        self, wanted: CreateSession, key: KeyRow, idempotency_key: str | None, digest: str
    ) -> tuple[SessionRow, Made, Mapping[str, str]]:
        """The row, admitted by the user's own limit and the queue's, with its first token."""
        values = self._new_row(wanted, key) | {"idempotency_key": idempotency_key, "idempotency_digest": digest}
        token = self._credentials.make_token(
            values["id"], key.user_id, TokenRole.DRIVE, values["expires_at"], "made with the session"
        )
        made = {use: self._ticket(values["id"], token) for use in ("cdp", "ws", "view")}
        row = row_of(values)
        memory = kernel.available_memory()
        async with self._registry.database.admission() as connection:
            mine, owning, waiting = await self._registry.sessions.counts(connection, key.user_id)
            load = Load(mine, owning, waiting, self._starting(row.id), memory)
            if not user_may_add(load, self._limits, key.max_sessions):
                limit = self._limits.per_user if key.max_sessions is None else key.max_sessions
                raise _retry(TooManySessions, f"You may have {limit} sessions at a time; end one first.", limit=limit)
            if not may_queue(load, self._limits):
                raise _retry(NoRoom, "Too many sessions wait for room already.")
            try:
                await self._registry.sessions.add(values, connection)
            except Taken:
                raise SessionExists(f"There is a session {values['id']} already.", session_id=values["id"]) from None
            await self._registry.tokens.add(
                [token.row], [ticket for _, ticket in made.values()], actor=key.user_id, connection=connection
            )
            if waiting == 0 and has_room(load, self._limits):
                row = await self._admitted(row, connection)
        self._directory.put(row, None)
        return row, token, {use: ticket for use, (ticket, _) in made.items()}

    async def _admitted(self, row: SessionRow, connection: AsyncConnection) -> SessionRow:
        """Within the admission that found room for it."""
        await self._registry.sessions.move(
            row.id, SessionState.PENDING, SessionState.STARTING, actor=row.user_id, connection=connection
        )
        return replace(row, state=SessionState.STARTING)

    def _ticket(self, session_id: str, token: Made) -> tuple[str, TicketRow]:
        return self._credentials.make_ticket(TokenRole.DRIVE, session_id=session_id, token_id=token.row.id)

    def _new_row(self, wanted: CreateSession, key: KeyRow) -> dict[str, Any]:
        ttl = wanted.ttl or min(self._settings.ttl, key.max_ttl or self._settings.max_ttl)
        self.check_ttl(ttl, key)
        now = time.time()
        return {
            "id": wanted.id or f"s-{secrets.token_hex(8)}",
            "user_id": key.user_id,
            "state": SessionState.PENDING,
            "host": self._settings.host_name,
            "plane_id": self._plane_id,
            "spec": wanted.model_dump(mode="json", exclude={"tags", "metadata", "wait", "id"}),
            "tags": wanted.tags,
            "metadata": wanted.metadata,
            "profile_id": wanted.profile_id,
            "revoked": False,
            "created_at": now,
            "moved_at": now,
            "expires_at": now + ttl,
            "idle_timeout": self._settings.idle_timeout if wanted.idle_timeout is None else wanted.idle_timeout,
            "last_activity": now,
            "peak_memory": 0,
            "cpu_seconds": 0.0,
            "egress_bytes": 0,
        }

    def check_ttl(self, ttl: int, key: KeyRow) -> None:
        largest = min(self._settings.max_ttl, key.max_ttl or self._settings.max_ttl)
        if ttl > largest:
            raise InvalidRequest(f"A session may live {largest} seconds at most.", max_ttl=largest)

    async def _bring_up(self, row: SessionRow, wanted: CreateSession, birth: _Birth) -> None:
        """From PENDING to RUNNING, or to the end with a reason; never raises."""
        began = time.monotonic()
        try:
            with birth.scope:
                if row.state is SessionState.PENDING:
                    row = await self._wait_for_room(row)
                await self._start(row, wanted)
                took = time.monotonic() - began
                self._metrics.created(took)
                log.info("session.running", **self.about(row), took_ms=round(took * 1000, 1))
            if birth.scope.cancelled_caught:
                birth.problem = _over(await self._reread(row))
        except NoRoom as problem:
            birth.problem = problem
        except (LaunchFailed, SessionOver, ProfileInUse) as problem:
            birth.problem = problem
            await self._fail(row, problem.detail)
        except Exception:  # the boundary of a task of its own
            log.exception("session.start_failed", **self.about(row))
            birth.problem = LaunchFailed("The session could not be started.", session_id=row.id)
            await self._fail(row, "the session could not be started")
        finally:
            self._births.pop(row.id, None)
            birth.done.set()

    async def _wait_for_room(self, row: SessionRow) -> SessionRow:
        """Move to STARTING when it is this session's turn and there is room; first come, first served."""
        deadline = time.monotonic() + self._settings.queue_wait
        while (admitted := await self._admit(row)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                await self._give_up(row)
            with anyio.move_on_after(min(left, _LOOK_SECONDS)):
                await self._freed.wait()
        self._directory.put(admitted, None)
        return admitted

    async def _admit(self, row: SessionRow) -> SessionRow | None:
        memory = kernel.available_memory()
        async with self._registry.database.admission() as connection:
            if not await self._registry.sessions.is_first_in_line(connection, row.id):
                now = await self._registry.sessions.get(row.id)
                if now is None or now.state is not SessionState.PENDING:
                    raise _over(now or row)
                return None
            _, owning, waiting = await self._registry.sessions.counts(connection, row.user_id)
            if not has_room(Load(0, owning, waiting, self._starting(row.id), memory), self._limits):
                return None
            return await self._admitted(row, connection)

    async def _give_up(self, row: SessionRow) -> None:
        """Nothing became free in time."""
        ended: dict[str, Any] = {"detail": "no room became free in time", "ended_at": time.time()}
        if await self._registry.sessions.move(
            row.id, SessionState.PENDING, SessionState.FAILED, actor="queue", reason=EndReason.FAILED, **ended
        ):
            raise _retry(NoRoom, f"No room became free within {self._settings.queue_wait:g} seconds.")
        raise _over(await self._reread(row))

    def _starting(self, id: str) -> int:
        """How many others are being started here, whose memory is not used yet."""
        return sum(1 for other in self._births if other != id and self._is_starting(other))

    def _is_starting(self, id: str) -> bool:
        entry = self._directory.entries.get(id)
        return entry is not None and entry.row.state is SessionState.STARTING

    async def _start(self, row: SessionRow, wanted: CreateSession) -> None:
        if wanted.profile_id and not wanted.read_only:
            if not await self._registry.profiles.take(wanted.profile_id, row.id):
                raise _in_use("another")
        box_id, handle = await self._box_for(row, wanted)
        address = self._launcher.address(handle)
        claim = Claim(
            session_id=row.id,
            expires_at=row.expires_at,
            idle_timeout=row.idle_timeout,
            policy=wanted.policy,
            viewport=wanted.viewport,
            url=wanted.url,
        )
        try:
            await self._calls.claim(address, box_id, claim)
        except (BoxRefused, UpstreamError, TimeoutError) as error:
            raise LaunchFailed("The session's box did not take the session.", session_id=row.id) from error
        now = time.time()
        running: dict[str, Any] = {"box_id": box_id, "started_at": now, "last_activity": now}
        if not await self._registry.sessions.move(
            row.id, SessionState.STARTING, SessionState.RUNNING, actor=row.user_id, **running
        ):
            raise _over(await self._reread(row))
        self._directory.put(replace(row, state=SessionState.RUNNING, **running), handle)

    async def _box_for(self, row: SessionRow, wanted: CreateSession) -> tuple[str, Handle]:
        if warm := await self._pool.take(wanted, row.id):
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
            log.warning("session.launch_failed", **self.about(row), box_id=box_id, error=str(error))
            raise LaunchFailed("A box could not be started in time.", session_id=row.id) from error

    async def _open_first_page(self, handle: Handle, box_id: str, url: str) -> None:
        try:
            await self._calls.navigate(self._launcher.address(handle), box_id, url)
        except BoxRefused as error:
            raise LaunchFailed(f"The first page could not be opened: {error.detail}") from error
        except (UpstreamError, TimeoutError) as error:
            raise LaunchFailed("The first page could not be opened in time.") from error

    # End.

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

    async def _finish(self, id: str) -> None:
        await self._stop_birth(id)
        row = await self._registry.sessions.get(id)
        if row is None or row.state is not SessionState.STOPPING:
            return
        for box in await self._registry.boxes.list(host=self._settings.host_name):
            if box.session_id == id:
                await self._last_measure(row, box)
                await self._starter.remove(box)
        await self._registry.profiles.give_back(id)
        reason = row.reason or EndReason.FAILED
        await self._registry.sessions.move(
            id, SessionState.STOPPING, final_state(reason), actor="control plane", ended_at=time.time()
        )
        self._metrics.ended(reason)
        log.info("session.over", **self.about(row), reason=reason, lived_s=round(time.time() - row.created_at, 1))
        self._freed.set()
        self._freed = anyio.Event()

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

    async def _stop_birth(self, id: str) -> None:
        if birth := self._births.get(id):
            birth.scope.cancel()
            await birth.done.wait()

    async def _fail(self, row: SessionRow, detail: str) -> None:
        """After a birth that went wrong, from within its own task."""
        self._births.pop(row.id, None)
        await self.end(row.id, EndReason.FAILED, actor="control plane", detail=detail)

    async def extend(self, row: SessionRow) -> None:
        """Tell the box about new times, which it keeps by itself."""
        entry = self._directory.entries.get(row.id)
        if entry is None or entry.address is None or row.box_id is None:
            return
        claim = Claim(session_id=row.id, expires_at=row.expires_at, idle_timeout=row.idle_timeout)
        await self._calls.claim(entry.address, row.box_id, claim)

    async def end_own(self) -> None:
        """At this control plane's own end: all that it started or adopted."""
        rows = [row for row in await self._registry.sessions.live() if row.plane_id == self._plane_id]
        async with anyio.create_task_group() as tasks:
            for row in rows:
                tasks.start_soon(self._end_one, row.id)

    async def _end_one(self, id: str) -> None:
        await self.end(id, EndReason.RELEASED, actor="control plane", detail="the control plane stopped")

    def about(self, row: SessionRow) -> dict[str, Any]:
        """What every log line about a session carries."""
        return log_fields(row, self._master)

    async def _reread(self, row: SessionRow) -> SessionRow:
        return await self._registry.sessions.get(row.id) or row


@asynccontextmanager
async def open_tasks() -> AsyncIterator[TaskGroup]:
    """Where sessions are brought up; leaving it cancels those that still are."""
    async with anyio.create_task_group() as tasks:
        yield tasks
        tasks.cancel_scope.cancel()


def _digest_of(wanted: CreateSession) -> str:
    return hashlib.sha256(wanted.model_dump_json(exclude={"wait"}).encode()).hexdigest()


def _flags_of(wanted: CreateSession) -> list[str]:
    """What a session may narrow of how its box is started; every value was checked, none is a caller's text."""
    limits = wanted.limits
    if limits is None:
        return []
    memory = [] if limits.memory_mb is None else ["--max-memory", f"{limits.memory_mb}M"]
    processes = [] if limits.processes is None else ["--max-processes", str(limits.processes)]
    return [*memory, *processes]


def _retry(problem: type[NoRoom] | type[TooManySessions], detail: str, **members: Any) -> NoRoom | TooManySessions:
    return problem(detail, headers={"Retry-After": "5"}, retry_after_ms=5000, **members)


def _over(row: SessionRow) -> SessionOver:
    return SessionOver("The session was ended while it started.", state=row.state, reason=row.reason)


def _in_use(session_id: str) -> ProfileInUse:
    return ProfileInUse(
        "Another session runs on this profile; wait for its end, or ask for a copy with readOnly.",
        session_id=session_id,
    )
