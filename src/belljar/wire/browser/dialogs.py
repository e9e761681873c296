"""JavaScript dialogs."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


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


class DialogRequest(Model):
    accept: bool = Field(description="True presses OK (or Leave), false Cancel (or Stay).")
    text: str | None = Field(None, description="What to enter in a prompt; its default where absent.")
    tab_id: str | None = Field(None, description="The tab; the active one where absent.")


class DialogResult(Model):
    ok: bool = True
    dialog: DialogInfo = Field(description="The dialog that was answered.")


class OpenDialog(Model):
    dialog: DialogInfo | None = None
    tab_id: str
