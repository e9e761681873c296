"""Pickers: drop-downs, dates, colours and suggestions that a person opened, whose widgets are in no picture.

Looked for when a person's click or key has arrived in the page, and never because of what an agent or a CDP client
does.  Chromium's own widget opens as ever, seen or not; it is closed before the answer is given.
"""

import anyio
import msgspec

from belljar.box.browser.asking.asks import Asks, new_id
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, Frame, JsError, bundle
from belljar.box.browser.page.page import Page
from belljar.logs import log
from belljar.problems import InvalidRequest, Problem
from belljar.problems.browser import AskNotFound
from belljar.wire.browser.asks import MOST_OPTIONS, AnswerRequest, Ask, AskKind

PICKERS = bundle("dom", "ready", "fields", "pickers")
PLACE = "picker"
# Frames of a page that are looked into.
_MOST_FRAMES = 50
# Seconds for a page to say what a person opened in it.
_PATIENCE = 5.0
_ESCAPE = {"key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27, "nativeVirtualKeyCode": 27}


class _Option(Part):
    label: str
    value: str | None = None
    group: str | None = None
    disabled: bool | None = None
    selected: bool | None = None


class _Box(Part):
    x: float
    y: float
    w: float
    h: float


class _Found(Part):
    """A field that was opened, by the number that its document gave it."""

    number: int
    kind: AskKind
    label: str
    box: _Box
    value: str | None = None
    options: list[_Option] | None = None
    more: int | None = None
    multiple: bool | None = None
    min: str | None = None
    max: str | None = None
    step: str | None = None
    required: bool | None = None


class _State(Part):
    is_gone: bool
    is_open: bool = False


class _Answered(Part):
    is_gone: bool = False
    is_taken: bool = False
    why: str = ""


class PickerAsk:
    def __init__(self, page: Page, frame: Frame, found: _Found, id: str) -> None:
        self._page = page
        self.frame = frame
        self._loader = frame.loader_id
        self.number = found.number
        about = msgspec.to_builtins(found)
        if frame is not page.main:
            # Where the frame itself lies is not looked for.
            del about["box"]
        self.info = Ask.model_validate({**about, "id": id, "tabId": page.id})

    @property
    def is_over(self) -> bool:
        return self.frame.is_detached or self.frame.loader_id != self._loader

    async def answer(self, given: AnswerRequest) -> None:
        await self.cancel()
        if self.info.kind == "select":
            if given.indexes is not None:
                done = await self._use("choose", given.indexes)
            elif given.value is not None:
                done = await self._use("chooseNamed", given.value)
            else:
                raise InvalidRequest("indexes: say which options are to be chosen.")
        elif given.value is None:
            raise InvalidRequest("value: say what the field is to hold.")
        else:
            done = await self._use("write", given.value)
        if done.is_gone:
            raise AskNotFound("The field is gone, or cannot be changed any more.")
        if not done.is_taken:
            raise InvalidRequest(done.why or "The page did not take this.")

    async def cancel(self) -> None:
        """Close Chromium's own widget, which takes the key: the page does not see it."""
        try:
            state = await self.frame.use(PICKERS, "state", self.number, kind=_State)
        except (DocumentGone, JsError) as error:
            raise AskNotFound from error
        if state.is_gone:
            raise AskNotFound("The field is gone, or cannot be changed any more.")
        if state.is_open:
            session = self._page.session
            await session.send("Input.dispatchKeyEvent", type="rawKeyDown", **_ESCAPE)
            await session.send("Input.dispatchKeyEvent", type="keyUp", **_ESCAPE)

    async def _use(self, function: str, given: object) -> _Answered:
        try:
            return await self.frame.use(PICKERS, function, self.number, given, kind=_Answered)
        except (DocumentGone, JsError) as error:
            raise AskNotFound from error


async def look_for_picker(page: Page, *, is_pointer: bool) -> None:
    """Find what a person's click or key has opened in the page, and ask for an answer to it."""
    found: list[tuple[Frame, _Found]] = []

    async def look(frame: Frame) -> None:
        try:
            seen = await frame.use(PICKERS, "look", is_pointer, MOST_OPTIONS, kind=_Found | None)  # type: ignore[arg-type]
        except (DocumentGone, JsError, CdpError, CdpGone, Problem) as error:
            log.debug("picker.not_seen", tab=page.id, error=type(error).__name__)
        else:
            if seen is not None:
                found.append((frame, seen))

    with anyio.move_on_after(_PATIENCE):
        async with anyio.create_task_group() as tasks:
            for frame in page.frames.all()[:_MOST_FRAMES]:
                tasks.start_soon(look, frame)
    _put(page, found[0] if found else None)


def _put(page: Page, found: tuple[Frame, _Found] | None) -> None:
    asks = page.watcher(Asks)
    before = asks.get(PLACE)
    if found is None:
        asks.put(PLACE, None)
        return
    frame, seen = found
    is_same = isinstance(before, PickerAsk) and (before.frame, before.number) == (frame, seen.number)
    ask = PickerAsk(page, frame, seen, before.info.id if is_same and before is not None else new_id())
    if before is None or ask.info != before.info:
        asks.put(PLACE, ask)
