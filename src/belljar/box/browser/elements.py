"""What of a page can be acted on: the elements that a snapshot gives refs to, as values."""

import anyio

from belljar.box.browser.frames import Frame, World
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone, bundle
from belljar.problems.browser import TabCrashed

_WALKER = bundle("refs", "reach", "naming", "snapshot")
# Seconds in which a frame inside has to answer: one that is stuck must not cost the page.
FRAME_PATIENCE = 2.0


async def list_elements(page: Page, most: int) -> list[dict[str, str]]:
    """`ref`, `tag`, `role` and `name` of at most so many, the main frame's first."""
    found = await _of_frame(page, page.main, most)
    for frame in page.frames.all()[1:]:
        if len(found) >= most:
            break
        with anyio.move_on_after(FRAME_PATIENCE):
            try:
                found.extend(await _of_frame(page, frame, most - len(found)))
            except (DocumentGone, TabCrashed):
                continue
    return found


async def _of_frame(page: Page, frame: Frame, most: int) -> list[dict[str, str]]:
    while True:
        context = await frame.context(World.ISOLATED)
        try:
            walked = await frame.use(_WALKER, "elements", *page.refs.naming(frame, context), most)
            page.refs.given(frame, context, walked["last"])
        except DocumentGone:
            if frame.is_detached:
                raise
            continue
        elements: list[dict[str, str]] = walked["elements"]
        return elements
