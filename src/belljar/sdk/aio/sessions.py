"""`sessions`: boxes lent by a control plane."""

import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

from belljar.sdk.aio.box import AsyncBox
from belljar.sdk.aio.http import AsyncDownload, AsyncHttp
from belljar.sdk.aio.live import AsyncLive
from belljar.sdk.encoding import (
    ActorKind,
    EventKind,
    ExportFormat,
    FilmMode,
    RecordLevel,
    SessionMode,
    SessionState,
    TokenRole,
    body,
    joined,
)
from belljar.wire.access import MintedToken
from belljar.wire.base import Ok
from belljar.wire.isolation import EgressPolicy
from belljar.wire.record import RecordEvent, RecordPage, SessionRecordProof
from belljar.wire.sessions import (
    Connect,
    Removed,
    SessionEvent,
    SessionLimits,
    SessionList,
    SessionPolicy,
    SessionRecordings,
    SessionToken,
    TokenList,
    Viewport,
)
from belljar.wire.sessions import Session as SessionInfo

# A session may wait in a queue for room, and its box for its browser.
_CREATE_SECONDS = 180.0
# The longest there is; the session's own end comes first.
_TOKEN_SECONDS = 86_400


class AsyncSessionLive(AsyncLive):
    """As of a box; its tokens are the control plane's."""

    def __init__(self, http: AsyncHttp, sessions: "AsyncSessions", session_id: str) -> None:
        super().__init__(http)
        self._sessions = sessions
        self._session_id = session_id

    async def invite(
        self, *, role: TokenRole = "drive", ttl: float = 3600, name: str | None = None, once: bool | None = None
    ) -> MintedToken:
        """A token for a person, and a `link` that opens the viewer page once; needs the key of the session's owner.

        The token ends with the session if not before; `name` is a note in the list of its tokens.  What opens once is
        a ticket here: `sessions.tickets`.
        """
        if once:
            raise ValueError("A session's addresses that open once are its tickets: sessions.tickets().")
        made = await self._sessions.create_token(self._session_id, role=role, ttl=max(1, round(ttl)), note=name)
        return MintedToken(
            id=made.id,
            token=made.token or "",
            role=made.role,
            name=made.note,
            expires_at=made.expires_at,
            link=made.view_url or "",
        )


class AsyncSession(AsyncBox):
    """A box lent to you, with the namespaces of a box; `async with` ends it at the end of the block.

    `info` is what the control plane said of it when it was made.
    """

    def __init__(self, http: AsyncHttp, sessions: "AsyncSessions", info: SessionInfo) -> None:
        super().__init__(http)
        self.live = AsyncSessionLive(http, sessions, info.id)
        self._sessions = sessions
        self.info = info

    @property
    def id(self) -> str:
        """Its id, under which `sessions.connect` finds it again."""
        return self.info.id

    async def record(
        self,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        limit: int | None = None,
    ) -> RecordPage:
        """What happened in it, oldest first, also after its end; needs the key of the session's owner."""
        return await self._sessions.record(
            self.id, since=since, kinds=kinds, actor=actor, tab=tab, from_=from_, to=to, limit=limit
        )

    async def end(self) -> SessionInfo:
        """Give the box back; everything in it is gone when this returns."""
        await self.close()
        return await self._sessions.end(self.id)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end()


class AsyncSessions:
    """What a control plane is asked for; a box alone has none of it and answers `UnknownPath`."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        *,
        id: str | None = None,
        mode: SessionMode = "browser",
        headless: bool = False,
        viewport: Viewport | None = None,
        url: str | None = None,
        profile_id: str | None = None,
        read_only: bool = False,
        proxy: str | None = None,
        policy: SessionPolicy | None = None,
        limits: SessionLimits | None = None,
        record: RecordLevel | None = None,
        record_kinds: Sequence[EventKind] | None = None,
        film: FilmMode | None = None,
        ttl: int | None = None,
        idle_timeout: int | None = None,
        tags: Mapping[str, str] | None = None,
        metadata: Mapping[str, object] | None = None,
        wait: bool = True,
        idempotency_key: str | None = None,
    ) -> AsyncSession:
        """Borrow a box.

        With `wait=False` it may still be starting.  With an `idempotency_key` of your own, asking twice borrows one;
        without, the client makes one up, so that it may ask again when a connection breaks.
        """
        asked = body(
            id=id,
            mode=mode,
            headless=headless,
            viewport=viewport,
            url=url,
            profile_id=profile_id,
            read_only=read_only,
            proxy=proxy,
            policy=policy,
            limits=limits,
            record=record,
            record_kinds=record_kinds,
            film=film,
            ttl=ttl,
            idle_timeout=idle_timeout,
            tags=tags,
            metadata=metadata,
            wait=wait,
        )
        headers = {"Idempotency-Key": idempotency_key or secrets.token_hex(16)}
        info = await self._http.post("/api/sessions", SessionInfo, asked, timeout=_CREATE_SECONDS, headers=headers)
        return await self._session(info, info.token)

    async def connect(self, session_id: str, *, token: str | None = None) -> AsyncSession:
        """A session that is there already; without its token a new one is made, which needs its owner's key."""
        return await self._session(await self.get(session_id), token)

    async def list(
        self,
        *,
        state: Sequence[SessionState] | None = None,
        user: str | None = None,
        tag: Sequence[str] | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> SessionList:
        """One page of sessions, newest first; `next` of the answer goes on as `after`."""
        asked = body(state=state, user=user, tag=tag, limit=limit, after=after)
        return await self._http.get("/api/sessions", SessionList, asked)

    async def watch(
        self,
        *,
        state: Sequence[SessionState] | None = None,
        user: str | None = None,
        tag: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[SessionInfo, None]:
        """Each session that there is, and again whenever it changes, with what it shows as `glance`; without an end."""
        asked = body(state=state, user=user, tag=tag, limit=limit, follow=True)
        async for session in self._http.events("/api/sessions", SessionInfo, asked, name="session"):
            yield session

    async def get(self, session_id: str) -> SessionInfo:
        """What is known of one."""
        return await self._http.get(f"/api/sessions/{session_id}", SessionInfo)

    async def update(
        self,
        session_id: str,
        *,
        ttl: int | None = None,
        idle_timeout: int | None = None,
        tags: Mapping[str, str | None] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> SessionInfo:
        """Give it more or less time, other tags (None removes one), other metadata."""
        asked = body(ttl=ttl, idle_timeout=idle_timeout, tags=tags, metadata=metadata)
        return await self._http.patch(f"/api/sessions/{session_id}", SessionInfo, asked)

    async def end(self, session_id: str) -> SessionInfo:
        """End it; its box is gone when this returns.  One that is over already is as good."""
        return await self._http.delete(f"/api/sessions/{session_id}", SessionInfo, timeout=_CREATE_SECONDS)

    async def end_all(self, tag: Sequence[str]) -> Removed:
        """End every session that has these tags: `name` or `name:value`."""
        return await self._http.delete("/api/sessions", Removed, body(tag=list(tag)), timeout=_CREATE_SECONDS)

    async def revoke(self, session_id: str) -> SessionInfo:
        """Make every token of it worthless, and end it."""
        return await self._http.post(f"/api/sessions/{session_id}/revoke", SessionInfo, timeout=_CREATE_SECONDS)

    async def follow(self, session_id: str, *, after: int = 0) -> AsyncGenerator[SessionEvent, None]:
        """Its life from the beginning, event by event, until it is over."""
        async for event in self._http.events(f"/api/sessions/{session_id}/events", SessionEvent, body(after=after)):
            yield event

    async def logs(self, session_id: str, *, tail: int | None = None) -> str:
        """The log of its box, also after its end."""
        return await self._http.text(f"/api/sessions/{session_id}/logs", body(tail=tail))

    async def recordings(self, session_id: str) -> SessionRecordings:
        """Its films, also after its end, for as long as they are kept."""
        return await self._http.get(f"/api/sessions/{session_id}/recordings", SessionRecordings)

    @asynccontextmanager
    async def download_recording(self, session_id: str, recording_id: str) -> AsyncIterator[AsyncDownload]:
        """One film as MP4, streamed."""
        async with self._http.stream(f"/api/sessions/{session_id}/recordings/{recording_id}") as film:
            yield film

    async def record(
        self,
        session_id: str,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        limit: int | None = None,
    ) -> RecordPage:
        """One page of what happened in it, oldest first, also after its end; `cursor` goes on as `since`."""
        asked = body(since=since, kinds=joined(kinds), actor=actor, tab=tab, from_=from_, to=to, limit=limit)
        return await self._http.get(f"/api/sessions/{session_id}/record", RecordPage, asked)

    async def follow_record(
        self,
        session_id: str,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
    ) -> AsyncGenerator[RecordEvent, None]:
        """What happened in it, event by event, and then what happens, until it is over."""
        asked = body(since=since, kinds=joined(kinds), actor=actor, tab=tab, from_=from_, to=to, follow=True)
        async for event in self._http.events(f"/api/sessions/{session_id}/record", RecordEvent, asked):
            yield event

    @asynccontextmanager
    async def export_record(self, session_id: str, format: ExportFormat = "zip") -> AsyncIterator[AsyncDownload]:
        """The whole of it as other programs read it, streamed."""
        async with self._http.stream(f"/api/sessions/{session_id}/record/export", body(format=format)) as exported:
            yield exported

    async def record_picture(self, session_id: str, sha256: str) -> bytes:
        """The JPEG that an event of kind `screen` names."""
        return await self._http.fetch(f"/api/sessions/{session_id}/record/pictures/{sha256}")

    async def record_proof(self, session_id: str) -> SessionRecordProof:
        """Who vouches for it, and the last head that the control plane's database has."""
        return await self._http.get(f"/api/sessions/{session_id}/record/proof", SessionRecordProof)

    async def thumbnail(self, session_id: str) -> bytes:
        """A small picture of what it shows, as JPEG."""
        return await self._http.fetch(f"/api/sessions/{session_id}/thumbnail")

    async def create_token(
        self, session_id: str, *, role: TokenRole = "view", ttl: int | None = None, note: str | None = None
    ) -> SessionToken:
        """A token for somebody else, and a link that opens the viewer."""
        asked = body(role=role, ttl=ttl, note=note)
        return await self._http.post(f"/api/sessions/{session_id}/tokens", SessionToken, asked)

    async def tokens(self, session_id: str) -> TokenList:
        """Its tokens, without their secrets."""
        return await self._http.get(f"/api/sessions/{session_id}/tokens", TokenList)

    async def revoke_token(self, session_id: str, token_id: str) -> Ok:
        """Make one token worthless and close what it opened."""
        return await self._http.delete(f"/api/sessions/{session_id}/tokens/{token_id}", Ok)

    async def tickets(self, session_id: str, *, role: TokenRole = "drive") -> Connect:
        """Addresses that open once each, without another secret."""
        return await self._http.post(f"/api/sessions/{session_id}/tickets", Connect, body(role=role))

    async def loosen_egress(
        self, session_id: str, *, allow: Sequence[str] = (), learn: bool | None = None
    ) -> EgressPolicy:
        """Let it reach further hosts, or have its policy learn; an admin may, as far as `--admin-egress` goes."""
        asked = body(allow=list(allow), learn=learn)
        return await self._http.post(f"/api/sessions/{session_id}/egress", EgressPolicy, asked)

    async def _session(self, info: SessionInfo, token: str | None) -> AsyncSession:
        # A token is told once; whoever asks again gets another.
        token = token or (await self.create_token(info.id, role="drive", ttl=_TOKEN_SECONDS)).token
        return AsyncSession(await self._http.within(f"/s/{info.id}", token), self, info)
