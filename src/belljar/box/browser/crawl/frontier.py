"""The frontier of a crawl: addresses compared, robots.txt (RFC 9309), whose turn it is.  Pure."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

_PORTS = {"http": 80, "https": 443}


def key_of(url: str) -> str | None:
    """What two addresses of the same page have in common; None for what cannot be crawled.

    The fragment does not count, nor the order of the query's parts, the case of the host, a port that goes without
    saying, or characters that are escaped without need.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in _PORTS or not parts.hostname:
        return None
    scheme, host = parts.scheme.lower(), parts.hostname.lower()
    host = f"[{host}]" if ":" in host else host
    if port is not None and port != _PORTS[scheme]:
        host = f"{host}:{port}"
    path = quote(unquote(parts.path, errors="surrogateescape"), safe="/:@!$&'()*+,;=-._~", errors="surrogateescape")
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return urlunsplit((scheme, host, path or "/", query, ""))


def host_of(url: str) -> str:
    """Host and port, lower case: whom a crawl is polite to."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_within(url: str, domains: Iterable[str]) -> bool:
    """Whether the address is of one of the domains or below one; a domain with a port means just that port."""
    try:
        parts = urlsplit(url)
        name, host = (parts.hostname or "").lower(), host_of(url)
    except ValueError:
        return False
    return any(
        host == domain or name == domain or name.endswith("." + domain)
        for domain in (one.strip().lower().lstrip("*").lstrip(".") for one in domains)
        if domain
    )


AGENT = "belljar"
# More than this of a file is not read, as the RFC allows.
MOST_CHARS = 500_000
# A site that asks for more is visited this slowly, in seconds.
MOST_DELAY = 10.0


@dataclass(frozen=True)
class Rule:
    is_allowed: bool
    path: str

    def matches(self, path: str) -> bool:
        """From the beginning; `*` is anything, `$` at the end is the end.  Never slower than the path is long."""
        is_whole = self.path.endswith("$")
        first, *rest = self.path.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        if not rest:
            return not is_whole or at == len(path)
        last = rest.pop() if is_whole else ""
        for part in rest:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return not is_whole or (len(path) - len(last) >= at and path.endswith(last))


@dataclass
class Group:
    agents: set[str] = field(default_factory=set)
    rules: list[Rule] = field(default_factory=list)
    delay: float = 0.0


@dataclass(frozen=True)
class Robots:
    """The rules that count for us."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0

    def allows(self, url: str) -> bool:
        """The longest rule that matches decides; of two as long the one that allows."""
        parts = urlsplit(url)
        path = unquote(parts.path or "/") + (f"?{unquote(parts.query)}" if parts.query else "")
        matching = [rule for rule in self.rules if rule.matches(path)]
        if not matching:
            return True
        return max(matching, key=lambda rule: (len(rule.path), rule.is_allowed)).is_allowed


NO_RULES = Robots()
NOTHING_ALLOWED = Robots((Rule(False, "/"),))


def parse(text: str) -> Robots:
    groups = _groups(text[:MOST_CHARS])
    ours = [group for group in groups if AGENT in group.agents] or [group for group in groups if "*" in group.agents]
    rules = tuple(rule for group in ours for rule in group.rules)
    return Robots(rules, min(MOST_DELAY, max((group.delay for group in ours), default=0.0)))


def _groups(text: str) -> list[Group]:
    groups: list[Group] = []
    is_naming = False
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        name = name.lower()
        if name == "user-agent":
            if not is_naming:
                groups.append(Group())
            groups[-1].agents.add(value.lower())
            is_naming = True
        elif name in ("allow", "disallow", "crawl-delay") and groups:
            is_naming = False
            _take(groups[-1], name, value)
    return groups


def _take(group: Group, name: str, value: str) -> None:
    if name == "crawl-delay":
        try:
            group.delay = max(0.0, float(value))
        except ValueError:
            return
    elif value:
        group.rules.append(Rule(name == "allow", unquote(value)))


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
