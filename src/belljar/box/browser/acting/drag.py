"""Dragging by the mouse, from one place to another; HTML drag and drop included."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import msgspec

from belljar.box.browser.acting.actionability import Needs, prepare
from belljar.box.browser.acting.click import move, path, press, release
from belljar.box.browser.acting.locate import ACTING, Target
from belljar.box.browser.cdp.events import DragIntercepted
from belljar.box.browser.page.frames import DocumentGone, Frame
from belljar.box.browser.page.page import Page

Point = tuple[float, float]
# An element, or a point of the tab's viewport.
Place = Target | Point
STEPS = 10
# Seconds in which Chromium must say what is being dragged, once the page began to drag.
STARTING = 2.0


async def drag(page: Page, start: Place, end: Place, *, fail_fast: bool = False, deadline: float) -> None:
    """Press at `start`, move to `end`, release."""
    # Looked at first, so that it is in view, and that nothing covers it, before anything is picked up.
    await _point(page, end, Needs(point=True, fail_fast=fail_fast), deadline)
    begin = await _point(page, start, Needs(point=True, enabled=True, fail_fast=fail_fast), deadline)
    session = page.session
    async with _dragging(page) as dragged:
        await move(session, *begin)
        await press(session, *begin, button="left")
        # A little way first: pages and Chromium take a press for a drag only once it has moved.
        for point in path(begin, (begin[0] + 6, begin[1] + 6), 2):
            await move(session, *point, held="left")
        # Under the pointer by now may be what is being dragged: where the end is, not whether it is free.
        finish = await _point(page, end, Needs(point=True, force=True), deadline)
        for point in path(begin, finish, STEPS):
            await move(session, *point, held="left")
        data = await dragged.data()
        if data is not None:
            for kind in ("dragEnter", "dragOver", "drop"):
                await session.send("Input.dispatchDragEvent", type=kind, x=finish[0], y=finish[1], data=data)
        await release(session, *finish, button="left")


async def _point(page: Page, place: Place, needs: Needs, deadline: float) -> Point:
    if isinstance(place, tuple):
        return place
    ready = await prepare(page, place, needs, deadline)
    return ready.page_x, ready.page_y


@dataclass
class Dragged:
    """What Chromium's own drag and drop carries, should the page begin one."""

    page: Page
    found: msgspec.Raw | None = None
    came: anyio.Event = field(default_factory=anyio.Event)

    def take(self, event: DragIntercepted) -> None:
        # Kept longer than the message that it came in.
        self.found = event.data.copy()
        self.came.set()

    async def data(self) -> msgspec.Raw | None:
        """None where the page handles the mouse itself."""
        if self.found is None and await self._has_begun():
            with anyio.move_on_after(STARTING):
                await self.came.wait()
        return self.found

    async def _has_begun(self) -> bool:
        return any([await _ask(frame, "hasDragBegun") for frame in self.page.frames.all()])


@asynccontextmanager
async def _dragging(page: Page) -> AsyncIterator[Dragged]:
    """Keep Chromium from handing a drag to the display, where no event of ours would move it."""
    dragged = Dragged(page)
    sessions = {frame.session for frame in page.frames.all()}
    stops = [session.on(DragIntercepted, dragged.take) for session in sessions]
    for session in sessions:
        await session.send("Input.setInterceptDrags", enabled=True)
    for frame in page.frames.all():
        await _ask(frame, "watchDrag")
    try:
        yield dragged
    finally:
        for stop in stops:
            stop()
        for session in sessions:
            if not session.is_gone:
                session.tell("Input.setInterceptDrags", enabled=False)


async def _ask(frame: Frame, function: str) -> bool:
    try:
        return bool(await frame.use(ACTING, function))
    except DocumentGone:
        return False
