"""Clicking, hovering, scrolling, and choosing options of a drop-down; and the mouse that does it.

What the mouse does goes out one event behind another, without waiting in between.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal

import anyio

from belljar.box.browser.acting.actionability import Needs, Ready, Seen, prepare, refusal
from belljar.box.browser.acting.locate import ACTING, POLL, Target, find_frame
from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.cdp.session import PendingCommand, all_answered
from belljar.box.browser.page.page import Page
from belljar.problems.browser import OptionNotFound

Gesture = Callable[[Session, float, float], Awaitable[None]]
Button = Literal["left", "right", "middle"]
_BUTTONS = {"left": 1, "right": 2, "middle": 4}


async def click(
    page: Page,
    target: Target,
    *,
    button: Button = "left",
    count: int = 1,
    modifiers: int = 0,
    force: bool = False,
    fail_fast: bool = False,
    deadline: float,
) -> None:
    needs = Needs(enabled=True, point=True, guard="press", force=force, fail_fast=fail_fast)

    async def gesture(session: Session, x: float, y: float) -> None:
        await press_at(session, x, y, button=button, count=count, modifiers=modifiers)

    await point_at(page, target, needs, gesture, deadline)


async def hover(
    page: Page,
    target: Target,
    *,
    modifiers: int = 0,
    force: bool = False,
    fail_fast: bool = False,
    deadline: float,
) -> None:
    needs = Needs(point=True, guard="hover", force=force, fail_fast=fail_fast)

    async def gesture(session: Session, x: float, y: float) -> None:
        await move(session, x, y, modifiers=modifiers)

    await point_at(page, target, needs, gesture, deadline)


async def point_at(page: Page, target: Target, needs: Needs, gesture: Gesture, deadline: float) -> Ready:
    """Make the gesture where the element is, again and again until it hits.

    The first try waits for no frame unless something is animated: the guard in the page swallows a gesture that
    lands elsewhere.  After a miss the element has to hold still for two frames.
    """
    while True:
        ready = await prepare(page, target, needs, deadline)
        await gesture(ready.session, ready.x, ready.y)
        missed = await ready.release()
        if missed is None:
            return ready
        if anyio.current_time() >= deadline:
            raise refusal(target, Seen("blocked", ready.element, reason="obscured", obscured_by=missed))
        needs = replace(needs, steady=True)


def move(session: Session, x: float, y: float, *, modifiers: int = 0, held: Button | None = None) -> PendingCommand:
    """Post a move; with `held`, of a drag."""
    return session.post(
        "Input.dispatchMouseEvent",
        type="mouseMoved",
        x=x,
        y=y,
        modifiers=modifiers,
        button=held or "none",
        buttons=_BUTTONS[held] if held else 0,
    )


def press(
    session: Session, x: float, y: float, *, button: Button, count: int = 1, modifiers: int = 0
) -> PendingCommand:
    return session.post(
        "Input.dispatchMouseEvent",
        type="mousePressed",
        x=x,
        y=y,
        button=button,
        buttons=_BUTTONS[button],
        clickCount=count,
        modifiers=modifiers,
    )


def release(
    session: Session, x: float, y: float, *, button: Button, count: int = 1, modifiers: int = 0
) -> PendingCommand:
    return session.post(
        "Input.dispatchMouseEvent",
        type="mouseReleased",
        x=x,
        y=y,
        button=button,
        buttons=0,
        clickCount=count,
        modifiers=modifiers,
    )


async def press_at(session: Session, x: float, y: float, *, button: Button, count: int, modifiers: int) -> None:
    """Move there and press `count` times."""
    posted = [move(session, x, y, modifiers=modifiers)]
    for nth in range(1, count + 1):
        posted.append(press(session, x, y, button=button, count=nth, modifiers=modifiers))
        posted.append(release(session, x, y, button=button, count=nth, modifiers=modifiers))
    await all_answered(posted)


def path(start: tuple[float, float], end: tuple[float, float], steps: int) -> Sequence[tuple[float, float]]:
    """Points on the way, the end included."""
    (x, y), (to_x, to_y) = start, end
    return [(x + (to_x - x) * n / steps, y + (to_y - y) * n / steps) for n in range(1, steps + 1)]


class Position(Part):
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
            return await frame.use(ACTING, "scrollIntoView", kind=Position)
        return await frame.use(ACTING, "scrollBy", x or 0, y or 0, kind=Position)
    if target.frame is not None:
        frame = await find_frame(page, target.frame)
    return await frame.use(ACTING, "scrollPageBy", x or 0, y or 0, kind=Position)


async def turn_wheel(page: Page, target: Target, x: float, y: float, *, deadline: float) -> None:
    """Turn the mouse wheel over an element, or over the middle of the page."""
    if target.selector is not None or target.ref is not None:
        ready = await prepare(page, target, Needs(point=True, guard=None), deadline)
        await _send_wheel(ready.session, ready.x, ready.y, x, y)
        return
    middle_x, middle_y = await page.main.evaluate("[innerWidth / 2, innerHeight / 2]", tuple[float, float])
    await _send_wheel(page.session, middle_x, middle_y, x, y)


async def _send_wheel(session: Session, x: float, y: float, delta_x: float, delta_y: float) -> None:
    await session.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=delta_x, deltaY=delta_y)


# `{"any": …}` (a value, else a label), `{"value": …}`, `{"label": …}` or `{"index": …}`.
Wanted = dict[str, str | int]


class _Chosen(Part):
    """The values chosen; or why none was."""

    values: list[str] | None = None
    is_other: bool = False
    is_single: bool = False
    is_disabled: bool = False
    missing: list[Wanted] = []
    available: list[dict[str, str]] = []


async def select(
    page: Page, target: Target, wanted: Sequence[Wanted], *, fail_fast: bool = False, deadline: float
) -> list[str]:
    """Choose exactly these options; the values chosen.  Options that are not there yet are waited for."""
    needs = Needs(enabled=True, field=True, fail_fast=fail_fast)
    while True:
        ready = await prepare(page, target, needs, deadline)
        done = await ready.frame.use(ACTING, "choose", list(wanted), kind=_Chosen)
        if done.values is not None:
            return done.values
        if done.is_other:
            raise OptionNotFound(f"{ready.element} is not a <select>. Click it and then the option.")
        if done.is_single:
            raise OptionNotFound(f"{ready.element} takes one option only.")
        is_over = fail_fast or anyio.current_time() >= deadline
        if is_over and done.is_disabled:
            seen = Seen("blocked", f"An option of {ready.element}", reason="disabled")
            raise refusal(target, seen, is_fast=fail_fast)
        if is_over:
            words = ", ".join(str(next(iter(one.values()))) for one in done.missing)
            raise OptionNotFound(f"{ready.element} has no option {words}.", available=done.available)
        left = max(0.0, deadline - anyio.current_time()) * 1000
        await ready.frame.use(ACTING, "change", min(POLL, left))
