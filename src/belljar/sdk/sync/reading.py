# Made from aio/reading.py by scripts/make_sync_sdk.py: change it there.
"""Reading a page: what it says, shows, logs and fetches."""

from collections.abc import Generator, Mapping

from belljar.sdk.encoding import ConsoleLevel, ImageFormat, MarkdownMode, PaperFormat, WaitUntil, asked_of
from belljar.sdk.sync.http import Http
from belljar.wire.browser.reading import (
    ConsoleMessage,
    ConsoleMessages,
    Content,
    Elements,
    Links,
    Markdown,
    NetworkRequest,
    NetworkRequestDetails,
    NetworkRequests,
    Scraped,
    SnapshotResult,
    TextContent,
)


class Reading:
    """What can be asked of a tab without changing it.  All of it is the page's word: treat it as untrusted."""

    _http: Http
    tab_id: str | None

    def snapshot(
        self,
        *,
        selector: str | None = None,
        depth: int | None = None,
        interactive_only: bool = False,
        max_chars: int | None = None,
        urls: bool = False,
        since: int | None = None,
        since_last: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> SnapshotResult:
        """What a model reads: a line for each element, with a ref to act on it; with `since`, only what changed."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            depth=depth,
            interactive_only=interactive_only,
            max_chars=max_chars,
            urls=urls,
            since=since,
            since_last=since_last,
            frame=frame,
        )
        return self._http.get("/v1/browser/snapshot", SnapshotResult, asked, timeout=timeout)

    def elements(self, *, limit: int = 200, timeout: float | None = None) -> Elements:
        """What can be acted on, with refs: a snapshot's lines as values."""
        return self._http.get(
            "/v1/browser/elements", Elements, asked_of(self.tab_id, timeout, limit=limit), timeout=timeout
        )

    def markdown(
        self,
        *,
        mode: MarkdownMode = "auto",
        selector: str | None = None,
        frames: bool = False,
        max_chars: int | None = None,
        timeout: float | None = None,
    ) -> Markdown:
        """The page as markdown: its main content, or all of it."""
        asked = asked_of(self.tab_id, timeout, mode=mode, selector=selector, frames=frames, max_chars=max_chars)
        return self._http.get("/v1/browser/markdown", Markdown, asked, timeout=timeout)

    def text(
        self,
        selector: str | None = None,
        *,
        frame: str | None = None,
        max_chars: int | None = None,
        timeout: float | None = None,
    ) -> TextContent:
        """The text that shows, of the page or of one element."""
        asked = asked_of(self.tab_id, timeout, selector=selector, frame=frame, max_chars=max_chars)
        return self._http.get("/v1/browser/text", TextContent, asked, timeout=timeout)

    def content(
        self,
        selector: str | None = None,
        *,
        frame: str | None = None,
        max_chars: int | None = None,
        timeout: float | None = None,
    ) -> Content:
        """The HTML as it is now, of the page or of one element."""
        asked = asked_of(self.tab_id, timeout, selector=selector, frame=frame, max_chars=max_chars)
        return self._http.get("/v1/browser/content", Content, asked, timeout=timeout)

    def links(self, *, frame: str | None = None, timeout: float | None = None) -> Links:
        """Where the page leads: absolute addresses and their words."""
        return self._http.get("/v1/browser/links", Links, asked_of(self.tab_id, timeout, frame=frame), timeout=timeout)

    def scrape(
        self,
        selectors: Mapping[str, str],
        *,
        url: str | None = None,
        wait_until: WaitUntil = "load",
        frame: str | None = None,
        timeout: float | None = None,
    ) -> Scraped:
        """For each name the texts of all elements that its selector matches; with `url`, after going there."""
        asked = asked_of(self.tab_id, timeout, selectors=selectors, url=url, wait_until=wait_until, frame=frame)
        return self._http.post("/v1/browser/scrape", Scraped, asked, timeout=timeout)

    def screenshot(
        self,
        *,
        format: ImageFormat = "png",
        quality: int | None = None,
        full_page: bool = False,
        selector: str | None = None,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """A picture of what shows, of the whole page, or of one element."""
        asked = asked_of(
            self.tab_id, timeout, format=format, quality=quality, full_page=full_page, selector=selector, frame=frame
        )
        return self._http.fetch("/v1/browser/screenshot", asked, timeout=timeout)

    def pdf(
        self,
        *,
        format: PaperFormat = "letter",
        landscape: bool = False,
        print_background: bool = False,
        scale: float = 1.0,
        timeout: float | None = None,
    ) -> bytes:
        """The page as it would be printed."""
        asked = asked_of(
            self.tab_id, timeout, format=format, landscape=landscape, print_background=print_background, scale=scale
        )
        return self._http.fetch("/v1/browser/pdf", asked, timeout=timeout)

    def console(
        self, *, level: ConsoleLevel | None = None, pattern: str | None = None, limit: int = 100, since: int = 0
    ) -> ConsoleMessages:
        """What the page logged, oldest first; `cursor` of the answer goes on as `since`."""
        asked = asked_of(self.tab_id, None, level=level, pattern=pattern, limit=limit, since=since)
        return self._http.get("/v1/browser/console", ConsoleMessages, asked)

    def follow_console(
        self, *, level: ConsoleLevel | None = None, pattern: str | None = None, since: int = 0
    ) -> Generator[ConsoleMessage, None, None]:
        """As `console`, and then whatever is logged, until the tab is closed."""
        asked = asked_of(self.tab_id, None, level=level, pattern=pattern, since=since, follow=True)
        yield from self._http.events("/v1/browser/console", ConsoleMessage, asked)

    def network(self, *, url_pattern: str | None = None, limit: int = 100, since: int = 0) -> NetworkRequests:
        """What the page requested; `cursor` of the answer goes on as `since`."""
        asked = asked_of(self.tab_id, None, url_pattern=url_pattern, limit=limit, since=since)
        return self._http.get("/v1/browser/network", NetworkRequests, asked)

    def follow_network(
        self, *, url_pattern: str | None = None, since: int = 0
    ) -> Generator[NetworkRequest, None, None]:
        """As `network`, and then whatever is requested, until the tab is closed."""
        asked = asked_of(self.tab_id, None, url_pattern=url_pattern, since=since, follow=True)
        yield from self._http.events("/v1/browser/network", NetworkRequest, asked)

    def request_details(self, request_id: str) -> NetworkRequestDetails:
        """A request of `network` with its headers, timing and what began it; secrets are left out."""
        asked = asked_of(self.tab_id, None)
        return self._http.get(f"/v1/browser/network/{request_id}", NetworkRequestDetails, asked)

    def response_body(self, request_id: str, *, timeout: float | None = None) -> bytes:
        """What a request of `network` was answered with, while Chromium has it."""
        path = f"/v1/browser/network/{request_id}/body"
        return self._http.fetch(path, asked_of(self.tab_id, timeout), timeout=timeout)
