"""Pictures and bytes a second, over the last two."""

import time
from collections import deque

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
