"""What is still to be visited, and whose turn it is.  Pure: the time is told."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from belljar.box.browser.crawl.addresses import host_of, key_of


@dataclass(frozen=True)
class Entry:
    url: str
    depth: int
    # In the order they were found, which is the order they are reported in.
    number: int


class Frontier:
    """First found, first visited, except that a host which was just asked something is left alone for a while."""

    def __init__(self, is_wanted: Callable[[str], bool], *, per_host: int, delay: float) -> None:
        self._is_wanted = is_wanted
        self._per_host = per_host
        self._delay = delay
        self._delays: dict[str, float] = {}
        self._seen: set[str] = set()
        self._busy: Counter[str] = Counter()
        self._next_at: dict[str, float] = {}
        self._numbers = 0
        self.waiting: list[Entry] = []

    def add(self, url: str, depth: int) -> bool:
        """Whether it is new and wanted."""
        if not self._is_wanted(url) or not self.see(url):
            return False
        self.waiting.append(Entry(url.partition("#")[0], depth, self._numbers))
        self._numbers += 1
        return True

    def see(self, url: str) -> bool:
        """Note that this page is known; whether it was not before."""
        key = key_of(url)
        if key is None or key in self._seen:
            return False
        self._seen.add(key)
        return True

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for more time between two requests."""
        self._delays[host] = max(delay, self._delay)

    @property
    def is_busy(self) -> bool:
        return self._busy.total() > 0

    def take(self, now: float) -> Entry | None:
        """The next one whose host may be asked now."""
        for index, entry in enumerate(self.waiting):
            host = host_of(entry.url)
            if self._busy[host] < self._per_host and self._next_at.get(host, 0.0) <= now:
                del self.waiting[index]
                self._busy[host] += 1
                self._next_at[host] = now + self._delays.get(host, self._delay)
                return entry
        return None

    def done(self, entry: Entry) -> None:
        self._busy[host_of(entry.url)] -= 1

    def wait(self, now: float) -> float | None:
        """Seconds until a host may be asked again; None when that depends on requests that run."""
        hosts = {host_of(entry.url) for entry in self.waiting}
        times = [self._next_at.get(host, 0.0) - now for host in hosts if self._busy[host] < self._per_host]
        return max(0.0, min(times)) if times else None
