"""The menu that a person asks for by a right click: what it was on, for viewers to make a menu of."""

import anyio

from belljar.box.browser.asking.asks import Asks, new_id
from belljar.box.browser.asking.finding import in_frames
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, Frame, JsError, bundle
from belljar.box.browser.page.page import Page
from belljar.problems import InvalidRequest, Problem
from belljar.problems.browser import AskNotFound
from belljar.wire.browser.asks import AnswerRequest, Ask

MENU = bundle("dom", "menu")
PLACE = "menu"
# Seconds that a right click is held back for a page to be prepared for it.
_ARMING = 0.3


class _Taken(Part):
    link: str | None = None
    image: str | None = None
    text: str = ""
    is_editable: bool = False


class _Saved(Part):
    why: str = ""


class MenuAsk:
    def __init__(self, page: Page, frame: Frame, taken: _Taken) -> None:
        self._frame = frame
        self._loader = frame.loader_id
        self._image = taken.image
        self.info = Ask(
            id=new_id(),
            tab_id=page.id,
            kind="menu",
            link=taken.link,
            image=taken.image,
            text=taken.text or None,
            editable=taken.is_editable or None,
        )

    @property
    def is_over(self) -> bool:
        return self._frame.is_detached or self._frame.loader_id != self._loader

    async def answer(self, given: AnswerRequest) -> None:
        """What leads elsewhere has commands of its own; here is only what the page itself must fetch."""
        if not given.save or self._image is None:
            raise InvalidRequest("save: of a menu only its picture can be saved.")
        try:
            saved = await self._frame.use(MENU, "save", self._image, kind=_Saved)
        except (DocumentGone, JsError) as error:
            raise AskNotFound from error
        if saved.why:
            raise InvalidRequest(saved.why)

    async def cancel(self) -> None:
        """Nothing is open in the page."""


async def arm(page: Page) -> None:
    """Have the page's next right click noted, whether the page takes it for itself or not."""

    async def look(frame: Frame) -> None:
        try:
            await frame.use(MENU, "arm")
        except (DocumentGone, JsError, CdpError, CdpGone, Problem):
            return

    with anyio.move_on_after(_ARMING):
        await in_frames(page, look)


async def look_for_menu(page: Page) -> None:
    found: list[tuple[Frame, _Taken]] = []

    async def look(frame: Frame) -> None:
        try:
            taken = await frame.use(MENU, "taken", kind=_Taken | None)  # type: ignore[arg-type]
        except (DocumentGone, JsError, CdpError, CdpGone, Problem):
            return
        if taken is not None:
            found.append((frame, taken))

    await in_frames(page, look)
    page.watcher(Asks).put(PLACE, MenuAsk(page, *found[0]) if found else None)
