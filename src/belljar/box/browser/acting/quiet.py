"""Knowing when a page that was acted on has come to rest: nothing changes, nothing loads, nothing is about to."""

from dataclasses import dataclass

import anyio

from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, library
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.network import Network

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


def start(page: Page) -> Start:
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
