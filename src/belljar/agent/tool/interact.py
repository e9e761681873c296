"""`interact`: sub-actions one after another in one tab, each told; a navigation that fails ends them all.

On an error page every later action would wait its whole time for elements that cannot be there.
"""

from typing import Any

import anyio

from belljar.agent.tool.actions import (
    Action,
    Click,
    DblClick,
    ExtractText,
    Fill,
    Goto,
    Screenshot,
    Sleep,
    WaitForSelector,
)
from belljar.agent.tool.failure import ToolFailure, sentence_of
from belljar.agent.tool.last_url import LastUrl
from belljar.agent.tool.request import Request
from belljar.agent.tool.steps import Place, Steps
from belljar.problems import Problem
from belljar.sdk.errors import NoAnswer

Entry = dict[str, Any]
# What an action may fail with and the sequence go on.
EXPECTED = (Problem, ToolFailure, NoAnswer)


async def interact(request: Request, steps: Steps, last_url: LastUrl, start: str | None) -> dict[str, Any]:
    """`start` is where to go first; None where the sequence goes somewhere itself."""
    results: list[Entry] = []
    reason: str | None = None
    if start is not None:
        entry = {"number": 0, "action": "goto", "url": start}
        try:
            arrived = await steps.goto(start, request.wait_until)
        except EXPECTED as error:
            results.append(entry | {"ok": False, "error": sentence_of(error), "aborted_sequence": True})
            reason = "initial_goto_failed"
        else:
            await last_url.write(arrived.url)
    if reason is None:
        reason = await _run(request, steps, results)
    place = await _last_place(steps)
    if reason is None:
        await last_url.write(place.url)
    skipped = len(request.actions) - sum(entry["number"] > 0 for entry in results)
    is_stopped = reason is None and skipped > 0
    return {
        "results": results,
        "url": place.url,
        "title": place.title,
        "aborted": reason is not None,
        "abort_reason": reason,
        # The action whose failure ended a sequence that was told to stop at one, and how many were left.
        "stopped_at": results[-1]["number"] if is_stopped else None,
        "skipped": skipped,
    }


async def _run(request: Request, steps: Steps, results: list[Entry]) -> str | None:
    """Fill `results`; why the sequence was aborted, if it was."""
    for number, action in enumerate(request.actions, 1):
        entry = {"number": number, "action": action.action, **_subject(action)}
        try:
            entry |= {"ok": True, **await _do(action, request, steps)}
        except EXPECTED as error:
            entry |= {"ok": False, "error": sentence_of(error)}
            if isinstance(action, Goto):
                results.append(entry | {"aborted_sequence": True})
                return "goto_failed"
        results.append(entry)
        if not entry["ok"] and request.stop_on_error:
            break
    return None


async def _do(action: Action, request: Request, steps: Steps) -> dict[str, Any]:
    """What there is to say about it, done."""
    match action:
        case Goto():
            arrived = await steps.goto(action.url, action.wait_until or request.wait_until)
            return {"http_status": arrived.http_status}
        case Click() | DblClick():
            await _guard(action, steps)
            await steps.click(action.selector, count=2 if isinstance(action, DblClick) else 1, force=action.force)
        case Fill():
            await _guard(action, steps)
            await steps.fill(action.selector, action.text)
        case ExtractText():
            return {"text": await steps.text(action.selector, action.max_chars or request.max_chars)}
        case WaitForSelector():
            await steps.wait_for(action.selector, action.state, action.timeout_ms or request.timeout_ms)
        case Screenshot():
            return await steps.screenshot(action.out_path)
        case Sleep():
            await anyio.sleep(action.ms / 1000)
    return {}


async def _guard(action: Click | DblClick | Fill, steps: Steps) -> None:
    if action.wait_for_hidden is not None:
        what = f"{action.action}({action.selector})"
        await steps.until_hidden(action.wait_for_hidden, action.wait_for_hidden_ms, what)


def _subject(action: Action) -> dict[str, str]:
    if isinstance(action, Goto):
        return {"url": action.url}
    selector = getattr(action, "selector", None)
    return {"selector": selector} if selector is not None else {}


async def _last_place(steps: Steps) -> Place:
    """The page may be an error's, or busy: then nothing is known, which is no reason to lose the results."""
    try:
        return await steps.place()
    except EXPECTED:
        return Place("", "")
