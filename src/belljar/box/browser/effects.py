"""What an action causes while it goes on: a popup, a navigation, a download, a file chooser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio

from belljar.box.browser.frames import Frame
from belljar.box.browser.page import Page
from belljar.box.browser.tabs import Tabs

Params = dict[str, Any]


class Effects:
    """Filled by events for as long as the action is watched."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.popup: Page | None = None
        # The address the page went to, within its document or to another.
        self.navigated: str | None = None
        self.chooser_is_multiple: bool | None = None
        # Names of files that began to be saved, by the download's id.
        self.downloads: dict[str, str] = {}
        # Frames that asked to go somewhere and are not there yet.
        self._leaving: set[str] = set()

    async def settle(self, deadline: float) -> None:
        """Wait until frames that are being navigated have their new document, or turn out to get none.

        So the next call does not meet a document that is about to go.  A dialog ends the wait.
        """
        if not self._leaving:
            return
        with anyio.CancelScope(deadline=deadline):
            await self._page.until(lambda: not self._leaving or self._page.dialog is not None)

    def requested(self, params: Params) -> None:
        if params.get("disposition", "currentTab") == "currentTab":
            self._leaving.add(params["frameId"])

    def stayed(self, params: Params) -> None:
        self._leaving.discard(params["frameId"])
        self._page.changed.fire()

    def download_began(self, params: Params) -> None:
        if self._page.frames.get(params["frameId"]) is not None:
            self.downloads[params["guid"]] = params.get("suggestedFilename", "")
            self.stayed(params)

    def arrived(self, frame: Frame) -> None:
        self._leaving.discard(frame.id)
        if frame is self._page.main:
            self.navigated = frame.url

    def opened(self, page: Page) -> None:
        if page.opener_id == self._page.id:
            self.popup = page

    def chooser_opened(self, params: Params) -> None:
        self.chooser_is_multiple = params["mode"] == "selectMultiple"


@contextmanager
def watched(page: Page, tabs: Tabs) -> Iterator[Effects]:
    """Note what happens to the page in the block."""
    effects = Effects(page)
    stops: list[Callable[[], None]] = []
    for session in page.sessions:
        stops.append(session.on("Page.frameRequestedNavigation", effects.requested))
        stops.append(session.on("Page.frameStoppedLoading", effects.stayed))
        stops.append(session.on("Page.downloadWillBegin", effects.download_began))
        stops.append(session.on("Page.fileChooserOpened", effects.chooser_opened))
    stops.append(page.session.connection.browser.on("Browser.downloadWillBegin", effects.download_began))
    page.frames.on_navigated.append(effects.arrived)
    tabs.on_opened.append(effects.opened)
    try:
        yield effects
    finally:
        for stop in stops:
            stop()
        page.frames.on_navigated.remove(effects.arrived)
        tabs.on_opened.remove(effects.opened)
