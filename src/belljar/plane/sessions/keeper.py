"""Create, change and end sessions: what a caller may ask for, out of admission, bring-up and end."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from belljar.plane.access.credentials import SignedToken
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.ceilings import allowance_for
from belljar.plane.registry import KeyRow, SessionRow, TicketUse
from belljar.plane.sessions.admission import Admission
from belljar.plane.sessions.bring_up import BringUp, in_use
from belljar.plane.sessions.context import Context
from belljar.plane.sessions.end import SessionEnder
from belljar.plane.sessions.starts import StartsInProgress
from belljar.problems import Forbidden
from belljar.problems.plane import BoxTimeout, BoxUnreachable, Draining, SessionExists, UnknownProfile, WrongHost
from belljar.wire.access import Claim
from belljar.wire.sessions import CreateSession, EndReason


@dataclass(frozen=True)
class Created:
    """A session, and its first token and tickets unless it was there already."""

    row: SessionRow
    token: SignedToken | None
    tickets: Mapping[TicketUse, str]


class SessionKeeper:
    def __init__(
        self,
        context: Context,
        admission: Admission,
        bring_up: BringUp,
        ender: SessionEnder,
        starts: StartsInProgress,
        stopping: anyio.Event,
    ) -> None:
        self._context = context
        self._registry = context.registry
        self._admission = admission
        self._bring_up = bring_up
        self._ender = ender
        self._starts = starts
        self._stopping = stopping

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
        allowance = allowance_for(wanted, self._context.settings.ceilings)
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
        self._bring_up.begin(admitted, wanted, allowance)
        row = await admitted.start.wait() if wanted.wait else admitted.row
        return Created(row, admitted.token, admitted.tickets)

    async def extend(self, row: SessionRow) -> None:
        """Tell the box about new times, which it keeps by itself."""
        entry = await self._context.directory.get(row.id)
        if entry is None or entry.address is None or row.box_id is None:
            # Still on its way: whoever brings the box up reads them from the row.
            return
        claim = Claim(session_id=row.id, expires_at=row.expires_at, idle_timeout=row.idle_timeout)
        try:
            await self._context.calls.claim(entry.address, row.box_id, claim)
        except TimeoutError as error:
            raise BoxTimeout("The session's box was not told in time; its row has the new times.") from error
        except (BoxRefused, UpstreamError) as error:
            raise BoxUnreachable("The session's box could not be told; its row has the new times.") from error

    async def end(self, id: str, reason: EndReason, *, actor: str) -> SessionRow | None:
        """The session at rest, however often and by whomever it is asked for; None when there is none."""
        return await self._ender.end(id, reason, actor=actor)

    def check_ttl(self, ttl: int, key: KeyRow) -> None:
        self._admission.check_ttl(ttl, key)

    async def _again(self, row: SessionRow, wanted: CreateSession, digest: str) -> Created:
        if row.idempotency_digest != digest:
            raise SessionExists("This Idempotency-Key was used with another request before.", session_id=row.id)
        if wanted.wait and (start := self._starts.get(row.id)):
            await start.wait()
        return Created(await self._registry.sessions.get(row.id) or row, None, {})

    async def _check_profile(self, wanted: CreateSession, key: KeyRow) -> None:
        if wanted.profile_id is None:
            return
        profile = await self._registry.profiles.get(wanted.profile_id)
        if profile is None or not (key.is_admin or profile.user_id == key.user_id):
            raise UnknownProfile(f"There is no profile {wanted.profile_id} of yours.")
        if profile.host != self._context.settings.host_name:
            raise WrongHost(f"The profile is kept on {profile.host}.", host=profile.host)
        if profile.session_id is not None and not wanted.read_only:
            raise in_use(profile.session_id)


def _digest_of(wanted: CreateSession) -> str:
    return hashlib.sha256(wanted.model_dump_json(exclude={"wait"}).encode()).hexdigest()
