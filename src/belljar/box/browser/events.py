"""Events of the browser and its tabs: the last so many, numbered, to read again or to follow."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from typing import Generic, TypeVar

from belljar.box.browser.page.page import Page
from belljar.box.browser.page.tabs import Tabs
from belljar.box.browser.reading.downloads import Download
from belljar.tasks import Signal
from belljar.wire.browser.lifecycle import BrowserEvent, EventKind

Item = TypeVar("Item")
RING_SIZE = 1_000


class Ring(Generic[Item]):
    """Items by key.  An item that changes is put again: it gets a new number and comes last.

    The one that has not changed for longest is dropped when the ring is full.
    """

    def __init__(self, size: int = RING_SIZE) -> None:
        self._size = size
        self._items: OrderedDict[Hashable, tuple[int, Item]] = OrderedDict()
        self._changed = Signal()
        self.cursor = 0
        self.is_closed = False
        # Called with what has to go.
        self.on_drop: Callable[[Item], None] | None = None

    def put(self, key: Hashable, item: Item) -> None:
        self.cursor += 1
        self._items[key] = (self.cursor, item)
        self._items.move_to_end(key)
        if len(self._items) > self._size:
            dropped = self._items.popitem(last=False)[1][1]
            if self.on_drop is not None:
                self.on_drop(dropped)
        self._changed.fire()

    def get(self, key: Hashable) -> Item | None:
        found = self._items.get(key)
        return found[1] if found is not None else None

    def read(self, since: int, wants: Callable[[Item], bool]) -> list[Item]:
        """What came or changed after the number `since`, oldest first."""
        found: list[Item] = []
        for number, item in reversed(self._items.values()):
            if number <= since:
                break
            if wants(item):
                found.append(item)
        found.reverse()
        return found

    async def changed(self, since: int) -> None:
        """Wait until there is something after the number `since`, or the ring is closed."""
        await self._changed.until(lambda: self.is_closed or self.cursor > since)

    def close(self) -> None:
        self.is_closed = True
        self._changed.fire()


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
        for page in tabs.pages.values():
            self._follow_page(page)
        tabs.on_attached.append(self._follow_page)

    def follow_download(self, download: Download) -> None:
        self.tell(EventKind.DOWNLOAD, download_id=download.id, state=download.state)

    def _follow_page(self, page: Page) -> None:
        page.on_crash.append(lambda page: self.tell(EventKind.TAB_CRASHED, tab_id=page.id))
        page.on_dialog.append(lambda dialog: self.tell(EventKind.DIALOG_OPENED, tab_id=page.id))
