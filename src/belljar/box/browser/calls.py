"""One call on a page: its deadline, its turn, and Chromium's words made ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from belljar.box.browser.cdp import CdpClosed, CdpError, CdpGone, TargetCrashed
from belljar.box.browser.dialogs import Dialog
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone
from belljar.problems.browser import (
    BrowserCdpError,
    BrowserNotActive,
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
def in_our_words(tab_id: str) -> Iterator[None]:
    """Raise problems for what the layers below raise."""
    try:
        yield
    except DocumentGone as error:
        raise FrameGone() from error
    except TargetCrashed as error:
        raise TabCrashed(tab_id) from error
    except CdpClosed as error:
        raise BrowserNotActive.meanwhile() from error
    except CdpGone as error:
        raise TabClosed(tab_id) from error
    except CdpError as error:
        raise BrowserCdpError(
            "Chromium refused a command.", method=error.method, message=error.message, cdp_code=error.code
        ) from error
