"""Starts the runner for a one-shot call, and finds its one line of answer among whatever else it wrote."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from belljar.agent.tool.failure import INSTALL_HINT, ToolFailure, timeout_hint
from belljar.agent.tool.oneshot import deadline_of
from belljar.agent.tool.request import Request

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


# What the runner may take beyond its own deadline before it is ended.
GRACE_SECONDS = 20.0
TAIL_CHARS = 2000
COMMAND = (sys.executable, "-m", "belljar.agent.runner", "-")


def run_in_runner(request: Request, command: tuple[str, ...] = COMMAND) -> Answer:
    """Blocks.  The call goes to the runner's input, not its arguments: those every user of the host can read."""
    limit = deadline_of(request) + GRACE_SECONDS
    asked = request.model_dump_json(exclude_none=True).encode()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err, start_new_session=True)
        try:
            process.communicate(asked, timeout=limit)
        except subprocess.TimeoutExpired:
            raise ToolFailure(
                f"The runner gave no answer in {limit:.0f} s and was ended.", timeout_hint(request.timeout_ms)
            ) from None
        finally:
            if process.poll() is None:
                # Its box holds a descriptor of it, and ends with it.
                process.kill()
                process.wait()
        return _answer(_content(out.fileno()), _content(err.fileno()), process.returncode)


def _answer(output: str, errors: str, code: int) -> Answer:
    found = find(output)
    if found is not None:
        return found
    tail = errors[-TAIL_CHARS:].strip() or "(nothing on its standard error)"
    hint = INSTALL_HINT if "No module named" in tail or "not found" in tail else "`belljar doctor` says what is amiss."
    raise ToolFailure(f"The runner ended with code {code} before it answered. Its last words:\n{tail}", hint)


def _content(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read().decode("utf-8", "replace")
