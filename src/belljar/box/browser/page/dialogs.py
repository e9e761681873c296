"""JavaScript dialogs: alert, confirm, prompt and beforeunload, which stop a page until somebody answers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from belljar.box.browser.cdp.events import DialogOpening
from belljar.box.record.bus import current_cause
from belljar.problems.browser import DialogNotFound
from belljar.wire.browser.common import DialogInfo, DialogType

if TYPE_CHECKING:
    from belljar.box.browser.page.page import Page


@dataclass(frozen=True, eq=False)
class Dialog:
    """An open dialog.  Two dialogs with the same words are still two."""

    type: DialogType
    message: str
    default_prompt: str | None

    @classmethod
    def from_event(cls, event: DialogOpening) -> "Dialog":
        return cls(event.type, event.message, event.default_prompt if event.type is DialogType.PROMPT else None)

    def info(self) -> DialogInfo:
        return DialogInfo(type=self.type, message=self.message, default_prompt=self.default_prompt)

    def body(self) -> dict[str, object]:
        """As a member of a problem."""
        return self.info().model_dump(mode="json", by_alias=True, exclude_none=True)


async def answer(page: "Page", *, accept: bool, text: str | None) -> Dialog:
    """Press OK or Cancel, and wait until the dialog is gone.  A prompt accepted without text keeps its default."""
    dialog = page.dialog
    if dialog is None:
        raise DialogNotFound()
    given = text if text is not None else dialog.default_prompt
    page.answered_by = current_cause()
    await page.session.send("Page.handleJavaScriptDialog", accept=accept, promptText=given or "")
    await page.until(lambda: page.dialog is not dialog)
    return dialog
