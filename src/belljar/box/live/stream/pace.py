"""Which quality the source is asked for, and which viewer gets the smaller rendition: decisions without I/O."""

from collections.abc import Callable
from enum import StrEnum
from time import monotonic

QUALITIES = (60, 70, 80)
# Below this a viewer that cannot keep up gets the smaller rendition.
SLOW_BITS_PER_SECOND = 10_000_000
# How often a viewer's rendition is thought about, and how long it keeps the smaller one at first.
_PERIOD = 2.0
_FIRST_RETRY = 10.0
_LONGEST_RETRY = 160.0


class Rendition(StrEnum):
    FULL = "full"
    SMALL = "small"


def choose_quality(current: int, seconds: float) -> int:
    """The next quality, where the fastest viewer takes a picture in `seconds`, smoothed.

    A viewer that has shown a picture before the next could come gets better ones; one that takes longer than three
    frames gets worse ones.  Between the two nothing changes, so that it does not swing.
    """
    index = QUALITIES.index(current) if current in QUALITIES else 1
    if seconds > 0.1:
        index -= 1
    elif seconds < 0.03:
        index += 1
    return QUALITIES[min(max(index, 0), len(QUALITIES) - 1)]


class Pace:
    """How one viewer keeps up, and so which rendition it gets."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.rendition = Rendition.FULL
        self._since = clock()
        self._bytes = 0
        # Seconds in which something was on its way.
        self._busy = 0.0
        self._delivered = 0
        self._dropped = 0
        self._retry_at = 0.0
        self._retry = _FIRST_RETRY

    def dropped(self) -> None:
        self._dropped += 1

    def delivered(self, size: int, seconds: float) -> None:
        """A picture of `size` bytes reached the viewer `seconds` after it was sent."""
        self._bytes += size
        self._busy += seconds
        self._delivered += 1
        now = self._clock()
        if now - self._since >= _PERIOD:
            self._decide(now)
            self._since, self._bytes, self._busy, self._delivered, self._dropped = now, 0, 0.0, 0, 0

    def _decide(self, now: float) -> None:
        if self.rendition is Rendition.SMALL:
            if now >= self._retry_at:
                self.rendition = Rendition.FULL
            return
        is_behind = self._dropped * 4 > self._delivered
        bits_per_second = self._bytes * 8 / max(self._busy, 1e-6)
        if is_behind and bits_per_second < SLOW_BITS_PER_SECOND:
            self.rendition = Rendition.SMALL
            self._retry_at = now + self._retry
            # Each time the full one was too much after all, the next try is later.
            self._retry = min(self._retry * 2, _LONGEST_RETRY)
