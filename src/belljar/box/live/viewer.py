"""One viewer: a WebSocket, what it asks for, and what it is told."""

import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any, Protocol

import anyio
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from belljar import __version__
from belljar.box.access.lease import viewer as viewer_party
from belljar.box.access.lease import viewer_id
from belljar.box.live.browser_events import last_downloads, open_asks, open_dialogs, tabs_of
from belljar.box.live.commands import Commands, with_message
from belljar.box.live.feed import Feed
from belljar.box.live.input import Point, Size, to_picture, to_pixels
from belljar.box.live.input_events import InputEvents
from belljar.box.live.live import Live
from belljar.box.live.outbox import Outbox, TooSlow
from belljar.box.live.rtc.live_peer import LivePeer
from belljar.box.live.rtc.streaming import Streaming
from belljar.box.live.video import VideoFormat
from belljar.limits import Bucket, TooDeep, check_json_depth
from belljar.logs import log
from belljar.problems import Forbidden, Problem
from belljar.problems.box import BoxEnding, MessageRefused, RateLimited
from belljar.record.segments import Actor
from belljar.server.application import Application
from belljar.server.guard import CLOSE_CODE, EXPIRED
from belljar.server.router import Kind, may_be_told
from belljar.tokens import Caller, Role
from belljar.wire.base import BUILT_WHEN_USED, Model
from belljar.wire.control import Control
from belljar.wire.live import (
    BINARY_SUBPROTOCOL,
    JSON_SUBPROTOCOL,
    Ack,
    ClientMessage,
    Command,
    DialogChanged,
    DownloadChanged,
    Event,
    EventName,
    KeyInput,
    LiveMode,
    MouseAction,
    MouseInput,
    PeerChanged,
    PeerWish,
    Ping,
    Pong,
    Ready,
    Resize,
    Stats,
    VideoChanged,
    VideoWish,
)
from belljar.wire.record import ActorKind, ActorVia, EventKind

_MESSAGE: TypeAdapter[object] = TypeAdapter(ClientMessage, config=BUILT_WHEN_USED)
# Complaints a second that a viewer is told of; what it does wrong beyond is only counted.
_COMPLAINTS_PER_SECOND = 5

# What viewers are told over the live socket, beside frames.
EVENT_KINDS: dict[EventName, Kind] = {
    EventName.READY: Kind.TEXT,
    EventName.NAVIGATED: Kind.TEXT,
    EventName.CONSOLE: Kind.CONSOLE,
    EventName.ERROR: Kind.STATE,
    EventName.TABS: Kind.TEXT,
    EventName.DIALOG: Kind.TEXT,
    # What Chromium would show in a widget of its own.
    EventName.ASKS: Kind.TEXT,
    # Its name and state, which Chromium shows too; not the file.
    EventName.DOWNLOAD: Kind.TEXT,
    EventName.CONTROL: Kind.STATE,
    EventName.STATS: Kind.STATE,
    EventName.VIDEO: Kind.STATE,
    EventName.WEBRTC: Kind.STATE,
}


class InputTarget(Protocol):
    """A viewer's mouse and keyboard on what is shown."""

    async def mouse(self, event: MouseInput, at: Point, delta: tuple[float, float]) -> None: ...

    async def key(self, event: KeyInput) -> None: ...

    async def release_all(self) -> None: ...


class Viewer:
    """`id` is public: other viewers see it as the holder of control.  `key`, which it comes from, is its own."""

    def __init__(
        self,
        key: str,
        box_id: str,
        socket: WebSocket,
        app: Application,
        live: Live,
        streaming: Streaming,
        inputs: dict[LiveMode, InputTarget],
    ) -> None:
        caller: Caller = socket.state.caller
        self.id = viewer_id(key, caller.id)
        self._key = key
        self._box_id = box_id
        self._socket = socket
        self._live = live
        self._caller = caller
        self._input_targets = inputs
        self._may_drive = caller.role >= Role.DRIVE
        self._actor = Actor(ActorKind.VIEWER, ActorVia.LIVE, caller.id[:64])
        self._input_events = InputEvents(live.bus, self._actor)
        self._party = viewer_party(self.id)
        offered = socket.scope["subprotocols"]
        self._subprotocol = next((name for name in (BINARY_SUBPROTOCOL, JSON_SUBPROTOCOL) if name in offered), None)
        limits = live.limits
        self._is_binary = self._subprotocol == BINARY_SUBPROTOCOL
        self._outbox = Outbox(socket, is_binary=self._is_binary, patience=limits.idle_timeout)
        self._commands = Commands(app, live, self._party, socket.scope, self._send)
        self._inputs = Bucket(limits.input_rate, limits.input_rate * 2)
        self._asked = Bucket(limits.command_rate, limits.command_rate * 2)
        self._complaints = Bucket(_COMPLAINTS_PER_SECOND, _COMPLAINTS_PER_SECOND * 2)
        self._feed: Feed | None = None
        self._peer = LivePeer(self.id, streaming, self._tell_peer, self._peer_moved)
        self._held_control = False
        self._lost_control = anyio.Event()
        self._has_new_mode = anyio.Event()
        self._is_ready = False

    async def attend(self, stopping: anyio.Event, reason: Callable[[], str | None]) -> None:
        """Accept the socket and serve it until either side is done."""
        began = time.monotonic()
        live = self._live
        with (
            live.attended_by(self),
            closing(Feed(live.hub, live.video, live.source, self._outbox.stir, self._tell_video)) as feed,
        ):
            self._feed = feed
            await self._socket.accept(self._subprotocol)
            log.info("live.joined", viewer=self.id, role=self._caller.role.word)
            self._record("came", {"viewer": self.id, "role": self._caller.role.word})
            if self._may_drive:
                self._live.lease.join(self.id, self._caller.id)
            await self._tell_ready()
            try:
                await self._serve(feed, stopping, reason)
            finally:
                self._commands.settle()
                self._live.lease.leave(self.id)
                with anyio.move_on_after(2, shield=True):
                    await self._let_go()
                self._input_events.flush()
                seconds = round(time.monotonic() - began, 1)
                self._record("left", {"viewer": self.id, "seconds": seconds, "frames": feed.total})
                log.info("live.left", viewer=self.id, seconds=seconds, frames=feed.total, dropped=feed.dropped)

    def _record(self, name: str, data: dict[str, Any]) -> None:
        self._live.bus.tell(EventKind.VIEWER, name, actor=self._actor, data=data)

    async def _serve(self, feed: Feed, stopping: anyio.Event, reason: Callable[[], str | None]) -> None:
        async with anyio.create_task_group() as tasks:

            async def until_over(work: Callable[[], Awaitable[None]]) -> None:
                try:
                    await work()
                except (WebSocketDisconnect, TooSlow):
                    pass
                tasks.cancel_scope.cancel()

            async def announce_end() -> None:
                await stopping.wait()
                self._end(reason() or "stopped")
                await anyio.sleep_forever()

            tasks.start_soon(until_over, self._listen, name="live input")
            tasks.start_soon(until_over, lambda: self._outbox.run(feed), name="live output")
            tasks.start_soon(self._commands.run, name="live commands")
            tasks.start_soon(announce_end, name="live end")
            tasks.start_soon(self._tell_modes, name="live modes")
            tasks.start_soon(self._let_go_when_lost, name="live release")
            tasks.start_soon(self._peer.run, name="live peer")
            if self._caller.expires_at is not None:
                tasks.start_soon(self._until_expired, self._caller.expires_at, name="live token")

    async def _let_go_when_lost(self) -> None:
        while True:
            await self._lost_control.wait()
            self._lost_control = anyio.Event()
            await self._let_go()

    async def _until_expired(self, at: float) -> None:
        await anyio.sleep(max(0.0, at - time.time()))
        self.tell(EventName.ERROR, with_message(Forbidden("The token's time has passed.").body()))
        self._outbox.close(CLOSE_CODE, EXPIRED)

    def _end(self, reason: str) -> None:
        words = {"idle": "nobody has used it for its idle time", "expired": "its time has passed"}
        problem = BoxEnding(f"The box ends: {words.get(reason, 'it was told to stop')}.", reason=reason)
        self.tell(EventName.ERROR, with_message(problem.body()))
        self._outbox.close(1001, reason)

    async def _listen(self) -> None:
        while True:
            with anyio.move_on_after(self._live.limits.idle_timeout) as silence:
                frame = await self._socket.receive()
            if silence.cancelled_caught:
                self._outbox.close(1001, "silent for too long")
                await anyio.sleep_forever()
            if frame["type"] == "websocket.disconnect":
                return
            try:
                await self._take(self._parsed(frame))
            except _TooLarge:
                self._outbox.close(1009, "message too large")
                await anyio.sleep_forever()
            except Problem as problem:
                self._complain(problem)

    def _parsed(self, frame: Any) -> Any:
        text = frame.get("text")
        if text is None:
            raise MessageRefused("Send JSON text; binary messages are for frames.")
        if len(text) > self._live.limits.max_message:
            raise _TooLarge
        try:
            message = _MESSAGE.validate_json(text)
            if isinstance(message, Command):
                check_json_depth(message.params)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False, include_context=False)[:3]
            said = [{"field": ".".join(map(str, e["loc"][1:])), "message": e["msg"]} for e in first]
            raise MessageRefused("This is no message of the live protocol.", errors=said) from error
        except (TooDeep, RecursionError, UnicodeError) as error:
            raise MessageRefused("This is no message of the live protocol.") from error
        return message

    async def _take(self, message: object) -> None:
        match message:
            case Command():
                self._command(message)
            case Ping():
                self._check_rate()
                self._send(Pong(t=message.t))
            case Ack() if self._feed is not None:
                self._check_rate()
                self._feed.acked(message.timestamp)
            case VideoWish() if self._feed is not None:
                self._check_rate()
                self._feed.want(message, is_binary=self._is_binary)
            case Resize():
                self._resize(message)
            case PeerWish():
                self._check_rate()
                self._peer.take(message)
            case MouseInput() | KeyInput():
                await self._input(message)

    def _resize(self, wanted: Resize) -> None:
        if not self._may_drive:
            raise Forbidden("A view-only token may watch, and do nothing else.")
        self._check_rate()
        self._live.lease.check(self._party)
        self._live.activity.note()
        self._live.resizing.want(wanted.w, wanted.h, self._complain)

    def _command(self, command: Command) -> None:
        if not self._may_drive:
            self._commands.refuse(command.id, Forbidden("A view-only token may watch, and do nothing else."))
        elif not self._asked.take():
            wait = round(self._asked.seconds_until_next * 1000)
            self._commands.refuse(command.id, RateLimited("Too many commands at a time.", retry_after_ms=wait))
        else:
            self._live.activity.note()
            self._commands.put(command)

    async def _input(self, event: MouseInput | KeyInput) -> None:
        if not self._may_drive:
            raise Forbidden("A view-only token may watch, and do nothing else.")
        is_release = event.action in ("up", "keyup")
        # What was pressed is let go in any case.
        if not is_release:
            self._check_rate()
            self._live.lease.check(self._party)
        self._live.activity.note()
        feed = self._feed
        if feed is None or self._live.source.mode is LiveMode.NONE:
            return
        # What is shown as video is the display, and its pointer and keyboard are the display's.
        mode = LiveMode.DESKTOP if feed.is_video else self._live.source.mode
        target = self._input_targets[mode]
        page = self._live.browser.active_page if mode is LiveMode.BROWSER else None
        tab = None if page is None else page.id
        shown = feed.shown
        if isinstance(event, KeyInput):
            self._input_events.key(event, tab)
            await target.key(event)
        elif shown is not None:
            size = Size(*shown)
            surface = size if event.surface is None else Size(event.surface.w, event.surface.h)
            at = to_picture(event.x, event.y, surface, size).moved(*feed.corner)
            delta = (
                to_pixels(event.delta_x, event.delta_mode, size.w),
                to_pixels(event.delta_y, event.delta_mode, size.h),
            )
            turned = delta if event.action is MouseAction.WHEEL else (0.0, 0.0)
            self._input_events.mouse(event, at, turned, tab)
            await target.mouse(event, at, turned)

    def _check_rate(self) -> None:
        if not self._inputs.take():
            wait = round(self._inputs.seconds_until_next * 1000)
            raise RateLimited("Too much input at a time.", retry_after_ms=wait)

    def tell(self, name: EventName, data: dict[str, object]) -> None:
        """`ready` comes first, and says how everything is.  What is not for the caller's role is left out."""
        if self._is_ready and may_be_told(self._caller.role, EVENT_KINDS.get(name)):
            self._outbox.put({"type": "event", "name": name, "data": data})

    def mode_changed(self) -> None:
        self._has_new_mode.set()
        self.video_changed()

    def video_changed(self) -> None:
        if self._feed is not None:
            self._feed.review()

    def _tell_video(self, change: VideoChanged) -> None:
        self.tell(EventName.VIDEO, change.model_dump(mode="json", by_alias=True, exclude_none=True))

    def _tell_peer(self, change: PeerChanged) -> None:
        self.tell(EventName.WEBRTC, change.model_dump(mode="json", by_alias=True, exclude_none=True))

    def _peer_moved(self, shown: VideoFormat | None) -> None:
        if self._feed is not None:
            self._feed.peer_moved(shown)

    async def _tell_modes(self) -> None:
        while True:
            await self._has_new_mode.wait()
            self._has_new_mode = anyio.Event()
            await self._tell_ready()

    async def _tell_ready(self) -> None:
        # No frame has been made yet when the first viewer comes, or another thing is shown.
        viewport = await self._live.source.viewport()
        self._is_ready = True
        ready = Ready(
            viewer=self.id,
            key=self._key,
            name=self._caller.id,
            role="drive" if self._may_drive else "view",
            mode=self._live.source.mode,
            box_id=self._box_id,
            version=__version__,
            tabs=tabs_of(self._live.browser.current),
            dialogs=[DialogChanged.model_validate(one) for one in open_dialogs(self._live.browser.current)],
            asks=open_asks(self._live.browser.current),
            downloads=[DownloadChanged.model_validate(one) for one in last_downloads(self._live.browser)],
            control=self._live.lease.state(),
            viewport=viewport,
        )
        self._send(Event(name=EventName.READY, data=ready.model_dump(mode="json", by_alias=True, exclude_none=True)))

    def control_moved(self, control: Control) -> None:
        """Who loses control lets go of what they hold down."""
        had, self._held_control = self._held_control, control.holder.viewer == self.id
        if had and not self._held_control:
            self._lost_control.set()

    def tell_stats(self) -> None:
        if self._feed is not None:
            place = self._feed.place
            stats = Stats(
                fps=place.meter.fps,
                dropped_frames=self._feed.dropped,
                kbps=place.meter.kbps,
                viewers=self._live.viewers,
                rendition=place.rendition.value,
            )
            self.tell(EventName.STATS, stats.model_dump(mode="json", by_alias=True))

    async def _let_go(self) -> None:
        for target in self._input_targets.values():
            await target.release_all()

    def _send(self, message: Model) -> None:
        self._outbox.put(message.model_dump(mode="json", by_alias=True, exclude_none=True))

    def _complain(self, problem: Problem) -> None:
        if self._complaints.take():
            self.tell(EventName.ERROR, with_message(problem.body()))


class _TooLarge(Exception):
    """A message over the limit: whoever sends it is not let send more."""
