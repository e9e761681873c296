"""A container engine of the tests' own: it makes no network, and is gone with them."""

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
# `docker`, `podman`, or the folder of another Debian, whose dockerd it is: `make test-engines ENGINE=…`.
ENGINE = os.environ.get("BELLJAR_TEST_ENGINE", "docker")
# Where the image is read from, as `docker save` wrote it, instead of being built: Podman builds none by this command.
ARCHIVE = os.environ.get("BELLJAR_TEST_IMAGE", "")
_READY_WITHIN = 60.0
_BUILT_WITHIN = 1500.0
# A program of another Debian, in this one's place: its root is that, what belongs to the kernel and /tmp are ours.
_ENTER = """root=$1; shift
mount --rbind "$root" "$root" && for shared in proc sys dev tmp; do mount --rbind /$shared "$root/$shared"; done
cd "$root" && pivot_root . mnt && umount -l /mnt && exec "$@\""""
_IN_ANOTHER_ROOT = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _ENTER, "sh")


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

    def containers(self, *, below: Path = Path("/")) -> list[str]:
        """Those that see something of that folder."""
        with self.client() as client:
            listed = client.get("/containers/json", params={"all": "true"}).json()
        seeing = [one for one in listed if any(Path(it["Source"]).is_relative_to(below) for it in one["Mounts"])]
        return [name.lstrip("/") for one in seeing for name in one["Names"]]

    def kill(self, name: str) -> None:
        with self.client() as client:
            assert client.post(f"/containers/{name}/kill", params={"signal": "KILL"}).status_code == 204

    def leave_memory(self, name: str, room: int) -> None:
        """Beside what it has now."""
        with self.client() as client:
            stats = client.get(f"/containers/{name}/stats", params={"stream": "false", "one-shot": "true"}).json()
            most = stats["memory_stats"]["usage"] + room
            if ENGINE == "podman":
                # 4.3 has no such call.
                _memory_group(self.inspect(name)["State"]["Pid"]).write_text(str(most))
                return
            answer = client.post(f"/containers/{name}/update", json={"Memory": most, "MemorySwap": most})
            assert answer.status_code == 200, answer.text

    def docker(self, *words: str | Path, within: float = 120) -> "subprocess.CompletedProcess[str]":
        """What the engine's own command says."""
        command = ["docker", "-H", f"unix://{self.socket}", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=within)

    def save(self, archive: Path) -> None:
        saved = self.docker("save", "-o", archive, self.image)
        assert saved.returncode == 0, saved.stderr

    def stop(self) -> None:
        """What runs in it goes on."""
        self.process.terminate()
        self.process.wait(60)

    def start(self) -> None:
        self.process = _start(self.folder)
        _wait_until_ready(self)

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)


@contextmanager
def running_engine(archive: Path | None = None) -> Iterator[RunningEngine]:
    """With the image of this tree in it, which another one may have saved."""
    if os.geteuid() != 0 or shutil.which("docker") is None:
        pytest.skip("no container engine can be started: it needs root and docker, which 'make test-engines' installs")
    # Short: the engine's sockets are below it. Not in a folder that only we may pass through.
    folder = Path(tempfile.mkdtemp(prefix="bj-engine-", dir="/tmp"))
    folder.chmod(0o711)
    engine = RunningEngine(folder / "docker.sock", _start(folder), folder)
    try:
        _wait_until_ready(engine)
        archive = archive or (Path(ARCHIVE) if ARCHIVE else None)
        made = _build(engine) if archive is None else engine.docker("load", "-i", archive, within=_BUILT_WITHIN)
        assert made.returncode == 0, made.stdout + made.stderr
        yield engine
    finally:
        engine.resume()
        if running := engine.docker("ps", "-aq").stdout.split():
            engine.docker("rm", "-f", *running)
        engine.stop()
        # The network namespace that containers of the host's network were given stays mounted, and Podman's images.
        left = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines() if f" {folder}/" in line]
        for mounted in reversed(left):
            subprocess.run(["umount", "--lazy", mounted], capture_output=True, timeout=20)
        shutil.rmtree(folder, ignore_errors=True)


def _memory_group(pid: int) -> Path:
    """The file with the limit of the group that the process is in, with the first version of control groups."""
    lines = Path(f"/proc/{pid}/cgroup").read_text().splitlines()
    (path,) = [line.split(":", 2)[2] for line in lines if line.split(":")[1] == "memory"]
    return Path(f"/sys/fs/cgroup/memory{path}/memory.limit_in_bytes")


def _build(engine: RunningEngine) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "DOCKER_HOST": f"unix://{engine.socket}", "OFFLINE": "1"}
    command: list[str | Path] = [ROOT / "deploy/image/build", IMAGE]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_BUILT_WITHIN)


def _words(folder: Path) -> list[str]:
    if ENGINE == "podman":
        places = ["--root", f"{folder}/data", "--runroot", f"{folder}/exec", "--tmpdir", f"{folder}/tmp"]
        how = ["--cgroup-manager", "cgroupfs", "--events-backend", "file", "--runtime", "runc"]
        return ["podman", *places, *how, "system", "service", "--time", "0", f"unix://{folder}/docker.sock"]
    flags = ["--data-root", f"{folder}/data", "--exec-root", f"{folder}/exec", "--pidfile", f"{folder}/pid"]
    # None of its own, and the host's left as it is: egress has the loopback of the tests, as with local boxes.
    network = ["--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-masq=false", "--ip-forward=false"]
    words = ["dockerd", *flags, "-H", f"unix://{folder}/docker.sock", *network, "--default-ulimit", "nofile=1024:4096"]
    # As the guide tells people to have it: containers outlive their engine.
    words.append("--live-restore")
    return words if ENGINE == "docker" else [*_IN_ANOTHER_ROOT, ENGINE, *words]


def _start(folder: Path) -> "subprocess.Popen[bytes]":
    # Podman is told by a file what Docker is told by a flag.
    settings = folder / "containers.conf"
    settings.write_text('[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n')
    with open(folder / "log", "ab") as log:
        return subprocess.Popen(
            _words(folder),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "CONTAINERS_CONF": str(settings)},
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
