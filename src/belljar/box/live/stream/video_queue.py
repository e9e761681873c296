"""One viewer's place at a stream of video: frames in order, and from the next key frame where it does not keep up."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable

from belljar.box.live.stream.frame import Frame
from belljar.box.live.stream.pace import Pace, Rendition
from belljar.box.live.stream.slot import Meter

# Frames that may wait: a quarter of a second.  What comes later than that is of no use to who drives.
MAX_WAITING = 8
# Frames that a viewer which acknowledges them may have unacknowledged, and for how many seconds the oldest of them.
MAX_UNACKED = 30
MAX_BEHIND = 1.0
# An acknowledgement that never comes must not end the stream: a frame sent this long ago counts no more.
ACK_PATIENCE = 10.0


class VideoQueue:
    """`want_key` has a key frame made; `on_ready` is called whenever it is worth looking at `is_ready` again."""

    def __init__(self, on_ready: Callable[[], None], want_key: Callable[[], None], rendition: Rendition) -> None:
        self._on_ready = on_ready
        self._want_key = want_key
        self._waiting: deque[Frame] = deque()
        # Sent and not acknowledged, by timestamp: when, and how large.
        self._unacked: OrderedDict[float, tuple[float, int]] = OrderedDict()
        self._does_ack = False
        # Whether only a frame that needs none before it is of use.
        self._awaits_key = True
        self.meter = Meter()
        self.pace = Pace()
        # This stream's, whatever the pace would have it.
        self.rendition = rendition
        self.dropped = 0

    def put(self, frame: Frame) -> None:
        if frame.is_key:
            self._drop_waiting()
            self._awaits_key = False
        elif self._awaits_key or len(self._waiting) >= MAX_WAITING:
            # What follows builds on this one.
            self._drop_waiting()
            self._awaits_key = True
            self._count_dropped(1)
            self._want_key_again()
            return
        self._waiting.append(frame)
        self._on_ready()

    def _drop_waiting(self) -> None:
        self._count_dropped(len(self._waiting))
        self._waiting.clear()

    def _count_dropped(self, frames: int) -> None:
        self.dropped += frames
        for _ in range(frames):
            self.pace.dropped()

    def _want_key_again(self) -> None:
        """Where the viewer can take it: one that takes nothing must not have key frames made for nothing."""
        if self._awaits_key and self._has_room:
            self._want_key()

    @property
    def _has_room(self) -> bool:
        if not self._does_ack:
            return not self._unacked
        now = time.monotonic()
        while self._unacked and self._oldest < now - ACK_PATIENCE:
            self._unacked.popitem(last=False)
        return not self._unacked or (len(self._unacked) < MAX_UNACKED and self._oldest > now - MAX_BEHIND)

    @property
    def _oldest(self) -> float:
        """When the first of the unacknowledged ones was sent."""
        return next(iter(self._unacked.values()))[0]

    @property
    def is_ready(self) -> bool:
        """Whether there is a frame and the viewer has room for it."""
        return bool(self._waiting) and (self._has_room or not self._does_ack)

    def take(self) -> Frame | None:
        return self._waiting.popleft() if self._waiting else None

    def sending(self, frame: Frame) -> None:
        self._unacked[frame.timestamp] = (time.monotonic(), frame.size)

    def sent(self, frame: Frame, seconds: float) -> None:
        self.meter.count(frame.size)
        if not self._does_ack:
            self._unacked.clear()
            self.pace.delivered(frame.size, seconds)
        self._want_key_again()

    def acked(self, timestamp: float) -> None:
        """The viewer has decoded the frame of `timestamp`, and so is done with those before it."""
        if timestamp not in self._unacked and self._does_ack:
            return
        self._does_ack = True
        while self._unacked and next(iter(self._unacked)) <= timestamp:
            _, (sent_at, size) = self._unacked.popitem(last=False)
            self.pace.delivered(size, time.monotonic() - sent_at)
        self._want_key_again()
        self._on_ready()

    def lost(self) -> None:
        """The viewer could not decode what it has: it needs a key frame."""
        self._drop_waiting()
        self._awaits_key = True
        self._want_key_again()
