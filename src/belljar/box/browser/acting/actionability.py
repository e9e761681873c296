"""Waiting until an element can be acted on, and saying why when it never can."""

from dataclasses import dataclass, field, replace
from typing import Literal

import anyio
import msgspec

from belljar.box.browser.acting.locate import ACTING, POLL, Target, frame_of, owner_of, starting_frame
from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.frames import DocumentGone, Frame, Handle
from belljar.box.browser.page.page import Page
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserProblem,
    ElementBlocked,
    ElementNotFound,
    ElementNotReady,
    FrameNotFound,
    StaleRef,
)

# Seconds a page is asked to wait before Python looks again at what it stands on.
SLICE = 1.0
# Seconds beyond the deadline in which the page's last answer may still come.
ANSWERING = 0.5


class Done(Part):
    """What `Needs.then` came to."""

    # It takes a value as a whole, and no typed text.
    is_valued: bool = False
    is_focused: bool = False
    # Whether there was text in it, and which where it is no editor.
    is_full: bool = False
    before: str | None = None
    is_written: bool = False
    is_taken: bool = False
    # The value it would have, or has.
    became: str = ""


class Seen(Part):
    """An element as its page saw it last."""

    state: Literal["ready", "frame", "missing", "stale", "blocked", "invalid"]
    element: str = "the element"
    x: float = 0
    y: float = 0
    done: Done | None = None
    # Of one in a frame: the step that begins inside.
    next: int = 0
    # Of a selector that cannot be read.
    why: str = ""
    # Of one that is blocked.
    reason: str = ""
    obscured_by: str | None = None
    # It would not change by itself.
    is_settled: bool = False
    # What is wrong is wrong with a frame around it.
    is_outside: bool = False


class Verdict(Part):
    """Of the guard, after a gesture: what got it instead of the element."""

    obscured_by: str | None = None


@dataclass(frozen=True)
class Needs:
    """What an action asks of its element beside being there."""

    visible: bool = True
    enabled: bool = False
    editable: bool = False
    # Whether the field that a label or wrapper stands for is meant.
    field: bool = False
    # Whether a point is wanted that a press would reach, in view; with `force` any point of it.
    point: bool = False
    force: bool = False
    # The gesture that follows, which the guard in the page watches: `press` or `hover`.
    guard: str | None = None
    fail_fast: bool = False
    # Whether two equal frames are waited for even where nothing is known to move.
    steady: bool = False
    # What is done to the element in the moment it is ready, with its arguments: a name of `acting.js`.  It saves a
    # round trip, and the page cannot change in between.  Not for what needs a point.
    then: tuple[str | bool | int, ...] | None = None

    def body(self) -> dict[str, object]:
        return {
            "visible": self.visible and not self.force,
            "enabled": self.enabled and not self.force,
            "editable": self.editable,
            "field": self.field,
            "point": self.point,
            "force": self.force,
            "guard": self.guard,
            "failFast": self.fail_fast,
            "steady": self.steady,
            "then": self.then,
        }


@dataclass(frozen=True)
class Ready:
    """An element that its page holds for an action, and where it is.

    Events go to `session`, the process of its frame, at `x` and `y` there: a way that is right at once after scrolling,
    and in a tab behind another, where Chromium's own idea of which process lies where waits for a frame to be drawn.
    """

    frame: Frame
    element: str
    x: float = 0
    y: float = 0
    # The same place in the tab's viewport.
    page_x: float = 0
    page_y: float = 0
    done: Done = field(default_factory=Done)

    @property
    def session(self) -> Session:
        return self.frame.session

    async def handle(self) -> Handle:
        found = await self.frame.use_handle(ACTING, "heldElement")
        if found is None:
            raise DocumentGone("the element is no longer held")
        return found

    async def release(self) -> str | None:
        """End the action's hold; what an event landed on instead of the element, None when it hit.

        A document that is gone by now was hit: it went because of it, or nobody can tell any more.
        """
        missed: str | None = None
        frame: Frame | None = self.frame
        while frame is not None and frame.session is self.session:
            try:
                verdict = await frame.use(ACTING, "release", kind=Verdict)
            except DocumentGone:
                return missed
            missed = missed or verdict.obscured_by
            frame = frame.parent
        return missed


async def prepare(page: Page, target: Target, needs: Needs, deadline: float) -> Ready:
    """Find the element and wait until it is ready.  Raises what is wrong with it when the deadline has passed.

    `TimeoutError` when the page never answered.
    """
    problem: BrowserProblem | None = None
    before: Seen | None = None
    with anyio.CancelScope(deadline=deadline + ANSWERING):
        while True:
            try:
                found = await _attempt(page, target, needs, deadline)
            except DocumentGone:
                await page.ready()
                await anyio.lowlevel.checkpoint()
                continue
            except FrameNotFound as error:
                problem = error
                await page.main.use(ACTING, "change", POLL, retry=True)
                continue
            if isinstance(found, Ready):
                return found
            problem = refusal(target, found, is_fast=found.is_settled)
            if anyio.current_time() >= deadline or found.is_settled:
                break
            if found.is_outside:
                has_changed = await page.main.use(ACTING, "change", POLL, retry=True)
                if needs.fail_fast and not has_changed and found == before and found.state == "blocked":
                    problem = refusal(target, found, is_fast=True)
                    break
                before = found
    if problem is None:
        # It never answered.  As any other timeout: the page is then looked after, for it may be stuck.
        raise TimeoutError
    raise problem


async def _attempt(page: Page, target: Target, needs: Needs, deadline: float) -> Ready | Seen:
    frame, query = await starting_frame(page, target), target.query()
    while True:
        patience = max(0.0, min(deadline - anyio.current_time(), SLICE)) * 1000
        seen = await frame.use(ACTING, "prepare", query.body(), needs.body(), patience, kind=Seen)
        match seen.state:
            case "ready":
                return await _surface(frame, seen, needs)
            case "invalid":
                raise BrowserInvalidSelector(target.name, seen.why)
            case "stale":
                raise StaleRef(target.name)
            case "frame":
                entered = await _enter(page, frame)
                if entered is None:
                    return Seen("missing", is_outside=True)
                frame, query = entered, query.rest(seen.next)
            case _:
                return seen


async def _enter(page: Page, frame: Frame) -> Frame | None:
    handle = await frame.use_handle(ACTING, "heldElement")
    return None if handle is None else await frame_of(page, handle)


async def _surface(frame: Frame, seen: Seen, needs: Needs) -> Ready | Seen:
    """Carry the point out of the frames it lies in, checking in each that nothing covers it there."""
    x, y = seen.x, seen.y
    ready = Ready(frame, seen.element, x, y, x, y, seen.done or Done())
    inner = frame
    while needs.point and inner.parent is not None:
        outer = inner.parent
        is_same_process = outer.session is frame.session
        owner = await owner_of(inner)
        # Events sent to another process cannot land here.
        asked = needs if is_same_process else replace(needs, guard=None)
        point = ready.page_x, ready.page_y
        above = await outer.use(ACTING, "through", owner, *point, asked.body(), kind=Seen)
        owner.release()
        if above.state != "ready":
            await ready.release()
            return msgspec.structs.replace(above, is_outside=True)
        ready = replace(ready, page_x=above.x, page_y=above.y)
        if is_same_process:
            ready = replace(ready, x=above.x, y=above.y)
        inner = outer
    return ready


def refusal(target: Target, seen: Seen, *, is_fast: bool = False) -> BrowserProblem:
    """The problem for what was seen last."""
    if seen.state == "missing":
        return ElementNotFound(target.name)
    kind = ElementBlocked if is_fast else ElementNotReady
    sentence = _sentence(seen.reason, seen.element, seen.obscured_by)
    return kind(seen.reason, sentence, obscured_by=seen.obscured_by, element=seen.element)


def _sentence(reason: str, element: str, obscured_by: str | None) -> str:
    match reason:
        case "obscured":
            return f"{element} is covered by {obscured_by}, which would get the click. Dismiss that first."
        case "disabled":
            return f"{element} is disabled."
        case "hidden":
            return f"{element} is there but does not show: it has no size, is hidden, or cannot be scrolled into view."
        case "moving":
            return f"{element} does not stop moving."
        case "not_editable":
            return f"{element} takes no text: it is read-only or not a field."
        case _:
            return f"{element} is not ready: {reason}."
