"""One viewer that speaks Neko: its signalling socket, its peer, and what it may do.

The peer lives no longer than the socket, so whatever ends the one (a token that expires, a session that ends, a
gateway that cuts) ends the other.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from belljar.box.access.lease import NOBODY
from belljar.box.access.lease import viewer as viewer_party
from belljar.box.desktop import Desktop
from belljar.box.live.input_events import InputEvents
from belljar.box.live.live import Live
from belljar.box.live.rtc import neko
from belljar.box.live.rtc.channel import Button, Key, Move, Ping, Scroll, pong, read_message, shortcut
from belljar.box.live.rtc.hands import DisplayHands
from belljar.box.live.rtc.messages import input_in, read_text
from belljar.box.live.rtc.peer import LOST, Peer
from belljar.box.live.rtc.streaming import Streaming
from belljar.box.live.video.streamer import StreamerLost
from belljar.limits import Bucket
from belljar.logs import log
from belljar.problems import Conflict, Problem
from belljar.record.segments import Actor
from belljar.tokens import Caller, Role
from belljar.wire.control import Control, HolderKind
from belljar.wire.live import JSON_SUBPROTOCOL, EventName
from belljar.wire.neko import Who, state
from belljar.wire.record import ActorKind, ActorVia, EventKind

# What may wait: input beyond it is dropped, messages beyond it are too many for a client that reads.
_MOST_INPUT = 500
_MOST_MESSAGES = 500
# Larger descriptions are nobody's; one must fit into a message to the streamer.
_MOST_SDP = 30_000
_MOST_TEXT = 100_000
# A client sends one every few seconds.
_PINGS_PER_SECOND = 10
# And asks for a stream once, or again after a loss.
_PEERS_PER_SECOND = 1

Payload = dict[str, Any]


class NekoSession:
    """`is_neko` is said of clients that are Neko's own: they ask for control when a person does."""

    def __init__(
        self, id: str, socket: WebSocket, live: Live, desktop: Desktop, streaming: Streaming, *, is_neko: bool
    ) -> None:
        caller: Caller = socket.state.caller
        self.id = id
        self._socket = socket
        self._live = live
        self._desktop = desktop
        self._streaming = streaming
        self._caller = caller
        self._is_neko = is_neko
        self._may_drive = caller.role >= Role.DRIVE
        self._party = viewer_party(id)
        self._who = Who(id, caller.id, self._may_drive)
        self._actor = Actor(ActorKind.VIEWER, ActorVia.LIVE, caller.id[:64])
        self._input_events = InputEvents(live.bus, self._actor)
        self._hands = DisplayHands(desktop, self._input_events, is_wheel_inverted=is_neko)
        self._rate = Bucket(live.limits.input_rate, live.limits.input_rate * 2)
        self._requests = Bucket(_PEERS_PER_SECOND, _PEERS_PER_SECOND * 5)
        self._pings = Bucket(_PINGS_PER_SECOND, _PINGS_PER_SECOND * 2)
        self._messages: deque[Payload] = deque()
        self._input: deque[Move | Scroll | Key | Button] = deque()
        self._wake_sender = anyio.Event()
        self._wake_hands = anyio.Event()
        self._wanted = anyio.Event()
        self._peer: Peer | None = None
        self._streamed = anyio.CancelScope()
        self._closing: tuple[int, str] | None = None
        self._lost_control = False
        self._size = (0, 0)

    # What `Live` tells.

    def tell(self, name: EventName, data: Payload) -> None:
        """Neko has no events for what happens in a browser."""

    def tell_stats(self) -> None:
        """Nor for this."""

    def mode_changed(self) -> None:
        self._check_stream()

    def video_changed(self) -> None:
        """The display may have another size."""
        self._check_stream()

    def control_moved(self, control: Control) -> None:
        if not self._live.lease.may_act(self._party):
            self._lost_control = True
            self._input.clear()
            self._wake_hands.set()
        self._put(neko.message("control/host", neko.control_host(self.id, self._host)))

    @property
    def _host(self) -> str | None:
        """Who holds control.  Nobody's is everybody's: a client of Neko's sends input only to one that has it."""
        holder = self._live.lease.holder
        if holder == NOBODY:
            return self.id if self._may_drive and not self._is_neko else None
        return holder.id if holder.kind is HolderKind.VIEWER else str(holder.kind)

    def _check_stream(self) -> None:
        if not self._streaming.is_active:
            self.end("the stream has ended", 1001)
            return
        size = self._live.video.size
        if (size.width, size.height) != self._size:
            self._size = (size.width, size.height)
            self._put(neko.message("screen/updated", {"id": self.id, **self._screen}))

    @property
    def _screen(self) -> Payload:
        return neko.screen(*self._size, self._streaming.wishes.fps)

    # The socket.

    async def attend(self, stopping: anyio.Event) -> None:
        with self._live.attended_by(self):
            # Who came with a token as a subprotocol must be answered with one.
            await self._socket.accept(
                JSON_SUBPROTOCOL if JSON_SUBPROTOCOL in self._socket.scope["subprotocols"] else None
            )
            began = time.monotonic()
            log.info("neko.joined", viewer=self.id, role=self._caller.role.word)
            self._record("came", {"viewer": self.id, "role": self._caller.role.word, "transport": "webrtc"})
            if self._may_drive:
                self._live.lease.join(self.id, self._caller.id)
            size = self._live.video.size
            self._size = (size.width, size.height)
            self._put(neko.init(self._who, self._screen, self._host))
            self._put(neko.message("session/state", {"id": self.id, **state(is_watching=False)}))
            try:
                await self._serve(stopping)
            finally:
                self._live.lease.leave(self.id)
                with anyio.move_on_after(2, shield=True):
                    await self._hands.release_all()
                self._input_events.flush()
                self._record("left", {"viewer": self.id, "seconds": round(time.monotonic() - began, 1)})
                log.info("neko.left", viewer=self.id)

    def _record(self, name: str, data: Payload) -> None:
        self._live.bus.tell(EventKind.VIEWER, name, actor=self._actor, data=data)

    async def _serve(self, stopping: anyio.Event) -> None:
        async with anyio.create_task_group() as tasks:

            async def until_over(work: Callable[[], Awaitable[None]]) -> None:
                try:
                    await work()
                except (WebSocketDisconnect, TimeoutError):
                    # Gone, or as good as gone: it takes nothing of what it is sent.
                    pass
                tasks.cancel_scope.cancel()

            async def announce_end() -> None:
                await stopping.wait()
                self.end("the box ends", 1001)

            async def watch_stream() -> None:
                while True:
                    await self._streaming.changed.changed()
                    self._check_stream()

            tasks.start_soon(until_over, self._listen, name="neko input")
            tasks.start_soon(until_over, self._send, name="neko output")
            tasks.start_soon(self._stream, name="neko stream")
            tasks.start_soon(self._use_hands, name="neko hands")
            tasks.start_soon(self._beat, name="neko heartbeat")
            tasks.start_soon(announce_end, name="neko end")
            tasks.start_soon(watch_stream, name="neko stream's end")
            if self._may_drive:
                tasks.start_soon(self._follow_clipboard, name="neko clipboard")
            if self._caller.expires_at is not None:
                tasks.start_soon(self._until_expired, self._caller.expires_at, name="neko token")

    async def _until_expired(self, at: float) -> None:
        await anyio.sleep(max(0.0, at - time.time()))
        self.end("the token's time has passed", 1008)

    def end(self, reason: str, code: int) -> None:
        """Say why, and close; the peer goes with it."""
        if self._closing is None:
            self._put(neko.message("system/disconnect", {"message": reason}))
            self._closing = (code, reason)
            self._streamed.cancel()
            self._wake_sender.set()

    def _put(self, message: Payload) -> None:
        if len(self._messages) >= _MOST_MESSAGES:
            self._messages.clear()
            self._closing = self._closing or (1013, "too slow")
        self._messages.append(message)
        self._wake_sender.set()

    async def _send(self) -> None:
        patience = self._live.limits.idle_timeout
        while True:
            self._wake_sender = anyio.Event()
            while self._messages:
                with anyio.fail_after(patience):
                    await self._socket.send_text(msgspec.json.encode(self._messages.popleft()).decode())
            if self._closing is not None:
                with anyio.move_on_after(patience):
                    await self._socket.close(*self._closing)
                return
            await self._wake_sender.wait()

    async def _beat(self) -> None:
        while True:
            await anyio.sleep(neko.HEARTBEAT_SECONDS)
            self._put(neko.message("system/heartbeat"))

    async def _listen(self) -> None:
        while True:
            frame = await self._socket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            text = frame.get("text")
            if text is None or not self._rate.take():
                # Input may come as bytes over the data channel alone; what is too much is dropped.
                continue
            if len(text) > self._live.limits.max_message:
                self.end("message too large", 1009)
                await anyio.sleep_forever()
            event, payload = read_text(text)
            try:
                await self._take(event, payload)
            except Problem as problem:
                # Neko has no answer for it.
                log.debug("neko.refused", message=event, code=problem.code)

    async def _take(self, event: str, payload: Payload) -> None:
        match event:
            case "signal/request" | "signal/restart" if self._requests.take():
                # A new peer serves as well as the old one's new start.
                self._wanted.set()
                self._streamed.cancel()
            case "signal/answer":
                sdp = payload.get("sdp")
                if self._peer is not None and isinstance(sdp, str) and len(sdp) <= _MOST_SDP and sdp.isascii():
                    self._peer.answer(sdp)
            case "control/request" if self._may_drive and self._is_neko:
                self._live.lease.take(self._party)
            case "control/release" if self._may_drive:
                self._live.lease.release(self._party)
            case "signal/video":
                self._put(neko.message("signal/video", neko.video()))
            case "clipboard/set" if self._may_drive:
                await self._set_clipboard(payload.get("text"))
            case "control/cut" | "control/copy" | "control/paste" | "control/select_all" if self._may_drive:
                await self._set_clipboard(payload.get("text") if event == "control/paste" else None)
                for key in shortcut(event):
                    self._add_input(key)
            case _ if event.startswith("control/"):
                for made in input_in(event, payload):
                    self._add_input(made)

    async def _set_clipboard(self, text: object) -> None:
        if isinstance(text, str) and len(text) <= _MOST_TEXT:
            self._live.lease.check(self._party)
            self._input_events.pasted(text)
            await self._desktop.clipboard.set("clipboard", text, None)

    # Video.

    async def _stream(self) -> None:
        """A peer for as long as one is wanted; a new wish makes a new peer, and so does a lost streamer."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            is_lost = True
            while is_lost and self._closing is None:
                is_lost = False
                with anyio.CancelScope() as self._streamed:
                    is_lost = await self._stream_once()
                if is_lost:
                    self._put(neko.message("signal/close"))

    async def _stream_once(self) -> bool:
        """Whether the peer was lost, with its streamer or on its line, and another may do; not one that never came."""
        try:
            async with self._streaming.peer(self._heard) as peer:
                self._peer = peer
                self._put(neko.provide(await peer.offer(), self._streaming.ports.ice_servers(self.id)))
                self._put(neko.message("signal/video", neko.video()))
                if was_connected := await peer.until_connected():
                    self._put(neko.message("session/state", {"id": self.id, **state(is_watching=True)}))
                reason = await peer.until_gone()
        except StreamerLost:
            await anyio.sleep(0.1)
            return True
        except Conflict as problem:
            self.end(problem.detail or "there is no stream", 1013)
            return False
        finally:
            self._peer = None
        self._put(neko.message("session/state", {"id": self.id, **state(is_watching=False)}))
        log.info("neko.peer_gone", viewer=self.id, reason=reason)
        return reason == LOST or was_connected

    # Input.

    def _heard(self, data: bytes) -> None:
        made = read_message(data)
        if isinstance(made, Ping):
            # Answers go the way of the pictures: a flood of them would hold those up, everybody's.
            if self._peer is not None and self._pings.take():
                self._peer.send(pong(made, round(time.time() * 1000)))
        elif made is not None:
            self._add_input(made)

    def _add_input(self, made: Move | Scroll | Key | Button) -> None:
        if not self._may_drive or len(self._input) >= _MOST_INPUT:
            return
        is_release = isinstance(made, (Key, Button)) and not made.is_down
        # What was pressed is let go in any case.
        if not is_release and not (self._live.lease.may_act(self._party) and self._rate.take()):
            return
        if isinstance(made, Move):
            if self._input and isinstance(self._input[-1], Move):
                self._input.pop()
            # The far edge, which clients may name, is beyond the last pixel.
            made = Move(min(made.x, self._size[0] - 1), min(made.y, self._size[1] - 1))
        self._input.append(made)
        self._wake_hands.set()

    async def _use_hands(self) -> None:
        while True:
            self._wake_hands = anyio.Event()
            if self._lost_control:
                self._lost_control = False
                await self._hands.release_all()
            while self._input:
                made = self._input.popleft()
                self._live.activity.note()
                self._live.lease.renew(self._party)
                try:
                    await self._hands.do(made)
                except Problem as problem:
                    log.debug("neko.input_refused", code=problem.code)
            await self._wake_hands.wait()

    async def _follow_clipboard(self) -> None:
        """Tell what is copied, to who holds control; a client of Neko's keeps its own clipboard in step with it."""
        last = ""
        while True:
            await self._desktop.clipboard.changed.changed()
            try:
                text = (await self._desktop.clipboard.get_text())[:_MOST_TEXT]
            except Problem:
                continue
            if text != last and self._live.lease.may_act(self._party):
                last = text
                self._put(neko.message("clipboard/updated", {"text": text}))
