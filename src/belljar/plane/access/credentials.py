"""API keys, session tokens, tickets and what control planes show each other: made and judged here, nowhere else."""

import hmac
import math
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from belljar.plane.access.secrets import MasterKey, digest
from belljar.plane.registry import KeyRow, OriginRevoked, Registry, SessionRow, TicketRow, TicketUse, TokenRow
from belljar.problems import TokenInvalid
from belljar.tokens import Role, SessionToken, read_signed, read_token, sign, sign_token
from belljar.wire.access import CreateKey, SignInKind
from belljar.wire.sessions import TokenRole

KEY_PREFIX = "bj_"
# The web app's.
COOKIE = "belljar_control"
# Of a session's viewer.
COOKIE_SECONDS = 12 * 3600
_PEER_SECONDS = 300
TICKET_SECONDS = 300
# How long a key that was found good is believed without asking the database: revocation takes effect within 2 s.
_KEY_BELIEVED_SECONDS = 1.0
_MAX_BELIEVED = 10_000


@dataclass(frozen=True)
class Origin:
    """Whom something new is made for, and what it goes back to: it is worth nothing once one of these is revoked."""

    user_id: str
    key_id: str | None = None
    token_id: str | None = None
    sign_in_id: str | None = None


def origin_of(key: KeyRow, *, is_lasting: bool = False) -> Origin:
    """Of what a request with this key makes.

    What a person hands on (`is_lasting`) goes on when they sign out; what an app makes never outlives the app.
    """
    outlives = is_lasting and key.app_role is None
    return Origin(key.user_id, key.id, sign_in_id=None if outlives else key.sign_in_id)


class Credentials:
    def __init__(self, registry: Registry, master: MasterKey) -> None:
        self._registry = registry
        self._master = master
        # Keys found good lately, by their digest.
        self._believed: dict[str, tuple[float, KeyRow]] = {}

    async def make_key(self, wanted: CreateKey, *, actor: str) -> tuple[str, KeyRow]:
        """The key, which is shown once, and its row."""
        id = secrets.token_hex(6)
        key = f"{KEY_PREFIX}{id}_{secrets.token_urlsafe(32)}"
        return key, await self._registry.keys.add(id, digest(key), wanted, actor=actor)

    async def judge_key(self, key: str) -> KeyRow | None:
        """Whose `key` is, or None when it is not, or no longer, good."""
        if not key.startswith(KEY_PREFIX):
            return None
        hashed = digest(key)
        read_at, row = self._believed.get(hashed, (0.0, None))
        now = time.monotonic()
        if row is None or now - read_at > _KEY_BELIEVED_SECONDS:
            row = await self._look_up(key, hashed)
            if row is None:
                self._believed.pop(hashed, None)
                return None
            if len(self._believed) >= _MAX_BELIEVED:
                self._believed.clear()
            self._believed[hashed] = (now, row)
            self._registry.keys.note_use(row.id)
        return row

    def forget_keys(self) -> None:
        """After one was revoked here."""
        self._believed.clear()

    def make_token(
        self, session_id: str, origin: Origin, role: TokenRole, expires_at: float = math.inf, note: str = ""
    ) -> "SignedToken":
        """A signed token and the row that lets it be revoked; nothing is stored yet.

        The session's end is its own in any case; without `expires_at` it is the only one, wherever it is moved to.
        """
        key = self._master.session_key(session_id)
        token, said = sign_token(key, session_id, origin.user_id, role, expires_at)
        row = TokenRow(
            id=said.id,
            session_id=session_id,
            user_id=origin.user_id,
            role=role,
            note=note,
            created_at=time.time(),
            expires_at=None if expires_at == math.inf else expires_at,
            key_id=origin.key_id,
            parent_id=origin.token_id,
            sign_in_id=origin.sign_in_id,
        )
        return SignedToken(token, row)

    def judge_token(self, token: str, session_id: str) -> SessionToken | None:
        """What `token` says if it was signed for this session and its time has not passed; revocation is not ours."""
        return read_token(token, self._master.session_key(session_id), session_id)

    def is_past(self, token: SessionToken) -> bool:
        return token.expires_at <= time.time()

    def make_ticket(
        self, use: TicketUse, role: str, origin: Origin, session_id: str | None = None
    ) -> tuple[str, TicketRow]:
        """A secret that opens one thing once, and its row; nothing is stored yet."""
        ticket = secrets.token_urlsafe(24)
        row = TicketRow(
            digest=digest(ticket),
            use=use,
            user_id=origin.user_id,
            role=role,
            expires_at=time.time() + TICKET_SECONDS,
            session_id=session_id,
            key_id=origin.key_id,
            token_id=origin.token_id,
            sign_in_id=origin.sign_in_id,
        )
        return ticket, row

    def make_tickets(
        self, role: TokenRole, origin: Origin, session_id: str
    ) -> Mapping[TicketUse, tuple[str, TicketRow]]:
        """One for each way into a session."""
        uses = (TicketUse.CDP, TicketUse.LIVE, TicketUse.VIEW)
        return {use: self.make_ticket(use, role, origin, session_id) for use in uses}

    async def add(self, tokens: Iterable[TokenRow], tickets: Iterable[TicketRow] = (), *, actor: str) -> None:
        """Store them.  Raises `TokenInvalid` when what they go back to was revoked meanwhile."""
        try:
            await self._registry.tokens.add(list(tokens), list(tickets), actor=actor)
        except OriginRevoked:
            raise TokenInvalid() from None

    async def add_link(self, role: TokenRole, session_id: str, origin: Origin) -> str:
        """A ticket that signs a person in to a session's viewer, stored."""
        traced, _ = await self._traced(origin)
        ticket, row = self.make_ticket(TicketUse.VIEW, role, traced, session_id)
        await self.add([], [row], actor=origin.user_id)
        return ticket

    async def sign_in(self, row: SessionRow, origin: Origin, role: Role | None) -> tuple[str, SessionToken]:
        """What a person's ticket or token becomes: a token of their own, which is what their cookie holds.

        It ends no later than the token that it goes back to.
        """
        kind = TokenRole.VIEW if role is Role.VIEW else TokenRole.DRIVE
        traced, last = await self._traced(origin)
        until = min(last, time.time() + COOKIE_SECONDS)
        made = self.make_token(row.id, traced, kind, until, "signed in to the viewer")
        await self.add([made.row], actor=origin.user_id)
        return made.token, SessionToken(made.row.id, row.id, origin.user_id, kind, until)

    async def _traced(self, origin: Origin) -> tuple[Origin, float]:
        """The origin with the key and the sign-in that it goes back to, and when what it came by ends."""
        if origin.token_id is None:
            return origin, await self._end_of(origin.sign_in_id)
        token = await self._registry.tokens.get(origin.token_id)
        ends_at = math.inf if token is None or token.expires_at is None else token.expires_at
        if token is None or ends_at <= time.time():
            raise TokenInvalid()
        ends_at = min(ends_at, await self._end_of(token.sign_in_id))
        return replace(origin, key_id=token.key_id, sign_in_id=token.sign_in_id), ends_at

    async def _end_of(self, sign_in_id: str | None) -> float:
        """An app's moves on with every use of its tokens: only a browser's end is known."""
        row = None if sign_in_id is None else await self._registry.sign_ins.get(sign_in_id)
        return math.inf if row is None or row.kind is not SignInKind.BROWSER else row.expires_at

    def make_cookie(self, key_id: str) -> str:
        """What one control plane shows another for somebody: stands for a key, for as long as one request takes."""
        claims = {"key": key_id, "exp": int(time.time()) + _PEER_SECONDS, "aud": "belljar:dashboard"}
        return sign(claims, self._master.derive("dashboard"))

    async def judge_cookie(self, cookie: str) -> tuple[KeyRow, float] | None:
        """The key that it stands for, and until when."""
        claims = read_signed(cookie, self._master.derive("dashboard"), "belljar:dashboard")
        if claims is None:
            return None
        row = await self._registry.keys.get(str(claims.get("key")))
        if row is None or row.revoked_at is not None:
            return None
        self._registry.keys.note_use(row.id)
        return row, float(claims["exp"])

    async def _look_up(self, key: str, hashed: str) -> KeyRow | None:
        id = key.removeprefix(KEY_PREFIX).partition("_")[0]
        row = await self._registry.keys.get(id)
        if row is None or row.revoked_at is not None or not hmac.compare_digest(row.digest, hashed):
            return None
        return row


@dataclass(frozen=True)
class SignedToken:
    token: str
    row: TokenRow
