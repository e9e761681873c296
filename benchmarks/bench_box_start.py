"""How long `belljar box` takes from exec to its first answer, beside bare Starlette; its memory when idle, and the
processor time of start and stop.

Our modules are compiled beforehand, as an installed package's are and as `make setup` does: Python would do it in the
first start, or in every one where PYTHONDONTWRITEBYTECODE is set.
"""

import compileall
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import belljar
from benchmarks.harness import Action, Benchmark, Contender, Took, run

PATIENCE = 20.0

BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
async def healthz(request):
    return JSONResponse({"status": "ok"})
app = Starlette(routes=[Route("/healthz", healthz)])
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", loop="uvloop", http="httptools")
"""


def contender(name: str, command: Callable[[int, str], Sequence[str]]) -> Contender:
    def set_up() -> AbstractAsyncContextManager[Action]:
        return _starting(name, command)

    return Contender(name, set_up)


@asynccontextmanager
async def _starting(name: str, command: Callable[[int, str], Sequence[str]]) -> AsyncIterator[Action]:
    with tempfile.TemporaryDirectory(prefix="belljar-bench-") as state_dir:
        yield lambda: _start_once(name, command(_free_port(), state_dir))


def _start_once(name: str, command: Sequence[str]) -> Took:
    """Exec to first answer; stopping is not counted."""
    port = int(next(word for word in command if word.isdecimal()))
    started, used = time.perf_counter(), _processor_ms()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _await_answer(port, server)
            took = Took(time.perf_counter() - started)
            note = f"{name}, resident when idle, MB"
            BENCHMARK.notes[note] = max(float(BENCHMARK.notes.get(note, 0)), _resident_mb(server.pid))
        finally:
            server.terminate()
            server.wait(PATIENCE)
    note = f"{name}, start and stop with all its processes, processor ms, least"
    BENCHMARK.notes[note] = min(float(BENCHMARK.notes.get(note, "inf")), _processor_ms() - used)
    return took


def _processor_ms() -> float:
    """Of every process that has ended below this one."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((ended.ru_utime + ended.ru_stime) * 1000)


def _await_answer(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.perf_counter() + PATIENCE
    while time.perf_counter() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                if b" 200 " in client.recv(1024):
                    return
        except ConnectionRefusedError:
            if server.poll() is not None:
                raise RuntimeError(f"the server ended with {server.returncode}") from None
            time.sleep(0.002)
    raise TimeoutError(f"no answer within {PATIENCE:g} s")


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return round(kilobytes / 1024, 1)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _bare(port: int, _: str) -> Sequence[str]:
    return [sys.executable, "-c", BARE, str(port)]


def _belljar(port: int, state_dir: str) -> Sequence[str]:
    return [
        os.path.join(os.path.dirname(sys.executable), "belljar"),
        "box",
        "--port",
        str(port),
        "--state-dir",
        state_dir,
    ]


BENCHMARK = Benchmark(
    "box_start",
    baseline="bare Starlette",
    contenders=[contender("bare Starlette", _bare), contender("belljar box", _belljar)],
    rounds=20,
    quick_rounds=3,
    warm_up=1,
    limit=60,
)

if __name__ == "__main__":
    compileall.compile_dir(os.path.dirname(belljar.__file__), quiet=1)
    run(BENCHMARK)
