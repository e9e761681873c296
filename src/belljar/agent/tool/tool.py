"""`browser(operation=…)`: one function that an agent calls, and one text that it reads."""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal
from pydantic import ValidationError

from belljar.agent.tool.actions import MAX_CHARS
from belljar.agent.tool.failure import ToolFailure, failure_of
from belljar.agent.tool.launcher import run_in_runner
from belljar.agent.tool.request import TIMEOUT_MS, Request, read_request
from belljar.agent.tool.running import run_on_box
from belljar.agent.tool.settings import ToolSettings
from belljar.agent.tool.text import error_text, result_text
from belljar.agent.tool.workspace import open_workspace
from belljar.problems import Problem
from belljar.sdk.errors import CannotStart

# Those of the SDK that are not here are `OSError`s.
_EXPECTED = (ToolFailure, Problem, CannotStart, OSError)


def browser(
    operation: str,
    *,
    url: str | None = None,
    selector: str | None = None,
    actions: Sequence[Mapping[str, Any]] | None = None,
    max_chars: int = MAX_CHARS,
    out_path: str | None = None,
    timeout_ms: int = TIMEOUT_MS,
    wait_until: str = "load",
    stop_on_error: bool = False,
    tor_proxy: str | None = None,
    workspace: str | None = None,
) -> str:
    """Drive a real browser; the answer is text and never an exception.

    Operations: navigate, extract_text, click, screenshot, close, interact.  With `BELLJAR_URL` on that box, otherwise
    in a jailed box of the call's own, with `workspace` (the current folder) at /workspace.  Blocks; may be called
    where an event loop runs.
    """
    parameters = {
        "operation": operation,
        "url": url,
        "selector": selector,
        "actions": actions,
        "max_chars": max_chars,
        "out_path": out_path,
        "timeout_ms": timeout_ms,
        "wait_until": wait_until,
        "stop_on_error": stop_on_error,
        "tor_proxy": tor_proxy,
        "workspace": workspace,
    }
    return BrowserTool().call(parameters)


class BrowserTool:
    """The tool for one box, or for whichever the environment names, or for none."""

    def __init__(self, url: str | None = None, token: str | None = None) -> None:
        self._given: dict[str, Any] = {"url": url, "token": token} if url is not None else {}

    def call(self, parameters: Mapping[str, Any]) -> str:
        """As `browser`, with its parameters as a model gives them: a mapping that may be wrong in any way."""
        with start_blocking_portal() as portal:
            text: str = portal.call(self.call_async, parameters)
        return text

    async def call_async(self, parameters: Mapping[str, Any]) -> str:
        operation = parameters.get("operation")
        try:
            request = read_request(parameters)
            settings = self._settings()
        except ToolFailure as failure:
            return error_text(operation, failure)
        try:
            return result_text(await self._payload(request, settings))
        except _EXPECTED as error:
            return error_text(operation, failure_of(error, request.timeout_ms))

    def _settings(self) -> ToolSettings:
        try:
            return ToolSettings(**self._given)
        except ValidationError as error:
            names = ", ".join(f"BELLJAR_{str(one['loc'][0]).upper()}" for one in error.errors())
            raise ToolFailure(f"The environment cannot be understood: {names}.", "Mend these variables.") from error

    async def _payload(self, request: Request, settings: ToolSettings) -> dict[str, Any]:
        if settings.url is not None:
            return await run_on_box(request, settings)
        workspace = open_workspace(request.workspace)
        request = workspace.rewritten(request).model_copy(update={"workspace": str(workspace.folder)})
        answer = await anyio.to_thread.run_sync(run_in_runner, request)
        if answer.payload is None:
            raise ToolFailure(answer.error, answer.hint)
        return answer.payload
