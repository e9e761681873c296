"""Who a token belongs to and what it may do."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from enum import IntEnum


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


def new_token() -> str:
    """A fresh token of 256 bits, safe in URLs and shells."""
    return secrets.token_urlsafe(32)


class Keys:
    """The tokens a server accepts.

    Only digests are kept and compared, in constant time, so that neither a memory dump of this object nor the time
    a refusal takes says anything about a token.
    """

    def __init__(self, operator_token: str | None) -> None:
        """Without an operator token everyone who can connect is the operator: `--no-token`."""
        self._operator = None if operator_token is None else _digest(operator_token)

    @property
    def is_open(self) -> bool:
        return self._operator is None

    def caller(self, token: str | None) -> Caller | None:
        """Whom `token` belongs to, or None when it opens nothing here."""
        if self._operator is None:
            return Caller(Role.OPERATOR, "anyone")
        if token is not None and hmac.compare_digest(_digest(token), self._operator):
            return Caller(Role.OPERATOR, "operator")
        return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
