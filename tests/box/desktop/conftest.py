"""A running desktop, and programs on it that tell what they saw."""

import atexit
import base64
import functools
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import six  # type: ignore[import-untyped]  # what python-xlib stands on
import Xlib

from tests.processes import is_zombie
from tests.servers import RunningBox, running_box

PATIENCE = 30.0
# The system's: ours may lie where the uid that programs run as cannot reach.
PYTHON = "/usr/bin/python3"


@functools.cache
def programs() -> Path:
    """A folder anybody can read with the programs of this folder, and python-xlib for them."""
    folder = Path(tempfile.mkdtemp(prefix="belljar-test-programs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(Path(Xlib.__file__).parent, folder / "Xlib")
    for file in (six.__file__, *Path(__file__).parent.glob("*.py")):
        shutil.copy(file, folder)
    folder.chmod(0o755)
    return folder


def path_of(http: httpx.Client, name: str) -> str:
    """Where programs of the box find one of ours: a jail has it under the shared folder."""
    is_jailed = http.get("/v1/health").json()["isolation"]["jail"]
    return f"/workspace/{name}" if is_jailed else str(programs() / name)


def shared() -> tuple[str, str]:
    """Flags for a box whose programs find ours, and can leave files for us, in a jail too."""
    return "--bind", f"{programs()}:/workspace"


@contextmanager
def exchange(http: httpx.Client) -> Iterator[tuple[Path, str]]:
    """A folder that programs and tests both write in: as we see it, and as they do."""
    folder = Path(tempfile.mkdtemp(prefix="exchange-", dir=programs()))
    folder.chmod(0o777)
    try:
        yield folder, path_of(http, folder.name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def until(look: Callable[[], Any], what: str) -> Any:
    """The first truthy value `look` gives."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {PATIENCE} s for {what}")


def end(pid: int) -> None:
    """Kill a process and wait for its end: until then its connections are open."""
    os.kill(pid, signal.SIGKILL)
    until(lambda: is_zombie(pid) or not Path(f"/proc/{pid}").exists(), f"the end of {pid}")


def on_host(box: RunningBox, pid: int) -> int:
    """The process that programs of the box call `pid`, as the host numbers it: a jail counts from 1."""
    parents: dict[int, int] = {}
    named: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        parents[int(status.parent.name)] = int(fields["PPid"])
        named[int(status.parent.name)] = int(fields["NSpid"].split()[-1])
    for candidate, inner in named.items():
        above = candidate
        while above in parents and above != box.process.pid:
            above = parents[above]
        if inner == pid and above == box.process.pid and (pid == candidate or len(_spaces(candidate)) > 1):
            return candidate
    raise AssertionError(f"the box has no process {pid}")


def _spaces(pid: int) -> list[str]:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:"))


@dataclass(frozen=True)
class Program:
    """A program on the desktop, by what it wrote."""

    http: httpx.Client
    process_id: str
    window_id: str

    def lines(self) -> list[dict[str, Any]]:
        answer = self.http.get(f"/v1/processes/{self.process_id}/logs", params={"stream": "stdout"})
        written = b"".join(base64.b64decode(entry["data"]) for entry in answer.json()["entries"])
        return [json.loads(line) for line in written.decode().splitlines() if line.endswith("}")]

    def saw(self, times: int = 1, **fields: Any) -> dict[str, Any]:
        """Wait for an event with these fields, or for the last of several; the others have come before it."""

        def look() -> Any:
            return [line for line in self.lines() if fields.items() <= line.items()][times - 1 :]

        found: dict[str, Any] = until(look, f"{fields} in {self.lines()[-20:]}")[-1]
        return found

    def end(self) -> None:
        """With its window: the next program must not find it."""
        self.http.post(f"/v1/processes/{self.process_id}/kill")
        windows = "/v1/desktop/windows"
        until(lambda: self.window_id not in self.http.get(windows).text, "the window to go")


@contextmanager
def notepad(http: httpx.Client, *args: str) -> Iterator[Program]:
    body = {"app": PYTHON, "args": [path_of(http, "notepad.py"), *args], "wait": True}
    answer = http.post("/v1/desktop/launch", json=body)
    assert answer.status_code == 200, answer.text
    program = Program(http, answer.json()["processId"], answer.json()["windowId"])
    try:
        program.saw(kind="shown")
        yield program
    finally:
        program.end()


@pytest.fixture(scope="module")
def desktop_box() -> Iterator[RunningBox]:
    """One box with a running desktop of 800 x 600 for the tests of a module."""
    with running_box(*shared()) as box, box.client() as client:
        answer = client.post("/v1/desktop/start", json={"width": 800, "height": 600})
        assert answer.status_code == 200, answer.text
        yield box


@pytest.fixture
def desktop(desktop_box: RunningBox) -> Iterator[httpx.Client]:
    with desktop_box.client() as client:
        yield client
