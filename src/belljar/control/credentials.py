"""API keys, session tokens, tickets and the dashboard's cookie: made here, judged here, nowhere else."""

import hmac
import secrets
import time
from dataclasses import dataclass

from belljar.control.registry import KeyRow, Registry, SessionRow, TicketRow, TokenRow
from belljar.control.secrets import MasterKey, digest
from belljar.tokens import Role, SessionToken, read_signed, read_token, sign, sign_token
from belljar.wire.keys import CreateKey
from belljar.wire.sessions import TokenRole

KEY_PREFIX = "bj_"
# The dashboard's.
COOKIE = "belljar_control"
COOKIE_SECONDS = 12 * 3600
TICKET_SECONDS = 300
# How long a key that was found good is believed without asking the database: revocation takes effect within 2 s.
_KEY_BELIEVED_SECONDS = 1.0
_MAX_BELIEVED = 10_000


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
        return row

    def forget_keys(self) -> None:
        """After one was revoked here."""
        self._believed.clear()

    def make_token(
        self,
        session_id: str,
        user_id: str,
        role: TokenRole,
        expires_at: float,
        note: str = "",
        parent_id: str | None = None,
    ) -> "Made":
        """A signed token and the row that lets it be revoked; nothing is stored yet."""
        now = time.time()
        token, said = sign_token(self._master.session_key(session_id), session_id, user_id, role, expires_at)
        return Made(token, TokenRow(said.id, session_id, role, note, now, expires_at, None, parent_id))

    def judge_token(self, token: str, session_id: str) -> SessionToken | None:
        """What `token` says if it was signed for this session and its time has not passed; revocation is not ours."""
        return read_token(token, self._master.session_key(session_id), session_id)

    def is_past(self, token: SessionToken) -> bool:
        return token.expires_at <= time.time()

    def make_ticket(
        self, role: str, *, session_id: str | None = None, key_id: str | None = None, token_id: str | None = None
    ) -> tuple[str, TicketRow]:
        """A secret that opens once, and its row; nothing is stored yet."""
        ticket = secrets.token_urlsafe(24)
        expires_at = time.time() + TICKET_SECONDS
        return ticket, TicketRow(digest(ticket), session_id, key_id, role, token_id, expires_at, None)

    async def add_ticket(self, role: TokenRole, session_id: str, token_id: str | None, *, actor: str) -> str:
        """A ticket for a session, stored; it ends with the token it was made with."""
        ticket, row = self.make_ticket(role, session_id=session_id, token_id=token_id)
        await self._registry.tokens.add([], [row], actor=actor)
        return ticket

    async def sign_in(self, row: SessionRow, token_id: str | None, role: Role | None) -> tuple[str, SessionToken]:
        """What a person's ticket or token becomes: a token of its own, which is what their cookie holds."""
        kind = TokenRole.VIEW if role is Role.VIEW else TokenRole.DRIVE
        until = min(row.expires_at, time.time() + COOKIE_SECONDS)
        made = self.make_token(row.id, row.user_id, kind, until, "signed in to the viewer", token_id)
        await self._registry.tokens.add([made.row], actor=row.user_id)
        return made.token, SessionToken(made.row.id, row.id, row.user_id, kind, until)

    def make_cookie(self, key_id: str) -> str:
        """The dashboard's cookie: stands for a key and is worth nothing once that is revoked."""
        claims = {"key": key_id, "exp": int(time.time()) + COOKIE_SECONDS, "aud": "belljar:dashboard"}
        return sign(claims, self._master.derive("dashboard"))

    async def judge_cookie(self, cookie: str) -> KeyRow | None:
        claims = read_signed(cookie, self._master.derive("dashboard"), "belljar:dashboard")
        if claims is None:
            return None
        row = await self._registry.keys.get(str(claims.get("key")))
        return None if row is None or row.revoked_at is not None else row

    async def _look_up(self, key: str, hashed: str) -> KeyRow | None:
        id = key.removeprefix(KEY_PREFIX).partition("_")[0]
        row = await self._registry.keys.get(id)
        if row is None or row.revoked_at is not None or not hmac.compare_digest(row.digest, hashed):
            return None
        return row


@dataclass(frozen=True)
class Made:
    token: str
    row: TokenRow
