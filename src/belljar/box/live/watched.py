"""What there is to look at in the browser, and waiting until that is another thing."""

from collections.abc import Callable

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.page import Page
from belljar.box.browser.run import Run
from belljar.box.browser.signal import Signal
from belljar.problems.browser import BrowserNotActive, TabNotFound


def run_of(browser: Browser) -> Run | None:
    """The life of Chromium there is now."""
    try:
        return browser.run
    except BrowserNotActive:
        return None


def active_page(browser: Browser) -> Page | None:
    run = run_of(browser)
    return None if run is None else active_page_of(run)


def active_page_of(run: Run) -> Page | None:
    try:
        return run.tabs.active
    except TabNotFound:
        return None


async def until(is_true: Callable[[], bool], *signals: Signal) -> None:
    """Wait until `is_true()`, asked at once and after every change of any of `signals`."""
    async with anyio.create_task_group() as tasks:

        async def wait(signal: Signal) -> None:
            await signal.until(is_true)
            tasks.cancel_scope.cancel()

        for signal in signals:
            tasks.start_soon(wait, signal)
