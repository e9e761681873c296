"""Crawls that go on by themselves: started, looked at, followed, cancelled."""

import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.browser import Browser
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.crawl.crawler import Crawl, Plan, Visited
from belljar.box.browser.crawl.visit import Visitor
from belljar.box.browser.events import Ring
from belljar.box.browser.reading.markdown import Converter
from belljar.logs import log
from belljar.problems import Conflict, Problem
from belljar.problems.browser import CrawlNotFound
from belljar.tasks import the_only_one
from belljar.wire.browser.crawl import CrawlState

# Crawls at the same time, of all kinds: each has tabs of its own.
MOST_RUNNING = 4
# Ended jobs that are remembered.
KEPT = 20

MOVES: Mapping[CrawlState, frozenset[CrawlState]] = {
    CrawlState.RUNNING: frozenset({CrawlState.DONE, CrawlState.CANCELLED, CrawlState.FAILED}),
    CrawlState.DONE: frozenset(),
    CrawlState.CANCELLED: frozenset(),
    CrawlState.FAILED: frozenset(),
}


class Job:
    def __init__(self, id: str, plan: Plan) -> None:
        self.id = id
        self.state = CrawlState.RUNNING
        self.started_at = time.time()
        self.ended_at: float | None = None
        self.error: str | None = None
        # Pages in the order they were read, to follow.
        self.ring: Ring[Visited] = Ring()
        self.crawl = Crawl(plan, on_page=lambda page: self.ring.put(page.number, page))
        self.scope = anyio.CancelScope()
        self._ended = anyio.Event()

    def end(self, state: CrawlState, error: str | None = None) -> None:
        assert state in MOVES[self.state], (self.state, state)
        self.state, self.error, self.ended_at = state, error, time.time()
        log.info("crawl.ended", id=self.id, state=state, pages=len(self.crawl.pages))
        self.ring.close()
        self._ended.set()

    async def ended(self) -> None:
        await self._ended.wait()


class Crawls:
    """Runs crawls in the one browser there is."""

    def __init__(self, browser: Browser, converter: Converter, tasks: TaskGroup) -> None:
        self._browser = browser
        self._converter = converter
        self._tasks = tasks
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._running = 0

    async def run(self, plan: Plan) -> Crawl:
        """Crawl while the caller waits; cancelled with it."""
        crawl = Crawl(plan)
        await self._run(crawl)
        return crawl

    async def start(self, plan: Plan) -> Job:
        """Begin a job.  Raises `Conflict` when too many crawls run, and `BrowserNotActive`."""
        await self._check()
        job = Job(f"crawl_{secrets.token_hex(8)}", plan)
        self._jobs[job.id] = job
        self._tasks.start_soon(self._work, job, name=job.id)
        return job

    def list(self) -> list[Job]:
        return list(self._jobs.values())

    def get(self, id: str) -> Job:
        job = self._jobs.get(id)
        if job is None:
            raise CrawlNotFound(id)
        return job

    async def cancel(self, id: str) -> Job:
        """End a job that runs; what it found stays.  One that has ended is left as it is."""
        job = self.get(id)
        job.scope.cancel()
        await job.ended()
        return job

    async def _work(self, job: Job) -> None:
        try:
            with job.scope:
                await self._run(job.crawl)
        except Problem as problem:
            job.end(CrawlState.FAILED, problem.detail)
        except (CdpError, CdpGone):
            job.end(CrawlState.FAILED, "The browser went away.")
        finally:
            if job.state is CrawlState.RUNNING:
                job.end(CrawlState.CANCELLED if job.scope.cancel_called else CrawlState.DONE)
            self._forget()

    async def _run(self, crawl: Crawl) -> None:
        await self._check()
        plan = crawl.plan
        count = min(plan.parallel, plan.max_pages)
        visitors = [
            Visitor(
                self._browser, self._converter, extract=plan.extract, until=plan.wait_until, timeout=plan.page_timeout
            )
            for _ in range(count)
        ]
        self._running += 1
        try:
            await crawl.run(visitors)
        finally:
            self._running -= 1

    async def _check(self) -> None:
        await self._browser.running()
        if self._running >= MOST_RUNNING:
            raise Conflict(f"{MOST_RUNNING} crawls are running already. Wait for one, or cancel it.")

    def _forget(self) -> None:
        ended = [job.id for job in self._jobs.values() if job.state is not CrawlState.RUNNING]
        for id in ended[: max(0, len(ended) - KEPT)]:
            del self._jobs[id]


@asynccontextmanager
async def open_crawls(browser: Browser, converter: Converter) -> AsyncIterator[Crawls]:
    """Leaving the block cancels what runs."""
    try:
        async with anyio.create_task_group() as tasks:
            yield Crawls(browser, converter, tasks)
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
