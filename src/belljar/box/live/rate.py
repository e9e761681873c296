"""How much a connection may send: a token bucket."""

from collections.abc import Callable
from time import monotonic


class Bucket:
    """Fills with `rate` tokens a second up to `burst`; each message takes one."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._filled_at = clock()

    def take(self) -> bool:
        """Take a token, if there is one."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    @property
    def seconds_until_next(self) -> float:
        return max(0.0, 1 - self._tokens) / self._rate
