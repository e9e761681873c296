"""A file chooser, as a person is asked: which files the page would like; they come by `upload`."""

from belljar.box.browser.acting.upload import Chooser, Choosers
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.cdp.replies import ResolvedNode
from belljar.box.browser.page.page import Page
from belljar.problems import InvalidRequest
from belljar.problems.browser import AskNotFound
from belljar.wire.browser.asks import AnswerRequest, Ask

_LONGEST = 500
_LONGEST_LABEL = 200
# Told to the page as Chromium does when a person closes the chooser.
_CANCELED = "function() { this.dispatchEvent(new Event('cancel', { bubbles: true })) }"


class FileAsk:
    def __init__(self, page: Page, id: str, chooser: Chooser, choosers: Choosers) -> None:
        self._chooser = chooser
        self._choosers = choosers
        about = chooser.attributes
        label = next((about[name] for name in ("aria-label", "title", "name") if about.get(name)), "")
        frame = chooser.frame or page.main
        self.info = Ask(
            id=id,
            tab_id=page.id,
            kind="file",
            origin=frame.origin[:_LONGEST],
            site=page.main.origin[:_LONGEST],
            label=label[:_LONGEST_LABEL],
            multiple=chooser.is_multiple,
            accept=about.get("accept", "")[:_LONGEST] or None,
            directory="webkitdirectory" in about or None,
        )

    @property
    def is_over(self) -> bool:
        chooser = self._chooser
        is_frame_gone = chooser.frame is not None and chooser.frame.is_detached
        return self._choosers.open is not chooser or chooser.session.is_gone or is_frame_gone

    async def answer(self, given: AnswerRequest) -> None:
        raise InvalidRequest("Give files with POST /v1/browser/upload, without a selector.")

    async def cancel(self) -> None:
        """The page is told, and may ask again."""
        chooser = self._choosers.take()
        if chooser is None:
            raise AskNotFound
        try:
            found = await chooser.session.send_as(ResolvedNode, "DOM.resolveNode", backendNodeId=chooser.node)
            await chooser.session.send(
                "Runtime.callFunctionOn", functionDeclaration=_CANCELED, objectId=found.object.object_id
            )
        except (CdpError, CdpGone) as error:
            raise AskNotFound from error
