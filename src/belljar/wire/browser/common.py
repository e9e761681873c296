"""Fields that browser requests share, and what answers tell of an action: navigation, dialogs, reports."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from belljar.wire.base import Model

MAX_TIMEOUT_MS = 600_000
Milliseconds = Annotated[int, Field(ge=1, le=MAX_TIMEOUT_MS)]


class OnTab(Model):
    """A request that works on one tab within a deadline."""

    tab_id: str | None = Field(None, description="The tab; the active one where absent.")
    timeout: Milliseconds | None = Field(None, description="Milliseconds; the server's default where absent.")

    @property
    def seconds(self) -> float | None:
        return None if self.timeout is None else self.timeout / 1000


class OnFrame(OnTab):
    frame: str | None = Field(
        None, description="A frame of the tab, by id or by a selector of its element; the main frame where absent."
    )


class ReportWish(Model):
    """How a report shall be, where the usual way does not fit."""

    still: int = Field(default=100, ge=0, le=3000, description="Milliseconds without a change that are taken for rest.")
    eager: bool = Field(
        default=False,
        description="Do not wait for rest once the page has changed and has set no timer since the action, asked for "
        "no frame, and made no request that is not answered.",
    )
    since_last: bool = Field(
        default=False,
        description="Tell what changed since the tab was last looked at, not since just before the action.",
    )


class Reported(OnTab):
    """An action whose caller may ask what it caused."""

    report: bool | ReportWish = Field(
        False, description="Whether, and how, to answer with what the action caused, once the page is quiet."
    )

    @property
    def wish(self) -> ReportWish | None:
        """How the report shall be; None where none is wanted."""
        if isinstance(self.report, ReportWish):
            return self.report
        return ReportWish() if self.report else None


class Popup(Model):
    """A tab that the action opened; it is the active one now."""

    tab_id: str
    url: str


class FileChooser(Model):
    """The page asks for files: give them with POST /v1/browser/upload without a selector."""

    multiple: bool


class StartedDownload(Model):
    id: str = Field(description="As in GET /v1/browser/downloads.")
    name: str


class Report(Model):
    """What the action changed, once the page was quiet."""

    url: str
    snapshot: str = Field(
        description="The snapshot's changes: `+` new, `-` gone, `~` changed, `@` where; empty for none."
    )
    revision: int = Field(description="Of the snapshot after the action, for `since`.")
    whole: bool = Field(False, description="True when `snapshot` is all of it, because too much changed.")
    quiet: bool = Field(True, description="False when the page did not come to rest in time.")
    console_errors: list[str] = []


class DialogType(StrEnum):
    ALERT = "alert"
    CONFIRM = "confirm"
    PROMPT = "prompt"
    BEFOREUNLOAD = "beforeunload"


class DialogInfo(Model):
    """A dialog that is open."""

    type: DialogType
    message: str
    default_prompt: str | None = Field(None, description="What a prompt offers; used when it is accepted without text.")


class DialogRequest(Reported):
    accept: bool = Field(description="True presses OK (or Leave), false Cancel (or Stay).")
    text: str | None = Field(None, description="What to enter in a prompt; its default where absent.")


class DialogResult(Model):
    ok: bool = True
    dialog: DialogInfo = Field(description="The dialog that was answered.")
    next: DialogInfo | None = Field(None, description="With `report`: a dialog that the page opened after it.")
    popup: Popup | None = Field(None, description="With `report`: a tab that the answer opened.")
    navigated: str | None = Field(None, description="With `report`: the address that the answer led to.")
    download: StartedDownload | None = Field(None, description="With `report`: a file that began to be saved.")
    report: Report | None = Field(None, description="With `report: true`.")


class OpenDialog(Model):
    dialog: DialogInfo | None = None
    tab_id: str


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
