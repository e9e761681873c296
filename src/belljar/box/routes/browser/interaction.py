"""Acting on elements: click, hover, type, press, scroll."""

import re
from collections.abc import Sequence
from typing import TypeVar

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting import Action, Performed, perform
from belljar.box.browser.actions import click as clicking
from belljar.box.browser.actions import drag as dragging
from belljar.box.browser.actions import scroll as scrolling
from belljar.box.browser.actions import select as selecting
from belljar.box.browser.actions import text
from belljar.box.browser.input.layout import MODIFIERS
from belljar.box.browser.locate import Target
from belljar.box.parts import Box, TheBox
from belljar.box.routes.browser.reporting import caused_by
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    ElementBlocked,
    ElementNotFound,
    ElementNotReady,
    FrameNotFound,
    OptionNotFound,
    StaleRef,
    TabNotFound,
)
from belljar.wire.browser.acting import (
    REF_PATTERN,
    ActionResult,
    ClickRequest,
    DragPlace,
    DragRequest,
    ElementFields,
    FillRequest,
    HoverRequest,
    Modifier,
    PressRequest,
    ScrollPosition,
    ScrollRequest,
    ScrollResult,
    SelectRequest,
    SelectResult,
    TypeRequest,
)
from belljar.wire.browser.report import Reported

router = Router(prefix="/v1/browser", tags=["browser"])
Result = TypeVar("Result")
# What a long text may take beyond the default timeout.
SECONDS_PER_KEY = 0.005
ELEMENT_PROBLEMS = (
    BrowserNotActive,
    TabNotFound,
    DialogOpen,
    FrameNotFound,
    ElementNotFound,
    StaleRef,
    BrowserInvalidSelector,
    ElementBlocked,
    ElementNotReady,
    BrowserTimeout,
)
ON_ELEMENT = problems(*ELEMENT_PROBLEMS)


@router.post(
    "/click",
    operation_id="browserClick",
    live={"click": {}, "dblclick": {"clickCount": 2}},
    response_model_exclude_none=True,
    responses=ON_ELEMENT,
)
async def click(body: ClickRequest, box: TheBox) -> ActionResult:
    """Click an element when it is there, shows, is enabled and would get the click."""
    done = await run(
        box,
        body,
        lambda page, deadline: clicking.click(
            page,
            target_of(body),
            button=body.button.value,
            count=body.click_count,
            modifiers=bits(body.modifiers),
            force=body.force,
            fail_fast=body.fail_fast,
            deadline=deadline,
        ),
        "clicking",
    )
    return result_of(done)


@router.post(
    "/hover", operation_id="browserHover", live="hover", response_model_exclude_none=True, responses=ON_ELEMENT
)
async def hover(body: HoverRequest, box: TheBox) -> ActionResult:
    """Bring the pointer over an element."""
    done = await run(
        box,
        body,
        lambda page, deadline: clicking.hover(
            page,
            target_of(body),
            modifiers=bits(body.modifiers),
            force=body.force,
            fail_fast=body.fail_fast,
            deadline=deadline,
        ),
        "hovering",
    )
    return result_of(done)


@router.post("/type", operation_id="browserType", live="type", response_model_exclude_none=True, responses=ON_ELEMENT)
async def type_text(body: TypeRequest, box: TheBox) -> ActionResult:
    """Type into a field, key by key.  Dates, times, colours and ranges take their value as a whole."""
    done = await run(
        box,
        body,
        lambda page, deadline: text.type_text(
            page,
            target_of(body),
            body.text,
            clear=body.clear,
            delay=body.delay / 1000,
            fail_fast=body.fail_fast,
            deadline=deadline,
        ),
        "typing",
        more_time=(body.delay / 1000 + (0 if body.timeout else SECONDS_PER_KEY)) * len(body.text),
    )
    return result_of(done)


@router.post("/fill", operation_id="browserFill", live="fill", response_model_exclude_none=True, responses=ON_ELEMENT)
async def fill(body: FillRequest, box: TheBox) -> ActionResult:
    """Replace what a field holds, at once: with `beforeinput` and `input` events, without those of keys."""
    done = await run(
        box,
        body,
        lambda page, deadline: text.fill(
            page, target_of(body), body.value, fail_fast=body.fail_fast, deadline=deadline
        ),
        "filling",
    )
    return result_of(done)


@router.post(
    "/press", operation_id="browserPress", live="press", response_model_exclude_none=True, responses=ON_ELEMENT
)
async def press(body: PressRequest, box: TheBox) -> ActionResult:
    """Strike a key, with modifiers as in `Control+a`, in an element or where the focus is."""
    target = target_of(body) if body.selector is not None or body.ref is not None else None
    done = await run(
        box,
        body,
        lambda page, deadline: text.press(page, target, body.key, fail_fast=body.fail_fast, deadline=deadline),
        "pressing a key",
    )
    return result_of(done)


@router.post(
    "/scroll", operation_id="browserScroll", live="scroll", response_model_exclude_none=True, responses=ON_ELEMENT
)
async def scroll(body: ScrollRequest, box: TheBox) -> ScrollResult:
    """Scroll the page or what an element is in, by pixels; an element without pixels is brought into view."""
    target = target_of(body)
    if body.wheel:
        turned = await run(
            box,
            body,
            lambda page, deadline: scrolling.turn_wheel(page, target, body.x or 0, body.y or 0, deadline=deadline),
            "scrolling",
        )
        return ScrollResult(**dict(result_of(turned)))
    done = await run(
        box,
        body,
        lambda page, deadline: scrolling.scroll(page, target, body.x, body.y, deadline=deadline),
        "scrolling",
    )
    at = done.value
    position = ScrollPosition(x=at.x, y=at.y, max_x=at.max_x, max_y=at.max_y) if at is not None else None
    return ScrollResult(**dict(result_of(done)), position=position)


@router.post(
    "/select",
    operation_id="browserSelect",
    live="select",
    response_model_exclude_none=True,
    responses=problems(*ELEMENT_PROBLEMS, OptionNotFound),
)
async def select(body: SelectRequest, box: TheBox) -> SelectResult:
    """Choose options of a `<select>`, with the input and change events that a person's choice brings."""
    wanted = [
        {how: one}
        for how, given in (("any", body.value), ("label", body.label), ("index", body.index))
        if given is not None
        for one in (given if isinstance(given, list) else [given])
    ]
    done = await run(
        box,
        body,
        lambda page, deadline: selecting.select(
            page, target_of(body), wanted, fail_fast=body.fail_fast, deadline=deadline
        ),
        "selecting",
    )
    return SelectResult(**dict(result_of(done)), values=done.value)


@router.post("/drag", operation_id="browserDrag", response_model_exclude_none=True, responses=ON_ELEMENT)
async def drag(body: DragRequest, box: TheBox) -> ActionResult:
    """Drag with the mouse from one element or point to another; HTML drag and drop works too."""
    start, end = _place(body.from_, body.frame), _place(body.to, body.frame)
    done = await run(
        box,
        body,
        lambda page, deadline: dragging.drag(page, start, end, fail_fast=body.fail_fast, deadline=deadline),
        "dragging",
    )
    return result_of(done)


def _place(given: DragPlace | str, frame: str | None) -> dragging.Place:
    if isinstance(given, str):
        return Target(ref=given) if re.match(REF_PATTERN, given) else Target(given, frame=frame)
    if given.x is not None and given.y is not None:
        return given.x, given.y
    return Target(given.selector, given.ref, frame)


async def run(
    box: Box, body: Reported, action: Action[Result], doing: str, *, more_time: float = 0.0
) -> Performed[Result]:
    timeout = (body.seconds or box.browser.timeouts.action) + more_time
    return await perform(box.browser, body.tab_id, action, timeout=timeout, doing=doing, report=body.wish)


def target_of(body: ElementFields) -> Target:
    return Target(body.selector, body.ref, body.frame)


def bits(modifiers: Sequence[Modifier]) -> int:
    """Modifiers as CDP's bit field."""
    return sum({MODIFIERS[modifier.value] for modifier in modifiers})


def result_of(done: Performed[Result]) -> ActionResult:
    return ActionResult(dialog=done.dialog_info, **caused_by(done))
