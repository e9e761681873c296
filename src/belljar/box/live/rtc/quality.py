"""Which of the two qualities a WebRTC viewer is sent: decided by what it reports, without I/O."""

from collections.abc import Callable
from time import monotonic

from belljar.box.live.stream.pace import Rendition

# More than this lost, or a way there and back of so many seconds, is a line that does not carry the full one: what is
# lost by chance alone is asked for again, and what waits in a queue on the way makes that way long.
_MOST_LOST = 0.08
_MOST_SECONDS = 0.6
# So many such reports one after the other: one is chance.
_BAD_REPORTS = 2
# A line on which it may be tried again.
_GOOD_LOST = 0.02
_GOOD_SECONDS = 0.4
_FIRST_RETRY = 10.0
_LONGEST_RETRY = 160.0


class LineQuality:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.rendition = Rendition.FULL
        self._bad = 0
        self._retry_at = 0.0
        self._retry = _FIRST_RETRY

    def report(self, lost: float, seconds: float | None) -> None:
        """Decide anew.  `seconds` is None where the way's length is not known yet."""
        way = seconds or 0.0
        now = self._clock()
        if self.rendition is Rendition.SMALL:
            if now >= self._retry_at and lost <= _GOOD_LOST and way <= _GOOD_SECONDS:
                self.rendition, self._bad = Rendition.FULL, 0
            return
        self._bad = self._bad + 1 if lost > _MOST_LOST or way > _MOST_SECONDS else 0
        if self._bad >= _BAD_REPORTS:
            self.rendition = Rendition.SMALL
            self._retry_at = now + self._retry
            # Each time the full one was too much after all, the next try is later.
            self._retry = min(self._retry * 2, _LONGEST_RETRY)
