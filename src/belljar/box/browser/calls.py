"""One call on a page: its deadline, its turn, and Chromium's words made ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio

from belljar.box.browser.cdp import CdpClosed, CdpError, CdpGone, TargetCrashed
from belljar.box.browser.dialogs import Dialog
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone
from belljar.problems.browser import (
    BrowserCdpError,
    BrowserNotActive,
    BrowserTimeout,
    FrameGone,
    TabClosed,
    TabCrashed,
)
from belljar.wire.browser.dialogs import DialogInfo

Result = TypeVar("Result")


@dataclass(frozen=True)
class Outcome(Generic[Result]):
    """What an action came to: its value, or the dialog that opened before it was done."""

    page: Page
    value: Result | None
    dialog: Dialog | None = None

    @property
    def dialog_info(self) -> DialogInfo | None:
        return self.dialog.info() if self.dialog is not None else None


@contextmanager
def within(seconds: float, page: Page, *, doing: str) -> Iterator[None]:
    """For calls on the browser, not on a page: a bound, and problems for what the layers below raise."""
    try:
        with in_our_words(page), anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise BrowserTimeout(f"Timed out after {seconds * 1000:.0f} ms while {doing}.") from error


@contextmanager
def in_our_words(page: Page) -> Iterator[None]:
    """Raise problems for what the layers below raise."""
    try:
        yield
    except DocumentGone as error:
        raise FrameGone() from error
    except TargetCrashed as error:
        raise TabCrashed(page.id) from error
    except CdpClosed as error:
        raise BrowserNotActive("The browser ended while this call was running. See GET /v1/browser/status.") from error
    except CdpGone as error:
        raise TabClosed(page.id) from error
    except CdpError as error:
        raise BrowserCdpError(
            "Chromium refused a command.", method=error.method, message=error.message, cdp_code=error.code
        ) from error
