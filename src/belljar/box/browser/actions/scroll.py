"""Scrolling the page, or what scrolls around an element."""

from dataclasses import dataclass

from belljar.box.browser.actionability import Needs, prepare
from belljar.box.browser.input import mouse
from belljar.box.browser.locate import ACTING, Target, find_frame
from belljar.box.browser.page import Page


@dataclass(frozen=True)
class Position:
    """Where a scroller stands and how far it goes, in pixels."""

    x: float
    y: float
    max_x: float
    max_y: float


async def scroll(page: Page, target: Target, x: float | None, y: float | None, *, deadline: float) -> Position:
    """Scroll by so many pixels, at once; with neither, bring the element into view."""
    frame = page.main
    if target.selector is not None or target.ref is not None:
        ready = await prepare(page, target, Needs(visible=x is not None or y is not None), deadline)
        frame = ready.frame
        if x is None and y is None:
            return _position(await frame.use(ACTING, "scrollIntoView"))
        return _position(await frame.use(ACTING, "scrollBy", x or 0, y or 0))
    if target.frame is not None:
        frame = await find_frame(page, target.frame)
    return _position(await frame.use(ACTING, "scrollPageBy", x or 0, y or 0))


async def turn_wheel(page: Page, target: Target, x: float, y: float, *, deadline: float) -> None:
    """Turn the mouse wheel over an element, or over the middle of the page."""
    if target.selector is not None or target.ref is not None:
        ready = await prepare(page, target, Needs(point=True, guard=None), deadline)
        await mouse.turn_wheel(ready.session, ready.x, ready.y, x, y)
        return
    middle_x, middle_y = await page.main.evaluate("[innerWidth / 2, innerHeight / 2]")
    await mouse.turn_wheel(page.session, middle_x, middle_y, x, y)


def _position(found: dict[str, float]) -> Position:
    return Position(found["x"], found["y"], found["maxX"], found["maxY"])
