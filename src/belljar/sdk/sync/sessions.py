# Made from aio/sessions.py by scripts/make_sync_sdk.py: change it there.
"""`sessions`: boxes lent by a control plane."""

import secrets
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

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
from belljar.sdk.sync.box import Box
from belljar.sdk.sync.http import Download, Http
from belljar.sdk.sync.live import Live
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


class SessionLive(Live):
    """As of a box; its tokens are the control plane's."""

    def __init__(self, http: Http, sessions: "Sessions", session_id: str) -> None:
        super().__init__(http)
        self._sessions = sessions
        self._session_id = session_id

    def invite(
        self, *, role: TokenRole = "drive", ttl: float = 3600, name: str | None = None, once: bool | None = None
    ) -> MintedToken:
        """A token for a person, and a `link` that opens the viewer page once; needs the key of the session's owner.

        The token ends with the session if not before; `name` is a note in the list of its tokens.  What opens once is
        a ticket here: `sessions.tickets`.
        """
        if once:
            raise ValueError("A session's addresses that open once are its tickets: sessions.tickets().")
        made = self._sessions.create_token(self._session_id, role=role, ttl=max(1, round(ttl)), note=name)
        return MintedToken(
            id=made.id,
            token=made.token or "",
            role=made.role,
            name=made.note,
            expires_at=made.expires_at,
            link=made.view_url or "",
        )


class Session(Box):
    """A box lent to you, with the namespaces of a box; `with` ends it at the end of the block.

    `info` is what the control plane said of it when it was made.
    """

    def __init__(self, http: Http, sessions: "Sessions", info: SessionInfo) -> None:
        super().__init__(http)
        self.live = SessionLive(http, sessions, info.id)
        self._sessions = sessions
        self.info = info

    @property
    def id(self) -> str:
        """Its id, under which `sessions.connect` finds it again."""
        return self.info.id

    def record(
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
        return self._sessions.record(
            self.id, since=since, kinds=kinds, actor=actor, tab=tab, from_=from_, to=to, limit=limit
        )

    def end(self) -> SessionInfo:
        """Give the box back; everything in it is gone when this returns."""
        self.close()
        return self._sessions.end(self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class Sessions:
    """What a control plane is asked for; a box alone has none of it and answers `UnknownPath`."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
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
    ) -> Session:
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
        info = self._http.post("/api/sessions", SessionInfo, asked, timeout=_CREATE_SECONDS, headers=headers)
        return self._session(info, info.token)

    def connect(self, session_id: str, *, token: str | None = None) -> Session:
        """A session that is there already; without its token a new one is made, which needs its owner's key."""
        return self._session(self.get(session_id), token)

    def list(
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
        return self._http.get("/api/sessions", SessionList, asked)

    def watch(
        self,
        *,
        state: Sequence[SessionState] | None = None,
        user: str | None = None,
        tag: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Generator[SessionInfo, None, None]:
        """Each session that there is, and again whenever it changes, with what it shows as `glance`; without an end."""
        asked = body(state=state, user=user, tag=tag, limit=limit, follow=True)
        yield from self._http.events("/api/sessions", SessionInfo, asked, name="session")

    def get(self, session_id: str) -> SessionInfo:
        """What is known of one."""
        return self._http.get(f"/api/sessions/{session_id}", SessionInfo)

    def update(
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
        return self._http.patch(f"/api/sessions/{session_id}", SessionInfo, asked)

    def end(self, session_id: str) -> SessionInfo:
        """End it; its box is gone when this returns.  One that is over already is as good."""
        return self._http.delete(f"/api/sessions/{session_id}", SessionInfo, timeout=_CREATE_SECONDS)

    def end_all(self, tag: Sequence[str]) -> Removed:
        """End every session that has these tags: `name` or `name:value`."""
        return self._http.delete("/api/sessions", Removed, body(tag=list(tag)), timeout=_CREATE_SECONDS)

    def revoke(self, session_id: str) -> SessionInfo:
        """Make every token of it worthless, and end it."""
        return self._http.post(f"/api/sessions/{session_id}/revoke", SessionInfo, timeout=_CREATE_SECONDS)

    def follow(self, session_id: str, *, after: int = 0) -> Generator[SessionEvent, None, None]:
        """Its life from the beginning, event by event, until it is over."""
        yield from self._http.events(f"/api/sessions/{session_id}/events", SessionEvent, body(after=after))

    def logs(self, session_id: str, *, tail: int | None = None) -> str:
        """The log of its box, also after its end."""
        return self._http.text(f"/api/sessions/{session_id}/logs", body(tail=tail))

    def recordings(self, session_id: str) -> SessionRecordings:
        """Its films, also after its end, for as long as they are kept."""
        return self._http.get(f"/api/sessions/{session_id}/recordings", SessionRecordings)

    @contextmanager
    def download_recording(self, session_id: str, recording_id: str) -> Iterator[Download]:
        """One film as MP4, streamed."""
        with self._http.stream(f"/api/sessions/{session_id}/recordings/{recording_id}") as film:
            yield film

    def record(
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
        return self._http.get(f"/api/sessions/{session_id}/record", RecordPage, asked)

    def follow_record(
        self,
        session_id: str,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
    ) -> Generator[RecordEvent, None, None]:
        """What happened in it, event by event, and then what happens, until it is over."""
        asked = body(since=since, kinds=joined(kinds), actor=actor, tab=tab, from_=from_, to=to, follow=True)
        yield from self._http.events(f"/api/sessions/{session_id}/record", RecordEvent, asked)

    @contextmanager
    def export_record(self, session_id: str, format: ExportFormat = "zip") -> Iterator[Download]:
        """The whole of it as other programs read it, streamed."""
        with self._http.stream(f"/api/sessions/{session_id}/record/export", body(format=format)) as exported:
            yield exported

    def record_picture(self, session_id: str, sha256: str) -> bytes:
        """The JPEG that an event of kind `screen` names."""
        return self._http.fetch(f"/api/sessions/{session_id}/record/pictures/{sha256}")

    def record_proof(self, session_id: str) -> SessionRecordProof:
        """Who vouches for it, and the last head that the control plane's database has."""
        return self._http.get(f"/api/sessions/{session_id}/record/proof", SessionRecordProof)

    def thumbnail(self, session_id: str) -> bytes:
        """A small picture of what it shows, as JPEG."""
        return self._http.fetch(f"/api/sessions/{session_id}/thumbnail")

    def create_token(
        self, session_id: str, *, role: TokenRole = "view", ttl: int | None = None, note: str | None = None
    ) -> SessionToken:
        """A token for somebody else, and a link that opens the viewer."""
        asked = body(role=role, ttl=ttl, note=note)
        return self._http.post(f"/api/sessions/{session_id}/tokens", SessionToken, asked)

    def tokens(self, session_id: str) -> TokenList:
        """Its tokens, without their secrets."""
        return self._http.get(f"/api/sessions/{session_id}/tokens", TokenList)

    def revoke_token(self, session_id: str, token_id: str) -> Ok:
        """Make one token worthless and close what it opened."""
        return self._http.delete(f"/api/sessions/{session_id}/tokens/{token_id}", Ok)

    def tickets(self, session_id: str, *, role: TokenRole = "drive") -> Connect:
        """Addresses that open once each, without another secret."""
        return self._http.post(f"/api/sessions/{session_id}/tickets", Connect, body(role=role))

    def loosen_egress(self, session_id: str, *, allow: Sequence[str] = (), learn: bool | None = None) -> EgressPolicy:
        """Let it reach further hosts, or have its policy learn; an admin may, as far as `--admin-egress` goes."""
        asked = body(allow=list(allow), learn=learn)
        return self._http.post(f"/api/sessions/{session_id}/egress", EgressPolicy, asked)

    def _session(self, info: SessionInfo, token: str | None) -> Session:
        # A token is told once; whoever asks again gets another.
        token = token or (self.create_token(info.id, role="drive", ttl=_TOKEN_SECONDS)).token
        return Session(self._http.within(f"/s/{info.id}", token), self, info)
