"""Who a token belongs to and what it may do; session tokens, signed and read in one place for both servers."""

import hashlib
import hmac
import math
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from belljar.wire.sessions import TokenRole

_ALGORITHM = "HS256"

# Who calls when a control plane does so for itself: no user's name can be this.
CONTROL_PLANE = "control plane"


class Role(IntEnum):
    """What a caller may do; each role may do all that the ones below it may."""

    VIEW = 1  # watch, change nothing
    DRIVE = 2  # use the box: browser, desktop, processes
    OPERATOR = 3  # also mint tokens, change settings, loosen egress

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Caller:
    """The one a request comes from."""

    role: Role
    id: str
    # When what they came with ends, in seconds since 1970; None for never.
    expires_at: float | None = None


def new_token() -> str:
    """A fresh token of 256 bits, safe in URLs and shells."""
    return secrets.token_urlsafe(32)


def cookie_name(box_id: str) -> str:
    """What a box's cookie is called, so that boxes that share a host do not overwrite each other's."""
    return "belljar_" + re.sub(r"[^A-Za-z0-9_-]", "_", box_id)


@dataclass(frozen=True)
class SessionToken:
    """What a good session token says."""

    id: str
    session_id: str
    user_id: str
    role: TokenRole
    # Infinite: as long as the session.
    expires_at: float


def sign_token(
    key: bytes, session_id: str, user_id: str, role: TokenRole, expires_at: float
) -> tuple[str, SessionToken]:
    """A token that opens one session until `expires_at`, and what it says; `math.inf` is the session's own end."""
    said = SessionToken(secrets.token_hex(8), session_id, user_id, role, expires_at)
    claims = {
        "sub": user_id,
        "sid": session_id,
        "role": role,
        "iat": int(time.time()),
        "jti": said.id,
        "nonce": secrets.token_hex(8),
        "aud": _audience(session_id),
    }
    if expires_at < math.inf:
        claims["exp"] = int(expires_at) + 1
    return sign(claims, key), said


def read_token(token: str, key: bytes, session_id: str) -> SessionToken | None:
    """What `token` says if it was signed for this session and its time has not passed; revocation is not ours."""
    claims = read_signed(token, key, _audience(session_id), is_endless=True)
    if claims is None or claims.get("sid") != session_id:
        return None
    try:
        return SessionToken(
            claims["jti"], session_id, claims["sub"], TokenRole(claims["role"]), claims.get("exp", math.inf)
        )
    except (KeyError, ValueError):
        return None


def sign(claims: Mapping[str, object], key: bytes) -> str:
    # Imported here: an idle box that nobody watches needs no signatures.
    import jwt

    return jwt.encode(dict(claims), key, _ALGORITHM)


def read_signed(token: str, key: bytes, audience: str, *, is_endless: bool = False) -> Mapping[str, Any] | None:
    """The claims, if `key` signed them for `audience`, in our one algorithm, and their time has not passed.

    Only where `is_endless` may they have no time at all.
    """
    import jwt

    required = ["aud"] if is_endless else ["exp", "aud"]
    # When it was made is no matter: another host's clock may be ahead, and ours may have been.
    options: Any = {"require": required, "verify_iat": False}
    try:
        claims: Mapping[str, object] = jwt.decode(token, key, [_ALGORITHM], audience=audience, options=options)
    except jwt.InvalidTokenError:
        return None
    return claims


class Keys:
    """The tokens a server accepts: its operator's, and those it signed itself.

    Of the operator's only a digest is kept and compared, in constant time, so that neither a memory dump of this
    object nor the time a refusal takes says anything about it.  The key that signs is derived from it: tokens that
    were minted outlive a restart with the same operator token, and end with it.
    """

    def __init__(self, operator_token: str | None, name: str = "box") -> None:
        """Without an operator token everyone who can connect is the operator: `--no-token`."""
        self._name = name
        self._operator = None if operator_token is None else _digest(operator_token)
        seed = secrets.token_bytes(32) if operator_token is None else operator_token.encode("utf-8", "surrogateescape")
        self._signing = hmac.digest(seed, f"belljar session tokens\0{name}".encode(), "sha256")
        # One-time tokens have a key of their own, which ends with the process: none is spent twice over a restart.
        self._signing_once = secrets.token_bytes(32)
        # Those that were spent, and when each would have ended.
        self._spent: dict[str, float] = {}

    @property
    def is_open(self) -> bool:
        return self._operator is None

    def mint(self, role: TokenRole, user_id: str, seconds: float) -> tuple[str, SessionToken]:
        return sign_token(self._signing, self._name, user_id, role, time.time() + seconds)

    def mint_once(self, role: TokenRole, user_id: str, seconds: float) -> tuple[str, SessionToken]:
        """A token for one WebSocket, which may stay open longer than the token is good for."""
        return sign_token(self._signing_once, self._name, user_id, role, time.time() + seconds)

    def spend(self, token: str | None) -> Caller | None:
        """As `caller`, for one who opens a WebSocket: a one-time token is good here, and never again."""
        said = read_token(token, self._signing_once, self._name) if token and token.count(".") == 2 else None
        if said is None:
            return self.caller(token)
        now = time.time()
        self._spent = {id: ends for id, ends in self._spent.items() if ends > now}
        if said.id in self._spent:
            return None
        self._spent[said.id] = said.expires_at
        return Caller(Role[said.role.name], said.user_id)

    def caller(self, token: str | None) -> Caller | None:
        """Whom `token` belongs to, or None when it opens nothing here."""
        if token is not None and self._operator is not None and hmac.compare_digest(_digest(token), self._operator):
            return Caller(Role.OPERATOR, "operator")
        # Three parts, two dots: everything else is spared the work.
        if token is not None and token.count(".") == 2 and (said := read_token(token, self._signing, self._name)):
            return Caller(Role[said.role.name], said.user_id, said.expires_at)
        return Caller(Role.OPERATOR, "anyone") if self._operator is None else None


def _audience(session_id: str) -> str:
    return f"belljar:session:{session_id}"


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
