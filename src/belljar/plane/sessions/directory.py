"""Which sessions there are and where, as of at most a second ago; and every connection through the gateway to them."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from belljar.plane.access.secrets import MasterKey
from belljar.plane.boxes.launchers.base import Address, Handle, Launcher
from belljar.plane.registry import BoxRow, Registry, SessionRow
from belljar.plane.supervision import repeat
from belljar.server.signed_caller import CallerSigner
from belljar.tokens import SessionToken
from belljar.wire.sessions import EndReason, SessionState

REFRESH_SECONDS = 0.8


@dataclass(frozen=True)
class Cut:
    """Why a connection was ended: its session is over, or only what opened it."""

    reason: EndReason
    is_session_over: bool = True


@dataclass(eq=False)
class OpenConnection:
    """One open request or WebSocket to a box; `cut` ends it."""

    token_id: str | None
    key_id: str | None
    cut: Callable[[Cut], None]
    # The sign-in that it came by, where no token stands between.
    sign_in_id: str | None = None


@dataclass(eq=False)
class SessionEntry:
    """What the gateway must know about a session, without asking the database for each request."""

    row: SessionRow
    address: Address | None
    # Signs who calls the box; None before there is one.
    signer: CallerSigner | None
    revoked_tokens: frozenset[str] = frozenset()
    # When this control plane last carried something for it; the box has the whole truth.
    last_activity: float = 0.0
    # As last measured by this control plane, in bytes and seconds.
    memory: int = 0
    cpu_seconds: float = 0.0
    connections: set[OpenConnection] = field(default_factory=set)
    # As of when this is true (monotonic): when it was read, or changed by this control plane itself.
    as_of: float = 0.0
    # Session tokens whose signature was found good, so that each is checked once.
    judged: dict[str, SessionToken] = field(default_factory=dict)
    # What every log line about it carries.
    log_fields: dict[str, str | None] = field(default_factory=dict)

    def cut_all(self, reason: EndReason) -> None:
        """The session is over."""
        for one in list(self.connections):
            one.cut(Cut(reason))

    def cut_some(self, reason: EndReason, wanted: Callable[[OpenConnection], bool]) -> None:
        """What opened these is over."""
        for one in [one for one in self.connections if wanted(one)]:
            one.cut(Cut(reason, is_session_over=False))


class Directory:
    def __init__(self, registry: Registry, launcher: Launcher, master: MasterKey) -> None:
        self._registry = registry
        self._launcher = launcher
        self._master = master
        self._entries: dict[str, SessionEntry] = {}

    @property
    def entries(self) -> Mapping[str, SessionEntry]:
        return self._entries

    async def get(self, id: str) -> SessionEntry | None:
        """The session's entry; one that is not known to run may do so since another control plane's last move."""
        if (entry := self._entries.get(id)) is not None and entry.row.state is SessionState.RUNNING:
            return entry
        began = time.monotonic()
        row = await self._registry.sessions.get(id)
        if row is None:
            return None
        box = None if row.box_id is None else await self._registry.boxes.get(row.box_id)
        revoked = await self._registry.tokens.revoked([id])
        return self._put(row, box, revoked.get(id, frozenset()), read_at=began)

    async def look_again(self, id: str) -> SessionEntry | None:
        """As `get`, from the database: a refresh that began before the session's last move may have undone it here."""
        if (entry := self._entries.get(id)) is not None and (row := await self._registry.sessions.get(id)) is not None:
            entry.row = row
        return await self.get(id)

    def put(self, row: SessionRow, handle: Handle | None, *, as_of: float | None = None) -> None:
        """What this control plane itself has just changed, or what was read when `as_of` says."""
        address = None if handle is None else self._launcher.address(handle)
        entry = self._entries.get(row.id)
        if entry is None:
            entry = SessionEntry(row, address, self._signer(row), last_activity=time.time())
            self._entries[row.id] = entry
        else:
            entry.row = row
            entry.address = address or entry.address
            entry.signer = self._signer(row)
        entry.log_fields = log_fields(row, self._master)
        entry.as_of = time.monotonic() if as_of is None else as_of

    def about(self, row: SessionRow) -> dict[str, str | None]:
        """What every log line about a session carries."""
        return log_fields(row, self._master)

    def over(self, id: str, reason: EndReason) -> None:
        """Close every connection to a session that is ending."""
        if (entry := self._entries.get(id)) is not None:
            entry.cut_all(reason)

    def tokens_revoked(self, session_id: str, token_ids: Collection[str]) -> None:
        if (entry := self._entries.get(session_id)) is not None:
            entry.revoked_tokens |= frozenset(token_ids)
            entry.cut_some(EndReason.REVOKED, lambda one: one.token_id in entry.revoked_tokens)

    def keys_revoked(self, key_ids: Collection[str]) -> None:
        for entry in self._entries.values():
            entry.cut_some(EndReason.REVOKED, lambda one: one.key_id in key_ids)

    def count_opened_by(self, key_id: str, token_ids: Collection[str]) -> int:
        """Connections that are open here by a key, or by tokens that go back to it."""
        every = (one for entry in self._entries.values() for one in entry.connections)
        return sum(one.key_id == key_id or one.token_id in token_ids for one in every)

    def sign_ins_over(self, ids: Collection[str]) -> None:
        for entry in self._entries.values():
            entry.cut_some(EndReason.REVOKED, lambda one: one.sign_in_id in ids)

    def opened_by(self) -> tuple[frozenset[str], frozenset[str]]:
        """The tokens, and the sign-ins, by which something is open now."""
        open_now = [one for entry in self._entries.values() for one in entry.connections]
        token_ids = frozenset(one.token_id for one in open_now if one.token_id is not None)
        return token_ids, frozenset(one.sign_in_id for one in open_now if one.sign_in_id is not None)

    async def keep_fresh(self) -> None:
        """Runs as long as the control plane: what another one changed is seen here within a second."""
        await repeat("directory", self.refresh, every=REFRESH_SECONDS)

    async def refresh(self) -> None:
        """What this control plane changed while the database was read is newer than what was read."""
        began = time.monotonic()
        rows = await self._registry.sessions.live()
        boxes = {box.id: box for box in await self._registry.boxes.list()}
        revoked = await self._registry.tokens.revoked([row.id for row in rows])
        for row in rows:
            box = boxes.get(row.box_id) if row.box_id else None
            self._put(row, box, revoked.get(row.id, frozenset()), read_at=began)
        live = {row.id for row in rows}
        for id in [id for id, entry in self._entries.items() if id not in live and entry.as_of < began]:
            await self._close_over(id)
        await self._close_past()

    async def _close_over(self, id: str) -> None:
        row = await self._registry.sessions.get(id)
        if (entry := self._entries.pop(id, None)) is None:
            return
        entry.row = row or entry.row
        entry.cut_all(entry.row.reason or EndReason.RELEASED)

    async def _close_past(self) -> None:
        """What was opened by a key, or by way of a sign-in, that is over now."""
        open_now = [one for entry in self._entries.values() for one in entry.connections]
        key_ids = {one.key_id for one in open_now if one.key_id is not None}
        self.keys_revoked(await self._registry.keys.revoked(key_ids))
        _, sign_in_ids = self.opened_by()
        self.sign_ins_over(await self._registry.sign_ins.over(sign_in_ids))

    def _put(self, row: SessionRow, box: BoxRow | None, revoked: frozenset[str], *, read_at: float) -> SessionEntry:
        handle = None if box is None else box.handle
        if (known := self._entries.get(row.id)) is not None and known.as_of > read_at:
            return known
        if row.state not in (SessionState.STOPPED, SessionState.FAILED) or row.id in self._entries:
            self.put(row, handle, as_of=read_at)
            entry = self._entries[row.id]
        else:
            entry = SessionEntry(row, None, self._signer(row))
        entry.revoked_tokens |= revoked
        # Each time, not only when one is new: a connection may have been admitted just before, and opened just after.
        entry.cut_some(EndReason.REVOKED, lambda one: one.token_id in entry.revoked_tokens)
        if row.revoked or row.state is SessionState.STOPPING:
            entry.cut_all(row.reason or EndReason.REVOKED)
        return entry

    def _signer(self, row: SessionRow) -> CallerSigner | None:
        return None if row.box_id is None else CallerSigner(self._master.box_key(row.box_id))


def log_fields(row: SessionRow, master: MasterKey) -> dict[str, str | None]:
    """What every log line about a session carries: never a user's name."""
    return {"session_id": row.id, "sandbox_id": row.box_id, "user": master.user_hash(row.user_id)}
