"""Console lines out of CDP's events, short enough to send to everybody."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.console import formatted
from belljar.box.browser.reading.downloads import Download
from belljar.box.live.active_source import active_page_of, run_of
from belljar.limits import Bucket
from belljar.tasks import background
from belljar.wire.browser.storage import DownloadState
from belljar.wire.live import EventName, LiveTab

Params = dict[str, Any]
_LONGEST_LINE = 2000


def console_line(params: Params) -> Params:
    """`level` is the method of `console` that was called."""
    level = {"warning": "warn"}.get(params["type"], params["type"])
    return {"level": level, "text": formatted(params["args"])[:_LONGEST_LINE], "timestamp": params["timestamp"]}


def exception_line(params: Params) -> Params:
    details = params["exceptionDetails"]
    thrown = details.get("exception", {})
    text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
    return {"level": "error", "text": f"Uncaught {text}"[:_LONGEST_LINE], "timestamp": params["timestamp"]}


# (event, data): to every viewer.
Tell = Callable[[EventName, Params], None]
# A page may write thousands of lines a second; people read fewer.
_LINES_PER_SECOND = 50
_LONGEST_URL = 4096
_TITLE_SECONDS = 1.0


def tabs_of(run: ChromiumInstance | None) -> list[LiveTab]:
    """The tabs, in the order they were opened."""
    if run is None:
        return []
    active = active_page_of(run)
    return [
        LiveTab(id=page.id, url=page.url[:_LONGEST_URL], title=page.title[:500], active=page is active)
        for page in run.tabs.list()
    ]


class Happenings:
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
            await self._follow_runs()
        finally:
            downloads.remove(self._download)

    async def _follow_runs(self) -> None:
        while True:
            run = run_of(self._browser)
            if run is None:
                self._tell_tabs(None)
                await self._browser.changed.changed()
                continue
            with ExitStack() as following:
                self._follow(run, following)
                async with background(lambda run=run: self._watch_tabs(run), name="tabs"):  # type: ignore[misc]
                    await self._browser.changed.until(lambda run=run: run_of(self._browser) is not run)  # type: ignore[misc]

    async def _watch_tabs(self, run: ChromiumInstance) -> None:
        """Chromium tells of new addresses, not of new titles: those are asked for now and then."""
        while not run.connection.is_closed:
            self._tell_tabs(run)
            with anyio.move_on_after(_TITLE_SECONDS):
                await run.tabs.changed.changed()
                continue
            run.connection.browser.ask("Target.getTargets", lambda reply: self._titled(run, reply))

    def _titled(self, run: ChromiumInstance, reply: Params) -> None:
        for target in reply["targetInfos"]:
            page = run.tabs.pages.get(target["targetId"])
            if page is not None and page.title != target.get("title", ""):
                page.title = target["title"]
                run.tabs.changed.fire()

    def _tell_tabs(self, run: ChromiumInstance | None) -> None:
        tabs = tabs_of(run)
        if tabs != self._last_tabs:
            self._last_tabs = tabs
            self._tell(EventName.TABS, {"tabs": [tab.model_dump(mode="json", by_alias=True) for tab in tabs]})

    def _follow(self, run: ChromiumInstance, following: ExitStack) -> None:
        browser = run.connection.browser
        follow_page = self._page_follower(run, following)
        for page in run.tabs.pages.values():
            follow_page(page)
        run.tabs.on_attached.append(follow_page)
        following.callback(run.tabs.on_attached.remove, follow_page)
        # The title may come after the event that the page is there.
        following.callback(browser.on("Target.targetInfoChanged", lambda params: self._tell_tabs(run)))

    def _page_follower(self, run: ChromiumInstance, following: ExitStack) -> Callable[[Page], None]:
        def follow(page: Page) -> None:
            session = page.session
            for event, callback in {
                "Page.frameNavigated": lambda params: self._navigated(run, page, params["frame"]),
                "Page.navigatedWithinDocument": lambda params: self._moved_within(run, page, params),
                "Page.javascriptDialogOpening": lambda params: self._dialog(page, params),
                "Page.javascriptDialogClosed": lambda params: self._dialog(page, None),
                "Runtime.consoleAPICalled": lambda params: self._console(page, console_line(params)),
                "Runtime.exceptionThrown": lambda params: self._console(page, exception_line(params)),
            }.items():
                following.callback(session.on(event, callback))

        return follow

    def _navigated(self, run: ChromiumInstance, page: Page, frame: Params) -> None:
        if frame.get("parentId") is None and not page.is_hidden:
            url = (frame["url"] + frame.get("urlFragment", ""))[:_LONGEST_URL]
            self._tell(EventName.NAVIGATED, {"tabId": page.id, "url": url, "title": page.title[:500]})
            self._tell_tabs(run)

    def _moved_within(self, run: ChromiumInstance, page: Page, params: Params) -> None:
        if params["frameId"] == page.id and not page.is_hidden:
            self._tell(
                EventName.NAVIGATED, {"tabId": page.id, "url": params["url"][:_LONGEST_URL], "title": page.title}
            )
            self._tell_tabs(run)

    def _dialog(self, page: Page, params: Params | None) -> None:
        if page.is_hidden:
            return
        dialog = None
        if params is not None:
            dialog = {"type": params["type"], "message": params["message"][:10_000]}
            if params["type"] == "prompt":
                dialog["defaultPrompt"] = params.get("defaultPrompt", "")
        self._tell(EventName.DIALOG, {"tabId": page.id, "dialog": dialog})

    def _console(self, page: Page, line: Params) -> None:
        if not page.is_hidden and self._lines.take():
            self._tell(EventName.CONSOLE, {"tabId": page.id, **line})

    def _download(self, download: Download) -> None:
        """Its beginning and its end: the middle is for whoever asks REST."""
        told: Params = {"id": download.id, "filename": download.name[:500]}
        if download.state is DownloadState.IN_PROGRESS:
            self._tell(EventName.DOWNLOAD, {**told, "state": "inProgress"})
        else:
            self._tell(EventName.DOWNLOAD, {**told, "state": str(download.state), "bytes": download.received})
