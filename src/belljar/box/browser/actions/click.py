"""Clicking and hovering: the pointer brought to an element that is ready for it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio

from belljar.box.browser.actionability import Needs, Ready, prepare, refusal
from belljar.box.browser.cdp import Session
from belljar.box.browser.input import mouse
from belljar.box.browser.locate import Target
from belljar.box.browser.page import Page

Gesture = Callable[[Session, float, float], Awaitable[None]]


async def click(
    page: Page,
    target: Target,
    *,
    button: mouse.Button = "left",
    count: int = 1,
    modifiers: int = 0,
    force: bool = False,
    fail_fast: bool = False,
    deadline: float,
) -> None:
    needs = Needs(enabled=True, point=True, guard="press", force=force, fail_fast=fail_fast)

    async def gesture(session: Session, x: float, y: float) -> None:
        await mouse.click(session, x, y, button=button, count=count, modifiers=modifiers)

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
        await mouse.move(session, x, y, modifiers=modifiers)

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
            seen = {"state": "blocked", "reason": "obscured", "obscuredBy": missed, "element": ready.element}
            raise refusal(target, seen)
        needs = replace(needs, steady=True)
