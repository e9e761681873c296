# Made from aio/browser.py by scripts/make_sync_sdk.py: change it there.
"""`browser`: Chromium, its tabs, what they keep, and crawls."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from time import monotonic

from belljar.problems.browser import BrowserNotActive
from belljar.sdk.encoding import AudioCodec, ColorScheme, Extract, VideoCodec, WaitUntil, body, deadline_ms, ms
from belljar.sdk.errors import DownloadFailed, NoAnswer
from belljar.sdk.sync.http import Http, M
from belljar.sdk.sync.page import Acting, Page
from belljar.sdk.sync.playwright import PlaywrightLink
from belljar.sdk.sync.storage import Keeping
from belljar.wire.base import Ok, camel
from belljar.wire.browser.crawl import CrawledPage, CrawlInfo, CrawlJob, CrawlList, CrawlResult
from belljar.wire.browser.lifecycle import (
    BrowserEvent,
    BrowserEvents,
    BrowserStatus,
    CdpVersion,
    Geolocation,
    HttpCredentials,
    StopResult,
    TabInfo,
    TabList,
    ViewportSize,
)
from belljar.wire.browser.storage import DownloadInfo, DownloadState

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

    def _crawl(self, path: str, answer: type[M], asked: dict[str, object], *, timeout: float | None = None) -> M:
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


def _asked(*, delay: float, page_timeout: float, timeout: float, **given: object) -> dict[str, object]:
    return body(delay=ms(delay), page_timeout=deadline_ms(page_timeout), timeout=deadline_ms(timeout), **given)


# Later than any event: asks for none, only for where they are.
_NO_EVENTS = 2**53
# What one wait for events takes at most.
_EVENTS_SECONDS = 30.0


class Browser(Acting, Keeping, Crawling):
    """The box's Chromium.  What names no tab goes to the active one; `pages`, `page` and `new_page` give others."""

    def __init__(self, http: Http, tab_id: str | None, playwright: PlaywrightLink | None) -> None:
        super().__init__(http, tab_id, playwright)
        # Downloads that were handed out by `wait_for_download`.
        self._waited_for: set[str] = set()

    def open(self, url: str, *, timeout: float | None = None) -> Page:
        """Go to an address in the active tab, with the browser started first where it is not running."""
        try:
            went = self.navigate(url, timeout=timeout)
        except BrowserNotActive:
            self.start()
            went = self.navigate(url, timeout=timeout)
        return self.page(went.tab_id)

    def start(
        self,
        *,
        width: int = 1280,
        height: int = 720,
        dpi: int = 96,
        url: str | None = None,
        headless: bool = False,
        context_id: str | None = None,
        viewport: ViewportSize | None = None,
        kiosk: bool = False,
        webgl: bool = False,
        locale: str | None = None,
        timezone: str | None = None,
        user_agent: str | None = None,
        geolocation: Geolocation | None = None,
        color_scheme: ColorScheme | None = None,
        extra_headers: dict[str, str] | None = None,
        init_scripts: Sequence[str] | None = None,
        permissions: Sequence[str] | None = None,
        http_credentials: HttpCredentials | None = None,
        stream_video_codec: VideoCodec | None = None,
        stream_audio_codec: AudioCodec | None = None,
        stream_frame_rate: int | None = None,
        webrtc_port_range: str | None = None,
        recording_fps: int | None = None,
    ) -> BrowserStatus:
        """Start Chromium, on a display or headless, on a fresh profile or on a saved context's."""
        asked = body(
            width=width,
            height=height,
            dpi=dpi,
            url=url,
            headless=headless,
            context_id=context_id,
            viewport=viewport,
            kiosk=kiosk,
            webgl=webgl,
            locale=locale,
            timezone=timezone,
            user_agent=user_agent,
            geolocation=geolocation,
            color_scheme=color_scheme,
            extra_headers=extra_headers,
            init_scripts=init_scripts,
            permissions=permissions,
            http_credentials=http_credentials,
            stream_video_codec=stream_video_codec,
            stream_audio_codec=stream_audio_codec,
            stream_frame_rate=stream_frame_rate,
            webrtc_port_range=webrtc_port_range,
            recording_fps=recording_fps,
        )
        return self._http.post("/v1/browser/start", BrowserStatus, asked)

    def stop(self) -> StopResult:
        """End Chromium, and its display with it."""
        return self._http.post("/v1/browser/stop", StopResult)

    def status(self) -> BrowserStatus:
        """Whether it runs, what it shows, where files go."""
        return self._http.get("/v1/browser/status", BrowserStatus)

    def tabs(self) -> TabList:
        """Every open tab."""
        return self._http.get("/v1/browser/tabs", TabList)

    def pages(self) -> list[Page]:
        """Every open tab, to be acted on."""
        return [self.page(tab.id) for tab in (self.tabs()).tabs]

    def new_page(
        self,
        url: str | None = None,
        *,
        partition: str | None = None,
        dismiss_dialogs: bool = False,
        timeout: float | None = None,
    ) -> Page:
        """A new tab, active from now on; in a partition never.  `dismiss_dialogs` cancels its dialogs as they open."""
        asked = body(url=url, partition=partition, dismiss_dialogs=dismiss_dialogs, timeout=deadline_ms(timeout))
        return self.page((self._http.post("/v1/browser/tabs", TabInfo, asked, timeout=timeout)).id)

    def page(self, tab_id: str) -> Page:
        """The tab of this id; nothing is asked of the server."""
        return Page(self._http, tab_id, self._playwright)

    def resize(self, width: int, height: int, *, device_scale_factor: float | None = None) -> Ok:
        """Give pages another size."""
        asked = body(width=width, height=height, device_scale_factor=device_scale_factor)
        return self._http.post("/v1/browser/viewport", Ok, asked)

    def emulate(
        self,
        *,
        locale: str | None = None,
        timezone: str | None = None,
        user_agent: str | None = None,
        geolocation: Geolocation | None = None,
        color_scheme: ColorScheme | None = None,
        extra_headers: dict[str, str] | None = None,
        init_scripts: Sequence[str] | None = None,
        permissions: Sequence[str] | None = None,
        http_credentials: HttpCredentials | None = None,
        unset: Sequence[str] = (),
    ) -> Ok:
        """Change what pages are told about where and on what they run; what is not given stays.

        `unset` names what shall be Chromium's own again: `unset=["locale", "user_agent"]`.
        """
        asked = body(
            locale=locale,
            timezone=timezone,
            user_agent=user_agent,
            geolocation=geolocation,
            color_scheme=color_scheme,
            extra_headers=extra_headers,
            init_scripts=init_scripts,
            permissions=permissions,
            http_credentials=http_credentials,
        )
        return self._http.post("/v1/browser/emulation", Ok, asked | {camel(name): None for name in unset})

    def events(self, *, since: int = 0, timeout: float = 0) -> BrowserEvents:
        """What happened to the browser: states, tabs, crashes, dialogs, downloads; waits so many seconds for some."""
        asked = body(since=since, timeout=deadline_ms(timeout))
        return self._http.get("/v1/browser/events", BrowserEvents, asked, timeout=timeout)

    def follow_events(self, *, since: int = 0) -> Generator[BrowserEvent, None, None]:
        """As `events`, and then whatever happens."""
        yield from self._http.events("/v1/browser/events", BrowserEvent, body(since=since, follow=True))

    def wait_for_download(self, download_id: str | None = None, *, timeout: float = 60.0) -> DownloadInfo:
        """The download of this id once its file is there; without one, the next that this client has not waited for.

        `TimeoutError` when it is not there in time, `DownloadFailed` when it ended without a file.
        """
        until = monotonic() + timeout
        # Asked for before the list: what happens in between is told at once.
        cursor = (self.events(since=_NO_EVENTS)).cursor
        while True:
            found = next((one for one in (self.downloads()).downloads if self._is_awaited(one, download_id)), None)
            if found is not None and found.state is not DownloadState.IN_PROGRESS:
                self._waited_for.add(found.id)
                if found.state is DownloadState.COMPLETED:
                    return found
                raise DownloadFailed(
                    f"The download of {found.name!r} was {found.state}: {found.reason or 'no reason'}."
                )
            left = until - monotonic()
            if left <= 0:
                so_far = f"{found.received_bytes} bytes of {found.name!r} are there" if found else "none has begun"
                raise NoAnswer(f"No download was complete within {timeout:g} s: {so_far}.")
            cursor = (self.events(since=cursor, timeout=min(left, _EVENTS_SECONDS))).cursor

    def _is_awaited(self, one: DownloadInfo, download_id: str | None) -> bool:
        return one.id == download_id if download_id is not None else one.id not in self._waited_for

    def cdp_version(self) -> CdpVersion:
        """What a debugging port would say of itself, with the WebSocket for Playwright and Puppeteer."""
        return self._http.get("/v1/browser/cdp/json/version", CdpVersion)
