# Made from aio/crawling.py by scripts/make_sync_sdk.py: change it there.
"""Crawls: while one waits, or as jobs."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any

from belljar.problems.browser import BrowserNotActive
from belljar.sdk.choices import Extract, WaitUntil
from belljar.sdk.encoding import body, deadline_ms, ms
from belljar.sdk.sync.http import Http, M
from belljar.wire.browser.crawl import CrawledPage, CrawlInfo, CrawlJob, CrawlList, CrawlResult
from belljar.wire.browser.lifecycle import BrowserStatus

_LONGEST = 600.0


class Crawling(ABC):
    """The part of `browser` that visits many pages, in tabs of their own."""

    _http: Http

    def crawl(
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
        return self._crawl("/v1/browser/crawl", CrawlResult, asked, timeout=timeout)

    def start_crawl(
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
        return self._crawl("/v1/browser/crawls", CrawlInfo, asked)

    def _crawl(self, path: str, answer: type[M], asked: dict[str, Any], *, timeout: float | None = None) -> M:
        try:
            return self._http.post(path, answer, asked, timeout=timeout)
        except BrowserNotActive:
            self.start()
            return self._http.post(path, answer, asked, timeout=timeout)

    @abstractmethod
    def start(self) -> BrowserStatus: ...

    def crawls(self) -> CrawlList:
        """Jobs that run, and the last that ended."""
        return self._http.get("/v1/browser/crawls", CrawlList)

    def get_crawl(self, crawl_id: str) -> CrawlJob:
        """How far a job has come, and what it found."""
        return self._http.get(f"/v1/browser/crawls/{crawl_id}", CrawlJob)

    def cancel_crawl(self, crawl_id: str) -> CrawlJob:
        """End a job; what it found stays."""
        return self._http.delete(f"/v1/browser/crawls/{crawl_id}", CrawlJob)

    def follow_crawl(self, crawl_id: str) -> Generator[CrawledPage, None, None]:
        """A job's pages from the first on, as they are found, until it is over."""
        yield from self._http.events(f"/v1/browser/crawls/{crawl_id}/events", CrawledPage, name="page")


def _asked(*, delay: float, page_timeout: float, timeout: float, **given: Any) -> dict[str, Any]:
    return body(delay=ms(delay), page_timeout=deadline_ms(page_timeout), timeout=deadline_ms(timeout), **given)
