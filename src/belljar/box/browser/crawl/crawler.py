"""A crawl: from one address along its links, several tabs at a time, polite to every host."""

from collections.abc import Callable
from dataclasses import dataclass, field

import anyio

from belljar.box.browser.crawl.frontier import (
    NO_RULES,
    NOTHING_ALLOWED,
    Entry,
    Frontier,
    Robots,
    host_of,
    is_within,
    key_of,
    origin_of,
    parse,
)
from belljar.box.browser.crawl.visit import Read, Visitor
from belljar.tasks import Signal, the_only_one
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.crawl import Extract

# Requests to one host at the same time.
PER_HOST = 2
# Addresses left out that are told.
MOST_SKIPPED = 100


@dataclass(frozen=True)
class Plan:
    """What is to be crawled.  Times are seconds."""

    url: str
    max_pages: int = 10
    max_depth: int = 2
    domains: tuple[str, ...] = ()
    extract: Extract = Extract.MARKDOWN
    wait_until: WaitUntil = WaitUntil.LOAD
    parallel: int = 3
    delay: float = 0.0
    page_timeout: float = 15.0
    respects_robots: bool = True
    # All of it; what was found until then is the result.
    timeout: float = 600.0


@dataclass(frozen=True)
class Visited:
    """A page of the result."""

    read: Read
    depth: int
    number: int
    # Where the crawl went, when it was led elsewhere.
    requested: str | None = None


@dataclass
class Crawl:
    """One run.  The fields are true at any moment, so that progress can be told."""

    plan: Plan
    pages: list[Visited] = field(default_factory=list)
    # Address and reason.
    skipped: list[tuple[str, str]] = field(default_factory=list)
    on_page: Callable[[Visited], None] = lambda page: None
    is_truncated: bool = False

    def __post_init__(self) -> None:
        domains = self.plan.domains or (host_of(self.plan.url),)
        self._frontier = Frontier(lambda url: is_within(url, domains), per_host=PER_HOST, delay=self.plan.delay)
        self._domains = domains
        self._robots: dict[str, Robots] = {}
        self._robots_turns: dict[str, anyio.Lock] = {}
        self._changed = Signal()
        # Pages that are being visited now.
        self._running = 0

    @property
    def waiting(self) -> int:
        return len(self._frontier.waiting)

    async def run(self, visitors: list[Visitor]) -> None:
        """Visit until there is nothing left to visit, or enough.  Cancelled, it closes its tabs and keeps its pages."""
        self._frontier.add(self.plan.url, 0)
        try:
            with anyio.move_on_after(self.plan.timeout) as scope:
                async with anyio.create_task_group() as tasks:
                    for visitor in visitors:
                        tasks.start_soon(self._work, visitor, name="crawl")
        except BaseExceptionGroup as group:
            raise the_only_one(group) from None
        finally:
            for visitor in visitors:
                await visitor.close()
            self.pages.sort(key=lambda page: page.number)
        self.is_truncated = scope.cancelled_caught or any(self._is_allowed(entry) for entry in self._frontier.waiting)

    async def _work(self, visitor: Visitor) -> None:
        while not self._is_over():
            entry = self._next()
            if entry is None:
                await self._wait()
                continue
            self._running += 1
            try:
                await self._visit(visitor, entry)
            finally:
                self._running -= 1
                self._frontier.done(entry)
                self._changed.fire()

    def _next(self) -> Entry | None:
        if len(self.pages) + self._running >= self.plan.max_pages:
            return None
        return self._frontier.take(anyio.current_time())

    def _is_over(self) -> bool:
        if self._running:
            return False
        return not self._frontier.waiting or len(self.pages) >= self.plan.max_pages

    async def _wait(self) -> None:
        """Until another worker is done, or a host may be asked again."""
        is_full = len(self.pages) + self._running >= self.plan.max_pages
        pause = None if is_full else self._frontier.wait(anyio.current_time())
        with anyio.move_on_after(pause):
            await self._changed.changed()

    async def _visit(self, visitor: Visitor, entry: Entry) -> None:
        if not await self._may_visit(visitor, entry):
            self._skip(entry.url, "robots.txt")
            return
        read = await visitor.visit(entry.url)
        if self._is_known(entry, read):
            return
        if not is_within(read.url, self._domains):
            self._skip(entry.url, "redirected outside allowedDomains")
            return
        moved = key_of(read.url) != key_of(entry.url)
        page = Visited(read, entry.depth, entry.number, entry.url if moved else None)
        self.pages.append(page)
        self.on_page(page)
        if entry.depth < self.plan.max_depth:
            for link in read.links:
                self._frontier.add(link, entry.depth + 1)

    def _is_known(self, entry: Entry, read: Read) -> bool:
        """Whether a redirect, or the page's own word for itself, leads to a page that was met before."""
        for address in (read.url, read.canonical):
            if address is None or key_of(address) == key_of(entry.url) or not is_within(address, self._domains):
                continue
            if not self._frontier.see(address):
                return True
        return False

    def _skip(self, url: str, reason: str) -> None:
        if len(self.skipped) < MOST_SKIPPED:
            self.skipped.append((url, reason))

    def _is_allowed(self, entry: Entry) -> bool:
        return self._robots.get(origin_of(entry.url), NO_RULES).allows(entry.url)

    async def _may_visit(self, visitor: Visitor, entry: Entry) -> bool:
        if not self.plan.respects_robots:
            return True
        origin = origin_of(entry.url)
        async with self._robots_turns.setdefault(origin, anyio.Lock()):
            if origin not in self._robots:
                self._robots[origin] = await _read_robots(visitor, origin)
                self._frontier.slow_down(host_of(entry.url), self._robots[origin].delay)
        return self._robots[origin].allows(entry.url)


async def _read_robots(visitor: Visitor, origin: str) -> Robots:
    """RFC 9309: no file, no rules; a server in trouble wants to be left alone; one that cannot be reached has none."""
    status, content = await visitor.text_of(f"{origin}/robots.txt")
    if status == 200:
        return parse(content)
    return NOTHING_ALLOWED if status >= 500 else NO_RULES
