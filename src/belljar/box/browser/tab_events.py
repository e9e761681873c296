"""Events of tabs, as values, for those who watch: pages, dialogs, what pages write to their console.

What callers may look up later is kept elsewhere: by `events`, and by the page's console and the downloads.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

import anyio

from belljar.box.browser.asking.asks import Asks
from belljar.box.browser.cdp.events import (
    ConsoleCalled,
    DialogClosed,
    DialogOpening,
    ExceptionThrown,
    FrameNavigated,
    FrameStartedLoading,
    FrameStoppedLoading,
    NavigatedWithinDocument,
    TargetInfoChanged,
)
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.frames import describe_thrown
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.console import formatted

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
class AsksChanged:
    """A page asks something else of a person than before, or nothing any more."""

    page: Page


@dataclass(frozen=True)
class ConsoleWritten:
    """`level` is the method of `console` that was called; `timestamp` is in milliseconds since 1970."""

    page: Page
    level: str
    text: str
    timestamp: float


Event = TabsChanged | Navigated | DialogChanged | AsksChanged | ConsoleWritten


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
        stops.callback(self._run.connection.browser.on(TargetInfoChanged, lambda _: self._tell_tabs()))

    def _follow_page(self, page: Page, stops: ExitStack) -> None:
        session = page.session
        for stop in (
            session.on(FrameNavigated, lambda event: self._navigated(page, event)),
            session.on(NavigatedWithinDocument, lambda event: self._moved_within(page, event)),
            session.on(DialogOpening, lambda event: self._dialog(page, Dialog.from_event(event))),
            session.on(DialogClosed, lambda _: self._dialog(page, None)),
            session.on(FrameStartedLoading, lambda event: self._loads(page, event)),
            session.on(FrameStoppedLoading, lambda event: self._loads(page, event)),
            session.on(ConsoleCalled, lambda event: self._written(page, event)),
            session.on(ExceptionThrown, lambda event: self._thrown(page, event)),
        ):
            stops.callback(stop)
        changes = page.watcher(Asks).on_change
        changes.append(self._asks)
        stops.callback(changes.remove, self._asks)

    def _asks(self, page: Page) -> None:
        self._tell(AsksChanged(page))

    def _tell_tabs(self) -> None:
        self._tell(TabsChanged(self._run))

    def _navigated(self, page: Page, event: FrameNavigated) -> None:
        if event.frame.parent_id is None and not page.is_hidden:
            self._tell(Navigated(page, event.frame.url + event.frame.url_fragment))
            self._tell_tabs()

    def _moved_within(self, page: Page, event: NavigatedWithinDocument) -> None:
        if event.frame_id == page.id and not page.is_hidden:
            self._tell(Navigated(page, event.url))
            self._tell_tabs()

    def _loads(self, page: Page, event: FrameStartedLoading | FrameStoppedLoading) -> None:
        if event.frame_id == page.id and not page.is_hidden:
            self._tell_tabs()

    def _dialog(self, page: Page, dialog: Dialog | None) -> None:
        if not page.is_hidden:
            self._tell(DialogChanged(page, dialog))

    def _written(self, page: Page, event: ConsoleCalled) -> None:
        if not page.is_hidden:
            level = "warn" if event.type == "warning" else event.type
            self._tell(ConsoleWritten(page, level, formatted(event.args), event.timestamp))

    def _thrown(self, page: Page, event: ExceptionThrown) -> None:
        if not page.is_hidden:
            text = describe_thrown(event.exception_details)
            self._tell(ConsoleWritten(page, "error", f"Uncaught {text}", event.timestamp))
