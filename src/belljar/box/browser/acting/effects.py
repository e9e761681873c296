"""Effects of an action: a popup, a navigation, a download; and for callers who ask, the page's changes.

Those are looked for when the page has come to rest: nothing changes, nothing loads, nothing is about to.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import anyio

from belljar.box.browser.cdp.events import (
    DownloadWillBegin,
    FileChooserOpened,
    FrameRequestedNavigation,
    FrameStartedNavigating,
    FrameStoppedLoading,
    LoadingFailed,
    PageDownloadWillBegin,
    ResponseReceived,
)
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, Frame, library
from belljar.box.browser.page.page import Page
from belljar.box.browser.page.tabs import Tabs
from belljar.box.browser.reading.console import Console
from belljar.box.browser.reading.network import Network
from belljar.box.browser.reading.snapshot import SnapshotOptions, Snapshots
from belljar.wire.browser.common import ReportWish
from belljar.wire.browser.reading import ConsoleLevel

# Seconds that a new document may take to be parsed before the action that brought it is answered all the same.
PARSING = 1.0
# Seconds in which a download begins after the navigation it came of was given up.
SAVING = 2.0
# Answers that leave the page where it is and bring nothing to save.
_EMPTY = (204, 205)


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
        # Of those, the ones that Chromium is known to be loading: an older document may still say that it is done.
        self._loading: set[str] = set()
        # Frames whose answer turned out to be a file.  Chromium says so some milliseconds before the download begins.
        self._saving: set[str] = set()
        # The frames of answers that came for documents, by request.
        self._answered: dict[str, str] = {}

    async def settle(self, deadline: float) -> None:
        """Wait until frames that are being navigated have their new document, or turn out to get none.

        So the next call does not meet a document that is about to go, nor one that is not parsed yet.  A dialog ends
        the wait.
        """
        if not self._leaving and not self._saving and self.navigated is None:
            return
        with anyio.CancelScope(deadline=deadline):
            await self._until(lambda: not self._leaving)
            with anyio.move_on_after(SAVING):
                await self._until(lambda: not self._saving)
            if self.navigated is not None:
                with anyio.move_on_after(PARSING):
                    await self._until(lambda: "DOMContentLoaded" in self._page.main.lifecycle)

    async def _until(self, is_true: Callable[[], bool]) -> None:
        await self._page.until(lambda: is_true() or self._page.dialog is not None)

    def requested(self, event: FrameRequestedNavigation) -> None:
        if event.disposition == "currentTab":
            self._leaving.add(event.frame_id)

    def began_loading(self, event: FrameStartedNavigating) -> None:
        if event.frame_id in self._leaving:
            self._loading.add(event.frame_id)

    def responded(self, event: ResponseReceived) -> None:
        if event.type == "Document" and event.response.status not in _EMPTY:
            self._answered[event.request_id] = event.frame_id

    def failed(self, event: LoadingFailed) -> None:
        """An answer that is no page: given up, to be saved."""
        frame_id = self._answered.pop(event.request_id, None)
        if frame_id is not None and event.error_text == "net::ERR_ABORTED":
            self._saving.add(frame_id)

    def stopped_loading(self, event: FrameStoppedLoading) -> None:
        if event.frame_id in self._loading:
            self._left(event.frame_id)

    def download_announced(self, event: PageDownloadWillBegin) -> None:
        """By the page, ahead of the browser: until that has told too, nobody could find the download."""
        if self._is_ours(event.frame_id):
            if event.guid not in self.downloads:
                self._saving.add(event.frame_id)
            self._left(event.frame_id)

    def download_began(self, event: DownloadWillBegin) -> None:
        if self._is_ours(event.frame_id):
            self.downloads[event.guid] = event.suggested_filename
            self._saving.discard(event.frame_id)
            self._left(event.frame_id)

    def _is_ours(self, frame_id: str) -> bool:
        is_popup = self.popup is not None and self.popup.id == frame_id
        return is_popup or self._page.frames.get(frame_id) is not None

    def arrived(self, frame: Frame) -> None:
        self._left(frame.id)
        if frame is self._page.main:
            self.navigated = frame.url

    def _left(self, frame_id: str) -> None:
        self._leaving.discard(frame_id)
        self._loading.discard(frame_id)
        self._page.changed.fire()

    def opened(self, page: Page) -> None:
        if page.opener_id == self._page.id:
            self.popup = page

    def chooser_opened(self, event: FileChooserOpened) -> None:
        self.chooser_is_multiple = event.mode == "selectMultiple"


@contextmanager
def watch_effects(page: Page, tabs: Tabs) -> Iterator[Effects]:
    """Note what happens to the page in the block."""
    effects = Effects(page)
    stops: list[Callable[[], None]] = []
    for session in page.sessions:
        stops.append(session.on(FrameRequestedNavigation, effects.requested))
        stops.append(session.on(FrameStartedNavigating, effects.began_loading))
        stops.append(session.on(FrameStoppedLoading, effects.stopped_loading))
        stops.append(session.on(ResponseReceived, effects.responded))
        stops.append(session.on(LoadingFailed, effects.failed))
        stops.append(session.on(PageDownloadWillBegin, effects.download_announced))
        stops.append(session.on(FileChooserOpened, effects.chooser_opened))
    stops.append(page.session.connection.browser.on(DownloadWillBegin, effects.download_began))
    page.frames.on_navigated.append(effects.arrived)
    tabs.on_opened.append(effects.opened)
    try:
        yield effects
    finally:
        for stop in stops:
            stop()
        page.frames.on_navigated.remove(effects.arrived)
        tabs.on_opened.remove(effects.opened)


# Seconds that rest is waited for at most.
PATIENCE = 3.0
REST = library("rest")
# Of a document's changes none is known: that it came is a change.
_NEW_DOCUMENT = -1
# More than there can be: nothing is foreseen.
_ENDLESS = 2**53


class _Rest(Part):
    is_still: bool
    changes: int


@dataclass(frozen=True)
class Start:
    """From where on changes, requests and messages are the action's."""

    document: str
    requests: int
    messages: int


def _start(page: Page) -> Start:
    """Watch the page from now on.  Nothing is waited for: it may be stuck."""
    page.main.tell(REST, "watch")
    network = page.watcher(Network)
    return Start(page.main.loader_id, network.ring.cursor, network.messages_sent)


async def rest(page: Page, since: Start, still: int, *, eager: bool) -> bool:
    """Wait for `still` ms without a change, no request of the action's under way, and a new document parsed.

    Whether it came to that in time.  With `eager` a page that has changed is at rest as soon as it has nothing planned:
    no timer, no frame, no request that is not answered.
    """
    network = page.watcher(Network)
    known, document = (0 if eager else _ENDLESS), since.document
    with anyio.move_on_after(PATIENCE):
        while True:
            await page.until(lambda: "DOMContentLoaded" in page.main.lifecycle or page.dialog is not None)
            if eager and page.main.loader_id != document:
                known, document = _NEW_DOCUMENT, page.main.loader_id
            # What is said through a socket is answered without a request.
            has_spoken = network.messages_sent > since.messages
            try:
                beyond = _ENDLESS if has_spoken else known
                seen = await page.main.use(REST, "rest", still, PATIENCE * 1000, beyond, kind=_Rest)
            except DocumentGone:
                await anyio.lowlevel.checkpoint()
                continue
            if not seen.is_still:
                continue
            # A body that nobody reads is long in coming: where the page has changed since, it had its answer.
            if not network.is_loading(since.requests, unanswered_only=seen.changes > max(known, 0)):
                page.main.tell(REST, "end")
                return True
            known = max(known, seen.changes)
            is_unanswered = network.is_loading(since.requests, unanswered_only=True)
            await network.loaded(since.requests, unanswered_only=eager and is_unanswered)
    return False


MOST_ERRORS = 20


@dataclass(frozen=True)
class Before:
    """Where things stood before the action."""

    revision: int
    console: int
    start: Start


@dataclass(frozen=True)
class Changes:
    """`snapshot` is what changed, or with `is_whole` all of it; `was_quiet` is false for a page that never rests."""

    snapshot: str
    revision: int
    is_whole: bool
    was_quiet: bool
    errors: list[str]


async def look_before(page: Page, wish: ReportWish) -> Before:
    last = last_look(page)
    if wish.since_last and last.revision:
        return last
    await page.watcher(Snapshots).take(SnapshotOptions())
    return last_look(page)


def last_look(page: Page) -> Before:
    """For a page that cannot be looked at now, because a dialog stops it: what the last snapshot saw of it."""
    revision = page.watcher(Snapshots).last_revision(SnapshotOptions())
    return Before(revision, page.watcher(Console).ring.cursor, _start(page))


async def look_after(page: Page, before: Before, wish: ReportWish) -> Changes:
    """Wait until the page is quiet, then say what is different."""
    was_quiet = await rest(page, before.start, wish.still, eager=wish.eager)
    snapshots = page.watcher(Snapshots)
    taken = await snapshots.take(SnapshotOptions())
    changes = "" if taken.revision == before.revision else snapshots.changes(before.revision, taken)
    messages = page.watcher(Console).ring.read(before.console, lambda message: message.level is ConsoleLevel.ERROR)
    return Changes(
        snapshot=taken.text if changes is None else changes,
        revision=taken.revision,
        is_whole=changes is None,
        was_quiet=was_quiet,
        errors=[message.text for message in messages[-MOST_ERRORS:]],
    )
