"""One viewer's place at the stream: the newest picture it has not had, and how it keeps up."""

import time
from collections import OrderedDict
from collections.abc import Callable

from belljar.box.stream.meter import Meter
from belljar.box.stream.picture import Picture
from belljar.box.stream.tuning import Pace, Rendition

# Pictures a viewer that acknowledges them may have unacknowledged: one on the way while one is shown.
MAX_UNACKED = 2
# An acknowledgement that never comes must not end the stream: a picture sent this long ago counts no more.
ACK_PATIENCE = 5.0


class Slot:
    """Latest wins: a picture that was not taken when the next one comes is dropped, and counted."""

    def __init__(self, on_ready: Callable[[], None]) -> None:
        """`on_ready` is called whenever it is worth looking at `is_ready` again."""
        self._next: Picture | None = None
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

    def put(self, picture: Picture) -> None:
        if self._next is not None:
            self.dropped += 1
            self.pace.dropped()
        self._next = picture
        self._on_ready()

    @property
    def is_ready(self) -> bool:
        """Whether there is a picture and the viewer has room for it."""
        if self._next is None:
            return False
        if not self._does_ack:
            return True
        while self._unacked and next(iter(self._unacked.values()))[0] < time.monotonic() - ACK_PATIENCE:
            self._unacked.popitem(last=False)
        return len(self._unacked) < MAX_UNACKED

    def take(self) -> Picture | None:
        picture, self._next = self._next, None
        return picture

    def sending(self, picture: Picture) -> None:
        self._unacked[picture.timestamp] = (time.monotonic(), picture.size)
        if len(self._unacked) > 100:
            self._unacked.popitem(last=False)

    def sent(self, picture: Picture, seconds: float) -> None:
        self.meter.count(picture.size)
        if not self._does_ack:
            self._unacked.pop(picture.timestamp, None)
            self.pace.delivered(picture.size, seconds)

    def acked(self, timestamp: float) -> None:
        """The viewer has shown the picture of `timestamp`, and so is done with those before it."""
        self._does_ack = True
        if timestamp not in self._unacked:
            return
        while self._unacked:
            stamp, (sent_at, size) = self._unacked.popitem(last=False)
            if stamp == timestamp:
                self.pace.delivered(size, time.monotonic() - sent_at)
                break
        self._on_ready()
