"""Events of the browser as viewers are told of them: pages, tabs, dialogs, questions, console lines, downloads."""

import asyncio
from collections.abc import Callable

from belljar.box.browser import Browser
from belljar.box.browser.asking.asks import Asks
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.navigation import failure_of
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.downloads import Download
from belljar.box.browser.tab_events import AsksChanged, ConsoleWritten, DialogChanged, Event, Navigated, TabsChanged
from belljar.limits import Bucket
from belljar.wire.browser.asks import Ask
from belljar.wire.browser.common import DialogType
from belljar.wire.browser.storage import DownloadState
from belljar.wire.live import AsksChanged as AsksOfTab
from belljar.wire.live import EventName, LiveTab

Params = dict[str, object]
# (event, data): to every viewer.
Tell = Callable[[EventName, Params], None]
# A page may write thousands of lines a second; people read fewer.
_LINES_PER_SECOND = 50
_LONGEST_LINE = 2000
_LONGEST_URL = 4096
_LONGEST_TITLE = 500
_LONGEST_MESSAGE = 10_000
# Seconds in which what a page asks may change without being told each time.
_TOGETHER_SECONDS = 0.05
# Downloads that whoever comes is told of.
_MOST_DOWNLOADS = 20


def tabs_of(run: ChromiumInstance | None) -> list[LiveTab]:
    """The tabs, in the order they were opened."""
    if run is None:
        return []
    return [
        LiveTab(
            id=page.id,
            url=page.url[:_LONGEST_URL],
            title=page.title[:_LONGEST_TITLE],
            active=page is run.tabs.active_or_none,
            loading=page.is_loading or None,
            error=failure_of(page),
        )
        for page in run.tabs.list()
    ]


def open_dialogs(run: ChromiumInstance | None) -> list[Params]:
    """As the event `dialog` tells of them."""
    pages = [] if run is None else run.tabs.list()
    return [_dialog_data(page, page.dialog) for page in pages if page.dialog is not None]


def open_asks(run: ChromiumInstance | None) -> list[Ask]:
    pages = [] if run is None else run.tabs.list()
    return [ask for page in pages for ask in page.watcher(Asks).list()]


def last_downloads(browser: Browser) -> list[Params]:
    """As the event `download` tells of them."""
    return [_download_data(download) for download in browser.downloads.list()[-_MOST_DOWNLOADS:]]


def _dialog_data(page: Page, dialog: Dialog | None) -> Params:
    opened = None
    if dialog is not None:
        opened = {"type": dialog.type.value, "message": dialog.message[:_LONGEST_MESSAGE]}
        if dialog.type is DialogType.PROMPT:
            opened["defaultPrompt"] = (dialog.default_prompt or "")[:_LONGEST_MESSAGE]
    return {"tabId": page.id, "dialog": opened}


def _download_data(download: Download) -> Params:
    about: Params = {"id": download.id, "filename": download.name[:500]}
    if download.state is DownloadState.IN_PROGRESS:
        return {**about, "state": "inProgress"}
    return {**about, "state": str(download.state), "bytes": download.received}


class BrowserEvents:
    """Listens while `run` runs, which is while somebody watches."""

    def __init__(self, browser: Browser, tell: Tell) -> None:
        self._browser = browser
        self._tell = tell
        self._lines = Bucket(_LINES_PER_SECOND, _LINES_PER_SECOND * 2)
        self._last_tabs: list[LiveTab] = []
        # Pages whose questions changed and were not told of yet.
        self._asking: dict[str, Page] = {}

    async def run(self) -> None:
        # Of all runs of Chromium: when one ends, so do its downloads.
        downloads = self._browser.downloads.on_change
        downloads.append(self._download)
        try:
            await self._browser.follow_events(self._happened)
        finally:
            downloads.remove(self._download)

    def _happened(self, event: Event) -> None:
        match event:
            case TabsChanged(run):
                self._tabs(run)
            case Navigated(page, url):
                title = page.title[:_LONGEST_TITLE]
                self._tell(EventName.NAVIGATED, {"tabId": page.id, "url": url[:_LONGEST_URL], "title": title})
            case DialogChanged(page, dialog):
                self._tell(EventName.DIALOG, _dialog_data(page, dialog))
            case AsksChanged(page):
                self._asks(page)
            case ConsoleWritten(page, level, text, timestamp):
                if self._lines.take():
                    line = {"level": level, "text": text[:_LONGEST_LINE], "timestamp": timestamp}
                    self._tell(EventName.CONSOLE, {"tabId": page.id, **line})

    def _tabs(self, run: ChromiumInstance | None) -> None:
        tabs = tabs_of(run)
        if tabs != self._last_tabs:
            self._last_tabs = tabs
            self._tell(
                EventName.TABS,
                {"tabs": [tab.model_dump(mode="json", by_alias=True, exclude_none=True) for tab in tabs]},
            )

    def _asks(self, page: Page) -> None:
        """A page may ask and ask again many times a second; what it asks in the end is what counts."""
        if not self._asking:
            asyncio.get_running_loop().call_later(_TOGETHER_SECONDS, self._tell_asks)
        self._asking[page.id] = page

    def _tell_asks(self) -> None:
        pages, self._asking = self._asking, {}
        for page in pages.values():
            told = AsksOfTab(tab_id=page.id, asks=[] if page.is_closed else page.watcher(Asks).list())
            self._tell(EventName.ASKS, told.model_dump(mode="json", by_alias=True, exclude_none=True))

    def _download(self, download: Download) -> None:
        """Its beginning and its end: the middle is for whoever asks REST."""
        self._tell(EventName.DOWNLOAD, _download_data(download))
