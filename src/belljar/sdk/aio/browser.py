"""`browser`: Chromium, its tabs, what they keep, and crawls."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from time import monotonic

from belljar.problems.browser import BrowserNotActive
from belljar.sdk.aio.http import AsyncHttp, M
from belljar.sdk.aio.page import AsyncActing, AsyncPage
from belljar.sdk.aio.playwright import AsyncPlaywrightLink
from belljar.sdk.aio.storage import AsyncKeeping
from belljar.sdk.encoding import AudioCodec, ColorScheme, Extract, VideoCodec, WaitUntil, body, deadline_ms, ms
from belljar.sdk.errors import DownloadFailed, NoAnswer
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

    async def _crawl(self, path: str, answer: type[M], asked: dict[str, object], *, timeout: float | None = None) -> M:
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


def _asked(*, delay: float, page_timeout: float, timeout: float, **given: object) -> dict[str, object]:
    return body(delay=ms(delay), page_timeout=deadline_ms(page_timeout), timeout=deadline_ms(timeout), **given)


# Later than any event: asks for none, only for where they are.
_NO_EVENTS = 2**53
# What one wait for events takes at most.
_EVENTS_SECONDS = 30.0


class AsyncBrowser(AsyncActing, AsyncKeeping, AsyncCrawling):
    """The box's Chromium.  What names no tab goes to the active one; `pages`, `page` and `new_page` give others."""

    def __init__(self, http: AsyncHttp, tab_id: str | None, playwright: AsyncPlaywrightLink | None) -> None:
        super().__init__(http, tab_id, playwright)
        # Downloads that were handed out by `wait_for_download`.
        self._waited_for: set[str] = set()

    async def open(self, url: str, *, timeout: float | None = None) -> AsyncPage:
        """Go to an address in the active tab, with the browser started first where it is not running."""
        try:
            went = await self.navigate(url, timeout=timeout)
        except BrowserNotActive:
            await self.start()
            went = await self.navigate(url, timeout=timeout)
        return self.page(went.tab_id)

    async def start(
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
        return await self._http.post("/v1/browser/start", BrowserStatus, asked)

    async def stop(self) -> StopResult:
        """End Chromium, and its display with it."""
        return await self._http.post("/v1/browser/stop", StopResult)

    async def status(self) -> BrowserStatus:
        """Whether it runs, what it shows, where files go."""
        return await self._http.get("/v1/browser/status", BrowserStatus)

    async def tabs(self) -> TabList:
        """Every open tab."""
        return await self._http.get("/v1/browser/tabs", TabList)

    async def pages(self) -> list[AsyncPage]:
        """Every open tab, to be acted on."""
        return [self.page(tab.id) for tab in (await self.tabs()).tabs]

    async def new_page(
        self,
        url: str | None = None,
        *,
        partition: str | None = None,
        dismiss_dialogs: bool = False,
        timeout: float | None = None,
    ) -> AsyncPage:
        """A new tab, active from now on; in a partition never.  `dismiss_dialogs` cancels its dialogs as they open."""
        asked = body(url=url, partition=partition, dismiss_dialogs=dismiss_dialogs, timeout=deadline_ms(timeout))
        return self.page((await self._http.post("/v1/browser/tabs", TabInfo, asked, timeout=timeout)).id)

    def page(self, tab_id: str) -> AsyncPage:
        """The tab of this id; nothing is asked of the server."""
        return AsyncPage(self._http, tab_id, self._playwright)

    async def resize(self, width: int, height: int, *, device_scale_factor: float | None = None) -> Ok:
        """Give pages another size."""
        asked = body(width=width, height=height, device_scale_factor=device_scale_factor)
        return await self._http.post("/v1/browser/viewport", Ok, asked)

    async def emulate(
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
        return await self._http.post("/v1/browser/emulation", Ok, asked | {camel(name): None for name in unset})

    async def events(self, *, since: int = 0, timeout: float = 0) -> BrowserEvents:
        """What happened to the browser: states, tabs, crashes, dialogs, downloads; waits so many seconds for some."""
        asked = body(since=since, timeout=deadline_ms(timeout))
        return await self._http.get("/v1/browser/events", BrowserEvents, asked, timeout=timeout)

    async def follow_events(self, *, since: int = 0) -> AsyncGenerator[BrowserEvent, None]:
        """As `events`, and then whatever happens."""
        async for event in self._http.events("/v1/browser/events", BrowserEvent, body(since=since, follow=True)):
            yield event

    async def wait_for_download(self, download_id: str | None = None, *, timeout: float = 60.0) -> DownloadInfo:
        """The download of this id once its file is there; without one, the next that this client has not waited for.

        `TimeoutError` when it is not there in time, `DownloadFailed` when it ended without a file.
        """
        until = monotonic() + timeout
        # Asked for before the list: what happens in between is told at once.
        cursor = (await self.events(since=_NO_EVENTS)).cursor
        while True:
            found = next(
                (one for one in (await self.downloads()).downloads if self._is_awaited(one, download_id)), None
            )
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
            cursor = (await self.events(since=cursor, timeout=min(left, _EVENTS_SECONDS))).cursor

    def _is_awaited(self, one: DownloadInfo, download_id: str | None) -> bool:
        return one.id == download_id if download_id is not None else one.id not in self._waited_for

    async def cdp_version(self) -> CdpVersion:
        """What a debugging port would say of itself, with the WebSocket for Playwright and Puppeteer."""
        return await self._http.get("/v1/browser/cdp/json/version", CdpVersion)
