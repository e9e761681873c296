"""Finding words on a page, in all its frames: how often they are there, all marked, one shown."""

from collections.abc import Callable, Coroutine

import anyio

from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, Frame, JsError, bundle
from belljar.box.browser.page.page import Page
from belljar.problems import Problem
from belljar.wire.browser.asks import FindResult, Selection

_FIND = bundle("find")
_MENU = bundle("dom", "menu")
_MOST_FRAMES = 50


class _Found(Part):
    count: int
    is_more: bool


async def find(page: Page, text: str, index: int, *, is_case_sensitive: bool) -> FindResult:
    """Mark the words everywhere and show the place of this number, counted round; without words nothing is marked."""
    places: list[tuple[Frame, int]] = []
    is_more = False
    for frame in page.frames.all()[:_MOST_FRAMES]:
        try:
            found = await frame.use(_FIND, "search", text, is_case_sensitive, kind=_Found)
        except (DocumentGone, JsError):
            continue
        is_more = is_more or found.is_more
        places += [(frame, number) for number in range(found.count)]
    if not places:
        return FindResult(count=0)
    shown = index % len(places)
    frame, number = places[shown]
    await frame.use(_FIND, "show", number)
    return FindResult(count=len(places), index=shown, more=is_more or None)


async def selection(page: Page) -> Selection:
    """The words that are selected, in whichever frame; never those of a password."""
    texts: dict[Frame, str] = {}

    async def look(frame: Frame) -> None:
        try:
            texts[frame] = await frame.use(_MENU, "selected", kind=str)
        except (DocumentGone, JsError, CdpError, CdpGone, Problem):
            return

    await in_frames(page, look)
    return Selection(text=next((texts[frame] for frame in page.frames.all() if texts.get(frame)), ""))


async def in_frames(page: Page, look: Callable[[Frame], Coroutine[object, object, None]]) -> None:
    """In all of them at a time."""
    async with anyio.create_task_group() as tasks:
        for frame in page.frames.all()[:_MOST_FRAMES]:
            tasks.start_soon(look, frame)
