"""Where people are signed in: browsers by a cookie and apps by tokens are let in, judged, watched and ended here.

A sign-in ends by its time, by idleness (a browser's), by its key, or because somebody ends it; with it end its cookies,
the tickets and tokens that were made by way of it, and within seconds whatever they hold open, on every control plane.
"""

import math
import secrets
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import anyio

from belljar.plane.access.secrets import digest
from belljar.plane.registry import (
    FoundSecret,
    KeyRow,
    OriginRevoked,
    Registry,
    SecretRow,
    SecretUse,
    SignInRow,
)
from belljar.plane.supervision import repeat
from belljar.problems import TokenInvalid
from belljar.wire.access import KeyRole, SignInKind, SignInVia
from belljar.wire.sessions import TokenRole

COOKIE_PREFIX = "bjs_"
ACCESS_PREFIX = "bja_"
# How often what is open is compared with what has ended: a second and a round are well within five.
_LOOK_SECONDS = 1.0
_NOTE_SECONDS = 15.0
_FORGET_SECONDS = 300.0
# How long an access token that was found good is believed: a tool's call is several calls of ours.
_BELIEVED_SECONDS = 1.0
_MOST_BELIEVED = 1000


@dataclass(frozen=True)
class Times:
    """How long a browser's sign-in lasts, and how long without being used; infinite for as long as it likes."""

    seconds: float
    idle_seconds: float

    @property
    def note_seconds(self) -> float:
        """How often it is written down who was seen."""
        return min(_NOTE_SECONDS, self.idle_seconds / 4)


@dataclass(eq=False)
class OpenRequest:
    """A request that is being answered; it may be cut when what it came by ends."""

    sign_in_id: str
    scope: anyio.CancelScope
    is_cut: bool = False


class Connections(Protocol):
    """What is open to sessions: `Directory`."""

    def tokens_revoked(self, session_id: str, token_ids: Collection[str]) -> None: ...

    def opened_by(self) -> tuple[frozenset[str], frozenset[str]]: ...


class SignInKeeper:
    def __init__(self, registry: Registry, connections: Connections, times: Times) -> None:
        self._registry = registry
        self._connections = connections
        self._times = times
        self._open: set[OpenRequest] = set()
        # Who was seen since it was last written down.
        self._seen: dict[str, float] = {}
        self._noted_at = self._forgot_at = time.monotonic()
        self._believed: dict[str, tuple[float, FoundSecret]] = {}

    async def sign_in(
        self, key: KeyRow, via: SignInVia, *, name: str, address: str, id_token: str | None = None
    ) -> tuple[str, SignInRow]:
        """A browser's cookie and its row.  Raises `TokenInvalid` where the key is not good any more."""
        now = time.time()
        row = SignInRow(
            new_id(),
            SignInKind.BROWSER,
            key.user_id,
            key.id,
            via,
            plain(name, 256),
            address[:64],
            now,
            now,
            now + self._times.seconds,
            id_token=id_token,
        )
        cookie = COOKIE_PREFIX + secrets.token_urlsafe(32)
        shown = SecretRow(digest(cookie), row.id, SecretUse.COOKIE, row.expires_at)
        try:
            await self._registry.sign_ins.add(row, [shown])
        except OriginRevoked:
            raise TokenInvalid() from None
        return cookie, row

    async def browser(self, cookie: str) -> SignInRow | None:
        """The sign-in that a cookie is of, if it is good."""
        found = await self._good_cookie(cookie)
        return None if found is None else found.sign_in

    async def judge_cookie(self, cookie: str) -> tuple[KeyRow, float] | None:
        """Whose it is, and until when; None when it is not, or no longer, good."""
        found = await self._good_cookie(cookie)
        if found is None:
            return None
        self._seen[found.sign_in.id] = time.time()
        self._registry.keys.note_use(found.key.id)
        return replace(found.key, sign_in_id=found.sign_in.id), found.secret.expires_at

    async def judge_app(self, token: str, resource: str) -> tuple[KeyRow, float] | None:
        """For whom an app's access token acts, and until when: as a user at most, and for `resource` alone."""
        hashed = digest(token)
        read_at, found = self._believed.get(hashed, (-math.inf, None))
        now = time.monotonic()
        if found is None or now - read_at > _BELIEVED_SECONDS:
            found = await self._registry.sign_ins.by_secret(hashed, SecretUse.ACCESS)
            if found is None:
                return None
            if len(self._believed) >= _MOST_BELIEVED:
                self._believed.clear()
            self._believed[hashed] = (now, found)
        sign_in = found.sign_in
        if found.is_over or found.secret.expires_at <= time.time() or sign_in.resource != resource:
            return None
        self._seen[sign_in.id] = time.time()
        role = sign_in.role or TokenRole.VIEW
        self._registry.keys.note_use(found.key.id)
        return replace(found.key, role=KeyRole.USER, sign_in_id=sign_in.id, app_role=role), found.secret.expires_at

    async def end(self, id: str, *, actor: str, why: str = "revoked", idle_since: float | None = None) -> bool:
        """End it with all that goes back to it; False where there is none such.  Twice is fine."""
        gone = await self._registry.sign_ins.end(id, actor=actor, why=why, idle_since=idle_since)
        self._believed.clear()
        for session_id, token_id in gone or ():
            self._connections.tokens_revoked(session_id, {token_id})
        return gone is not None

    @contextmanager
    def serving(self, sign_in_id: str | None) -> Iterator[OpenRequest]:
        """A request that is cut within seconds of the end of what it came by."""
        with anyio.CancelScope() as scope:
            request = OpenRequest(sign_in_id or "", scope)
            if sign_in_id is not None:
                self._open.add(request)
            try:
                yield request
            finally:
                self._open.discard(request)

    async def keep_watch(self) -> None:
        """Runs as long as the control plane."""
        await repeat("sign-ins", self.look, every=min(_LOOK_SECONDS, self._times.note_seconds))

    async def look(self) -> None:
        """One round: cut what is over, note who was seen, end who was not, forget what nobody asks for any more."""
        over = await self._registry.sign_ins.over({request.sign_in_id for request in self._open})
        for request in [request for request in self._open if request.sign_in_id in over]:
            request.is_cut = True
            request.scope.cancel()
        now = time.monotonic()
        if now - self._noted_at >= self._times.note_seconds:
            await self._note_seen()
            self._noted_at = now
            await self._end_past()
        if now - self._forgot_at >= _FORGET_SECONDS:
            self._forgot_at = now
            await self._registry.sign_ins.forget()

    async def _good_cookie(self, cookie: str) -> FoundSecret | None:
        if not cookie.startswith(COOKIE_PREFIX):
            return None
        found = await self._registry.sign_ins.by_secret(digest(cookie), SecretUse.COOKIE)
        if found is None or found.is_over or found.secret.expires_at <= time.time():
            return None
        seen_at = max(found.sign_in.seen_at, self._seen.get(found.sign_in.id, 0.0))
        return None if time.time() - seen_at > self._times.idle_seconds else found

    async def _note_seen(self) -> None:
        """Whoever has something open is there, too: a person who watches asks for nothing."""
        now = time.time()
        self._seen |= {request.sign_in_id: now for request in self._open}
        token_ids, sign_in_ids = self._connections.opened_by()
        watching = sign_in_ids | await self._registry.sign_ins.of_tokens(token_ids)
        seen, self._seen = self._seen | dict.fromkeys(watching, now), {}
        if seen:
            try:
                await self._registry.sign_ins.touch(seen)
            except BaseException:
                self._seen = seen | self._seen
                raise

    async def _end_past(self) -> None:
        # What another control plane saw may not be written down yet.
        idle_since = time.time() - self._times.idle_seconds - self._times.note_seconds
        for id in await self._registry.sign_ins.past(idle_since):
            await self.end(id, actor="control plane", why="its time is over", idle_since=idle_since)


def new_id() -> str:
    return secrets.token_hex(8)


def plain(text: str, most: int) -> str:
    """Words of somebody else as they may be shown: one line, without characters that hide or turn others around."""
    kept = "".join(letter if letter.isprintable() else " " for letter in text[: most * 4])
    return " ".join(kept.split())[:most]
