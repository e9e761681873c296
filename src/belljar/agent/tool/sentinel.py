"""The one line by which the runner answers, found among whatever else lands on its output."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

OK = "[BROWSER_OK]"
ERR = "[BROWSER_ERR]"


@dataclass(frozen=True)
class Answer:
    """What the runner said: a payload, or a message and a hint."""

    payload: dict[str, Any] | None = None
    error: str = ""
    hint: str = ""


def write_ok(out: TextIO, payload: Mapping[str, Any]) -> None:
    # A line of its own, whatever stands before it; ASCII, so that nothing in it ends the line.
    out.write(f"\n{OK} {json.dumps(payload)}\n")
    out.flush()


def write_err(out: TextIO, error: str, hint: str) -> None:
    out.write(f"\n{ERR} {json.dumps({'error': error, 'hint': hint})}\n")
    out.flush()


def find(output: str) -> Answer | None:
    """The last sentinel line; None where there is none that is whole."""
    for line in reversed(output.split("\n")):
        line = line.strip("\r")
        if line.startswith(f"{OK} "):
            payload = _object(line.removeprefix(OK))
            if payload is not None:
                return Answer(payload)
        elif line.startswith(f"{ERR} "):
            message = line.removeprefix(ERR).strip()
            told = _object(message) or {"error": message}
            return Answer(error=str(told.get("error", "")), hint=str(told.get("hint", "")))
    return None


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
