"""What listens to every page from its first moment on."""

from collections.abc import Sequence

from belljar.box.browser.choosers import Choosers
from belljar.box.browser.console import Console
from belljar.box.browser.network import Network
from belljar.box.browser.page import Page, Watcher
from belljar.box.browser.snapshot import Snapshots


def watchers_of(page: Page) -> Sequence[Watcher]:
    """The watchers of a new page; `page.watcher(kind)` finds them again."""
    return (Console(page), Network(page), Snapshots(page), Choosers(page))
