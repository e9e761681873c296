"""Who a control plane forwards a request for: signed for that one request, good once and for half a minute.

A box that a control plane started believes nothing else.  Whatever reaches it without this header, or with one that was
made for another request, has no rights there, however it got onto the connection.
"""

import hmac
import secrets
import time
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

import msgspec
from starlette.datastructures import Headers
from starlette.types import Scope

from belljar.problems import TokenInvalid
from belljar.tokens import Caller, Role

CALLER_HEADER = "belljar-caller"
# How far the clocks of a box and its control plane may be apart, and how long a request may be on its way.
WINDOW_SECONDS = 30.0
# Requests remembered.  A box that is asked more often than so many times in half a minute remembers the latest ones,
# and refuses what is older than those: the window shrinks, and nothing passes twice.
MAX_REMEMBERED = 32_768
# What a handshake is signed with in place of a method, so that neither can stand for the other.
WEBSOCKET = "WEBSOCKET"

_PURPOSE = b"belljar caller 1\n"


class _Claims(msgspec.Struct, array_like=True, forbid_unknown_fields=True, gc=False):
    id: bytes
    at: float
    role: str
    caller: str
    prefix: str
    scheme: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Claims).decode


class Assertion(NamedTuple):
    """On whose behalf a request comes, and under which address they asked for it."""

    caller: Caller
    prefix: str
    scheme: str


class CallerSigner:
    """Signs for one box, with its key."""

    def __init__(self, key: bytes, now: Callable[[], float] = time.time) -> None:
        self._keyed = _keyed(key)
        self._now = now
        # An id must be nobody else's and need not be a secret: a number after something that is only ours costs no
        # call of the system each time.
        self._ours = secrets.token_bytes(16)
        self._signed = 0

    def sign(
        self, method: str, target: bytes, role: Role, caller: str, *, prefix: str = "", scheme: str = "http"
    ) -> bytes:
        """The header's value for the request that has exactly this method (or `WEBSOCKET`) and target."""
        self._signed += 1
        id = self._ours + self._signed.to_bytes(8, "big")
        claims = _encode(_Claims(id, self._now(), role.word, caller, prefix, scheme))
        mac = _mac(self._keyed, method, target, claims)
        return b2a_base64(claims, newline=False) + b"." + b2a_base64(mac, newline=False)


class CallerVerifier:
    """Believes what was signed with a box's key, each time once."""

    def __init__(self, key: bytes, now: Callable[[], float] = time.time, most: int = MAX_REMEMBERED) -> None:
        # Other keys are derived from it: control plane and box come by them without a word.
        self.key = key
        self._keyed = _keyed(key)
        self._now = now
        self._seen = SeenIds(most)

    def admit(self, scope: Scope, headers: Headers) -> Caller:
        """Whom a request is for.  Their address becomes the request's own, for the addresses in answers."""
        given = headers.getlist(CALLER_HEADER)
        if len(given) != 1:
            raise TokenInvalid("only the control plane that started this box may ask it for anything")
        query: bytes = scope["query_string"]
        target: bytes = scope["raw_path"] + (b"?" + query if query else b"")
        is_websocket = scope["type"] == "websocket"
        said = self.verify(given[0], WEBSOCKET if is_websocket else scope["method"], target)
        scope["scheme"] = said.scheme.replace("http", "ws") if is_websocket else said.scheme
        scope["root_path"] = said.prefix
        return said.caller

    def verify(self, given: str, method: str, target: bytes) -> Assertion:
        """Raises `TokenInvalid` for what was not signed for this request, is too old or too new, or was used before."""
        claims = self._signed(given, method, target)
        if claims is None:
            raise TokenInvalid("the caller was not signed for this request by this box's control plane")
        now = self._now()
        if abs(now - claims.at) > WINDOW_SECONDS:
            raise TokenInvalid("the caller was signed too long ago, or by a clock that is not ours")
        if not self._seen.add(claims.id, claims.at, now):
            raise TokenInvalid("the caller was signed for one request, which has been")
        return Assertion(_caller(claims.role, claims.caller), claims.prefix, claims.scheme)

    def _signed(self, given: str, method: str, target: bytes) -> _Claims | None:
        encoded, _, signature = given.partition(".")
        try:
            claims = a2b_base64(encoded)
            is_ours = hmac.compare_digest(a2b_base64(signature), _mac(self._keyed, method, target, claims))
        except ValueError:
            return None
        return _decode(claims) if is_ours else None


class SeenIds:
    """Which ids were used, among those that are not too old to be believed; never more than `most`.

    With more than that the oldest are forgotten, and with them everything that was signed before them is refused from
    then on: whoever floods a box makes its window narrower, which a request that comes straight from its control plane
    does not notice.
    """

    def __init__(self, most: int = MAX_REMEMBERED) -> None:
        self._most = most
        self._ids: set[bytes] = set()
        self._oldest: list[tuple[float, bytes]] = []
        # Signed at this time or before is too old to tell.
        self._floor = float("-inf")

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, id: bytes, at: float, now: float) -> bool:
        """Whether `id`, signed at `at`, is used now for the first time."""
        while self._oldest and self._oldest[0][0] < now - WINDOW_SECONDS:
            self._ids.discard(heappop(self._oldest)[1])
        if self._floor > now + WINDOW_SECONDS:
            # The clock was set back; what we forgot is not believed at this time anyway.
            self._floor = float("-inf")
        if at <= self._floor or id in self._ids:
            return False
        self._ids.add(id)
        heappush(self._oldest, (at, id))
        if len(self._ids) > self._most:
            self._floor, forgotten = heappop(self._oldest)
            self._ids.discard(forgotten)
        return True


@lru_cache(maxsize=64)
def _caller(role: str, id: str) -> Caller:
    return Caller(Role[role.upper()], id)


def _keyed(key: bytes) -> hmac.HMAC:
    """To be copied for each signature: looking the algorithm up takes longer than using it."""
    return hmac.new(key, _PURPOSE, "sha256")


def _mac(keyed: hmac.HMAC, method: str, target: bytes, claims: bytes) -> bytes:
    """Neither a method nor a target can have a space or a line's end in it, so this can be read in one way only."""
    mac = keyed.copy()
    mac.update(b"%b %b\n%b" % (method.encode(), target, claims))
    return mac.digest()
