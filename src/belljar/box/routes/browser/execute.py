"""The caller's JavaScript."""

from fastapi import APIRouter

from belljar.asgi.openapi import problems
from belljar.asgi.routing import JsonRoute
from belljar.box.browser.execute import execute
from belljar.box.evaluate import world_for
from belljar.box.parts import TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, DialogOpen, ScriptError, TabNotFound
from belljar.problems.evaluate import EvaluateDisabled
from belljar.wire.browser.execute import ExecuteRequest, ExecuteResult

router = APIRouter(prefix="/v1/browser", tags=["browser"], route_class=JsonRoute)


@router.post(
    "/execute",
    # `result: null` is a value like any other.
    response_model_exclude_unset=True,
    responses=problems(BrowserNotActive, DialogOpen, TabNotFound, BrowserTimeout, ScriptError, EvaluateDisabled),
)
async def execute_script(body: ExecuteRequest, box: TheBox) -> ExecuteResult:
    """Evaluate JavaScript in the page's own world, at the top level as in a console.

    With `--evaluate isolated`, in a world that sees the DOM and not the page's own scripts; with `off`, never.
    """
    world = world_for(box.settings.evaluate)
    outcome = await box.browser.act(
        body.tab_id,
        lambda page: execute(page.main, body.expression, await_promise=body.await_promise, world=world),
        timeout=body.seconds or box.browser.timeouts.action,
        doing="running the script",
    )
    done = outcome.value
    if done is None:
        return ExecuteResult(result=None, type="undefined", dialog=outcome.dialog_info)
    extra: dict[str, str | bool] = {"description": done.description} if done.description is not None else {}
    if done.is_truncated:
        extra["truncated"] = True
    return ExecuteResult.model_validate({"result": done.result, "type": done.type, **extra})
