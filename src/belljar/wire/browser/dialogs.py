"""JavaScript dialogs."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.report import Popup, Report, Reported, StartedDownload


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
