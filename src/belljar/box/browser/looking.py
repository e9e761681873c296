"""What a reading call is about: a frame of the page and, with a selector, one element in it."""

from dataclasses import dataclass

import anyio

from belljar.box.browser.frames import Frame
from belljar.box.browser.locate import Target, find, find_frame, find_now
from belljar.box.browser.page import Page
from belljar.box.browser.script import Handle
from belljar.problems.browser import ElementNotFound


@dataclass(frozen=True)
class Subject:
    frame: Frame
    # None: the whole document.
    root: Handle | None


async def look_up(page: Page, *, selector: str | None, frame: str | None) -> Subject:
    """Find it now: a read does not wait for elements that are not there."""
    if selector is None:
        return Subject(page.main if frame is None else await find_frame(page, frame), None)
    return Subject(*await find_now(page, Target(selector=selector, frame=frame)))


async def wait_for(page: Page, *, selector: str, frame: str | None, seconds: float) -> Subject:
    """Find an element that may not be there yet.  Raises `ElementNotFound` when it did not come."""
    with anyio.move_on_after(seconds):
        return Subject(*await find(page, Target(selector=selector, frame=frame)))
    raise ElementNotFound(selector)
