"""Reading a page: contents, snapshots, pictures and prints."""

from typing import Annotated

from starlette.responses import Response

from belljar.box.access.lease import AGENT
from belljar.box.browser.acting.action import GRACE, again_after_restart
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.reading.content import all_links, html, links, scrape, text, to_markdown
from belljar.box.browser.reading.markdown import ConversionFailed
from belljar.box.browser.reading.screenshot import DEFAULT_QUALITY, Camera, Shot, print_pdf
from belljar.box.browser.reading.snapshot import Snapshot, SnapshotOptions, Snapshots, list_elements, look_up, wait_for
from belljar.box.parts import Box, TheBox, TheCaller
from belljar.problems.box import AddressDenied, EgressDenied
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    ContentNotConvertible,
    DialogOpen,
    ElementNotFound,
    ElementNotReady,
    FrameGone,
    FrameNotFound,
    NavigationFailed,
    ScreenshotTooLarge,
    TabNotFound,
)
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.tokens import Role
from belljar.wire.browser.common import OnFrame
from belljar.wire.browser.reading import (
    Content,
    ContentQuery,
    Elements,
    ElementsQuery,
    InteractiveElement,
    Link,
    Links,
    Markdown,
    MarkdownMode,
    MarkdownQuery,
    PdfQuery,
    Scraped,
    ScrapeRequest,
    ScreenshotQuery,
    SnapshotQuery,
    SnapshotResult,
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


_PROBLEMS = problems(
    BrowserNotActive,
    DialogOpen,
    FrameGone,
    TabNotFound,
    FrameNotFound,
    ElementNotFound,
    BrowserInvalidSelector,
    BrowserTimeout,
)


@router.get(
    "/snapshot",
    operation_id="getBrowserSnapshot",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def snapshot(query: Annotated[SnapshotQuery, Query()], box: TheBox, caller: TheCaller) -> SnapshotResult:
    """The page for a model: roles, names, values, states, and refs that actions take; with `since` only changes."""
    async with box.browser.use_page(query, "taking a snapshot") as page:
        options = SnapshotOptions(query.selector, query.frame, query.depth, query.interactive_only, query.urls)
        subject = await look_up(page, selector=query.selector, frame=query.frame)
        snapshots = page.watcher(Snapshots)
        drives = caller.role >= Role.DRIVE
        since = snapshots.last_revision(options, drives=drives) if query.since_last else query.since
        taken = await snapshots.take(options, subject.root, subject.frame, drives=drives)
        said = _said(snapshots, taken, since, query.max_chars)
        title = page.title if subject.frame is page.main else await page.read_title()
        return SnapshotResult(url=page.url, title=title, tab_id=page.id, **said)


@router.get(
    "/elements",
    operation_id="getBrowserElements",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def elements(query: Annotated[ElementsQuery, Query()], box: TheBox) -> Elements:
    """What of the page can be acted on, with the refs that actions take; a snapshot's lines as values."""
    async with box.browser.use_page(query, "listing elements") as page:
        found = await list_elements(page, query.limit + 1)
        return Elements(
            elements=[InteractiveElement(**one) for one in found[: query.limit]],
            url=page.url,
            title=await page.read_title(),
            tab_id=page.id,
            truncated=len(found) > query.limit or None,
        )


def _said(snapshots: Snapshots, taken: Snapshot, since: int | None, most: int | None) -> dict[str, object]:
    said: dict[str, object] = {"revision": taken.revision}
    if since == taken.revision:
        return said | {"snapshot": "", "unchanged": True}
    changes = snapshots.changes(since, taken) if since is not None else None
    if changes is not None:
        said["delta"] = True
    text, is_cut = _cut(taken.text if changes is None else changes, most)
    return said | {"snapshot": text} | ({"truncated": True} if is_cut else {})


def _cut(text: str, most: int | None) -> tuple[str, bool]:
    """At most so many characters, in whole lines, with a last one that says what is missing."""
    if most is None or len(text) <= most:
        return text, False
    note = "\n… {} more lines: use selector, depth or interactiveOnly"
    kept = text[: max(0, most - len(note) - 6)].rpartition("\n")[0]
    return kept + note.format(text.count("\n", len(kept))), True


_USUAL = (BrowserNotActive, DialogOpen, TabNotFound, BrowserTimeout)
_BINARY = {"type": "string", "format": "binary"}
_PICTURES: dict[int | str, dict[str, object]] = {
    200: {"content": {f"image/{kind}": {"schema": _BINARY} for kind in ("png", "jpeg", "webp")}}
}
_PDF: dict[int | str, dict[str, object]] = {200: {"content": {"application/pdf": {"schema": _BINARY}}}}


@router.get(
    "/screenshot",
    operation_id="takeBrowserScreenshot",
    tells=Kind.PIXELS,
    live="screenshot",
    response_class=Response,
    responses=_PICTURES
    | problems(*_USUAL, FrameNotFound, ElementNotFound, BrowserInvalidSelector, ScreenshotTooLarge, ElementNotReady),
)
@again_after_restart
async def screenshot(query: Annotated[ScreenshotQuery, Query()], box: TheBox) -> Response:
    """A picture of what is in view, of an element, or of the whole page.  The tab need not be in front."""
    seconds = query.seconds or box.browser.timeouts.navigation
    async with box.browser.use_page(query, "taking a picture", timeout=seconds, grace=GRACE) as page:
        page.check_can_run()
        request = box.browser.request
        camera = Camera(page, has_textures=request is not None and request.webgl)
        shot = Shot(query.format, DEFAULT_QUALITY if query.quality is None else query.quality)
        if query.selector is not None:
            patience = query.seconds or box.browser.timeouts.action
            subject = await wait_for(page, selector=query.selector, frame=query.frame, seconds=patience)
            picture = await camera.element(shot, subject)
        else:
            picture = await (camera.full(shot) if query.full_page else camera.view(shot))
    return Response(picture, media_type=f"image/{query.format}")


@router.get(
    "/pdf", operation_id="getBrowserPdf", tells=Kind.MARKUP, response_class=Response, responses=_PDF | problems(*_USUAL)
)
@again_after_restart
async def pdf(query: Annotated[PdfQuery, Query()], box: TheBox) -> Response:
    """The page as a PDF, as it would be printed."""
    seconds = query.seconds or box.browser.timeouts.navigation
    async with box.browser.use_page(query, "printing the page", timeout=seconds) as page:
        page.check_can_run()
        printed = await print_pdf(page, query)
    return Response(printed, media_type="application/pdf")
