"""The answer as a model reads it: the same lines in the same order for each operation, what a page says last."""

from collections.abc import Iterable, Mapping
from typing import Any

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.untrusted import harmless, mark, one_line

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


def _place(payload: Mapping[str, Any]) -> list[tuple[str, str]]:
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
