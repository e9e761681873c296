"""Acting on a page: click, type, press, scroll, wait, and the caller's JavaScript."""

import re
from collections.abc import Sequence

import anyio
import msgspec
from starlette.responses import Response

from belljar.box.allowance import Permissions
from belljar.box.browser.acting import click as clicking
from belljar.box.browser.acting import drag as dragging
from belljar.box.browser.acting import text
from belljar.box.browser.acting import wait as waiting
from belljar.box.browser.acting.action import GRACE, Action, again_after_restart
from belljar.box.browser.acting.layout import MODIFIERS
from belljar.box.browser.acting.locate import Target, find_frame
from belljar.box.browser.reading.execute import Executed, execute
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    ElementBlocked,
    ElementNotFound,
    ElementNotReady,
    EvaluateDisabled,
    FrameNotFound,
    OptionNotFound,
    ScriptError,
    StaleRef,
    TabNotFound,
)
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.wire.browser.acting import (
    OF_THE_PAGE,
    REF_PATTERN,
    ActionResult,
    ClickRequest,
    DragPlace,
    DragRequest,
    ExecuteRequest,
    ExecuteResult,
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
    WaitRequest,
    WaitResult,
)

router = Router(prefix="/v1/browser", tags=["browser"])
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
@again_after_restart
async def click(body: ClickRequest, box: TheBox) -> ActionResult:
    """Click an element when it is there, shows, is enabled and would get the click."""
    async with box.browser.action(body, "clicking") as act:
        await clicking.click(
            act.page,
            Target.of(body),
            button=body.button.value,
            count=body.click_count,
            modifiers=_bits(body.modifiers),
            force=body.force,
            fail_fast=body.fail_fast,
            deadline=act.deadline,
        )
    return act.result


@router.post(
    "/hover", operation_id="browserHover", live="hover", response_model_exclude_none=True, responses=ON_ELEMENT
)
@again_after_restart
async def hover(body: HoverRequest, box: TheBox) -> ActionResult:
    """Bring the pointer over an element."""
    keys, fast = _bits(body.modifiers), body.fail_fast
    async with box.browser.action(body, "hovering") as act:
        await clicking.hover(
            act.page, Target.of(body), modifiers=keys, force=body.force, fail_fast=fast, deadline=act.deadline
        )
    return act.result


@router.post(
    "/type",
    operation_id="browserType",
    live="type",
    typed=("text",),
    response_model_exclude_none=True,
    responses=ON_ELEMENT,
)
@again_after_restart
async def type_text(body: TypeRequest, box: TheBox) -> ActionResult:
    """Type into a field, key by key.  Dates, times, colours and ranges take their value as a whole."""
    delay, fast = body.delay / 1000, body.fail_fast
    typing = (delay + (0 if body.timeout else SECONDS_PER_KEY)) * len(body.text)
    seconds = (body.seconds or box.browser.timeouts.action) + typing
    async with box.browser.action(body, "typing", timeout=seconds) as act:
        await text.type_text(
            act.page, Target.of(body), body.text, clear=body.clear, delay=delay, fail_fast=fast, deadline=act.deadline
        )
    return act.result


@router.post(
    "/fill",
    operation_id="browserFill",
    live="fill",
    typed=("value",),
    response_model_exclude_none=True,
    responses=ON_ELEMENT,
)
@again_after_restart
async def fill(body: FillRequest, box: TheBox) -> ActionResult:
    """Replace what a field holds, at once: with `beforeinput` and `input` events, without those of keys."""
    async with box.browser.action(body, "filling") as act:
        await text.fill(act.page, Target.of(body), body.value, fail_fast=body.fail_fast, deadline=act.deadline)
    return act.result


@router.post(
    "/press", operation_id="browserPress", live="press", response_model_exclude_none=True, responses=ON_ELEMENT
)
@again_after_restart
async def press(body: PressRequest, box: TheBox) -> ActionResult:
    """Strike a key, with modifiers as in `Control+a`, in an element or where the focus is."""
    async with box.browser.action(body, "pressing a key") as act:
        await text.press(act.page, Target.if_named(body), body.key, fail_fast=body.fail_fast, deadline=act.deadline)
    return act.result


@router.post(
    "/scroll", operation_id="browserScroll", live="scroll", response_model_exclude_none=True, responses=ON_ELEMENT
)
@again_after_restart
async def scroll(body: ScrollRequest, box: TheBox) -> ScrollResult:
    """Scroll the page or what an element is in, by pixels; an element without pixels is brought into view."""
    target, position = Target.of(body), None
    async with box.browser.action(body, "scrolling") as act:
        if body.wheel:
            await clicking.turn_wheel(act.page, target, body.x or 0, body.y or 0, deadline=act.deadline)
        else:
            at = await clicking.scroll(act.page, target, body.x, body.y, deadline=act.deadline)
            position = ScrollPosition(x=at.x, y=at.y, max_x=at.max_x, max_y=at.max_y)
    return ScrollResult(**dict(act.result), position=position)


@router.post(
    "/select",
    operation_id="browserSelect",
    live="select",
    response_model_exclude_none=True,
    responses=problems(*ELEMENT_PROBLEMS, OptionNotFound),
)
@again_after_restart
async def select(body: SelectRequest, box: TheBox) -> SelectResult:
    """Choose options of a `<select>`, with the input and change events that a person's choice brings."""
    wanted = [
        {how: one}
        for how, given in (("any", body.value), ("label", body.label), ("index", body.index))
        if given is not None
        for one in (given if isinstance(given, list) else [given])
    ]
    values: list[str] | None = None
    async with box.browser.action(body, "selecting") as act:
        values = await clicking.select(
            act.page, Target.of(body), wanted, fail_fast=body.fail_fast, deadline=act.deadline
        )
    return SelectResult(**dict(act.result), values=values)


@router.post("/drag", operation_id="browserDrag", response_model_exclude_none=True, responses=ON_ELEMENT)
@again_after_restart
async def drag(body: DragRequest, box: TheBox) -> ActionResult:
    """Drag with the mouse from one element or point to another; HTML drag and drop works too."""
    start, end = _place(body.from_, body.frame), _place(body.to, body.frame)
    async with box.browser.action(body, "dragging") as act:
        await dragging.drag(act.page, start, end, fail_fast=body.fail_fast, deadline=act.deadline)
    return act.result


def _place(given: DragPlace | str, frame: str | None) -> dragging.Place:
    if isinstance(given, str):
        return Target(ref=given) if re.match(REF_PATTERN, given) else Target(given, frame=frame)
    if given.x is not None and given.y is not None:
        return given.x, given.y
    return Target(given.selector, given.ref, frame)


def _bits(modifiers: Sequence[Modifier]) -> int:
    """Modifiers as CDP's bit field."""
    return sum({MODIFIERS[modifier.value] for modifier in modifiers})


@router.post(
    "/wait",
    operation_id="browserWait",
    acts=False,
    live="waitForSelector",
    responses=problems(
        BrowserNotActive,
        TabNotFound,
        DialogOpen,
        StaleRef,
        BrowserInvalidSelector,
        ScriptError,
        BrowserTimeout,
        EvaluateDisabled,
    ),
)
async def wait(body: WaitRequest, box: TheBox) -> WaitResult:
    """Wait until an element, text, address, script or the page itself is as asked; `found` says whether it came."""
    conditions = _conditions(body, box.permissions)
    deadline = anyio.current_time() + (body.seconds or box.browser.timeouts.action)
    return WaitResult(found=await _wait(box, body, conditions, deadline))


@again_after_restart
async def _wait(box: Box, body: WaitRequest, conditions: list[waiting.Condition], deadline: float) -> bool:
    async with box.browser.use_page(body, "waiting", grace=GRACE) as page:
        page.check_can_run()
        return await waiting.wait_for(page, conditions, deadline=deadline)


def _conditions(body: WaitRequest, permissions: Permissions) -> list[waiting.Condition]:
    conditions: list[waiting.Condition] = []
    if body.url is not None:
        conditions.append(waiting.url_is(body.url))
    if body.state in OF_THE_PAGE:
        conditions.append(waiting.page_has_reached(body.state))
    if body.selector is not None or body.ref is not None:
        conditions.append(waiting.element_is(Target(body.selector, body.ref, body.frame), body.state))
    if body.text is not None:
        conditions.append(waiting.text_shows(body.text))
    if body.function is not None:
        conditions.append(waiting.script_is_true(body.function, body.frame, permissions.world))
    return conditions


@router.post(
    "/execute",
    operation_id="executeBrowserScript",
    live="evaluate",
    response_model=ExecuteResult,
    responses=problems(
        BrowserNotActive, DialogOpen, TabNotFound, FrameNotFound, BrowserTimeout, ScriptError, EvaluateDisabled
    ),
)
@again_after_restart
async def execute_script(body: ExecuteRequest, box: TheBox) -> Response:
    """Evaluate JavaScript in the page's own world, at the top level as in a console.

    With `--evaluate isolated`, in a world that sees the DOM and not the page's own scripts; with `off`, never.
    """
    world = box.permissions.world
    done: Executed | None = None
    async with box.browser.action(body, "running the script", keeps_deadline=False) as act:
        frame = act.page.main if body.frame is None else await find_frame(act.page, body.frame)
        done = await execute(frame, body.expression, await_promise=body.await_promise, world=world)
    # As it is: going through a model would cost more than the script did, and a page's value may be megabytes.
    return Response(msgspec.json.encode(_answer(act, done) | _caused(act)), media_type="application/json")


def _answer(act: Action, done: Executed | None) -> dict[str, object]:
    """`result` is always there: null is a value like any other."""
    dialog = {"dialog": act.dialog.body()} if act.dialog is not None else {}
    if done is None:
        return {"result": None, "type": "undefined", **dialog}
    answer: dict[str, object] = {"result": done.result, "type": done.type, **dialog}
    if done.description is not None:
        answer["description"] = done.description
    if done.is_truncated:
        answer["truncated"] = True
    return answer


def _caused(act: Action) -> dict[str, object]:
    """For a report; the script's own value stays out of the model."""
    if act.effects is None:
        return {}
    caused = act.result
    return caused.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"ok", "dialog"})
