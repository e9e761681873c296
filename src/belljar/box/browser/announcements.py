"""What happens to the browser as a whole, kept for those who ask and those who follow."""

from datetime import UTC, datetime

from belljar.box.browser.downloads import Download
from belljar.box.browser.page import Page
from belljar.box.browser.ring import Ring
from belljar.box.browser.tabs import Tabs
from belljar.wire.browser.events import BrowserEvent, EventKind


class Announcements:
    """The last 1,000; nothing of a page's content is among it."""

    def __init__(self) -> None:
        self.ring: Ring[BrowserEvent] = Ring()

    def tell(self, kind: EventKind, **fields: str | None) -> None:
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        self.ring.put(self.ring.cursor, BrowserEvent.model_validate({"kind": kind, "timestamp": now, **fields}))

    def follow(self, tabs: Tabs) -> None:
        """Tell of the tabs of one life of Chromium."""
        tabs.on_opened.append(lambda page: self.tell(EventKind.TAB_OPENED, tab_id=page.id))
        tabs.on_closed.append(lambda page: self.tell(EventKind.TAB_CLOSED, tab_id=page.id))
        tabs.on_attached.append(self._follow_page)

    def follow_download(self, download: Download) -> None:
        self.tell(EventKind.DOWNLOAD, download_id=download.id, state=download.state)

    def _follow_page(self, page: Page) -> None:
        page.on_crash.append(lambda page: self.tell(EventKind.TAB_CRASHED, tab_id=page.id))
        page.on_dialog.append(lambda dialog: self.tell(EventKind.DIALOG_OPENED, tab_id=page.id))
