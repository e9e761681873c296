"""`browser(operation=…)`: one function that an agent calls, and one text that it reads."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal
from pydantic import ValidationError

from belljar.agent.tool.failure import ToolFailure, failure_of
from belljar.agent.tool.launcher import run_in_runner
from belljar.agent.tool.request import MAX_CHARS, TIMEOUT_MS, Request, ToolSettings, read_request
from belljar.agent.tool.running import run_on_box
from belljar.agent.tool.workspace import open_workspace
from belljar.agent.untrusted import harmless, mark, one_line
from belljar.problems import Problem
from belljar.sdk.errors import CannotStart

HEADER = "--- BROWSER RESULT ---"
MOST_TITLE = 500
MOST_URL = 4000

BANNER = """⚠ SEQUENCE ABORTED: {reason}. Remaining actions were NOT executed
because the initial navigation failed — page.click/fill/extract on an
error page would have just timed out one-by-one. Fix the URL and
retry the whole interact call."""
STOPPED = """⚠ SEQUENCE STOPPED at action {at}: it failed, and stop_on_error is set.
{skipped} remaining action(s) were NOT executed. Mend that action and retry
from there, or pass stop_on_error=False to have the others tried."""


def error_text(operation: object, failure: ToolFailure) -> str:
    """Tails of logs may have several lines; what a page could have said in one cannot pass for a line of ours."""
    first, *rest = harmless(failure.error).split("\n")
    error = "\n".join([one_line(first, 2000), *(f"  {line}" for line in rest)])
    return _lines("ERROR", operation, [("ERROR", error), ("HINT", one_line(failure.hint, 2000))])


def result_text(payload: Mapping[str, Any]) -> str:
    match payload["operation"]:
        case "interact":
            return _interact(payload)
        case "close":
            lines = [("PROFILE", str(payload["profile"]))]
        case "navigate":
            url, title = _place(payload)
            lines = [url, ("HTTP_STATUS", str(payload["http_status"])), title]
        case "extract_text":
            text = payload["text"]
            marked = "\n" + mark(text["content"], text["url"])
            lines = [*_place(payload), ("TRUNCATED", _bool(text["truncated"])), ("TEXT", marked)]
        case "screenshot":
            lines = [*_place(payload), ("PATH", payload["path"]), ("DOWNLOAD", payload["download"])]
        case _:
            lines = _place(payload)
    return _lines("OK", payload["operation"], lines)


def _interact(payload: Mapping[str, Any]) -> str:
    entries: list[Mapping[str, Any]] = payload["results"]
    lines = [(f"[{entry['number']}] {entry['action']}", _entry(entry)) for entry in entries]
    reason = payload["abort_reason"]
    at, skipped = payload.get("stopped_at"), payload.get("skipped", 0)
    lines += [*_place(payload), ("ABORTED", _bool(payload["aborted"])), ("ABORT_REASON", reason or "none")]
    if at is not None:
        lines += [("STOPPED_AT", str(at)), ("SKIPPED", str(skipped))]
    # What was not done must not be taken for done by who reads the first line only.
    text = _lines("ERROR" if payload["aborted"] or skipped else "OK", "interact", lines)
    if payload["aborted"]:
        text += "\n" + BANNER.format(reason=reason)
    elif at is not None:
        text += "\n" + STOPPED.format(at=at, skipped=skipped)
    for entry in entries:
        if "text" in entry:
            found = entry["text"]
            text += f"\nTEXT [{entry['number']}]:\n{mark(found['content'], found['url'])}"
    return text


def _entry(entry: Mapping[str, Any]) -> str:
    """`ok`, with what there is to say; or the error."""
    subject = one_line(str(entry.get("selector") or entry.get("url") or ""), 200)
    head = f"{subject} " if subject else ""
    if not entry["ok"]:
        aborted = " (aborted_sequence: true)" if entry.get("aborted_sequence") else ""
        return f"{head}-> error: {one_line(harmless(entry['error']), 1000)}{aborted}"
    if "text" in entry:
        cut = ", truncated" if entry["text"]["truncated"] else ""
        return f"{head}-> ok, {len(entry['text']['content'])} characters{cut}: see TEXT [{entry['number']}]"
    if "path" in entry:
        return f"{head}-> ok, {entry['path']} ({entry['download']})"
    if "http_status" in entry:
        return f"{head}-> ok, HTTP {entry['http_status']}"
    return f"{head}-> ok"


def _place(payload: Mapping[str, object]) -> list[tuple[str, str]]:
    url, title = (harmless(str(payload.get(name) or "")) for name in ("url", "title"))
    return [("URL", one_line(url, MOST_URL)), ("TITLE", one_line(title, MOST_TITLE))]


def _bool(value: object) -> str:
    return "true" if value else "false"


def _lines(status: str, operation: object, fields: Iterable[tuple[str, str]]) -> str:
    shown = one_line(str(operation), 80)
    head = [HEADER, f"STATUS: {status}", f"OP: {shown}"]
    return "\n".join([*head, *(_line(name, value) for name, value in fields)])


def _line(name: str, value: str) -> str:
    return f"{name}:{value}" if value.startswith("\n") or not value else f"{name}: {value}"


# Those of the SDK that are not here are `OSError`s.
_EXPECTED = (ToolFailure, Problem, CannotStart, OSError)


def browser(
    operation: str,
    *,
    url: str | None = None,
    selector: str | None = None,
    actions: Sequence[Mapping[str, object]] | None = None,
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
        self._given: dict[str, object] = {"url": url, "token": token} if url is not None else {}

    def call(self, parameters: Mapping[str, object]) -> str:
        """As `browser`, with its parameters as a model gives them: a mapping that may be wrong in any way."""
        with start_blocking_portal() as portal:
            text: str = portal.call(self.call_async, parameters)
        return text

    async def call_async(self, parameters: Mapping[str, object]) -> str:
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

    async def _payload(self, request: Request, settings: ToolSettings) -> dict[str, object]:
        if settings.url is not None:
            return await run_on_box(request, settings)
        workspace = open_workspace(request.workspace)
        request = workspace.rewritten(request).model_copy(update={"workspace": str(workspace.folder)})
        answer = await anyio.to_thread.run_sync(run_in_runner, request)
        if answer.payload is None:
            raise ToolFailure(answer.error, answer.hint)
        return answer.payload
