"""`Video`: streams of the display in each format that somebody watches, and the life of the process that makes them."""

import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import anyio

from belljar.box.desktop.recording.shared import VideoListener, VideoPacket
from belljar.box.display import Display, DisplayState
from belljar.box.display.x11.pixels import Area
from belljar.box.live.stream import Frame, FrameKind, VideoQueue
from belljar.box.live.stream.pace import Rendition
from belljar.box.live.stream.slot import Meter
from belljar.box.live.video.capture import Capture, Size
from belljar.box.live.video.formats import VideoFormat
from belljar.box.live.video.streamer import Encoded, Streamer, StreamerLost, open_streamer
from belljar.box.process import Processes, User
from belljar.logs import log
from belljar.problems import Conflict, StreamError
from belljar.tasks import Signal, background, the_only_one

# How long the streamer's process stays when nobody watches any more.
IDLE_SECONDS = 10.0
# How long it may take to load its libraries; a fifth of a second on a host that is not busy.
_START_SECONDS = 20.0
# How long there may be no frame for those who take that for an end.
STILL_SECONDS = 1.0
# How often it is looked where the page is.
PAGE_SECONDS = 0.5
# Between two key frames of one stream.
KEY_SECONDS = 0.3
# So many starts in a row without a single frame, and viewers get pictures instead, for so many seconds.
_MOST_FAILURES = 3
_BROKEN_SECONDS = 60.0


_NOTHING = Area(0, 0, 0, 0)


class Sink(Protocol):
    """Where a stream's frames go."""

    def put(self, frame: Frame) -> None: ...


@dataclass(eq=False)
class _Stream:
    number: int
    format: VideoFormat
    # With the frames a second that each has a use for.
    sinks: dict[Sink, int] = field(default_factory=dict)
    area: Area = _NOTHING
    is_open: bool = False
    wants_key: bool = True
    key_at: float = 0.0


class Video:
    """`changed` fires when it may be another video, or none any more."""

    def __init__(self, processes: Processes, display: Display, user: User | None) -> None:
        self._processes = processes
        self._display = display
        self._user = user
        self._streams: dict[VideoFormat, _Stream] = {}
        self._listeners: dict[VideoListener, _Stream | None] = {}
        self._numbers = 0
        self._size = Size(0, 0)
        self._stir = Signal()
        # What time stamps have beyond the monotonic clock, in milliseconds.
        self._clock = 0.0
        self._failures = 0
        self._broken_until = 0.0
        # The process, while it runs, and when that changes.
        self.streamer: Streamer | None = None
        self.streamer_changed = Signal()
        # Told what the streamer says of a WebRTC peer.
        self.on_peer: Callable[[dict[str, object]], None] = lambda message: None
        # Frames made since the start of the box, of all streams: none while nobody watches or nothing moves.
        self.encoded = 0
        self.meter = Meter()
        self.last_frame_at: float | None = None
        # Frames a second where a viewer does not say how many.
        self.usual_fps: Callable[[], int] = lambda: 30
        # Where the page is on the display, where there is one; None while that is not known.
        self.find_page: Callable[[], Awaitable[Area | None]] | None = None
        self._page: Area | None = None
        self.changed = Signal()

    @property
    def size(self) -> Size:
        """Of the whole display."""
        now = self._display.resolution
        return Size(now.width, now.height).even

    def area(self, wanted: VideoFormat) -> Area:
        """What a stream shows of the display: input counts in its pixels."""
        return wanted.area(self.size, self._page)

    @property
    def fps(self) -> int:
        """Grabs a second at most: as many as somebody has a use for."""
        return max((fps for stream in self._streams.values() for fps in stream.sinks.values()), default=30)

    @property
    def reason_against(self) -> str | None:
        """Why there can be no video now."""
        if self._display.state not in (DisplayState.READY, DisplayState.DOWN):
            return "there is no display: a headless browser has none"
        if time.monotonic() < self._broken_until:
            return "the encoder does not run"
        return None

    @property
    def pid(self) -> int | None:
        """The streamer's, while it runs."""
        return None if self.streamer is None else self.streamer.process.pid

    @contextmanager
    def watching(
        self, wanted: VideoFormat, on_ready: Callable[[], None], fps: int | None = None
    ) -> Iterator[VideoQueue]:
        """A place at the stream of that format, which begins with a key frame."""
        queue = VideoQueue(on_ready, lambda: self._want_key(self._stream(wanted)), wanted.rendition)
        with self.holding(wanted, queue, fps):
            yield queue

    @contextmanager
    def holding(self, wanted: VideoFormat, sink: Sink, fps: int | None = None) -> Iterator[int]:
        """Have the stream of that format made for `sink`; its number, as the streamer knows it."""
        stream = self._stream(wanted)
        stream.sinks[sink] = fps or self.usual_fps()
        self._want_key(stream)
        try:
            yield stream.number
        finally:
            stream.sinks.pop(sink, None)
            self._stir.fire()

    @contextmanager
    def overheard_by(self, listener: VideoListener) -> Iterator[Callable[[], None]]:
        """Tell `listener` what is encoded for viewers, where it is as the listener has it."""
        self._listeners[listener] = None

        def want_key() -> None:
            stream = self._listeners.get(listener)
            if stream is not None:
                self._want_key(stream)

        try:
            self._match_listeners()
            yield want_key
        finally:
            del self._listeners[listener]

    def _match_listeners(self) -> None:
        """Find each listener the stream that it can do with, as streams begin, change and end."""
        for listener, before in list(self._listeners.items()):
            found = next((stream for stream in self._streams.values() if self._suits(stream, listener)), None)
            if found is not before:
                self._listeners[listener] = found
                listener.ended()

    def _suits(self, stream: _Stream, listener: VideoListener) -> bool:
        return (
            stream.is_open
            and stream.format == VideoFormat(FrameKind.H264)
            and (stream.area.width, stream.area.height) == (listener.width, listener.height)
            and listener.fps <= self.fps <= 2 * listener.fps
        )

    def _stream(self, wanted: VideoFormat) -> _Stream:
        if wanted not in self._streams:
            self._numbers = self._numbers % 250 + 1
            self._streams[wanted] = _Stream(self._numbers, wanted)
        return self._streams[wanted]

    def _want_key(self, stream: _Stream) -> None:
        stream.wants_key = True
        self._stir.fire()

    # What the capture asks.

    def begin(self, size: Size) -> None:
        if size != self._size:
            self.changed.fire()
        self._size = size
        self._close_streams()

    def _close_streams(self, is_meant: Callable[[VideoFormat], bool] = lambda wanted: True) -> None:
        """They are opened again, and begin with a key frame."""
        for stream in self._streams.values():
            if is_meant(stream.format):
                stream.is_open, stream.wants_key = False, True
        self._match_listeners()

    def update(self, streamer: Streamer) -> None:
        for wanted, stream in list(self._streams.items()):
            if not stream.sinks:
                if stream.is_open:
                    streamer.send({"do": "close", "stream": stream.number})
                del self._streams[wanted]
            elif not stream.is_open:
                area = stream.area = wanted.area(self._size, self._page)
                size = wanted.coded(area)
                about = {"do": "open", "stream": stream.number, "codec": str(wanted.kind), "fps": self.fps}
                coded = {"width": size.width, "height": size.height, "bits": wanted.bits(area)}
                streamer.send(about | coded | {"area": [area.x, area.y, area.width, area.height]})
                stream.is_open = stream.wants_key = True
        self._match_listeners()

    @property
    def still_seconds(self) -> float:
        """WebRTC receivers take a stream without frames for broken, and ask for key frames; so does a film."""
        has_peers = any(not isinstance(sink, VideoQueue) for stream in self._streams.values() for sink in stream.sinks)
        is_filmed = any(self._listeners.values())
        return STILL_SECONDS if has_peers or is_filmed else math.inf

    def due_keys(self, now: float) -> Sequence[int]:
        streams = self._streams.values()
        return [stream.number for stream in streams if stream.wants_key and now - stream.key_at >= KEY_SECONDS]

    def keys_sent(self, streams: Sequence[int], now: float) -> None:
        for stream in self._streams.values():
            if stream.number in streams:
                stream.wants_key, stream.key_at = False, now

    async def follow_page(self) -> None:
        """Look where the page is while somebody watches it alone: nobody tells when a bar above it comes or goes."""
        while True:
            await self._stir.until(self._is_cropped)
            page = None if self.find_page is None else await self.find_page()
            if page != self._page:
                self._page = page
                self._close_streams(lambda wanted: wanted.is_cropped)
                self._stir.fire()
                self.changed.fire()
            await anyio.sleep(PAGE_SECONDS)

    def _is_cropped(self) -> bool:
        return any(stream.sinks for wanted, stream in self._streams.items() if wanted.is_cropped)

    # The streamer's life.

    @property
    def _is_watched(self) -> bool:
        return any(stream.sinks for stream in self._streams.values())

    async def run(self) -> None:
        while True:
            await self._stir.until(lambda: self._is_watched and time.monotonic() >= self._broken_until)
            began, encoded = time.monotonic(), self.encoded
            is_lost = False
            try:
                await self._serve()
            # Several tasks may have noticed at once.
            except* (StreamerLost, StreamError, Conflict) as group:
                is_lost = True
                reason = str(the_only_one(group))
                log.warning("video.lost", reason=reason, seconds=round(time.monotonic() - began, 1))
            except* Exception:  # the top of a supervised loop
                is_lost = True
                log.exception("video.failed")
            if not is_lost:
                continue
            self._failures = 0 if self.encoded > encoded else self._failures + 1
            if self._failures >= _MOST_FAILURES:
                self._failures = 0
                self._broken_until = time.monotonic() + _BROKEN_SECONDS
                self.changed.fire()
                await anyio.sleep(_BROKEN_SECONDS)
                self.changed.fire()

    async def _serve(self) -> None:
        """From the first viewer until some time after the last; raises where the streamer does not run to then."""
        async with open_streamer(self._processes, self._user) as streamer:
            log.info("video.started", pid=streamer.process.pid)
            self.streamer = streamer
            self.streamer_changed.fire()
            try:
                await self._while_used(streamer)
            finally:
                self.streamer = None
                self.streamer_changed.fire()
                self._close_streams()
            log.info("video.ended")

    async def _while_used(self, streamer: Streamer) -> None:
        # The clock may have been set meanwhile; time stamps only ever grow.
        self._clock = max(self._clock, (time.time() - time.monotonic()) * 1000)
        capture = Capture(self._display, streamer, self, self._stir, self._clock)
        async with background(lambda: self._hear(streamer, capture), name="streamer"):
            with anyio.move_on_after(_START_SECONDS) as start:
                await streamer.is_ready.wait()
            if start.cancelled_caught:
                raise StreamerLost("the streamer does not come up")
            while self._is_watched:
                async with background(capture.run, name="grabs of the display"):
                    await self._stir.until(lambda: not self._is_watched)
                self.update(streamer)
                with anyio.move_on_after(IDLE_SECONDS):
                    await self._stir.until(lambda: self._is_watched)

    async def _hear(self, streamer: Streamer, capture: Capture) -> None:
        async for message in streamer.messages():
            if isinstance(message, Encoded):
                self._deliver(message)
            elif message["is"] == "free":
                capture.freed(message["slot"])
            elif message["is"] == "ready":
                streamer.is_ready.set()
            elif message["is"] == "key":
                for stream in self._streams.values():
                    if stream.number == message["stream"]:
                        self._want_key(stream)
            elif "peer" in message:
                self.on_peer(message)
            elif message["is"] == "failed":
                raise StreamerLost(message["reason"])
        raise StreamerLost("the streamer has ended")

    def _deliver(self, made: Encoded) -> None:
        stream = next((stream for stream in self._streams.values() if stream.number == made.stream), None)
        if stream is None or not stream.is_open:
            return
        self.encoded += 1
        self.meter.count(len(made.data))
        self.last_frame_at = time.time()
        frame = Frame(
            stream.area.width,
            stream.area.height,
            dpr=stream.format.coded(stream.area).width / stream.area.width,
            timestamp=made.timestamp,
            raw=made.data,
            kind=stream.format.kind,
            is_key=made.is_key,
            is_small=stream.format.rendition is Rendition.SMALL,
        )
        for sink in stream.sinks:
            sink.put(frame)
        packet = VideoPacket(made.data, made.is_key, (made.timestamp - self._clock) / 1000)
        for listener, heard in list(self._listeners.items()):
            if heard is stream:
                listener.put(packet)


@asynccontextmanager
async def open_video(processes: Processes, display: Display, user: User | None) -> AsyncIterator[Video]:
    """Nothing is started before somebody watches."""
    video = Video(processes, display, user)
    async with background(video.follow_page, name="where the page is"), background(video.run, name="video"):
        yield video
