"""One viewer's place at the stream: the newest frame it has not had, how it keeps up, and how much it gets a second."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable

from belljar.box.live.stream.frame import Frame
from belljar.box.live.stream.pace import Pace, Rendition

_WINDOW = 2.0


class Meter:
    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque(maxlen=1000)
        self._began = time.monotonic()
        self.total = 0

    def count(self, size: int) -> None:
        self._seen.append((time.monotonic(), size))
        self.total += 1

    @property
    def fps(self) -> float:
        return round(len(self._recent()) / self._window, 1)

    @property
    def kbps(self) -> float:
        return round(sum(size for _, size in self._recent()) * 8 / 1000 / self._window, 1)

    @property
    def _window(self) -> float:
        """Shorter at the beginning, but never so short that a single picture looks like many."""
        return min(_WINDOW, max(0.5, time.monotonic() - self._began))

    def _recent(self) -> deque[tuple[float, int]]:
        begin = time.monotonic() - _WINDOW
        while self._seen and self._seen[0][0] < begin:
            self._seen.popleft()
        return self._seen


# Frames a viewer that acknowledges them may have unacknowledged: one on the way while one is shown.
MAX_UNACKED = 2
# An acknowledgement that never comes must not end the stream: a frame sent this long ago counts no more.
ACK_PATIENCE = 5.0


class Slot:
    """Frames that stand for themselves, of which the latest wins: one not taken when the next comes is dropped."""

    def __init__(self, on_ready: Callable[[], None]) -> None:
        """`on_ready` is called whenever it is worth looking at `is_ready` again."""
        self._next: Frame | None = None
        self._on_ready = on_ready
        # Sent and not acknowledged, by timestamp: when, and how large.
        self._unacked: OrderedDict[float, tuple[float, int]] = OrderedDict()
        self._does_ack = False
        self.meter = Meter()
        self.pace = Pace()
        self.dropped = 0

    @property
    def rendition(self) -> Rendition:
        return self.pace.rendition

    def put(self, frame: Frame) -> None:
        if self._next is not None:
            self.dropped += 1
            self.pace.dropped()
        self._next = frame
        self._on_ready()

    @property
    def is_ready(self) -> bool:
        """Whether there is a frame and the viewer has room for it."""
        if self._next is None:
            return False
        if not self._does_ack:
            return True
        while self._unacked and next(iter(self._unacked.values()))[0] < time.monotonic() - ACK_PATIENCE:
            self._unacked.popitem(last=False)
        return len(self._unacked) < MAX_UNACKED

    def take(self) -> Frame | None:
        frame, self._next = self._next, None
        return frame

    def sending(self, frame: Frame) -> None:
        self._unacked[frame.timestamp] = (time.monotonic(), frame.size)
        if len(self._unacked) > 100:
            self._unacked.popitem(last=False)

    def sent(self, frame: Frame, seconds: float) -> None:
        self.meter.count(frame.size)
        if not self._does_ack:
            self._unacked.pop(frame.timestamp, None)
            self.pace.delivered(frame.size, seconds)

    def acked(self, timestamp: float) -> None:
        """The viewer has shown the frame of `timestamp`, and so is done with those before it."""
        self._does_ack = True
        if timestamp not in self._unacked:
            return
        while self._unacked:
            stamp, (sent_at, size) = self._unacked.popitem(last=False)
            if stamp == timestamp:
                self.pace.delivered(size, time.monotonic() - sent_at)
                break
        self._on_ready()
