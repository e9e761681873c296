"""The caller's JavaScript."""

from typing import Any

import msgspec
from starlette.responses import Response

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting import Performed, perform_plain
from belljar.box.browser.execute import Executed, execute
from belljar.box.browser.locate import find_frame
from belljar.box.browser.page import Page
from belljar.box.parts import TheBox
from belljar.box.routes.browser.reporting import caused_by
from belljar.problems.browser import (
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    FrameNotFound,
    ScriptError,
    TabNotFound,
)
from belljar.problems.evaluate import EvaluateDisabled
from belljar.wire.browser.execute import ExecuteRequest, ExecuteResult

router = Router(prefix="/v1/browser", tags=["browser"])


@router.post(
    "/execute",
    operation_id="executeBrowserScript",
    live="evaluate",
    response_model=ExecuteResult,
    responses=problems(
        BrowserNotActive, DialogOpen, TabNotFound, FrameNotFound, BrowserTimeout, ScriptError, EvaluateDisabled
    ),
)
async def execute_script(body: ExecuteRequest, box: TheBox) -> Response:
    """Evaluate JavaScript in the page's own world, at the top level as in a console.

    With `--evaluate isolated`, in a world that sees the DOM and not the page's own scripts; with `off`, never.
    """
    world = box.permissions.world

    async def action(page: Page) -> Executed:
        frame = page.main if body.frame is None else await find_frame(page, body.frame)
        return await execute(frame, body.expression, await_promise=body.await_promise, world=world)

    timeout = body.seconds or box.browser.timeouts.action
    done = await perform_plain(
        box.browser, body.tab_id, action, timeout=timeout, doing="running the script", report=body.wish
    )
    # As it is: going through a model would cost more than the script did, and a page's value may be megabytes.
    return Response(msgspec.json.encode(_answer(done) | _caused(done)), media_type="application/json")


def _answer(performed: Performed[Executed]) -> dict[str, Any]:
    """`result` is always there: null is a value like any other."""
    done = performed.value
    dialog = {"dialog": performed.dialog.body()} if performed.dialog is not None else {}
    if done is None:
        return {"result": None, "type": "undefined", **dialog}
    answer: dict[str, Any] = {"result": done.result, "type": done.type, **dialog}
    if done.description is not None:
        answer["description"] = done.description
    if done.is_truncated:
        answer["truncated"] = True
    return answer


def _caused(performed: Performed[Executed]) -> dict[str, Any]:
    """For a report; the script's own value stays out of the model."""
    if performed.effects is None:
        return {}
    told = ExecuteResult(type="", **caused_by(performed))
    return told.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"result", "type"})
