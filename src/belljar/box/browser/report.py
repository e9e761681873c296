"""What an action changed in its page, for callers who ask: the snapshot's changes and errors, once it is quiet."""

from dataclasses import dataclass

import anyio

from belljar.box.browser.console import Console
from belljar.box.browser.locate import ACTING
from belljar.box.browser.network import Network
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone
from belljar.box.browser.snapshot import SnapshotOptions, Snapshots
from belljar.wire.browser.console import ConsoleLevel
from belljar.wire.browser.report import ReportWish

# Seconds that rest is waited for at most.
PATIENCE = 3.0
MOST_ERRORS = 20


@dataclass(frozen=True)
class Before:
    """Where things stood before the action."""

    revision: int
    console: int
    network: int


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
    taken = await page.watcher(Snapshots).take(SnapshotOptions())
    return Before(taken.revision, page.watcher(Console).ring.cursor, page.watcher(Network).ring.cursor)


def last_look(page: Page) -> Before:
    """For a page that cannot be looked at now, because a dialog stops it: what the last snapshot saw of it."""
    revision = page.watcher(Snapshots).last_revision(SnapshotOptions())
    return Before(revision, page.watcher(Console).ring.cursor, page.watcher(Network).ring.cursor)


async def look_after(page: Page, before: Before, wish: ReportWish) -> Changes:
    """Wait until the page is quiet, then say what is different."""
    was_quiet = await _quiet(page, before, wish.still)
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


async def _quiet(page: Page, before: Before, still: int) -> bool:
    """No change, no request of the action's under way, and a new document there; whether it came to that in time."""
    with anyio.move_on_after(PATIENCE):
        while True:
            await page.until(lambda: "DOMContentLoaded" in page.main.lifecycle or page.dialog is not None)
            try:
                if await page.main.use(ACTING, "quiet", still, PATIENCE * 1000) and not _is_loading(page, before):
                    return True
            except DocumentGone:
                await anyio.lowlevel.checkpoint()
    return False


def _is_loading(page: Page, before: Before) -> bool:
    # Streams and sockets stay open for as long as a page lives.
    return bool(
        page.watcher(Network).ring.read(
            before.network, lambda one: one.is_pending and one.type not in ("EventSource", "WebSocket", "Media")
        )
    )
