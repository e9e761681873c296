"""Console lines out of CDP's events, short enough to send to everybody."""

from typing import Any

from belljar.box.browser.console import formatted

Params = dict[str, Any]
_LONGEST_LINE = 2000


def console_line(params: Params) -> Params:
    """`level` is the method of `console` that was called."""
    level = {"warning": "warn"}.get(params["type"], params["type"])
    return {"level": level, "text": formatted(params["args"])[:_LONGEST_LINE], "timestamp": params["timestamp"]}


def exception_line(params: Params) -> Params:
    details = params["exceptionDetails"]
    thrown = details.get("exception", {})
    text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
    return {"level": "error", "text": f"Uncaught {text}"[:_LONGEST_LINE], "timestamp": params["timestamp"]}
