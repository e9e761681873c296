"""One page of a crawl: gone to, read, and left."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio

from belljar.box.browser.browser import Browser
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.navigation import Arrival, arrival, navigate, settle
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.tabs import Tabs
from belljar.box.browser.reading.content import all_links, canonical, html, text, to_markdown
from belljar.box.browser.reading.markdown import ConversionFailed, Converter
from belljar.box.browser.reading.snapshot import Subject
from belljar.problems import Problem
from belljar.problems.browser import BrowserNotActive, DialogOpen, NavigationFailed
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.crawl import Extract

# Characters of one page's content that are kept.
MOST_CONTENT = 1_000_000
Result = TypeVar("Result")
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class Read:
    """What one visit found.  `error` says why there is no content."""

    url: str
    status: int
    title: str = ""
    mime_type: str = ""
    content: str = ""
    links: tuple[str, ...] = ()
    canonical: str | None = None
    error: str | None = None


class Visitor:
    """A tab in a window off screen that visits one page after another; replaced when a page breaks it.

    A Chromium that dies is waited for, and the page that was being read is read again: a crawl only reads.
    """

    def __init__(
        self, browser: Browser, converter: Converter, *, extract: Extract, until: WaitUntil, timeout: float
    ) -> None:
        self._browser = browser
        self._tabs: Tabs | None = None
        self._converter = converter
        self._extract = extract
        self._until = until
        self._timeout = timeout
        self._page: Page | None = None

    async def visit(self, url: str) -> Read:
        """Never raises for what a page does: a page that is slow, broken or not one at all is told as such.

        Raises `BrowserNotActive` when there is no browser any more.
        """
        try:
            return await self._in_time(lambda page: self._gone_to_and_read(page, url))
        except BrowserNotActive:
            raise
        except NavigationFailed as problem:
            return Read(url, 0, error=str(problem.members["net_error"]))
        except TimeoutError:
            await self.close()
            return Read(url, 0, error="timeout")
        except (Problem, CdpError, CdpGone) as error:
            await self.close()
            return Read(url, 0, error=str(error)[:200])

    async def text_of(self, url: str) -> tuple[int, str]:
        """Status and text of a plain file; the status is 0 when there was no answer."""
        try:
            return await self._in_time(lambda page: self._gone_to_and_text(page, url))
        except BrowserNotActive:
            raise
        except (Problem, CdpError, CdpGone, TimeoutError):
            await self.close()
            return 0, ""

    async def close(self) -> None:
        page, self._page = self._page, None
        if page is None or page.is_closed or self._tabs is None:
            return
        with anyio.move_on_after(5, shield=True):
            try:
                await self._tabs.close(page)
            except (Problem, CdpError, CdpGone):
                # Gone already, with its browser or by itself.
                return

    async def _in_time(self, work: Callable[[Page], Awaitable[Result]]) -> Result:
        """Once more in the next Chromium where this one dies meanwhile; of a third it dies too soon to be started."""
        with anyio.fail_after(self._timeout):
            try:
                return await work(await self._ready())
            except (Problem, CdpGone):
                if self._tabs is None or not self._tabs.connection.is_closed:
                    raise
            return await work(await self._ready())

    async def _ready(self) -> Page:
        self._tabs = tabs = (await self._browser.running()).tabs
        if self._page is None or self._page.is_closed or self._page.is_crashed:
            self._page = page = await tabs.create(is_hidden=True)
            page.on_dialog.append(lambda dialog: _dismiss(page, dialog))
        return self._page

    async def _gone_to_and_read(self, page: Page, url: str) -> Read:
        return await self._read(page, url, await self._go(page, url))

    async def _gone_to_and_text(self, page: Page, url: str) -> tuple[int, str]:
        arrival = await navigate(page, url, WaitUntil.DOMCONTENTLOADED)
        if not arrival.has_moved:
            return arrival.status, ""
        return arrival.status, (await text(Subject(page.main, None), MOST_CONTENT)).text

    async def _go(self, page: Page, url: str) -> Arrival:
        """As `navigate`, past dialogs, which are answered as they open."""
        try:
            return await navigate(page, url, self._until)
        except DialogOpen:
            while True:
                await page.until(lambda: page.dialog is None)
                try:
                    await settle(page, self._until)
                    return await arrival(page)
                except DialogOpen:
                    continue

    async def _read(self, page: Page, url: str, arrival: Arrival) -> Read:
        if not arrival.has_moved:
            kind = "download" if arrival.is_download or not arrival.status else "no content"
            return Read(url, arrival.status, error=kind)
        response = page.response_of(page.main.loader_id)
        mime_type = response.mime_type if response is not None else ""
        if mime_type and mime_type not in _HTML:
            return Read(arrival.url, arrival.status, arrival.title, mime_type)
        links = [link["href"] for link in await all_links(page) if link["href"].startswith("http")]
        content, error = "", None
        try:
            content = await self._content(page, links)
        except ConversionFailed:
            # Its plain text would have what the page hides, and a page can see to it that the conversion fails.
            error = "not convertible"
        return Read(
            arrival.url,
            arrival.status,
            arrival.title,
            mime_type,
            content,
            tuple(dict.fromkeys(links)),
            await canonical(page.main),
            error,
        )

    async def _content(self, page: Page, links: list[str]) -> str:
        subject = Subject(page.main, None)
        match self._extract:
            case Extract.HTML:
                return (await html(subject, MOST_CONTENT)).text
            case Extract.TEXT:
                return (await text(subject, MOST_CONTENT)).text
            case Extract.LINKS:
                return "\n".join(dict.fromkeys(links))
            case Extract.MARKDOWN:
                return (await to_markdown(self._converter, page, subject, "auto")).markdown[:MOST_CONTENT]


def _dismiss(page: Page, dialog: Dialog) -> None:
    """Nobody is there to answer: leave pages that ask whether to, cancel everything else."""
    page.session.tell("Page.handleJavaScriptDialog", accept=dialog.type == "beforeunload")
