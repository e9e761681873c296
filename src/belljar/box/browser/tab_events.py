"""Events of tabs, as values, for those who watch: pages, dialogs, what pages write to their console.

What callers may look up later is kept elsewhere: by `events`, and by the page's console and the downloads.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import anyio

from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.console import formatted

Params = dict[str, Any]
_TITLE_SECONDS = 1.0


@dataclass(frozen=True)
class TabsChanged:
    """One opened, closed, moved or got another title, or another one is active; none while no Chromium runs."""

    run: ChromiumInstance | None


@dataclass(frozen=True)
class Navigated:
    """A tab shows another document, or is elsewhere in the same."""

    page: Page
    url: str


@dataclass(frozen=True)
class DialogChanged:
    """A dialog opened, or with None was closed."""

    page: Page
    dialog: Dialog | None


@dataclass(frozen=True)
class ConsoleWritten:
    """`level` is the method of `console` that was called; `timestamp` is in milliseconds since 1970."""

    page: Page
    level: str
    text: str
    timestamp: float


Event = TabsChanged | Navigated | DialogChanged | ConsoleWritten


class Following:
    """Tells of the tabs of one life of Chromium that are not hidden.  `tell` must not wait."""

    def __init__(self, run: ChromiumInstance, tell: Callable[[Event], None]) -> None:
        self._run = run
        self._tell = tell

    async def watch_tabs(self) -> None:
        """Chromium tells of new addresses, not of new titles: those are asked for now and then."""
        tabs = self._run.tabs
        while not self._run.connection.is_closed:
            self._tell_tabs()
            with anyio.move_on_after(_TITLE_SECONDS):
                await tabs.changed.changed()
                continue
            tabs.refresh_titles()

    def begin(self, stops: ExitStack) -> None:
        tabs = self._run.tabs

        def follow(page: Page) -> None:
            self._follow_page(page, stops)

        for page in tabs.pages.values():
            follow(page)
        tabs.on_attached.append(follow)
        stops.callback(tabs.on_attached.remove, follow)
        # The title may come after the event that the page is there.
        stops.callback(self._run.connection.browser.on("Target.targetInfoChanged", lambda _: self._tell_tabs()))

    def _follow_page(self, page: Page, stops: ExitStack) -> None:
        for event, callback in {
            "Page.frameNavigated": lambda params: self._navigated(page, params["frame"]),
            "Page.navigatedWithinDocument": lambda params: self._moved_within(page, params),
            "Page.javascriptDialogOpening": lambda params: self._dialog(page, Dialog.from_event(params)),
            "Page.javascriptDialogClosed": lambda params: self._dialog(page, None),
            "Runtime.consoleAPICalled": lambda params: self._written(page, params),
            "Runtime.exceptionThrown": lambda params: self._thrown(page, params),
        }.items():
            stops.callback(page.session.on(event, callback))

    def _tell_tabs(self) -> None:
        self._tell(TabsChanged(self._run))

    def _navigated(self, page: Page, frame: Params) -> None:
        if frame.get("parentId") is None and not page.is_hidden:
            self._tell(Navigated(page, frame["url"] + frame.get("urlFragment", "")))
            self._tell_tabs()

    def _moved_within(self, page: Page, params: Params) -> None:
        if params["frameId"] == page.id and not page.is_hidden:
            self._tell(Navigated(page, params["url"]))
            self._tell_tabs()

    def _dialog(self, page: Page, dialog: Dialog | None) -> None:
        if not page.is_hidden:
            self._tell(DialogChanged(page, dialog))

    def _written(self, page: Page, params: Params) -> None:
        if not page.is_hidden:
            level = "warn" if params["type"] == "warning" else str(params["type"])
            self._tell(ConsoleWritten(page, level, formatted(params["args"]), params["timestamp"]))

    def _thrown(self, page: Page, params: Params) -> None:
        if not page.is_hidden:
            details = params["exceptionDetails"]
            thrown = details.get("exception", {})
            text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
            self._tell(ConsoleWritten(page, "error", f"Uncaught {text}", params["timestamp"]))
