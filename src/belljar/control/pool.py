"""Boxes started ahead of need, so that a session is a claim and not a start."""

import math
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager

import anyio
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.control.boxes import BoxCalls, BoxRefused
from belljar.control.ceilings import box_flags, is_within
from belljar.control.launchers.base import BoxSpec, Handle, Launcher, LaunchError
from belljar.control.metrics import ControlMetrics
from belljar.control.registry import BoxRow, BoxState, Registry
from belljar.control.secrets import MasterKey
from belljar.control.upstream import UpstreamError
from belljar.logs import log
from belljar.problems.control import DatabaseUnavailable
from belljar.wire.sessions import Allowance, CreateSession

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


def kind_of(wanted: CreateSession) -> str:
    """What a box must have running to serve `wanted`; everything else can be given to it when it is claimed."""
    return f"{wanted.mode}/{'headless' if wanted.headless else 'headful'}"


class Starter:
    """Makes one box, with its row: what the pool and a session without a warm box both do."""

    def __init__(
        self,
        registry: Registry,
        launcher: Launcher,
        calls: BoxCalls,
        master: MasterKey,
        *,
        host: str,
        plane_id: str,
        flags: Sequence[str],
        timeout: float,
        at_once: int,
    ) -> None:
        self._registry = registry
        self._launcher = launcher
        self._calls = calls
        self._master = master
        self._host = host
        self._plane_id = plane_id
        self._flags = tuple(flags)
        self._timeout = timeout
        # All at once would all be slow, and a crowd of them too slow: in turn the first are there early.
        self._turns = anyio.CapacityLimiter(at_once)
        # What there is of ours to remove, should the database not be there to say so.
        self._own: dict[str, Handle] = {}

    async def start(
        self,
        wanted: CreateSession,
        *,
        box_id: str,
        expires_in: float,
        session_id: str | None,
        flags: Sequence[str] = (),
    ) -> Handle:
        """A box with what `wanted` asks for running in it.  Whatever happens, its row says what must be removed.

        Raises `LaunchError`, `BoxRefused`, `UpstreamError` or `TimeoutError`.
        """
        async with self._turns:
            return await self._start(wanted, box_id, expires_in, session_id, flags)

    async def _start(
        self, wanted: CreateSession, box_id: str, expires_in: float, session_id: str | None, flags: Sequence[str]
    ) -> Handle:
        await self._registry.boxes.add(
            box_id,
            host=self._host,
            plane_id=self._plane_id,
            state=BoxState.STARTING if session_id is None else BoxState.LENT,
            kind=kind_of(wanted),
            session_id=session_id,
        )

        async def keep(handle: Handle) -> None:
            self._own[box_id] = dict(handle)
            await self._registry.boxes.keep(box_id, handle)

        profile = None if wanted.profile_id is None else (wanted.profile_id, wanted.read_only)
        spec = BoxSpec(box_id, self._master.box_key(box_id), expires_in, (*self._flags, *flags), profile)
        with anyio.fail_after(self._timeout):
            handle = await self._launcher.launch(spec, keep)
            await self._calls.start(self._launcher.address(handle), box_id, wanted, within=self._timeout)
        return handle

    async def remove(self, box: BoxRow) -> None:
        """Destroy a box and forget it; a handle that was never kept is looked for."""
        handle = box.handle
        if handle is None or "pid" not in handle:
            found = [one for one in await self._launcher.find_all() if one.box_id == box.id]
            handle = {**(handle or {}), **found[0].handle} if found else handle
        if handle is not None:
            await self._launcher.destroy(handle)
        self._own.pop(box.id, None)
        await self._registry.boxes.remove(box.id)

    @property
    def own(self) -> frozenset[str]:
        """The boxes of this control plane, some of which may have been removed by another."""
        return frozenset(self._own)

    def adopt(self, box: BoxRow) -> None:
        """One whose control plane is gone."""
        self._own[box.id] = box.handle or {}

    def forget(self, box_ids: Collection[str]) -> None:
        for id in box_ids:
            self._own.pop(id, None)

    async def destroy_own(self) -> None:
        """Without the database, which learns of it at the next start."""

        async def destroy(box_id: str, handle: Handle) -> None:
            try:
                await self._launcher.destroy(handle)
                self._own.pop(box_id, None)
            except Exception:  # one box's trouble is not the others'
                log.exception("box.destroy_failed", box_id=box_id)

        async with anyio.create_task_group() as tasks:
            for box_id, handle in list(self._own.items()):
                if handle:
                    tasks.start_soon(destroy, box_id, handle)


class Pool:
    def __init__(
        self,
        registry: Registry,
        launcher: Launcher,
        starter: Starter,
        metrics: ControlMetrics,
        *,
        size: int,
        wanted: CreateSession,
        allowance: Allowance,
        has_memory: Callable[[], bool] = lambda: True,
    ) -> None:
        """`wanted` and `allowance` are what warm boxes are started with; `has_memory` whether one more may be."""
        self._registry = registry
        self._launcher = launcher
        self._starter = starter
        self._metrics = metrics
        self._size = size
        self._wanted = wanted
        self._allowance = allowance
        self._has_memory = has_memory
        self._warm: deque[BoxRow] = deque()
        # Those that are being started, are warm, or are on their way to a session: nobody else's business.
        self._ours: set[str] = set()
        # Whether one is on its way, who waits for it already, and what is set once it is there or has failed.
        self._is_starting = False
        self._awaiting = 0
        self._arrived = anyio.Event()
        self._pause = _PAUSE_SECONDS
        self._changed = anyio.Event()
        self._taken_at = -math.inf
        metrics.watch_pool(lambda: len(self._warm))

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
                async with self._registry.database.write() as connection:
                    await reserved.lend(session_id, connection)
            box = reserved.keep()
        if box is None and self._size:
            self._metrics.took(was_warm=False)
        return box

    @asynccontextmanager
    async def reserved(self, wanted: CreateSession, allowance: Allowance) -> AsyncIterator["Reservation"]:
        """A warm box that fits, if there is one, which nobody else gets; it comes back unless it was kept."""
        reservation = Reservation(self._registry, taken := await self._pop(wanted, allowance))
        try:
            yield reservation
        finally:
            if taken is not None and (reservation.is_kept or reservation.box is None):
                self._ours.discard(taken.id)
            if reservation.is_kept:
                self._metrics.took(was_warm=True)
                self._taken_at = time.monotonic()
                self._changed.set()
            elif reservation.box is not None:
                self._warm.appendleft(reservation.box)

    async def _await_next(self, wanted: CreateSession, allowance: Allowance) -> None:
        """A box that is being started is there sooner than one that is begun now; it is worth one session's wait."""
        if self._warm or not self._is_starting or self._awaiting or not self.fits(wanted, allowance):
            return
        self._awaiting += 1
        try:
            await self._arrived.wait()
        finally:
            self._awaiting -= 1

    async def _pop(self, wanted: CreateSession, allowance: Allowance) -> BoxRow | None:
        while len(self._warm) > self._awaiting and self.fits(wanted, allowance):
            box = self._warm.popleft()
            if await self._launcher.is_alive(box.handle or {}):
                return box
            # Its row is left to the reaper, which removes it.
            self._ours.discard(box.id)
            self._changed.set()
        return None

    async def keep_full(self) -> None:
        """Runs as long as the control plane; one box at a time, so that sessions have the machine to themselves."""
        while True:
            self._changed = anyio.Event()
            try:
                await self._replace_old()
                if len(self._warm) < self._size and self._has_memory():
                    await self._until_settled()
                    self._is_starting, self._arrived = True, anyio.Event()
                    try:
                        is_warm = await self._add()
                    finally:
                        self._is_starting = False
                        self._arrived.set()
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
            )
            await self._registry.boxes.warm(id)
            row = await self._registry.boxes.get(id)
        except BaseException as error:
            # Should this fail too, the reaper sees a box that is nobody's.
            self._ours.discard(id)
            with anyio.CancelScope(shield=True):
                if row := await self._registry.boxes.get(id):
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
            is_old = time.time() - box.created_at > _FRESH_SECONDS
            if is_old or not await self._launcher.is_alive(box.handle or {}):
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


def new_box_id() -> str:
    return f"b-{secrets.token_hex(8)}"
