"""`/s/{session}/…`: judge, forward, note the activity, and end what must end."""

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from types import TracebackType
from urllib.parse import quote

import anyio
import msgspec
from starlette.types import Message, Receive, Scope, Send

from belljar.plane.addresses import Addresses
from belljar.plane.boxes.launchers.base import Address
from belljar.plane.gateway.authorize import Authorizer, Credential, Grant, check_state
from belljar.plane.gateway.box_routes import box_routes
from belljar.plane.gateway.forward_http import Carrier
from belljar.plane.gateway.forward_socket import carry_socket
from belljar.plane.gateway.headers import Pairs, forwarded, returned
from belljar.plane.gateway.live import LiveLine
from belljar.plane.gateway.peer_forwarding import Neighbours
from belljar.plane.gateway.sign_in import SignIns
from belljar.plane.gateway.webrtc import WebrtcRelays
from belljar.plane.registry import TicketUse
from belljar.plane.sessions.directory import Cut, Directory, OpenConnection, SessionEntry
from belljar.plane.supervision import ControlMetrics
from belljar.problems import Forbidden, Problem, UnknownPath
from belljar.problems.plane import BoxUnreachable, SessionOver
from belljar.server.application import Mount
from belljar.server.guard import Answer, check_length, credential_over, limited, seconds_left
from belljar.server.requests import RequestHeaders
from belljar.server.router import AtGateway, Instead
from belljar.server.signed_caller import CALLER_HEADER, WEBSOCKET
from belljar.server.telemetry.spans import current_span, session_trace
from belljar.wire.sessions import EndReason

PREFIX = "/s/"
_MAX_LOOKUP = 1024 * 1024
# What is written down when a live socket ends.
_LAST_WORDS_SECONDS = 5.0


class _Route:
    """What stands for the gateway in logs and metrics: what callers put into paths does not."""

    path = "/s/{id}/{path}"


class Gateway:
    def __init__(
        self,
        directory: Directory,
        judge: Authorizer,
        carrier: Carrier,
        neighbours: Neighbours,
        metrics: ControlMetrics,
        place: str,
        addresses: Addresses,
        people: SignIns,
        relays: WebrtcRelays,
        mounts: Sequence[Mount] = (),
        max_body: int = 0,
    ) -> None:
        self._directory = directory
        self._judge = judge
        self._carrier = carrier
        self.neighbours = neighbours
        self._metrics = metrics
        self._place = place
        self._addresses = addresses
        self._people = people
        self._relays = relays
        self._mounts = {mount.path: mount for mount in mounts}
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = _Route
        id, path, raw = _split(scope)
        headers = RequestHeaders(scope)
        entry = await self._directory.get(id)
        at = box_routes().find(scope, path)
        admitted, shown = await self._judge.admit(scope, headers, entry, id, at)
        entry = admitted.entry
        scope["state"]["log"] = entry.log_fields
        if entry.row.place != self._place:
            await self.neighbours.carry(self._judge.for_peer(scope, admitted, shown), receive, send, entry.row)
        elif at.instead is Instead.SIGN_IN:
            await self._people(entry, scope, receive, send)
        elif at.instead is Instead.NEKO_LOGIN:
            await self._people.neko(entry, scope, receive, send)
        elif at.instead is Instead.LINK:
            await self._people.link(admitted, scope, receive, send)
        elif at.instead is Instead.REFUSAL:
            raise Forbidden(
                f"A session's owner makes its tokens, with POST /api/sessions/{id}/tokens; POST /v1/live/links makes a "
                "link for a person."
            )
        else:
            answer = Answer(send)
            with _line(admitted) as line:
                if scope["type"] == "http" and (mount := self._mounts.get(path)) is not None:
                    await self._to_mount(mount, scope, receive, answer.send, entry, shown)
                else:
                    await self._carry(scope, receive, answer.send, admitted, shown, at, raw)
            if line.cut is not None:
                await answer.end_early(*_over(line.cut, entry))

    async def _carry(
        self, scope: Scope, receive: Receive, send: Send, admitted: Grant, shown: Credential, at: AtGateway, raw: bytes
    ) -> None:
        try:
            await self._to_box(scope, receive, send, admitted, shown, at, raw)
        except BoxUnreachable:
            if (again := await self._directory.look_again(admitted.entry.row.id)) is not None:
                check_state(again)
            raise

    async def _to_mount(
        self, mount: Mount, scope: Scope, receive: Receive, send: Send, entry: SessionEntry, shown: Credential
    ) -> None:
        """What the control plane answers in a box's place, and calls the box for: by here, as the same caller."""
        check_length(RequestHeaders(scope), self._max_body)
        entry.last_activity = time.time()
        kept = [(name, value) for name, value in scope["headers"] if name != b"authorization"]
        if shown.secret is not None:
            # Wherever it stood: a query and a cookie are not looked for in each of those calls.
            kept.append((b"authorization", f"Bearer {shown.secret}".encode("latin-1")))
        inner = {**scope, "headers": kept, "query_string": shown.query}
        await mount(inner, limited(receive, self._max_body), send)

    async def _to_box(
        self, scope: Scope, receive: Receive, send: Send, admitted: Grant, shown: Credential, at: AtGateway, raw: bytes
    ) -> None:
        entry = admitted.entry
        if entry.address is None or entry.signer is None:
            raise BoxUnreachable("The session's box is not known yet.")
        # The viewer's page is for anybody, and keeps no session from being idle.
        if admitted.role is not None:
            entry.last_activity = time.time()
        if (span := current_span.get()) is not None:
            span.belongs_to(*session_trace(entry.row.id))
        public = self._addresses.of(scope)
        headers = forwarded(scope["headers"], public)
        target = raw + (b"?" + shown.query if shown.query else b"")
        if admitted.role is not None:
            method = WEBSOCKET if scope["type"] == "websocket" else scope["method"]
            prefix = public.prefix + PREFIX + entry.row.id
            said = entry.signer.sign(
                method, target, admitted.role, admitted.caller, prefix=prefix, scheme=public.scheme
            )
            headers.append((CALLER_HEADER.encode(), said))
        dress = partial(returned, is_viewer=at.is_page)
        if scope["type"] == "websocket":
            live = None
            if at.ticket == TicketUse.LIVE:
                live = LiveLine(entry.log_fields, partial(self._judge.record_done, admitted=admitted))
            async with self._relays.relaying(entry) if at.brings_peers else nullcontext():
                await self._socket(scope, receive, send, admitted, entry.address, target, headers, dress, live)
        else:
            if at.is_lookup:
                send = _with_own_credential(send, shown)
            if at.audited:
                await self._judge.record(f"{at.audited}.asked", admitted)
            await self._carrier.carry_whole(scope, receive, send, entry.address, target, headers, dress)
        if admitted.role is not None:
            entry.last_activity = time.time()

    async def _socket(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        admitted: Grant,
        address: Address,
        target: bytes,
        headers: Pairs,
        dress: Callable[[Pairs], Pairs],
        live: LiveLine | None,
    ) -> None:
        entry = admitted.entry

        def note(data: str | bytes) -> None:
            entry.last_activity = time.time()
            if live is not None:
                live.inward(data)

        await self._judge.spend(admitted)
        try:
            await carry_socket(
                scope,
                receive,
                send,
                address=address,
                target=target.decode("latin-1"),
                headers=headers,
                dress=dress,
                on_inward=note,
                on_outward=None if live is None else live.outward,
                metrics=self._metrics,
            )
        finally:
            if live is not None:
                with anyio.move_on_after(_LAST_WORDS_SECONDS, shield=True):
                    await live.end()


def _split(scope: Scope) -> tuple[str, str, bytes]:
    """The session's id, and the rest of the path decoded and raw."""
    id, _, rest = scope["path"].removeprefix(PREFIX).partition("/")
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    pieces = raw.split(b"/", 3)
    if not id or len(pieces) < 4:
        raise UnknownPath("endpoint not found")
    return id, "/" + rest, b"/" + pieces[3]


class _line:
    """A connection that the directory knows of while the block lasts, and may cut; it ends with its credential.

    Here and not when the directory is read again, which a database that is away would put off.
    """

    def __init__(self, admitted: Grant) -> None:
        self._connections = admitted.entry.connections
        self._connection = OpenConnection(admitted.token_id, admitted.key_id, self._cut, admitted.sign_in_id)
        left = seconds_left(admitted.expires_at)
        self._scope = anyio.CancelScope(deadline=anyio.current_time() + left)
        self.cut: Cut | None = None

    def __enter__(self) -> "_line":
        self._scope.__enter__()
        self._connections.add(self._connection)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        self._connections.discard(self._connection)
        handled = self._scope.__exit__(kind, error, traceback)
        if self._scope.cancelled_caught and self.cut is None:
            self.cut = Cut(EndReason.EXPIRED, is_session_over=False)
        return handled

    def _cut(self, cut: Cut) -> None:
        self.cut = cut
        self._scope.cancel()


def _over(cut: Cut, entry: SessionEntry) -> tuple[str, Problem]:
    """Why a connection was cut: for a WebSocket that is open, and for whoever was not answered yet."""
    reason = cut.reason
    if not cut.is_session_over:
        return f"credential over: {reason}", credential_over(reason)
    ended = SessionOver("The session is over: it ended while it was used.", state=entry.row.state, reason=reason)
    return f"session over: {reason}", ended


def _with_own_credential(send: Send, shown: Credential) -> Send:
    """Let a lookup's answer lead to the socket by what the caller came with: a ticket, which is not spent yet, or a
    token in the query.  Whatever the box put there is ours and stays here.
    """
    start: Message = {}
    body = bytearray()

    async def sent(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            start = dict(message)
            return
        body.extend(message.get("body", b""))
        if message.get("more_body"):
            if len(body) > _MAX_LOOKUP:
                raise BoxUnreachable("The session's box answered with too much.")
            return
        data = _readdressed(bytes(body), shown.query_credential)
        kept = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        start["headers"] = [*kept, (b"content-length", str(len(data)).encode())]
        await send(start)
        await send({"type": "http.response.body", "body": data, "more_body": False})

    return sent


def _readdressed(body: bytes, credential: str) -> bytes:
    try:
        found = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return b""
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, dict) and isinstance(url := one.get("webSocketDebuggerUrl"), str):
            one["webSocketDebuggerUrl"] = url.partition("?")[0] + credential
    return msgspec.json.encode(found)
