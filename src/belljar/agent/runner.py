"""`python -m belljar.agent.runner OPERATION_JSON`: one call of the browser tool in a box of its own.

Answers with one line, `[BROWSER_OK] {json}` or `[BROWSER_ERR] {json}`, and with exit code 0 or 1.  `-` reads the call
from standard input.
"""

import json
import sys

import anyio

from belljar.agent.tool.failure import ToolFailure, failure_of
from belljar.agent.tool.launcher import write_err, write_ok
from belljar.agent.tool.oneshot import run_once
from belljar.agent.tool.request import TIMEOUT_MS, ToolSettings, read_request
from belljar.problems import Problem
from belljar.sdk.errors import CannotStart


def main(arguments: list[str]) -> int:
    timeout_ms = TIMEOUT_MS
    try:
        request = read_request(_asked(arguments))
        timeout_ms = request.timeout_ms
        payload = anyio.run(run_once, request, ToolSettings())
    except (ToolFailure, Problem, CannotStart, OSError) as error:
        failure = failure_of(error, timeout_ms)
        write_err(sys.stdout, failure.error, failure.hint)
        return 1
    write_ok(sys.stdout, payload)
    return 0


def _asked(arguments: list[str]) -> dict[str, object]:
    given = arguments[0] if len(arguments) == 1 else ""
    try:
        asked = json.loads(sys.stdin.read() if given == "-" else given)
    except ValueError as error:
        raise ToolFailure(f"The operation is not JSON: {error}.", "Give one JSON object, or `-` for input.") from None
    if not isinstance(asked, dict):
        raise ToolFailure("The operation must be a JSON object.", "Give one JSON object.")
    return asked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
