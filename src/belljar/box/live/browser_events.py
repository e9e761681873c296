"""Events of the browser as viewers are told of them: pages, tabs, dialogs, console lines, downloads."""

from collections.abc import Callable

from belljar.box.browser import Browser
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.reading.downloads import Download
from belljar.box.browser.tab_events import ConsoleWritten, DialogChanged, Event, Navigated, TabsChanged
from belljar.limits import Bucket
from belljar.wire.browser.common import DialogType
from belljar.wire.browser.storage import DownloadState
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
        )
        for page in run.tabs.list()
    ]


class BrowserEvents:
    """Listens while `run` runs, which is while somebody watches."""

    def __init__(self, browser: Browser, tell: Tell) -> None:
        self._browser = browser
        self._tell = tell
        self._lines = Bucket(_LINES_PER_SECOND, _LINES_PER_SECOND * 2)
        self._last_tabs: list[LiveTab] = []

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
            case DialogChanged():
                self._dialog(event)
            case ConsoleWritten(page, level, text, timestamp):
                if self._lines.take():
                    line = {"level": level, "text": text[:_LONGEST_LINE], "timestamp": timestamp}
                    self._tell(EventName.CONSOLE, {"tabId": page.id, **line})

    def _tabs(self, run: ChromiumInstance | None) -> None:
        tabs = tabs_of(run)
        if tabs != self._last_tabs:
            self._last_tabs = tabs
            self._tell(EventName.TABS, {"tabs": [tab.model_dump(mode="json", by_alias=True) for tab in tabs]})

    def _dialog(self, event: DialogChanged) -> None:
        dialog, opened = event.dialog, None
        if dialog is not None:
            opened = {"type": dialog.type.value, "message": dialog.message[:_LONGEST_MESSAGE]}
            if dialog.type is DialogType.PROMPT:
                opened["defaultPrompt"] = dialog.default_prompt or ""
        self._tell(EventName.DIALOG, {"tabId": event.page.id, "dialog": opened})

    def _download(self, download: Download) -> None:
        """Its beginning and its end: the middle is for whoever asks REST."""
        about: Params = {"id": download.id, "filename": download.name[:500]}
        if download.state is DownloadState.IN_PROGRESS:
            self._tell(EventName.DOWNLOAD, {**about, "state": "inProgress"})
        else:
            self._tell(EventName.DOWNLOAD, {**about, "state": str(download.state), "bytes": download.received})
