"""Crawling: while the caller waits, or as a job."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.box.browser.crawl import Crawl, Job, Plan, Visited
from belljar.box.browser.crawl.frontier import is_within, key_of
from belljar.box.parts import Box, TheBox
from belljar.box.routes.browser.following import event_stream
from belljar.problems import Conflict, InvalidRequest
from belljar.problems.browser import BrowserNotActive, CrawlNotFound
from belljar.server.answers import until_gone
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.wire.browser.crawl import (
    CrawledPage,
    CrawlInfo,
    CrawlJob,
    CrawlList,
    CrawlRequest,
    CrawlResult,
    SkippedAddress,
)

router = Router(prefix="/v1/browser", tags=["browser"])
MOST_PAGES = 100


@router.post(
    "/crawl",
    operation_id="crawlBrowser",
    acts=False,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, Conflict),
)
async def crawl(body: CrawlRequest, box: TheBox, request: Request) -> CrawlResult:
    """Visit pages from an address along its links, in tabs of their own.  A client that hangs up ends it."""
    plan = _plan(box, body)
    async with until_gone(request):
        done = await box.crawls.run(plan)
    return _result(done)


@router.post(
    "/crawls",
    operation_id="startBrowserCrawl",
    acts=False,
    status_code=202,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, Conflict),
)
async def start_crawl(body: CrawlRequest, box: TheBox) -> CrawlInfo:
    """As `crawl`, but the answer comes at once and the crawl goes on by itself."""
    return _info(await box.crawls.start(_plan(box, body)))


@router.get("/crawls", operation_id="getBrowserCrawls", tells=Kind.HISTORY, response_model_exclude_none=True)
async def list_crawls(box: TheBox) -> CrawlList:
    """Crawls that run, and the last twenty that ended."""
    return CrawlList(crawls=[_info(job) for job in box.crawls.list()])


@router.get(
    "/crawls/{id}",
    operation_id="getBrowserCrawl",
    tells=Kind.HISTORY,
    response_model_exclude_none=True,
    responses=problems(CrawlNotFound),
)
async def get_crawl(id: str, box: TheBox) -> CrawlJob:
    """How far a crawl has come, and the pages it has found."""
    return _job(box.crawls.get(id))


@router.delete(
    "/crawls/{id}",
    operation_id="cancelBrowserCrawl",
    acts=False,
    response_model_exclude_none=True,
    responses=problems(CrawlNotFound),
)
async def cancel_crawl(id: str, box: TheBox) -> CrawlJob:
    """End a crawl that runs; what it found stays."""
    return _job(await box.crawls.cancel(id))


@router.get(
    "/crawls/{id}/events",
    operation_id="followBrowserCrawl",
    tells=Kind.HISTORY,
    events={"page": CrawledPage, "end": CrawlInfo},
    response_class=StreamingResponse,
    responses=problems(CrawlNotFound),
)
async def follow_crawl(id: str, box: TheBox) -> Response:
    """Server-sent events: `page` for each page, from the first one on, and `end` with the crawl's state."""
    job = box.crawls.get(id)
    return event_stream(
        job.ring, 0, lambda page: True, _page, name="page", stopping=box.stopping, ending=lambda: _info(job)
    )


def _plan(box: Box, body: CrawlRequest) -> Plan:
    if body.max_pages > MOST_PAGES:
        raise InvalidRequest(f"maxPages is at most {MOST_PAGES}.")
    if key_of(body.url) is None:
        raise InvalidRequest("The address must be absolute, with http or https: https://example.com/")
    if body.allowed_domains and not is_within(body.url, body.allowed_domains):
        raise InvalidRequest("The crawl would start outside its allowedDomains and find nothing: add the start's host.")
    box.addresses.check(body.url)
    return Plan(
        url=body.url,
        max_pages=body.max_pages,
        max_depth=body.max_depth,
        domains=tuple(body.allowed_domains or ()),
        extract=body.extract,
        wait_until=body.wait_until,
        parallel=body.parallel,
        delay=body.delay / 1000,
        page_timeout=body.page_timeout / 1000,
        respects_robots=body.robots,
        timeout=body.timeout / 1000,
    )


def _result(crawl: Crawl) -> CrawlResult:
    pages = sorted(crawl.pages, key=lambda page: page.number)
    return CrawlResult(
        pages=[_page(page) for page in pages],
        total_pages=len(pages),
        truncated=crawl.is_truncated,
        skipped=[SkippedAddress(url=url, reason=reason) for url, reason in crawl.skipped] or None,
    )


def _page(page: Visited) -> CrawledPage:
    read = page.read
    return CrawledPage(
        url=read.url,
        title=read.title,
        content=read.content,
        links=list(read.links),
        status=read.status,
        depth=page.depth,
        mime_type=read.mime_type or None,
        requested_url=page.requested,
        error=read.error,
    )


def _info(job: Job) -> CrawlInfo:
    return CrawlInfo(**_members(job))


def _job(job: Job) -> CrawlJob:
    return CrawlJob(**_members(job), result=_result(job.crawl))


def _members(job: Job) -> dict[str, object]:
    return {
        "id": job.id,
        "state": job.state,
        "url": job.crawl.plan.url,
        "visited": len(job.crawl.pages),
        "waiting": job.crawl.waiting,
        "started_at": datetime.fromtimestamp(job.started_at, UTC),
        "ended_at": datetime.fromtimestamp(job.ended_at, UTC) if job.ended_at is not None else None,
        "error": job.error,
    }
