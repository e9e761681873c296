"""What an action changed in its page, for callers who ask: the snapshot's changes and errors, once it is quiet."""

from dataclasses import dataclass

from belljar.box.browser.console import Console
from belljar.box.browser.page import Page
from belljar.box.browser.rest import Start, rest, start
from belljar.box.browser.snapshot import SnapshotOptions, Snapshots
from belljar.wire.browser.console import ConsoleLevel
from belljar.wire.browser.report import ReportWish

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
    return Before(revision, page.watcher(Console).ring.cursor, start(page))


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
