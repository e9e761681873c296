"""Whether there is a stream, in which quality to whom, and the peers that are sent it."""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import anyio

from belljar.box.display import Display, DisplayState
from belljar.box.display.sound import Sound
from belljar.box.live.rtc.peer import OFFER_SECONDS, Peer
from belljar.box.live.rtc.ports import Ports, PortSettings
from belljar.box.live.rtc.quality import LineQuality
from belljar.box.live.stream import Frame, FrameKind
from belljar.box.live.stream.pace import Rendition
from belljar.box.live.video import Video, VideoFormat
from belljar.box.live.video.streamer import Streamer, StreamerLost
from belljar.logs import log
from belljar.problems import Conflict
from belljar.tasks import Signal, background
from belljar.wire.desktop import DisplayMode, StreamStatus


@dataclass(frozen=True)
class StreamWishes:
    """As the start of what is on the display said."""

    codec: str = "vp8"
    fps: int = 30
    # None where none were named.
    ports: tuple[int, int] | None = None
    # How sound is coded; None for none.
    sound: str | None = None

    @classmethod
    def read(cls, codec: str | None, fps: int | None, ports: str | None, sound: str | None) -> "StreamWishes":
        first, _, last = (ports or "").partition("-")
        is_range = first.isdecimal() and last.isdecimal() and 0 < int(first) <= int(last) < 65536
        return cls(
            codec or cls.codec,
            min(max(fps or cls.fps, 1), 60),
            (int(first), int(last)) if is_range else None,
            None if sound == "none" else sound,
        )


class Streaming:
    """`wishes` gives what the running display was started with."""

    def __init__(self, video: Video, display: Display, ports: Ports, wishes: Callable[[], StreamWishes]) -> None:
        self._video = video
        self._display = display
        self.ports = ports
        self._wishes = wishes
        # What a caller said last; until then a browser's display is streamed and a desktop's is not.
        self._is_wanted: bool | None = None
        self._peers: dict[int, Peer] = {}
        self._last_peer = 0
        # Fires when the stream begins or ends.
        self.changed = Signal()
        # Which streamer has been given the sound of which display.
        self._heard_by: tuple[Streamer, Sound] | None = None
        display.listen(self._display_moved)
        video.on_peer = self._heard
        video.usual_fps = lambda: wishes().fps
        self._display_mode = display.mode

    @property
    def is_active(self) -> bool:
        has_display = self._display.state in (DisplayState.READY, DisplayState.DOWN)
        wanted = self._display.mode is DisplayMode.BROWSER if self._is_wanted is None else self._is_wanted
        return has_display and wanted and self.ports.reason_against is None

    @property
    def is_watchable(self) -> bool:
        """Whether viewers of the live socket may have it, who see the display anyway: unless somebody stopped it."""
        has_display = self._display.state in (DisplayState.READY, DisplayState.DOWN)
        return has_display and self._is_wanted is not False and self.ports.reason_against is None

    def check_watchable(self) -> None:
        if not self.is_watchable:
            raise Conflict(self.status().reason or "there is no display to stream, or its stream was stopped")

    @property
    def wishes(self) -> StreamWishes:
        return self._wishes()

    @property
    def default_format(self) -> VideoFormat:
        return VideoFormat(FrameKind.H264 if self.wishes.codec == "h264" else FrameKind.VP8)

    @property
    def peers(self) -> int:
        return len(self._peers)

    def status(self) -> StreamStatus:
        return StreamStatus(active=self.is_active, reason=self.ports.reason_against)

    def start(self) -> StreamStatus:
        """Raises `Conflict` where there can be none."""
        if self.ports.reason_against is not None:
            raise Conflict(self.ports.reason_against)
        if self._display.state not in (DisplayState.READY, DisplayState.DOWN):
            raise Conflict("desktop is not active: there is no display to stream")
        self._is_wanted = True
        self.changed.fire()
        return self.status()

    def stop(self) -> StreamStatus:
        self._is_wanted = False
        self.changed.fire()
        self.ports.close_own()
        return StreamStatus(active=False)

    def check_active(self) -> None:
        if not self.is_active:
            raise Conflict(self.status().reason or "desktop stream is not active: start it first")

    @asynccontextmanager
    async def peer(self, on_data: Callable[[bytes], None], shown: VideoFormat | None = None) -> AsyncIterator[Peer]:
        """A peer, offered; leaving the block closes it.  Raises `Conflict` or `StreamerLost`.

        `shown` is what it is sent, as long as its line is good; all of the display, as that was started, by default.
        """
        wishes = self.wishes
        shown = shown or self.default_format
        await self.ports.ready(wishes.ports)
        line, reported = LineQuality(), Signal()

        def report(lost: float, seconds: float | None) -> None:
            line.report(lost, seconds)
            reported.fire()

        with ExitStack() as held, self.ports.credentials() as credentials:
            stream = held.enter_context(self._video.holding(shown, _Nowhere(), wishes.fps))
            with anyio.move_on_after(OFFER_SECONDS):
                await self._video.streamer_changed.until(lambda: self._video.streamer is not None)
            streamer = self._video.streamer
            if streamer is None:
                raise StreamerLost("the streamer does not run")
            self.ports.give(streamer)
            sound = self._give_sound(streamer, wishes.sound)
            self._last_peer += 1
            peer = self._peers[self._last_peer] = Peer(self._last_peer, streamer, on_data, report)
            try:
                about = {"do": "peer", "peer": peer.number, "stream": stream, "codec": str(shown.kind), "sound": sound}
                streamer.send(about | {"name": credentials.name, "password": credentials.password})
                switching = partial(self._switch, peer, shown, line, reported, held)
                async with background(switching, name="peer's quality"):
                    yield peer
            finally:
                self._peers.pop(peer.number, None)
                peer.drop()

    def _give_sound(self, streamer: Streamer, codec: str | None) -> str | None:
        """Have the streamer hear what the display plays; the codec, where it does."""
        sound = self._display.sound
        if sound is None or codec is None:
            return None
        if self._heard_by != (streamer, sound):
            streamer.send({"do": "sound", "codec": codec}, [sound.descriptor])
            self._heard_by = streamer, sound
        return codec

    async def _switch(
        self, peer: Peer, shown: VideoFormat, line: LineQuality, reported: Signal, held: ExitStack
    ) -> None:
        """Hold what the peer is sent, and while it changes what it shall be sent too."""
        current = line.rendition
        while True:
            await reported.until(partial(_has_changed, line, current))
            current = line.rendition
            wanted = ExitStack()
            stream = wanted.enter_context(self._video.holding(replace(shown, rendition=current), _Nowhere()))
            before = held.pop_all()
            held.push(before)
            held.push(wanted)
            log.info("stream.quality", peer=peer.number, rendition=current)
            peer.switch(stream)
            await peer.until_switched(stream)
            before.close()

    def _heard(self, message: dict[str, Any]) -> None:
        peer = self._peers.get(message["peer"])
        if peer is not None:
            peer.heard(message)

    def _display_moved(self, state: DisplayState) -> None:
        if state is DisplayState.INACTIVE:
            self._is_wanted = None
            self.ports.close_own()
        self.changed.fire()


def _has_changed(line: LineQuality, rendition: Rendition) -> bool:
    return line.rendition is not rendition


class _Nowhere:
    """Frames for peers go there from the streamer itself."""

    def put(self, frame: Frame) -> None:
        return


@asynccontextmanager
async def open_streaming(
    video: Video, display: Display, ports: PortSettings, box_id: str, wishes: Callable[[], StreamWishes]
) -> AsyncIterator[Streaming]:
    streaming = Streaming(video, display, Ports(ports, box_id), wishes)
    try:
        yield streaming
    finally:
        streaming.ports.close_own()
