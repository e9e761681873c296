"""File choosers: never shown, always noted, so that a page that asks for files waits for nobody."""

from dataclasses import dataclass
from typing import Any

from belljar.box.browser.cdp import Session
from belljar.box.browser.page import Page, Part


@dataclass(frozen=True)
class Chooser:
    """A page's question for files, and the input that gets them."""

    session: Session
    node: int
    is_multiple: bool


class Choosers:
    """Keeps the last question that was not answered."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.open: Chooser | None = None
        page.frames.on_navigated.append(lambda frame: self._navigated(frame is page.main))

    def attach(self, session: Session, part: Part) -> None:
        if part is Part.WORKER:
            return
        session.on("Page.fileChooserOpened", lambda params: self._opened(session, params))
        session.tell("Page.setInterceptFileChooserDialog", enabled=True)

    def take(self) -> Chooser | None:
        """The open question, which is answered now."""
        chooser, self.open = self.open, None
        return chooser if chooser is not None and not chooser.session.is_gone else None

    def _opened(self, session: Session, params: dict[str, Any]) -> None:
        # Pickers that scripts open without an input have no node to give files to; they are refused by Chromium.
        if "backendNodeId" in params:
            self.open = Chooser(session, params["backendNodeId"], params["mode"] == "selectMultiple")
            self._page.changed.fire()

    def _navigated(self, is_main: bool) -> None:
        if is_main:
            self.open = None
