"""Create and change sessions: what a caller may ask for, out of admission and birth."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup

from belljar.control.admission import Admission
from belljar.control.births import Births, in_use
from belljar.control.boxes import BoxCalls
from belljar.control.ceilings import Ceilings, allowance_for
from belljar.control.credentials import Made
from belljar.control.directory import Directory
from belljar.control.registry import KeyRow, Registry, SessionRow, TicketUse
from belljar.control.underway import Underway
from belljar.problems import Forbidden
from belljar.problems.control import Draining, SessionExists, UnknownProfile, WrongHost
from belljar.wire.claims import Claim
from belljar.wire.sessions import CreateSession


@dataclass(frozen=True)
class Created:
    """A session, and its first token and tickets unless it was there already."""

    row: SessionRow
    token: Made | None
    tickets: Mapping[TicketUse, str]


class SessionKeeper:
    def __init__(
        self,
        registry: Registry,
        directory: Directory,
        calls: BoxCalls,
        admission: Admission,
        births: Births,
        underway: Underway,
        stopping: anyio.Event,
        host: str,
        ceilings: Ceilings,
    ) -> None:
        self._registry = registry
        self._directory = directory
        self._calls = calls
        self._admission = admission
        self._births = births
        self._underway = underway
        self._stopping = stopping
        self._host = host
        self._ceilings = ceilings

    @property
    def is_draining(self) -> bool:
        """From the moment this control plane was told to stop."""
        return self._stopping.is_set()

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
        allowance = allowance_for(wanted, self._ceilings)
        await self._check_profile(wanted, key)
        try:
            admitted = await self._admission.add(wanted, allowance, key, idempotency_key, digest)
        except SessionExists:
            # Of two that asked at once with one key, the other came first.
            if idempotency_key is None or not (
                known := await self._registry.sessions.by_idempotency_key(key.user_id, idempotency_key)
            ):
                raise
            return await self._again(known, wanted, digest)
        self._births.begin(admitted, wanted, allowance)
        if wanted.wait:
            await admitted.birth.wait()
        entry = self._directory.entries.get(admitted.row.id)
        return Created(admitted.row if entry is None else entry.row, admitted.token, admitted.tickets)

    async def extend(self, row: SessionRow) -> None:
        """Tell the box about new times, which it keeps by itself."""
        entry = await self._directory.get(row.id)
        if entry is None or entry.address is None or row.box_id is None:
            # Still on its way: whoever brings the box up reads them from the row.
            return
        claim = Claim(session_id=row.id, expires_at=row.expires_at, idle_timeout=row.idle_timeout)
        await self._calls.claim(entry.address, row.box_id, claim)

    def check_ttl(self, ttl: int, key: KeyRow) -> None:
        self._admission.check_ttl(ttl, key)

    async def _again(self, row: SessionRow, wanted: CreateSession, digest: str) -> Created:
        if row.idempotency_digest != digest:
            raise SessionExists("This Idempotency-Key was used with another request before.", session_id=row.id)
        if wanted.wait and (birth := self._underway.get(row.id)):
            await birth.wait()
        return Created(await self._registry.sessions.get(row.id) or row, None, {})

    async def _check_profile(self, wanted: CreateSession, key: KeyRow) -> None:
        if wanted.profile_id is None:
            return
        profile = await self._registry.profiles.get(wanted.profile_id)
        if profile is None or not (key.is_admin or profile.user_id == key.user_id):
            raise UnknownProfile(f"There is no profile {wanted.profile_id} of yours.")
        if profile.host != self._host:
            raise WrongHost(f"The profile is kept on {profile.host}.", host=profile.host)
        if profile.session_id is not None and not wanted.read_only:
            raise in_use(profile.session_id)


@asynccontextmanager
async def open_tasks() -> AsyncIterator[TaskGroup]:
    """Where sessions are brought up; leaving it cancels those that still are."""
    async with anyio.create_task_group() as tasks:
        yield tasks
        tasks.cancel_scope.cancel()


def _digest_of(wanted: CreateSession) -> str:
    return hashlib.sha256(wanted.model_dump_json(exclude={"wait"}).encode()).hexdigest()
