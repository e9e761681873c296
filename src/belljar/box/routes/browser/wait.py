"""Waiting for something to be true of a page."""

import anyio

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.allowance import Permissions
from belljar.box.browser.acting.action import GRACE, again_after_restart
from belljar.box.browser.actions import wait as waiting
from belljar.box.browser.locate import Target
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    ScriptError,
    StaleRef,
    TabNotFound,
)
from belljar.problems.evaluate import EvaluateDisabled
from belljar.wire.browser.wait import OF_THE_PAGE, WaitRequest, WaitResult

router = Router(prefix="/v1/browser", tags=["browser"])


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
