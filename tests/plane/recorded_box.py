"""A control plane whose boxes write down every request they see: the servers' own code but for what boxes can do.

`python -m tests.plane.recorded_box STATE_DIR` is the control plane; it prints its address and a key.
"""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import anyio
from prometheus_client import CollectorRegistry
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.logs import set_up_logs
from belljar.plane.access.secrets import load_master_key
from belljar.plane.app import create_app
from belljar.plane.bootstrap import prepare
from belljar.plane.boxes.launchers.base import BoxSpec, Ending, Handle, Keep
from belljar.plane.boxes.upstream import Upstream
from belljar.plane.settings import PlaneSettings
from belljar.server.guard import Door, Guard
from belljar.server.requests import RequestMetrics, Requests
from belljar.server.router import Facts
from belljar.server.serving import bind, inherited, serve
from belljar.server.signed_caller import CallerVerifier
from belljar.tokens import Keys, Role, new_token
from tests.plane.strange_boxes import BrokenLauncher, read

# Below this the box answers at once, whatever else there is of the request.
EARLY = "/early/"
_RECORD = "record.jsonl"


@dataclass(frozen=True)
class RecordedPlane:
    url: str
    key: str
    record: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def seen(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Every head that reached a box, and every request that its guard let pass."""
        lines = [json.loads(line) for line in self.record.read_text().splitlines()]
        return [line for line in lines if "role" not in line], [line for line in lines if "role" in line]


@contextmanager
def recorded_plane(state_dir: Path) -> Iterator[RecordedPlane]:
    arguments = [sys.executable, "-m", "tests.plane.recorded_box", str(state_dir)]
    with (state_dir / "log").open("w") as log:
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=log, text=True)
    with process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline().split()
            assert len(said) == 2, (state_dir / "log").read_text()
            yield RecordedPlane(said[0], said[1], state_dir / _RECORD)
        finally:
            process.terminate()
            process.wait(20)


class Witness:
    """Writes down every head there is, before anybody judges it."""

    def __init__(self, app: ASGIApp, file: TextIO) -> None:
        self._app = app
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            self._file.write(json.dumps(_head(scope)) + "\n")
        await self._app(scope, receive, send)


def _head(scope: Scope) -> dict[str, Any]:
    return {
        "method": scope.get("method", "WEBSOCKET"),
        "target": (scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")).decode(),
        "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in scope["headers"]],
    }


class Recorder:
    """Answers every request with what it was; each is written down when the box has seen all it will see of it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        assert scope["type"] == "http"
        body, is_whole = b"", False
        if not scope["path"].startswith(EARLY):
            body, is_whole = await _read(receive)
        caller = scope["state"]["caller"]
        role = None if caller is None else caller.role.word
        seen = {**_head(scope), "role": role, "body": body.decode("latin-1"), "whole": is_whole}
        self._file.write(json.dumps(seen) + "\n")
        # What the control plane itself asks a box for.
        own = {
            "/v1/health": {"lastActivity": datetime.now(UTC).isoformat()},
            "/v1/claim": {"isolation": None},
        }
        answer = json.dumps(own.get(scope["path"], {"target": seen["target"], "size": len(body)})).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer, "more_body": False})


async def _read(receive: Receive) -> tuple[bytes, bool]:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body, False
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body, True


async def _live(receive: Receive, send: Send) -> None:
    for _ in range(2):
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})


class RecordingLauncher(BrokenLauncher):
    """Makes boxes that are a `Recorder` behind a box's own layers, each in a process of its own."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        path = self._state_dir / f"{spec.box_id}.sock"
        handle = Handle({"socket": str(path)})
        await keep(handle)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(2048)
            number = listener.fileno()
            command = ["box", str(self._state_dir / _RECORD), str(number), spec.key.hex()]
            self._start(str(path), command, number)
        async with Upstream() as upstream:
            await upstream.request(self.address(handle), "GET", "/readyz")
        return handle

    def _start(self, path: str, command: list[str], descriptor: int) -> None:
        arguments = [sys.executable, "-m", "tests.plane.recorded_box", *command]
        self._children[path] = subprocess.Popen(arguments, pass_fds=(descriptor,))

    async def is_alive(self, handle: Handle) -> bool:
        child = self._children.get(read(handle)["socket"])
        return child is not None and child.poll() is None

    async def wait_ended(self, handle: Handle) -> Ending:
        if child := self._children.get(read(handle)["socket"]):
            await anyio.to_thread.run_sync(child.wait, abandon_on_cancel=True)
        return Ending()

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        if child := self._children.pop(str(self._state_dir / f"{box_id}.sock"), None):
            child.terminate()
            await anyio.to_thread.run_sync(child.wait, 20)


class AnyRoute:
    """Stands for whatever is asked for: probes are for anybody, all else for whoever may watch."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.facts = Facts(is_open=path in ("/healthz", "/readyz"), needs=Role.VIEW)


class Placed:
    """As `FindRoute`, with no routes to be found."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            scope["route"] = AnyRoute(scope["path"])
        await self._app(scope, receive, send)


def _box(record: str, descriptor: str, key: str) -> None:
    door = Door(Keys(new_token()), None, (), 1024 * 1024, control_plane=CallerVerifier(bytes.fromhex(key)))
    with open(record, "a", buffering=1) as file:
        guarded = Requests(Placed(Guard(Recorder(file), door)), RequestMetrics(CollectorRegistry()))
        app = Witness(guarded, file)
        serve(app, inherited(int(descriptor)), on_listening=lambda: None, on_stopping=lambda: None)


def _plane(state_dir: Path) -> None:
    settings = PlaneSettings(state_dir=state_dir, memory_per_session=0, drain=1)
    master = load_master_key(settings.master_key)
    welcome = anyio.run(prepare, settings, master)
    listener = bind("127.0.0.1", 0)
    application = create_app(settings, master, launcher=RecordingLauncher(state_dir))

    def announce() -> None:
        sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]} {welcome.new_key}\n")
        sys.stdout.flush()

    serve(application.app, listener, on_listening=announce, on_stopping=application.stopping.set)


if __name__ == "__main__":
    set_up_logs("json", "info")
    if sys.argv[1] == "box":
        _box(*sys.argv[2:])
    else:
        _plane(Path(sys.argv[1]))
