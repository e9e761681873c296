"""The contents of a page: HTML, text, markdown, links, what selectors pick."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.content import all_links, html, links, scrape, text
from belljar.box.browser.looking import look_up
from belljar.box.browser.markdown import ConversionFailed, to_markdown
from belljar.box.browser.navigation import Arrival, navigate
from belljar.box.browser.page import Page
from belljar.box.lease import AGENT
from belljar.box.parts import TheBox
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
async def get_content(query: Annotated[ContentQuery, Query()], box: TheBox) -> Content:
    """The page's HTML as it is now, after its scripts; with a selector what is inside that element."""
    seconds = query.seconds or box.browser.timeouts.action

    async def read(page: Page) -> Content:
        subject = await look_up(page, selector=query.selector, frame=query.frame)
        found = await html(subject, query.max_chars)
        title = await page.read_title()
        return Content(html=found.text, url=subject.frame.url, title=title, truncated=found.is_truncated or None)

    return await box.browser.use(query.tab_id, read, timeout=seconds, doing="reading the page")


@router.get(
    "/text",
    operation_id="getBrowserText",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=problems(*_PICK),
)
async def get_text(query: Annotated[ContentQuery, Query()], box: TheBox) -> TextContent:
    """The text of the page, or of an element, as it is rendered (`innerText`)."""
    seconds = query.seconds or box.browser.timeouts.action

    async def read(page: Page) -> TextContent:
        subject = await look_up(page, selector=query.selector, frame=query.frame)
        found = await text(subject, query.max_chars)
        title = await page.read_title()
        return TextContent(text=found.text, url=subject.frame.url, title=title, truncated=found.is_truncated or None)

    return await box.browser.use(query.tab_id, read, timeout=seconds, doing="reading the page")


@router.get(
    "/markdown",
    operation_id="getBrowserMarkdown",
    tells=Kind.MARKUP,
    response_model_exclude_none=True,
    responses=problems(*_PICK, ContentNotConvertible),
)
async def get_markdown(query: Annotated[MarkdownQuery, Query()], box: TheBox) -> Markdown:
    """The rendered page as markdown: its main content, or all of it but the furniture."""
    seconds = query.seconds or box.browser.timeouts.navigation

    async def convert(page: Page) -> Markdown:
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

    return await box.browser.use(query.tab_id, convert, timeout=seconds, doing="converting the page")


@router.post(
    "/scrape",
    operation_id="scrapeBrowser",
    acts=False,
    response_model_exclude_none=True,
    responses=problems(*_PICK, NavigationFailed, EgressDenied, AddressDenied),
)
async def scrape_page(body: ScrapeRequest, box: TheBox) -> Scraped:
    """For each name the text of every element its selector matches, through open shadow roots and into frames."""
    url = body.url
    if url is not None:
        # Without an address it only reads, which is never a matter of control.
        box.lease.check(AGENT)

        async def go(page: Page) -> Arrival:
            return await navigate(page, url, body.wait_until)

        seconds = body.seconds or box.browser.timeouts.navigation
        await box.addresses.visit(
            url, lambda: box.browser.act(body.tab_id, go, timeout=seconds, doing="loading the page")
        )
    seconds = body.seconds or box.browser.timeouts.action

    async def read(page: Page) -> Scraped:
        subject = await look_up(page, selector=None, frame=body.frame)
        data, is_truncated = await scrape(page, subject.frame, body.selectors)
        title = await page.read_title()
        return Scraped(data=data, url=page.url, title=title, truncated=is_truncated or None)

    return await box.browser.use(body.tab_id, read, timeout=seconds, doing="reading the page")


@router.get(
    "/links",
    operation_id="getBrowserLinks",
    tells=Kind.MARKUP,
    response_model_exclude_none=True,
    responses=problems(*_READ),
)
async def get_links(query: Annotated[OnFrame, Query()], box: TheBox) -> Links:
    """Every link of the page, its frames' too, absolute and with its text; with `frame` those of that frame."""
    seconds = query.seconds or box.browser.timeouts.action

    async def read(page: Page) -> Links:
        subject = await look_up(page, selector=None, frame=query.frame)
        found = await all_links(page) if query.frame is None else await links(subject.frame)
        return Links(links=[Link(**link) for link in found], url=page.url)

    return await box.browser.use(query.tab_id, read, timeout=seconds, doing="reading the page")
