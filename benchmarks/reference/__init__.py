"""The reference server, for benchmarks: npm's `@sandbox-agent/cli` 0.4.2, on loopback, without telemetry."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.harness import Unavailable

FOLDER = Path(__file__).parent
BINARY = FOLDER / "node_modules/@sandbox-agent/cli-linux-x64/bin/sandbox-agent"
TOOLS = ("xdotool", "import", "convert", "xclip", "ffmpeg", "xrandr")
PATIENCE = 20.0


@contextmanager
def running_reference() -> Iterator[int]:
    """Start it on a free loopback port, which is yielded."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise Unavailable(f"the reference needs {', '.join(missing)} (apt-get install)")
    _install()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="belljar-reference-") as state:
        environment = {"PATH": os.environ["PATH"], "HOME": state, "XDG_STATE_HOME": state}
        arguments = ["server", "--host", "127.0.0.1", "--port", str(port), "--no-token", "--no-telemetry"]
        server = subprocess.Popen(
            [BINARY, *arguments],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _wait_for(port)
            yield port
        finally:
            _stop_desktop(port)
            # Its children share its session, and it leaves them running.
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _install() -> None:
    if BINARY.exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("the reference needs npm")
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund"], cwd=FOLDER, capture_output=True, text=True, timeout=300
    )
    if done.returncode or not BINARY.exists():
        raise Unavailable("npm could not install @sandbox-agent/cli")


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("GET", "/v1/health")
            connection.getresponse().read()
            connection.close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _stop_desktop(port: int) -> None:
    """Before it is killed: Xvfb and openbox would stay."""
    try:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("POST", "/v1/desktop/stop")
        connection.getresponse().read()
        connection.close()
    except OSError:
        return
