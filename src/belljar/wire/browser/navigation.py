"""Going somewhere."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.dialogs import DialogInfo
from belljar.wire.browser.report import Popup, Report, Reported


class WaitUntil(StrEnum):
    LOAD = "load"
    DOMCONTENTLOADED = "domcontentloaded"
    NETWORKIDLE = "networkidle"


class NavigateRequest(Reported):
    url: str = Field(min_length=1, max_length=2_000_000, examples=["https://example.com/"])
    wait_until: WaitUntil = Field(WaitUntil.LOAD, description="How far the page must have come.")


class HistoryRequest(Reported):
    wait_until: WaitUntil = WaitUntil.LOAD


class ReloadRequest(HistoryRequest):
    ignore_cache: bool = False


class PageInfo(Model):
    """Where the tab is now."""

    url: str
    title: str
    status: int | None = Field(
        None, description="The document's HTTP status, redirects followed; 0 where no HTTP was involved."
    )
    moved: bool = Field(
        True, description="False when the page stayed where it was: the end of history, 204, a download."
    )
    download: bool | None = Field(None, description="True when the address was a download.")
    dialog: DialogInfo | None = Field(None, description="A dialog that opened before the page was there.")
    tab_id: str
    popup: Popup | None = Field(None, description="With `report`: a tab that the page opened.")
    report: Report | None = Field(None, description="With `report: true`.")
