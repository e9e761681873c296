"""How many of our files a request passes: a click over HTTP, and the same click as an MCP tool.

    python -m benchmarks.trace_files            # the figures
    python -m benchmarks.trace_files --list     # and the files, in the order they were first entered

A real box is run with a profile function (`sys.setprofile`) that is switched on for one request; every frame of ours
counts once, when it is first entered, so a coroutine that waits ten times is one call.  What Chromium answers meanwhile
is in it.  The first requests, which import and compile, are not, and of several the one that passed the fewest files
counts: in the others the server did something beside it, as it does from time to time.
"""

import argparse
import json
import runpy
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import belljar

_OURS = str(Path(belljar.__file__).parent) + "/"
_BEGIN, _END = signal.SIGUSR1, signal.SIGUSR2
_BUTTON = "data:text/html,<button id=b onclick=\"this.textContent='Pressed'\">Press</button>"
_WARM_UP = 5
_TRIES = 9


class Trace:
    """Which functions of ours this thread enters, while it is on."""

    def __init__(self) -> None:
        self._frames: dict[FrameType, None] = {}

    def begin(self, *_: object) -> None:
        self._frames.clear()
        _say({})
        sys.setprofile(self._event)

    def end(self, *_: object) -> None:
        sys.setprofile(None)
        # Frames are kept until now: their ids would be used again.
        files = [frame.f_code.co_filename.removeprefix(_OURS) for frame in self._frames]
        self._frames.clear()
        _say({"files": files})

    def _event(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(_OURS):
            self._frames.setdefault(frame)


def _say(what: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _run_traced(command: list[str]) -> None:
    """`python -m belljar …` in this process, which starts and ends tracing when it is signalled."""
    trace = Trace()
    signal.signal(_BEGIN, trace.begin)
    signal.signal(_END, trace.end)
    at = command.index("-m")
    sys.argv = command[at + 1 :]
    runpy.run_module(command[at + 1], run_name="__main__", alter_sys=True)


def measure() -> dict[str, list[str]]:
    """The file of each function that was entered, in order, by what was asked for."""
    from tests.servers import running_box

    inside = (sys.executable, "-m", "benchmarks.trace_files", "--inside")
    with running_box("--jail", "off", inside=inside) as box, box.client() as http:
        assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
        assert http.post("/v1/browser/navigate", json={"url": _BUTTON}).status_code == 200

        def over_http() -> None:
            assert http.post("/v1/browser/click", json={"selector": "#b"}).status_code == 200

        def by_mcp() -> None:
            asked = {"name": "click", "arguments": {"target": "#b"}}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
            accept = {"Accept": "application/json, text/event-stream"}
            answer = http.post("/mcp", json=message, headers=accept)
            assert answer.status_code == 200 and "Clicked." in answer.text, answer.text

        def traced(action: Callable[[], None]) -> list[str]:
            for _ in range(_WARM_UP):
                action()
            return min((once(action) for _ in range(_TRIES)), key=lambda files: (len(set(files)), len(files)))

        def once(action: Callable[[], None]) -> list[str]:
            stdout = box.process.stdout
            assert stdout is not None
            box.process.send_signal(_BEGIN)
            _next(stdout)
            action()
            box.process.send_signal(_END)
            files: list[str] = _next(stdout)["files"]
            return files

        return {"POST /v1/browser/click": traced(over_http), "MCP click": traced(by_mcp)}


def _next(lines: Any) -> dict[str, Any]:
    """What the box says next of its tracing; it may say other things to people before."""
    for line in lines:
        if line.startswith("{"):
            said: dict[str, Any] = json.loads(line)
            return said
    raise AssertionError("the box has ended")


def main() -> None:
    options = argparse.ArgumentParser(description="How many of our files a request passes.")
    options.add_argument("--list", action="store_true", help="name the files")
    options.add_argument("--inside", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.inside:
        _run_traced(given.inside)
        return
    for what, files in measure().items():
        changes = sum(one != other for one, other in zip(files, files[1:], strict=False))
        print(f"{what}: {len(set(files))} files, {len(files)} calls, {changes} changes of file")
        if given.list:
            for file in dict.fromkeys(files):
                print(f"  {files.count(file):4} {file}")


if __name__ == "__main__":
    main()
