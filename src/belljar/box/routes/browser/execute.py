"""The caller's JavaScript."""

from typing import Any

import msgspec
from starlette.responses import Response

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.acting.action import Action, again_after_restart
from belljar.box.browser.execute import Executed, execute
from belljar.box.browser.locate import find_frame
from belljar.box.parts import TheBox
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


def _answer(act: Action, done: Executed | None) -> dict[str, Any]:
    """`result` is always there: null is a value like any other."""
    dialog = {"dialog": act.dialog.body()} if act.dialog is not None else {}
    if done is None:
        return {"result": None, "type": "undefined", **dialog}
    answer: dict[str, Any] = {"result": done.result, "type": done.type, **dialog}
    if done.description is not None:
        answer["description"] = done.description
    if done.is_truncated:
        answer["truncated"] = True
    return answer


def _caused(act: Action) -> dict[str, Any]:
    """For a report; the script's own value stays out of the model."""
    if act.effects is None:
        return {}
    caused = act.result
    return caused.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"ok", "dialog"})
