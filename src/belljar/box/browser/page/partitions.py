"""Partitions: tabs with cookies and storage of their own; and spare tabs, because opening one takes time."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import anyio

from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.cdp.replies import ContextMade
from belljar.box.browser.page.emulation import Emulation, Viewport
from belljar.box.browser.page.page import Page
from belljar.problems import Problem
from belljar.problems.browser import PartitionNotFound

# How long one may take to open.
PATIENCE = 10.0


class Spare:
    """The one of a partition, when there is one."""

    def __init__(self) -> None:
        self.page: Page | None = None
        # Held while it is opened or taken.
        self._turn = anyio.Lock()

    async def lay_in(self, open: Callable[[], Awaitable[Page]]) -> None:
        """Have one, if there is none.  One that cannot be had is no reason for a call to fail."""
        with anyio.move_on_after(PATIENCE), suppress(CdpError, CdpGone, Problem):
            async with self._turn:
                if self.page is None or self.page.is_closed:
                    self.page = await open()

    async def take(self) -> Page | None:
        """What there is, the taker's from now on; one that is just being opened is waited for."""
        async with self._turn:
            page, self.page = self.page, None
        return page if page is not None and not page.is_closed and not page.is_crashed else None


# Each costs Chromium memory for as long as it is there.
MOST_PARTITIONS = 100


@dataclass
class Partition:
    name: str
    # CDP's browserContextId.
    context_id: str
    # Domains whose documents its frames may show; None for all.
    domains: tuple[str, ...] | None = None
    viewport: Viewport | None = None
    # Where a blank tab is kept ready for whoever asks next; None where none is.
    spare: Spare | None = None

    def emulation(self, usual: Emulation) -> Emulation:
        """What its pages are told."""
        told = usual if self.viewport is None else usual.with_viewport(self.viewport)
        # Credentials and domains both need every request stopped, for different reasons; domains are a promise.
        return told if self.domains is None else replace(told, credentials=None)


class Partitions:
    """Of one life of Chromium."""

    def __init__(self, browser: Session) -> None:
        self._browser = browser
        self._by_name: dict[str, Partition] = {}

    def __iter__(self) -> Iterator[Partition]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def get(self, name: str) -> Partition:
        """Raises `PartitionNotFound`."""
        try:
            return self._by_name[name]
        except KeyError:
            raise PartitionNotFound(name) from None

    def find(self, name: str) -> Partition | None:
        return self._by_name.get(name)

    def of(self, context_id: str | None) -> Partition | None:
        """The partition that a page's context is."""
        return next((partition for partition in self if partition.context_id == context_id), None)

    async def create(self, name: str) -> Partition:
        made = await self._browser.send_as(ContextMade, "Target.createBrowserContext", disposeOnDetach=True)
        partition = Partition(name, made.browser_context_id)
        # Chromium knows one answer to whether it tells of downloads, for all contexts: the others' are to be told of.
        self._browser.tell(
            "Browser.setDownloadBehavior", behavior="deny", browserContextId=partition.context_id, eventsEnabled=True
        )
        self._by_name[name] = partition
        return partition

    async def delete(self, partition: Partition) -> None:
        """With its tabs, cookies and storage."""
        self._by_name.pop(partition.name, None)
        await self._browser.send("Target.disposeBrowserContext", browserContextId=partition.context_id)
