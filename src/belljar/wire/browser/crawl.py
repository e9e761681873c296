"""Crawling."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import Milliseconds, WaitUntil


class Extract(StrEnum):
    MARKDOWN = "markdown"
    HTML = "html"
    TEXT = "text"
    LINKS = "links"


class CrawlRequest(Model):
    url: str = Field(min_length=1, max_length=20_000, examples=["https://example.com/"])
    max_pages: int = Field(10, ge=1, description="Pages at most; over 100 is refused.")
    max_depth: int = Field(2, ge=0, le=100, description="Links away from the start; 0 is the start alone.")
    allowed_domains: list[str] | None = Field(
        None, max_length=100, description="Only these and what is below them; the start's host where absent."
    )
    extract: Extract = Field(Extract.MARKDOWN, description="What `content` is.")
    wait_until: WaitUntil = Field(WaitUntil.LOAD, description="How far each page must have come.")
    parallel: int = Field(3, ge=1, le=8, description="Tabs at the same time; at most two of them on one host.")
    delay: int = Field(100, ge=0, le=60_000, description="Milliseconds between two requests to one host.")
    page_timeout: Milliseconds = Field(
        15_000, description="Milliseconds for one page; a slower one is an error in its place."
    )
    robots: bool = Field(True, description="Whether robots.txt is respected.")
    timeout: Milliseconds = Field(600_000, description="Milliseconds for all; what was found until then is returned.")


class CrawledPage(Model):
    url: str = Field(description="Where it is, redirects followed.")
    title: str
    content: str
    links: list[str]
    status: int = Field(description="0 when there was no answer.")
    depth: int
    mime_type: str | None = None
    requested_url: str | None = Field(None, description="The address that led there, when it was another one.")
    error: str | None = Field(
        None, examples=["timeout"], description="Why there is no content: timeout, download, ERR_CONNECTION_REFUSED, …"
    )


class SkippedAddress(Model):
    url: str
    reason: str


class CrawlResult(Model):
    pages: list[CrawledPage]
    total_pages: int
    truncated: bool = Field(description="True when there was more to visit than `maxPages` or the time allowed.")
    skipped: list[SkippedAddress] | None = Field(
        None, description="Addresses that robots.txt forbids, or that lead outside `allowedDomains`; at most 100."
    )


class CrawlState(StrEnum):
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class CrawlInfo(Model):
    """A crawl that runs, or ran, as a job."""

    id: str
    state: CrawlState
    url: str
    visited: int = Field(description="Pages so far.")
    waiting: int = Field(description="Addresses found and not visited yet.")
    started_at: datetime
    ended_at: datetime | None = None
    error: str | None = None


class CrawlJob(CrawlInfo):
    result: CrawlResult = Field(description="What was found so far.")


class CrawlList(Model):
    crawls: list[CrawlInfo]
