"""Console lines out of CDP's events, short enough to send to everybody."""

from typing import Any

Params = dict[str, Any]
_LONGEST_LINE = 2000


def console_line(params: Params) -> Params:
    """`level` is the method of `console` that was called."""
    level = {"warning": "warn"}.get(params["type"], params["type"])
    text = " ".join(_word(argument) for argument in params["args"])
    return {"level": level, "text": text[:_LONGEST_LINE], "timestamp": params["timestamp"]}


def exception_line(params: Params) -> Params:
    details = params["exceptionDetails"]
    thrown = details.get("exception", {})
    text = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
    return {"level": "error", "text": f"Uncaught {text}"[:_LONGEST_LINE], "timestamp": params["timestamp"]}


def _word(argument: Params) -> str:
    """An argument as a console shows it, roughly: strings as they are, objects by a short description."""
    if argument["type"] == "string":
        return str(argument["value"])
    if argument["type"] == "undefined":
        return "undefined"
    if "unserializableValue" in argument:
        return str(argument["unserializableValue"])
    if "value" in argument:
        value = argument["value"]
        return {True: "true", False: "false", None: "null"}.get(value, str(value)) if _is_plain(value) else str(value)
    return str(argument.get("description", argument["type"]))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool)
