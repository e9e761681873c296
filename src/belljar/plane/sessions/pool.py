"""Boxes started ahead of need, so that a session is a claim and not a start."""

import hashlib
import math
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar import __version__
from belljar.logs import log
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.launchers.base import LaunchError
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.ceilings import box_flags, is_within
from belljar.plane.registry import BoxRow, Registry
from belljar.plane.sessions.box_starter import BoxStarter, egress_policy, kind_of, new_box_id
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.quotas import has_memory, limits_of
from belljar.plane.settings import PlaneSettings
from belljar.problems.plane import DatabaseUnavailable
from belljar.tasks import the_only_one
from belljar.wire.record import FilmMode
from belljar.wire.sessions import Allowance, CreateSession, SessionMode, WantedViewport

# A warm box nobody wanted is replaced after this, and ends itself some time later should we be gone.
_FRESH_SECONDS = 1800.0
_EXPIRES_SECONDS = 3600.0
_LOOK_SECONDS = 5.0
# How long no session was given a warm box before the next one is started, and how long that may put it off.
_SETTLED_SECONDS = 0.3
_BURST_SECONDS = 2.0
# After a start that failed: twice as long each time, for what keeps failing would only keep the machine busy.
_PAUSE_SECONDS = 2.5
_LONGEST_PAUSE_SECONDS = 300.0


class Pool:
    def __init__(self, context: Context, starter: BoxStarter) -> None:
        self._context = context
        self._starter = starter
        self._size = context.settings.pool_size or 0
        # What warm boxes are started with.
        self._wanted = _wanted_of(context.settings)
        # Nothing is filmed before it is somebody's.
        self._allowance = context.settings.ceilings.default.model_copy(update={"film": FilmMode.OFF})
        self._limits = limits_of(context.settings)
        self._warm: deque[BoxRow] = deque()
        # Those that are being started, are warm, or are on their way to a session: nobody else's business.
        self._ours: set[str] = set()
        # How many are on their way, how many wait for one already, and what is set once one is there or has failed.
        self._starting = 0
        self._awaiting = 0
        self._arrived = anyio.Event()
        self._pause = _PAUSE_SECONDS
        self._changed = anyio.Event()
        self._taken_at = -math.inf
        context.metrics.watch_pool(lambda: len(self._warm))

    @property
    def size(self) -> int:
        """How many boxes shall be warm: none on a host that takes no more sessions."""
        return 0 if self._context.peers.is_drained else self._size

    @property
    def warm(self) -> int:
        return len(self._warm)

    @property
    def starting(self) -> int:
        return self._starting

    def look(self) -> None:
        """Something changed that decides how many boxes are wanted."""
        self._changed.set()

    def fits(self, wanted: CreateSession, allowance: Allowance) -> bool:
        """Whether a warm box can become this session's: it runs what is wanted, and need only be tightened."""
        return kind_of(wanted) == kind_of(self._wanted) and is_within(allowance, self._allowance)

    def is_as_started(self, wanted: CreateSession) -> bool:
        """Whether a warm box's browser can stay: its screen and its profile are what it was started with."""
        return wanted.viewport == self._wanted.viewport and wanted.profile_id is None

    async def take(self, wanted: CreateSession, allowance: Allowance, session_id: str) -> BoxRow | None:
        """A warm box that fits, now lent to the session; None when there is none, nor one about to be there."""
        await self._await_next(wanted, allowance)
        async with self.reserved(wanted, allowance) as reserved:
            if reserved.box is not None:
                async with self._context.registry.database.write() as connection:
                    await reserved.lend(session_id, connection)
            box = reserved.keep()
        if box is None and self.size:
            self._context.metrics.took(was_warm=False)
        return box

    @asynccontextmanager
    async def reserved(self, wanted: CreateSession, allowance: Allowance) -> AsyncIterator["Reservation"]:
        """A warm box that fits, if there is one, which nobody else gets; it comes back unless it was kept."""
        reservation = Reservation(self._context.registry, taken := await self._pop(wanted, allowance))
        try:
            yield reservation
        finally:
            if taken is not None and (reservation.is_kept or reservation.box is None):
                self._ours.discard(taken.id)
            if reservation.is_kept:
                self._context.metrics.took(was_warm=True)
                self._taken_at = time.monotonic()
                self._changed.set()
            elif reservation.box is not None:
                self._warm.appendleft(reservation.box)

    async def _await_next(self, wanted: CreateSession, allowance: Allowance) -> None:
        """A box that is being started is there sooner than one that is begun now; it is worth one session's wait."""
        if self._warm or self._awaiting >= self._starting or not self.fits(wanted, allowance):
            return
        self._awaiting += 1
        try:
            await self._arrived.wait()
        finally:
            self._awaiting -= 1

    async def _pop(self, wanted: CreateSession, allowance: Allowance) -> BoxRow | None:
        while len(self._warm) > self._awaiting and self.fits(wanted, allowance):
            box = self._warm.popleft()
            if await self._is_alive(box):
                return box
            # Its row is left to the reaper, which removes it.
            self._ours.discard(box.id)
            self._changed.set()
        return None

    async def keep_full(self) -> None:
        """Runs as long as the control plane; as many boxes at a time as the launcher has room for beside sessions."""
        while True:
            self._changed = anyio.Event()
            try:
                await self._replace_old()
                if missing := await self._missing():
                    await self._until_settled()
                    is_warm = await self._add_some(missing)
                    self._pause = _PAUSE_SECONDS if is_warm else min(self._pause * 2, _LONGEST_PAUSE_SECONDS)
                    if not is_warm:
                        await anyio.sleep(self._pause)
                    continue
            except DatabaseUnavailable:
                await anyio.sleep(_PAUSE_SECONDS)
            except Exception:  # the top of a supervised loop
                log.exception("pool.failed")
                await anyio.sleep(_PAUSE_SECONDS)
            with anyio.move_on_after(_LOOK_SECONDS):
                await self._changed.wait()

    async def adopt(self, box: BoxRow) -> bool:
        """Whether a warm box, which was another control plane's, is this pool's now: one that it would start itself."""
        try:
            is_alike = box.kind == self._recipe()
        except LaunchError:
            # Nobody can say what one should be like.
            is_alike = False
        has_place = len(self._warm) + self._starting < self.size
        if not (is_alike and has_place and await self._is_alive(box)):
            return False
        self._ours.add(box.id)
        self._warm.append(box)
        self._starter.adopt(box)
        return True

    def owns(self, box_id: str) -> bool:
        """Whether a box that is no session's is the pool's all the same."""
        return box_id in self._ours

    async def drain(self) -> None:
        """Remove every warm box of this control plane; rows that cannot be removed are left to the next start."""

        async def remove(box: BoxRow) -> None:
            try:
                await self._starter.remove(box)
            except DatabaseUnavailable:
                return
            except Exception:  # one box's trouble is not the others'
                log.exception("box.destroy_failed", box_id=box.id)

        async with anyio.create_task_group() as tasks:
            while self._warm:
                tasks.start_soon(remove, self._warm.popleft())

    async def _missing(self) -> int:
        """How many to start now."""
        missing = min(self.size - len(self._warm), self._context.launcher.warm_starts_at_once)
        if missing <= 0:
            return 0
        room = await self._context.launcher.room()
        if not room.takes_more:
            return 0
        while missing > 0 and not has_memory(room.memory, self._limits, boxes=missing):
            missing -= 1
        return missing

    async def _add_some(self, number: int) -> bool:
        """Whether all of them came up, side by side."""
        outcomes: list[bool] = []

        async def add() -> None:
            self._starting += 1
            try:
                outcomes.append(await self._add())
            finally:
                self._starting -= 1
                self._arrived.set()
                self._arrived = anyio.Event()

        try:
            async with anyio.create_task_group() as tasks:
                for _ in range(number):
                    tasks.start_soon(add)
        except BaseExceptionGroup as group:
            raise the_only_one(group) from None
        return all(outcomes)

    async def _is_alive(self, box: BoxRow) -> bool:
        return box.handle is not None and await self._context.launcher.is_alive(box.handle)

    def _recipe(self) -> str:
        """What a warm box is started with, all of it: one that was started with anything else is not ours to lend."""
        told = [*self._starter.flags, *box_flags(self._allowance), egress_policy(self._context.settings), __version__]
        digest = hashlib.sha256("\0".join([*told, self._wanted.model_dump_json()]).encode()).hexdigest()
        return f"{kind_of(self._wanted)}/{digest[:32]}"

    async def _until_settled(self) -> None:
        """While sessions come they have the machine: a box that starts would make each of them slower."""
        until = time.monotonic() + _BURST_SECONDS
        while (left := min(until, self._taken_at + _SETTLED_SECONDS) - time.monotonic()) > 0:
            self._changed = anyio.Event()
            with anyio.move_on_after(left):
                await self._changed.wait()

    async def _add(self) -> bool:
        """Whether one more is warm."""
        id = new_box_id()
        began = time.monotonic()
        self._ours.add(id)
        try:
            handle = await self._starter.start(
                self._wanted,
                box_id=id,
                expires_in=_EXPIRES_SECONDS,
                session_id=None,
                flags=box_flags(self._allowance),
                kind=self._recipe(),
            )
            await self._context.registry.boxes.warm(id)
            row = await self._context.registry.boxes.get(id)
        except BaseException as error:
            # Should this fail too, the reaper sees a box that is nobody's.
            self._ours.discard(id)
            with anyio.CancelScope(shield=True):
                if row := await self._context.registry.boxes.get(id):
                    await self._starter.remove(row)
            if not isinstance(error, (LaunchError, BoxRefused, UpstreamError, TimeoutError)):
                raise
            log.warning("pool.start_failed", box_id=id, error=str(error))
            return False
        if row is None or not handle:
            return False
        self._warm.append(row)
        log.info("pool.warm", box_id=id, took_ms=round((time.monotonic() - began) * 1000), warm=len(self._warm))
        return True

    async def _replace_old(self) -> None:
        for box in list(self._warm):
            if box not in self._warm:
                # Lent to somebody while another was removed.
                continue
            is_old = time.time() - box.created_at > _FRESH_SECONDS
            if is_old or len(self._warm) > self.size or not await self._is_alive(box):
                self._warm.remove(box)
                self._ours.discard(box.id)
                await self._starter.remove(box)


class Reservation:
    """A warm box on its way to a session."""

    def __init__(self, registry: Registry, box: BoxRow | None) -> None:
        self._registry = registry
        self.box = box
        self._is_lent = False
        self.is_kept = False

    async def lend(self, session_id: str, connection: AsyncConnection) -> str | None:
        """The box's id if the session gets it, within a transaction that may yet fail."""
        if self.box is None:
            return None
        self._is_lent = await self._registry.boxes.lend(self.box.id, session_id, connection)
        if not self._is_lent:
            # Somebody took us for dead and removes it.
            self.box = None
        return None if self.box is None else self.box.id

    def keep(self) -> BoxRow | None:
        """Once the transaction stands: the box, if it was lent."""
        self.is_kept = self._is_lent
        return self.box if self._is_lent else None


def _wanted_of(settings: PlaneSettings) -> CreateSession:
    """The session that warm boxes are made for."""
    return CreateSession(
        mode=SessionMode(settings.pool_mode),
        headless=settings.headless,
        viewport=WantedViewport(width=settings.width, height=settings.height),
    )
