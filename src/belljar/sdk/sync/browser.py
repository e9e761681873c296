# Made from aio/browser.py by scripts/make_sync_sdk.py: change it there.
"""`browser`: Chromium, its tabs and what they keep."""

from collections.abc import Generator, Sequence
from time import monotonic

from pydantic.alias_generators import to_camel

from belljar.problems.browser import BrowserNotActive
from belljar.sdk.choices import AudioCodec, ColorScheme, VideoCodec
from belljar.sdk.encoding import body, deadline_ms
from belljar.sdk.errors import DownloadFailed, NoAnswer
from belljar.sdk.sync.acting import Acting
from belljar.sdk.sync.crawling import Crawling
from belljar.sdk.sync.http import Http
from belljar.sdk.sync.keeping import Keeping
from belljar.sdk.sync.page import Page
from belljar.sdk.sync.playwright import PlaywrightLink
from belljar.wire.base import Ok
from belljar.wire.browser.cdp import CdpVersion
from belljar.wire.browser.downloads import DownloadInfo, DownloadState
from belljar.wire.browser.emulation import Geolocation, HttpCredentials
from belljar.wire.browser.events import BrowserEvent, BrowserEvents
from belljar.wire.browser.lifecycle import BrowserStatus, StopResult, ViewportSize
from belljar.wire.browser.tabs import TabInfo, TabList

# Later than any event: asks for none, only for where they are.
_NO_EVENTS = 2**53
# What one wait for events takes at most.
_EVENTS_SECONDS = 30.0


class Browser(Acting, Keeping, Crawling):
    """The box's Chromium.  What names no tab goes to the active one; `pages`, `page` and `new_page` give others."""

    def __init__(self, http: Http, tab_id: str | None, playwright: PlaywrightLink) -> None:
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
        return self._http.post("/v1/browser/emulation", Ok, asked | {to_camel(name): None for name in unset})

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
