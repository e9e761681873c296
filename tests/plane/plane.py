"""A real `belljar serve` in a process of its own, for tests to talk to over HTTP."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close
from websockets.sync.client import ClientConnection

from belljar.boxprocess import inherited_environment
from belljar.plane import kernel

PATIENCE = 30.0
# No test waits for memory that the machine lacks; those about isolation ask for the jail.
JAILED = ("--memory-per-session", "0", "--pool-size", "0", "--log-format", "json", "--drain", "2")
USUAL = (*JAILED, "--jail", "off")


@dataclass
class RunningPlane:
    url: str
    key: str
    ticket: str
    process: subprocess.Popen[str]
    state_dir: Path
    log: Path
    # What it told the person who started it.
    said: str = ""

    def client(self, key: str | None = None) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {key or self.key}"}, timeout=PATIENCE)

    def create(self, key: str | None = None, **wanted: Any) -> dict[str, Any]:
        with self.client(key) as client:
            answer = client.post("/api/sessions", json={"mode": "none", **wanted})
        assert answer.is_success, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def get(self, id: str) -> dict[str, Any]:
        with self.client() as client:
            body: dict[str, Any] = client.get(f"/api/sessions/{id}").json()
        return body

    def new_key(self, user: str, **more: Any) -> str:
        with self.client() as client:
            answer = client.post("/api/keys", json={"user": user, **more})
        return str(answer.json()["key"])

    def kill(self) -> None:
        """As a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def terminate(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextmanager
def state_folder() -> Iterator[Path]:
    """Where a box's own user can reach what it was given, which pytest's folders do not allow."""
    with tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o711)
        yield Path(name)


@contextmanager
def running_plane(
    *flags: str,
    state_dir: Path | None = None,
    key: str = "",
    usual: tuple[str, ...] = USUAL,
    inside: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
    python: str = sys.executable,
) -> Iterator[RunningPlane]:
    """A control plane on a free port; it has ended, and its boxes with it, when the block is left.

    `inside` is a command to run it in, `python` another interpreter, which may have another commit's belljar.
    """
    with ExitStack() as stack:
        folder = state_dir or stack.enter_context(state_folder())
        log = folder / f"serve-{time.monotonic_ns()}.log"
        arguments = ["serve", "--port", "0", "--state-dir", str(folder), *usual, *flags]
        with log.open("w") as err:
            process = stack.enter_context(
                subprocess.Popen(
                    [*inside, python, "-m", "belljar", *arguments],
                    stdout=subprocess.PIPE,
                    stderr=err,
                    text=True,
                    env=inherited_environment(environment),
                )
            )
        try:
            yield _when_listening(process, key, folder, log)
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()


def _when_listening(process: subprocess.Popen[str], key: str, folder: Path, log: Path) -> RunningPlane:
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if ticket := re.search(r"sign-in\?ticket=(\S+)", line):
            found = re.search(r"shown this once: (\S+)", said)
            url = re.search(r"listens on (\S+)", said)
            assert url, said
            return RunningPlane(url[1], found[1] if found else key, ticket[1], process, folder, log, said)
    raise AssertionError(f"the control plane did not come up:\n{said}\n{log.read_text()}")


def until(check: Callable[[], Any], *, within: float = PATIENCE, what: str = "it") -> Any:
    """The first true answer of `check`; there is no event to wait for across processes, so it asks again."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if found := check():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {within} seconds")


def close_of(socket: ClientConnection, *, within: float = PATIENCE) -> Close:
    """How the other side closes it; what comes before is read and forgotten."""
    deadline = time.monotonic() + within
    with pytest.raises(ConnectionClosed) as closed:
        while (left := deadline - time.monotonic()) > 0:
            socket.recv(left)
    assert closed.value.rcvd is not None
    return closed.value.rcvd


def box_process(box_id: str) -> int:
    """The server of a box, wherever its launcher put it."""
    [pid] = box_processes(box_id)
    return pid


def box_processes(box_id: str) -> list[int]:
    return [pid for pid in kernel.pids() if (words := kernel.arguments(pid))[3:4] == ["box"] and box_id in words]


def boxes_of(state_dir: Path) -> list[int]:
    """Processes whose arguments name the folder: boxes and what they started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if f"{state_dir}/boxes/".encode() in arguments:
                found.append(int(entry.name))
    return found
