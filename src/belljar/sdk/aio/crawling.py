"""Crawls: while one waits, or as jobs."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from belljar.problems.browser import BrowserNotActive
from belljar.sdk.aio.http import AsyncHttp, M
from belljar.sdk.choices import Extract, WaitUntil
from belljar.sdk.encoding import body, deadline_ms, ms
from belljar.wire.browser.crawl import CrawledPage, CrawlInfo, CrawlJob, CrawlList, CrawlResult
from belljar.wire.browser.lifecycle import BrowserStatus

_LONGEST = 600.0


class AsyncCrawling(ABC):
    """The part of `browser` that visits many pages, in tabs of their own."""

    _http: AsyncHttp

    async def crawl(
        self,
        url: str,
        *,
        max_pages: int = 10,
        max_depth: int = 2,
        allowed_domains: Sequence[str] | None = None,
        extract: Extract = "markdown",
        wait_until: WaitUntil = "load",
        parallel: int = 3,
        delay: float = 0.1,
        page_timeout: float = 15.0,
        robots: bool = True,
        timeout: float = _LONGEST,
    ) -> CrawlResult:
        """Visit pages from an address along its links, with the browser started first where it is not running.

        `delay` is seconds between two requests to one host.
        """
        asked = _asked(
            url=url,
            max_pages=max_pages,
            max_depth=max_depth,
            allowed_domains=allowed_domains,
            extract=extract,
            wait_until=wait_until,
            parallel=parallel,
            delay=delay,
            page_timeout=page_timeout,
            robots=robots,
            timeout=timeout,
        )
        return await self._crawl("/v1/browser/crawl", CrawlResult, asked, timeout=timeout)

    async def start_crawl(
        self,
        url: str,
        *,
        max_pages: int = 10,
        max_depth: int = 2,
        allowed_domains: Sequence[str] | None = None,
        extract: Extract = "markdown",
        wait_until: WaitUntil = "load",
        parallel: int = 3,
        delay: float = 0.1,
        page_timeout: float = 15.0,
        robots: bool = True,
        timeout: float = _LONGEST,
    ) -> CrawlInfo:
        """As `crawl`, as a job that goes on by itself."""
        asked = _asked(
            url=url,
            max_pages=max_pages,
            max_depth=max_depth,
            allowed_domains=allowed_domains,
            extract=extract,
            wait_until=wait_until,
            parallel=parallel,
            delay=delay,
            page_timeout=page_timeout,
            robots=robots,
            timeout=timeout,
        )
        return await self._crawl("/v1/browser/crawls", CrawlInfo, asked)

    async def _crawl(self, path: str, answer: type[M], asked: dict[str, Any], *, timeout: float | None = None) -> M:
        try:
            return await self._http.post(path, answer, asked, timeout=timeout)
        except BrowserNotActive:
            await self.start()
            return await self._http.post(path, answer, asked, timeout=timeout)

    @abstractmethod
    async def start(self) -> BrowserStatus: ...

    async def crawls(self) -> CrawlList:
        """Jobs that run, and the last that ended."""
        return await self._http.get("/v1/browser/crawls", CrawlList)

    async def get_crawl(self, crawl_id: str) -> CrawlJob:
        """How far a job has come, and what it found."""
        return await self._http.get(f"/v1/browser/crawls/{crawl_id}", CrawlJob)

    async def cancel_crawl(self, crawl_id: str) -> CrawlJob:
        """End a job; what it found stays."""
        return await self._http.delete(f"/v1/browser/crawls/{crawl_id}", CrawlJob)

    async def follow_crawl(self, crawl_id: str) -> AsyncGenerator[CrawledPage, None]:
        """A job's pages from the first on, as they are found, until it is over."""
        async for page in self._http.events(f"/v1/browser/crawls/{crawl_id}/events", CrawledPage, name="page"):
            yield page


def _asked(*, delay: float, page_timeout: float, timeout: float, **given: Any) -> dict[str, Any]:
    return body(delay=ms(delay), page_timeout=deadline_ms(page_timeout), timeout=deadline_ms(timeout), **given)
