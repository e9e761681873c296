"""How a person gets in: one-time links, and the cookie that a link or a pasted token becomes."""

import hashlib
import secrets
import time
from dataclasses import dataclass

from belljar.problems import TokenInvalid
from belljar.tokens import Keys, Role, SessionToken
from belljar.wire.access import SignIn
from belljar.wire.sessions import TokenRole

COOKIE_SECONDS = 12 * 3600
LINK_SECONDS = 300
# The one printed at start waits for somebody to look at the terminal.
FIRST_LINK_SECONDS = 3600
_MAX_LINKS = 1000


@dataclass(frozen=True)
class _Link:
    role: TokenRole
    name: str
    expires_at: float
    # When the cookie it becomes ends at the latest.
    until: float


class People:
    """Links are kept as digests, in memory: a restart of the box ends them."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._links: dict[bytes, _Link] = {}

    def make_ticket(self, role: TokenRole, name: str, *, seconds: float = LINK_SECONDS, until: float = 0) -> str:
        """A secret that signs a person in once, for a link: `/view#ticket=…`, where no server log sees it."""
        now = time.time()
        self._links = {digest: link for digest, link in self._links.items() if link.expires_at > now}
        while len(self._links) >= _MAX_LINKS:
            del self._links[next(iter(self._links))]
        ticket = secrets.token_urlsafe(24)
        self._links[_digest(ticket)] = _Link(role, name, now + seconds, until or now + COOKIE_SECONDS)
        return ticket

    def sign_in(self, wanted: SignIn) -> tuple[str, SessionToken]:
        """The cookie's value and what it says.  A cookie never has more than the role `drive`."""
        now = time.time()
        if wanted.ticket:
            link = self._links.pop(_digest(wanted.ticket), None)
            if link is None or link.expires_at < now:
                raise TokenInvalid("this link was used already, or its time has passed")
            return self._cookie(link.role, link.name, link.until)
        caller = self._keys.caller(wanted.token or None)
        if caller is None:
            raise TokenInvalid()
        role = TokenRole.VIEW if caller.role is Role.VIEW else TokenRole.DRIVE
        return self._cookie(role, caller.id, caller.expires_at or now + COOKIE_SECONDS)

    def _cookie(self, role: TokenRole, name: str, until: float) -> tuple[str, SessionToken]:
        return self._keys.mint(role, name, max(1, min(COOKIE_SECONDS, until - time.time())))


def _digest(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode("utf-8", "surrogateescape")).digest()
