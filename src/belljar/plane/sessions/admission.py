"""Who may have one more session, and when: the row, admitted by its user's limit, the whole's and free memory."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.access.credentials import Credentials, SignedToken, origin_of
from belljar.plane.boxes.launchers.base import Room
from belljar.plane.ceilings import check_user_sum
from belljar.plane.registry import BoxRow, KeyRow, OriginRevoked, SessionRow, TicketUse
from belljar.plane.registry.sessions import FIRST_TOKEN, Taken, row_of
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.pool import Pool
from belljar.plane.sessions.quotas import Load, has_room, limits_of, may_queue, user_may_add
from belljar.plane.sessions.starts import Start, StartsInProgress
from belljar.problems import InvalidRequest, TokenInvalid
from belljar.problems.plane import Draining, LaunchFailed, NoRoom, SessionExists, SessionOver, TooManySessions
from belljar.wire.sessions import Allowance, CreateSession, EndReason, SessionState, TokenRole

# How often one that waits for room looks whether another control plane made some.
_LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Admitted:
    """A session's row with its first token and tickets, and a warm box if it was admitted at once and one fits."""

    row: SessionRow
    token: SignedToken
    tickets: Mapping[TicketUse, str]
    start: Start
    box: BoxRow | None = None


class Admission:
    def __init__(self, context: Context, credentials: Credentials, pool: Pool, starts: StartsInProgress) -> None:
        self._context = context
        self._settings = context.settings
        self._registry = context.registry
        self._directory = context.directory
        self._credentials = credentials
        self._pool = pool
        self._starts = starts
        self._limits = limits_of(context.settings)

    def check_ttl(self, ttl: int, key: KeyRow) -> None:
        largest = min(self._settings.max_ttl, key.max_ttl or self._settings.max_ttl)
        if ttl > largest:
            raise InvalidRequest(f"A session may live {largest} seconds at most.", max_ttl=largest)

    async def add(
        self, wanted: CreateSession, allowance: Allowance, key: KeyRow, idempotency_key: str | None, digest: str
    ) -> Admitted:
        """STARTING where there is room, PENDING where it must wait.  One transaction holds all that there is to write.

        Raises `Draining`, `TooManySessions`, `UserCeiling`, `NoRoom` when the queue is full too, `SessionExists` and
        `InvalidRequest`.
        """
        values = self._new_row(wanted, allowance, key)
        values |= {"idempotency_key": idempotency_key, "idempotency_digest": digest}
        origin = origin_of(key, is_lasting=True)
        token = self._credentials.make_token(values["id"], origin, TokenRole.DRIVE, note=FIRST_TOKEN)
        of_token = replace(origin, token_id=token.row.id)
        made = self._credentials.make_tickets(TokenRole.DRIVE, of_token, values["id"])
        start: Start | None = None
        async with self._pool.reserved(wanted, allowance) as reserved:
            try:
                room = await self._context.launcher.room()
                async with self._registry.database.admission() as connection:
                    await self._check_host(connection)
                    await self._check_user_sum(connection, key.user_id, allowance)
                    is_warm = reserved.box is not None
                    if await self._may_start(connection, values["id"], key, room, is_warm=is_warm):
                        values["state"] = SessionState.STARTING
                        values["box_id"] = await reserved.lend(values["id"], connection)
                    try:
                        await self._registry.sessions.add(values, connection)
                    except Taken:
                        raise _exists(values["id"]) from None
                    try:
                        await self._registry.tokens.add(
                            [token.row],
                            [ticket for _, ticket in made.values()],
                            actor=key.user_id,
                            connection=connection,
                        )
                    except OriginRevoked:
                        raise TokenInvalid() from None
                    start = self._starts.begin(row_of(values))
            except BaseException as error:
                # Whether it stands nobody knows: should its row turn up, the reaper finds that nobody brings it up.
                if start is not None:
                    self._starts.forget(values["id"])
                    start.finish(error if isinstance(error, Exception) else over(start.row))
                raise
            box = reserved.keep()
        self._directory.put(start.row, None)
        return Admitted(start.row, token, {use: ticket for use, (ticket, _) in made.items()}, start, box)

    async def wait_for_room(self, row: SessionRow) -> SessionRow:
        """Move to STARTING when it is this session's turn and there is room; first come, first served."""
        deadline = time.monotonic() + self._settings.queue_wait
        while (admitted := await self._admit(row)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                await self._give_up(row)
            await self._starts.wait_for_freed_room(min(left, _LOOK_SECONDS))
        self._directory.put(admitted, None)
        return admitted

    async def _check_host(self, connection: AsyncConnection) -> None:
        if await self._registry.hosts.is_drained(connection, self._settings.host_name):
            name = self._settings.host_name
            raise Draining(
                f"The host {name} is drained and takes no more sessions; ask another control plane.",
                headers={"Retry-After": "5"},
                retry_after_ms=5000,
            )

    async def _check_user_sum(self, connection: AsyncConnection, user_id: str, allowance: Allowance) -> None:
        """Counted where nobody else is let in meanwhile: of two that ask at once, the second finds the first."""
        per_user = self._settings.ceilings.per_user
        if per_user.has_any:
            check_user_sum(await self._registry.sessions.allowances(connection, user_id), allowance, per_user)

    async def _may_start(self, connection: AsyncConnection, id: str, key: KeyRow, room: Room, *, is_warm: bool) -> bool:
        """Whether it may start at once; refuses those who may not even wait."""
        mine, owning, waiting = await self._registry.sessions.counts(connection, key.user_id)
        load = Load(mine, owning, waiting, self._starts.count_starting(but=id), room.memory, room.disk, room.takes_more)
        if not user_may_add(load, self._limits, key.max_sessions):
            limit = self._limits.per_user if key.max_sessions is None else key.max_sessions
            raise _retry(TooManySessions, f"You may have {limit} sessions at a time; end one first.", limit=limit)
        if not may_queue(load, self._limits):
            raise _retry(NoRoom, "Too many sessions wait for room already.")
        return waiting == 0 and has_room(load, self._limits, is_warm=is_warm)

    async def _admit(self, row: SessionRow) -> SessionRow | None:
        room = await self._context.launcher.room()
        async with self._registry.database.admission() as connection:
            if not await self._registry.sessions.is_first_in_line(connection, row.id):
                now = await self._registry.sessions.get(row.id)
                if now is None or now.state is not SessionState.PENDING:
                    raise over(now or row)
                return None
            _, owning, waiting = await self._registry.sessions.counts(connection, row.user_id)
            load = Load(
                0, owning, waiting, self._starts.count_starting(but=row.id), room.memory, room.disk, room.takes_more
            )
            if not has_room(load, self._limits):
                return None
            await self._registry.sessions.move(
                row.id, SessionState.PENDING, SessionState.STARTING, actor=row.user_id, connection=connection
            )
            return replace(row, state=SessionState.STARTING)

    async def _give_up(self, row: SessionRow) -> None:
        """Nothing became free in time."""
        ended: dict[str, Any] = {"detail": "no room became free in time", "ended_at": time.time()}
        if await self._registry.sessions.move(
            row.id, SessionState.PENDING, SessionState.FAILED, actor="queue", reason=EndReason.FAILED, **ended
        ):
            if not (await self._context.launcher.room()).takes_more:
                raise _retry(LaunchFailed, "No box can be started just now.", session_id=row.id)
            raise _retry(NoRoom, f"No room became free within {self._settings.queue_wait:g} seconds.")
        raise over(await self._registry.sessions.get(row.id) or row)

    def _new_row(self, wanted: CreateSession, allowance: Allowance, key: KeyRow) -> dict[str, Any]:
        ttl = wanted.ttl or min(self._settings.ttl, key.max_ttl or self._settings.max_ttl)
        self.check_ttl(ttl, key)
        now = time.time()
        return {
            "id": wanted.id or f"s-{secrets.token_hex(8)}",
            "user_id": key.user_id,
            "state": SessionState.PENDING,
            "box_id": None,
            "host": self._settings.host_name,
            "place": self._context.launcher.place,
            "plane_id": self._context.plane_id,
            # Without the proxy, which may hold a password and is of no use later.
            "spec": wanted.model_dump(mode="json", exclude={"tags", "metadata", "wait", "id", "proxy"})
            | {"allowance": allowance.model_dump(mode="json")},
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
            "egress_sent": 0,
            "egress_received": 0,
        }


def over(row: SessionRow) -> SessionOver:
    return SessionOver("The session was ended while it started.", state=row.state, reason=row.reason)


def _exists(id: str) -> SessionExists:
    return SessionExists(f"There is a session {id} already.", session_id=id)


_P = TypeVar("_P", NoRoom, TooManySessions, LaunchFailed)


def _retry(problem: type[_P], detail: str, **members: object) -> _P:
    return problem(detail, headers={"Retry-After": "5"}, retry_after_ms=5000, **members)
