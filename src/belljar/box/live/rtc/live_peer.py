"""The WebRTC peer of a viewer of the live socket: it brings the picture.  All else stays on the socket, input too.

It lives no longer than the socket does, and is signalled over it.
"""

import time
from collections.abc import Callable

import anyio

from belljar.box.live.rtc.channel import Ping, pong, read_message
from belljar.box.live.rtc.peer import LOST, Peer
from belljar.box.live.rtc.streaming import Streaming
from belljar.box.live.stream import FrameKind
from belljar.box.live.video import VideoFormat
from belljar.box.live.video.streamer import StreamerLost
from belljar.limits import Bucket
from belljar.problems import Conflict
from belljar.problems.box import RateLimited
from belljar.tasks import background
from belljar.wire.live import IceServer, PeerChanged, PeerWish

# A viewer asks every half a second whether the peer still lives.
_PINGS_PER_SECOND = 10
# Each costs keys, a certificate and some tries to connect.
_STARTS_PER_SECOND = 0.5
_MOST_STARTS = 5
KINDS = {str(kind): kind for kind in (FrameKind.H264, FrameKind.VP8)}


class LivePeer:
    """One peer at a time: the next `start` ends the one before.

    `tell` is told how it goes with it, `moved` what it shows, or None.
    """

    def __init__(
        self,
        viewer: str,
        streaming: Streaming,
        tell: Callable[[PeerChanged], None],
        moved: Callable[[VideoFormat | None], None],
    ) -> None:
        self._viewer = viewer
        self._streaming = streaming
        self._tell = tell
        self._moved = moved
        self._wish = PeerWish(type="webrtc", action="start")
        self._next: PeerWish | None = None
        self._number = 0
        self._wanted = anyio.Event()
        self._scope = anyio.CancelScope()
        self._peer: Peer | None = None
        self._reason = ""
        self._starts = Bucket(_STARTS_PER_SECOND, _MOST_STARTS)
        self._pings = Bucket(_PINGS_PER_SECOND, _PINGS_PER_SECOND * 2)

    def take(self, wish: PeerWish) -> None:
        """Raises `RateLimited` where peers are begun too often."""
        match wish.action:
            case "start":
                if not self._starts.take():
                    wait = round(self._starts.seconds_until_next * 1000)
                    raise RateLimited("Too many WebRTC connections at a time.", retry_after_ms=wait)
                self._next = wish
                self._wanted.set()
                self._scope.cancel()
            case "answer":
                if self._peer is not None and wish.peer == self._number and wish.sdp.isascii():
                    self._peer.answer(wish.sdp)
            case "stop":
                self._next = None
                self._scope.cancel()

    async def run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            if self._next is None:
                continue
            self._wish, self._next = self._next, None
            self._number = self._wish.peer
            self._reason = "it was stopped"
            with anyio.CancelScope() as self._scope:
                await self._connect()
            self._moved(None)
            self._tell(PeerChanged(peer=self._number, state="gone", reason=self._reason))

    async def _connect(self) -> None:
        """Until it is over."""
        try:
            self._streaming.check_watchable()
            shown = self._shown()
            async with (
                self._streaming.peer(self._heard, shown) as peer,
                background(lambda: self._announce(peer, shown), name="live peer's connection"),
                background(self._watch_stream, name="live peer's stream"),
            ):
                self._peer = peer
                servers = [IceServer.model_validate(one) for one in self._streaming.ports.ice_servers(self._viewer)]
                sdp = await peer.offer()
                self._tell(PeerChanged(peer=self._number, state="offered", sdp=sdp, ice_servers=servers))
                self._reason = await peer.until_gone()
        except StreamerLost:
            self._reason = LOST
        except Conflict as problem:
            self._reason = problem.detail or problem.title
        finally:
            self._peer = None

    def _shown(self) -> VideoFormat:
        kind = next((KINDS[name] for name in self._wish.codecs if name in KINDS), self._streaming.default_format.kind)
        return VideoFormat(kind, is_cropped=self._wish.crop == "page")

    async def _announce(self, peer: Peer, shown: VideoFormat) -> None:
        if await peer.until_connected():
            self._moved(shown)
            self._tell(PeerChanged(peer=self._number, state="connected"))

    async def _watch_stream(self) -> None:
        await self._streaming.changed.until(lambda: not self._streaming.is_watchable)
        self._reason = "the stream has ended"
        self._scope.cancel()

    def _heard(self, data: bytes) -> None:
        made = read_message(data)
        # Input over two ways would not keep its order: it comes over the socket alone.
        if isinstance(made, Ping) and self._peer is not None and self._pings.take():
            self._peer.send(pong(made, round(time.time() * 1000)))
