"""Whether there is a stream, on which socket, and the peers that are sent it."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from belljar.box.display import Display, DisplayState
from belljar.box.live.stream import Frame, FrameKind
from belljar.box.live.video import Video, VideoFormat
from belljar.box.live.video.streamer import Streamer, StreamerLost
from belljar.logs import log
from belljar.problems import Conflict
from belljar.tasks import Signal
from belljar.wire.desktop import DisplayMode, StreamStatus, Webrtc

LOOPBACK = "127.0.0.1"
# How long the streamer and an offer may take.
_OFFER_SECONDS = 15.0


@dataclass(frozen=True)
class StreamWishes:
    """As the start of what is on the display said."""

    codec: str = "vp8"
    fps: int = 30
    ports: tuple[int, int] = (59050, 59070)

    @classmethod
    def read(cls, codec: str | None, fps: int | None, ports: str | None) -> "StreamWishes":
        first, _, last = (ports or "").partition("-")
        is_range = first.isdecimal() and last.isdecimal() and 0 < int(first) <= int(last) < 65536
        return cls(
            codec or cls.codec,
            min(max(fps or cls.fps, 1), 60),
            (int(first), int(last)) if is_range else cls.ports,
        )


class Streaming:
    """`wishes` gives what the running display was started with."""

    def __init__(
        self,
        video: Video,
        display: Display,
        mode: Webrtc,
        addresses: tuple[str, ...],
        wishes: Callable[[], StreamWishes],
    ) -> None:
        self._video = video
        self._display = display
        self._mode = mode
        self._addresses = addresses
        self._wishes = wishes
        # What a caller said last; until then a browser's display is streamed and a desktop's is not.
        self._is_wanted: bool | None = None
        self._socket: socket.socket | None = None
        # Who has been given the socket.
        self._given: Streamer | None = None
        self._peers: dict[int, Peer] = {}
        self._last_peer = 0
        # Fires when the stream begins or ends.
        self.changed = Signal()
        display.listen(self._display_moved)
        video.on_peer = self._heard
        self._display_mode = display.mode

    @property
    def _reason_against(self) -> str | None:
        """Why there can be no stream, whatever runs."""
        if self._mode is Webrtc.OFF:
            return "streaming by WebRTC is off: see --webrtc"
        if self._mode is Webrtc.PUBLIC and not self._addresses:
            return "where viewers reach this host is not known: see --webrtc-address"
        return None

    @property
    def is_active(self) -> bool:
        has_display = self._display.state in (DisplayState.READY, DisplayState.DOWN)
        wanted = self._display.mode is DisplayMode.BROWSER if self._is_wanted is None else self._is_wanted
        return has_display and wanted and self._reason_against is None

    @property
    def wishes(self) -> StreamWishes:
        return self._wishes()

    @property
    def peers(self) -> int:
        return len(self._peers)

    @property
    def ice_server(self) -> str:
        """One of ours, for clients that would otherwise ask a public one: it never answers, and need not.

        Not the stream's own port: Chromium takes all that comes from a server's for the server's answers.
        """
        return f"stun:{self._advertised[0]}:9"

    @property
    def _port(self) -> int | None:
        return None if self._socket is None else int(self._socket.getsockname()[1])

    @property
    def _advertised(self) -> tuple[str, ...]:
        return (LOOPBACK,) if self._mode is Webrtc.LOOPBACK else self._addresses

    def status(self) -> StreamStatus:
        return StreamStatus(active=self.is_active, reason=self._reason_against)

    def start(self) -> StreamStatus:
        """Raises `Conflict` where there can be none."""
        if self._reason_against is not None:
            raise Conflict(self._reason_against)
        if self._display.state not in (DisplayState.READY, DisplayState.DOWN):
            raise Conflict("desktop is not active: there is no display to stream")
        self._is_wanted = True
        self.changed.fire()
        return self.status()

    def stop(self) -> StreamStatus:
        self._is_wanted = False
        self.changed.fire()
        self._close_socket()
        return StreamStatus(active=False)

    def check_active(self) -> None:
        if not self.is_active:
            raise Conflict(self.status().reason or "desktop stream is not active: start it first")

    @asynccontextmanager
    async def peer(self, on_data: Callable[[bytes], None]) -> AsyncIterator["Peer"]:
        """A peer, offered; leaving the block closes it.  Raises `Conflict` or `StreamerLost`."""
        wishes = self.wishes
        kind = FrameKind.H264 if wishes.codec == "h264" else FrameKind.VP8
        self._video.fps = wishes.fps
        with self._video.holding(VideoFormat(kind), _Nowhere()) as stream:
            with anyio.move_on_after(_OFFER_SECONDS):
                await self._video.streamer_changed.until(lambda: self._video.streamer is not None)
            streamer = self._video.streamer
            if streamer is None:
                raise StreamerLost("the streamer does not run")
            self._give_socket(streamer, wishes.ports)
            self._last_peer += 1
            peer = self._peers[self._last_peer] = Peer(self._last_peer, streamer, on_data)
            try:
                streamer.send({"do": "peer", "peer": peer.number, "stream": stream, "codec": str(kind)})
                yield peer
            finally:
                self._peers.pop(peer.number, None)
                peer.drop()

    def _give_socket(self, streamer: Streamer, ports: tuple[int, int]) -> None:
        if self._socket is None:
            self._socket = self._bound(ports)
            log.info("stream.socket", port=self._port)
            self._given = None
        if self._given is not streamer:
            streamer.send({"do": "udp", "addresses": list(self._advertised)}, [self._socket.fileno()])
            self._given = streamer

    def _bound(self, ports: tuple[int, int]) -> socket.socket:
        """One port for all peers: the first of the range that is free."""
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        host = LOOPBACK if self._mode is Webrtc.LOOPBACK else "0.0.0.0"
        for port in range(ports[0], ports[1] + 1):
            try:
                sock.bind((host, port))
            except OSError:
                continue
            return sock
        sock.close()
        raise Conflict(f"no UDP port of {ports[0]}-{ports[1]} is free")

    def _close_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self._given = None

    def _heard(self, message: dict[str, Any]) -> None:
        peer = self._peers.get(message["peer"])
        if peer is not None:
            peer.heard(message)

    def _display_moved(self, state: DisplayState) -> None:
        if state is DisplayState.INACTIVE:
            self._is_wanted = None
            self._close_socket()
        self.changed.fire()

    def close(self) -> None:
        self._close_socket()


class _Nowhere:
    """Frames for peers go there from the streamer itself."""

    def put(self, frame: Frame) -> None:
        return


class Peer:
    """One viewer's WebRTC connection, which lives in the streamer."""

    def __init__(self, number: int, streamer: Streamer, on_data: Callable[[bytes], None]) -> None:
        self.number = number
        self._streamer = streamer
        self._on_data = on_data
        self._offer: str | None = None
        self._changed = Signal()
        self.is_connected = False
        self.gone: str | None = None

    async def offer(self) -> str:
        with anyio.move_on_after(_OFFER_SECONDS):
            await self._changed.until(lambda: self._offer is not None or self.gone is not None)
        if self._offer is None:
            raise StreamerLost(self.gone or "there is no offer")
        return self._offer

    async def until_connected(self) -> bool:
        await self._changed.until(lambda: self.is_connected or self.gone is not None)
        return self.is_connected

    async def until_gone(self) -> str:
        """Why; also when its streamer has ended."""
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                await self._streamer.process.wait()
                self.gone = self.gone or LOST
                self._changed.fire()

            tasks.start_soon(watch)
            await self._changed.until(lambda: self.gone is not None)
            tasks.cancel_scope.cancel()
        assert self.gone is not None
        return self.gone

    def answer(self, sdp: str) -> None:
        self._send({"do": "answer", "peer": self.number, "sdp": sdp})

    def send(self, data: bytes) -> None:
        self._send({"do": "data", "peer": self.number, "data": data.hex()})

    def drop(self) -> None:
        self._send({"do": "drop", "peer": self.number})

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._streamer.send(message)
        except StreamerLost:
            # `until_gone` tells.
            return

    def heard(self, message: dict[str, Any]) -> None:
        match message["is"]:
            case "offer":
                self._offer = message["sdp"]
            case "connected":
                self.is_connected = True
            case "gone":
                self.gone = message["reason"]
            case "data":
                self._on_data(bytes.fromhex(message["data"]))
        self._changed.fire()


# Why a peer is gone whose viewer can have another at once.
LOST = "the streamer has ended"


@asynccontextmanager
async def open_streaming(
    video: Video, display: Display, mode: Webrtc, addresses: tuple[str, ...], wishes: Callable[[], StreamWishes]
) -> AsyncIterator[Streaming]:
    streaming = Streaming(video, display, mode, addresses, wishes)
    try:
        yield streaming
    finally:
        streaming.close()
