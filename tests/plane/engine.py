"""A container engine of the tests' own: in a network namespace with nothing but loopback, and gone with them."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

ROOT = Path(__file__).parents[2]
IMAGE = "belljar:tests"
_READY_WITHIN = 60.0
_BUILT_WITHIN = 1500.0


@dataclass
class RunningEngine:
    socket: Path
    process: "subprocess.Popen[bytes]"
    folder: Path
    image: str = IMAGE

    def client(self) -> httpx.Client:
        transport = httpx.HTTPTransport(uds=str(self.socket))
        return httpx.Client(transport=transport, base_url="http://engine/v1.41", timeout=60)

    def inspect(self, name: str) -> Mapping[str, Any]:
        with self.client() as client:
            answer = client.get(f"/containers/{name}/json")
            assert answer.status_code == 200, answer.text
            body: dict[str, Any] = answer.json()
            return body

    def containers(self) -> list[str]:
        with self.client() as client:
            listed = client.get("/containers/json", params={"all": "true"}).json()
        return [name.lstrip("/") for one in listed for name in one["Names"]]

    def kill(self, name: str) -> None:
        with self.client() as client:
            assert client.post(f"/containers/{name}/kill", params={"signal": "KILL"}).status_code == 204

    def leave_memory(self, name: str, room: int) -> None:
        """Beside what it has now."""
        with self.client() as client:
            stats = client.get(f"/containers/{name}/stats", params={"stream": "false", "one-shot": "true"}).json()
            most = stats["memory_stats"]["usage"] + room
            answer = client.post(f"/containers/{name}/update", json={"Memory": most, "MemorySwap": most})
            assert answer.status_code == 200, answer.text

    def pause(self) -> None:
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)


@contextmanager
def running_engine() -> Iterator[RunningEngine]:
    """With the image of this tree in it."""
    if os.geteuid() != 0 or shutil.which("dockerd") is None:
        pytest.skip("no container engine can be started: it needs root and dockerd, which 'make test-engines' installs")
    # Short: the engine's sockets are below it. Not in a folder that only we may pass through.
    folder = Path(tempfile.mkdtemp(prefix="bj-engine-", dir="/tmp"))
    folder.chmod(0o711)
    process = _start(folder)
    engine = RunningEngine(folder / "docker.sock", process, folder)
    try:
        _wait_until_ready(engine)
        environment = {**os.environ, "DOCKER_HOST": f"unix://{engine.socket}", "OFFLINE": "1"}
        built = subprocess.run(
            [ROOT / "deploy/image/build", IMAGE], env=environment, capture_output=True, text=True, timeout=_BUILT_WITHIN
        )
        assert built.returncode == 0, built.stdout + built.stderr
        yield engine
    finally:
        engine.resume()
        process.terminate()
        process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path) -> "subprocess.Popen[bytes]":
    flags = ["--data-root", f"{folder}/data", "--exec-root", f"{folder}/exec", "--pidfile", f"{folder}/pid"]
    network = ["--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-masq=false"]
    words = ["dockerd", *flags, "-H", f"unix://{folder}/docker.sock", *network, "--default-ulimit", "nofile=1024:4096"]
    with open(folder / "log", "wb") as log:
        return subprocess.Popen(
            ["unshare", "--net", "sh", "-c", 'ip link set lo up; exec "$@"', "sh", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _wait_until_ready(engine: RunningEngine) -> None:
    deadline = time.monotonic() + _READY_WITHIN
    while time.monotonic() < deadline:
        if engine.process.poll() is not None:
            words = (engine.folder / "log").read_text()[-2000:]
            pytest.skip(f"this host forbids a container engine: {words}")
        with socket.socket(socket.AF_UNIX) as trial:
            if trial.connect_ex(str(engine.socket)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError((engine.folder / "log").read_text()[-2000:])
