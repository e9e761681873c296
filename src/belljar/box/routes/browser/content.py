"""The contents of a page: HTML, text, markdown, links, what selectors pick."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.content import all_links, html, links, scrape, text
from belljar.box.browser.looking import look_up
from belljar.box.browser.markdown import ConversionFailed, to_markdown
from belljar.box.browser.navigation import navigate
from belljar.box.lease import AGENT
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    ContentNotConvertible,
    DialogOpen,
    ElementNotFound,
    FrameGone,
    FrameNotFound,
    NavigationFailed,
    TabNotFound,
)
from belljar.problems.egress import AddressDenied, EgressDenied
from belljar.wire.browser.common import OnFrame
from belljar.wire.browser.content import (
    Content,
    ContentQuery,
    Link,
    Links,
    Markdown,
    MarkdownMode,
    MarkdownQuery,
    Scraped,
    ScrapeRequest,
    TextContent,
)

router = Router(prefix="/v1/browser", tags=["browser"])
_READ = (BrowserNotActive, DialogOpen, FrameGone, TabNotFound, FrameNotFound, BrowserTimeout)
_PICK = (*_READ, ElementNotFound, BrowserInvalidSelector)


@router.get(
    "/content",
    operation_id="getBrowserContent",
    tells=Kind.MARKUP,
    response_model_exclude_none=True,
    responses=problems(*_PICK),
)
@again_after_restart
async def get_content(query: Annotated[ContentQuery, Query()], box: TheBox) -> Content:
    """The page's HTML as it is now, after its scripts; with a selector what is inside that element."""
    async with box.browser.use_page(query, "reading the page") as page:
        subject = await look_up(page, selector=query.selector, frame=query.frame)
        found = await html(subject, query.max_chars)
        title = await page.read_title()
        return Content(html=found.text, url=subject.frame.url, title=title, truncated=found.is_truncated or None)


@router.get(
    "/text",
    operation_id="getBrowserText",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=problems(*_PICK),
)
@again_after_restart
async def get_text(query: Annotated[ContentQuery, Query()], box: TheBox) -> TextContent:
    """The text of the page, or of an element, as it is rendered (`innerText`)."""
    async with box.browser.use_page(query, "reading the page") as page:
        subject = await look_up(page, selector=query.selector, frame=query.frame)
        found = await text(subject, query.max_chars)
        title = await page.read_title()
        return TextContent(text=found.text, url=subject.frame.url, title=title, truncated=found.is_truncated or None)


@router.get(
    "/markdown",
    operation_id="getBrowserMarkdown",
    tells=Kind.MARKUP,
    response_model_exclude_none=True,
    responses=problems(*_PICK, ContentNotConvertible),
)
@again_after_restart
async def get_markdown(query: Annotated[MarkdownQuery, Query()], box: TheBox) -> Markdown:
    """The rendered page as markdown: its main content, or all of it but the furniture."""
    seconds = query.seconds or box.browser.timeouts.navigation
    async with box.browser.use_page(query, "converting the page", timeout=seconds) as page:
        subject = await look_up(page, selector=query.selector, frame=None)
        try:
            done = await to_markdown(box.converter, page, subject, query.mode, with_frames=query.frames)
        except ConversionFailed as error:
            raise ContentNotConvertible() from error
        most = query.max_chars or len(done.markdown)
        return Markdown(
            markdown=done.markdown[:most],
            url=page.url,
            title=await page.read_title(),
            mode=MarkdownMode(done.mode),
            truncated=len(done.markdown) > most or None,
        )


@router.post(
    "/scrape",
    operation_id="scrapeBrowser",
    acts=False,
    response_model_exclude_none=True,
    responses=problems(*_PICK, NavigationFailed, EgressDenied, AddressDenied),
)
async def scrape_page(body: ScrapeRequest, box: TheBox) -> Scraped:
    """For each name the text of every element its selector matches, through open shadow roots and into frames."""
    if body.url is not None:
        # Without an address it only reads, which is never a matter of control.
        box.lease.check(AGENT)
        await _load(box, body, body.url)
    return await _scrape(box, body)


@again_after_restart
async def _load(box: Box, body: ScrapeRequest, url: str) -> None:
    seconds = body.seconds or box.browser.timeouts.navigation
    async with (
        box.addresses.visit(url) as visit,
        box.browser.action(body, "loading the page", timeout=seconds, keeps_deadline=False) as act,
    ):
        visit.arrival = await navigate(act.page, url, body.wait_until)


@again_after_restart
async def _scrape(box: Box, body: ScrapeRequest) -> Scraped:
    async with box.browser.use_page(body, "reading the page") as page:
        subject = await look_up(page, selector=None, frame=body.frame)
        data, is_truncated = await scrape(page, subject.frame, body.selectors)
        title = await page.read_title()
        return Scraped(data=data, url=page.url, title=title, truncated=is_truncated or None)


@router.get(
    "/links",
    operation_id="getBrowserLinks",
    tells=Kind.MARKUP,
    response_model_exclude_none=True,
    responses=problems(*_READ),
)
@again_after_restart
async def get_links(query: Annotated[OnFrame, Query()], box: TheBox) -> Links:
    """Every link of the page, its frames' too, absolute and with its text; with `frame` those of that frame."""
    async with box.browser.use_page(query, "reading the page") as page:
        subject = await look_up(page, selector=None, frame=query.frame)
        found = await all_links(page) if query.frame is None else await links(subject.frame)
        return Links(links=[Link(**link) for link in found], url=page.url)
