"""This commit beside another, call by call: `BELLJAR_OTHER=/path/to/a/worktree` (with its own `.venv`) names the other.

`python -m benchmarks.bench_commits click gateway` takes only those.
"""

import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Upstream
from benchmarks.clicks import Line
from benchmarks.forms import FORM, LARGE
from benchmarks.harness import Action, Benchmark, Contender, Took, console, run
from tests.plane.plane import PATIENCE, running_plane
from tests.servers import running_box

# What a call needs to run with the belljar of one interpreter.
SetUp = Callable[[str], AbstractAsyncContextManager[Action]]


def browser_call(path: str, page: str, **body: Any) -> SetUp:
    """A call on a page that is there."""

    @asynccontextmanager
    async def set_up(python: str) -> AsyncIterator[Action]:
        with running_box("--log-level", "warning", python=python) as box:
            line = Line(box)
            await line.ask("/v1/browser/start", {"headless": True})
            await line.ask("/v1/browser/navigate", {"url": "about:blank"})
            write = f"document.open(), document.write({page!r}), document.close(), 0"
            await line.ask("/v1/browser/execute", {"expression": write})
            yield lambda: line.ask(path, body)
            await line.close()

    return set_up


@asynccontextmanager
async def snapshot(python: str) -> AsyncIterator[Action]:
    with running_box("--log-level", "warning", python=python) as box:
        headers = {"Authorization": f"Bearer {box.token}"}
        async with httpx.AsyncClient(base_url=box.url, headers=headers, timeout=30) as client:
            await client.post("/v1/browser/start", json={"headless": True})
            write = f"document.open(), document.write({LARGE!r}), document.close(), 0"
            await client.post("/v1/browser/execute", json={"expression": write})

            async def look() -> None:
                (await client.get("/v1/browser/snapshot")).raise_for_status()

            yield look


@asynccontextmanager
async def process(python: str) -> AsyncIterator[Action]:
    with running_box("--log-level", "warning", python=python) as box:
        line = Line(box)
        yield lambda: line.ask("/v1/processes/run", {"command": "true"})
        await line.close()


@asynccontextmanager
async def gateway(python: str) -> AsyncIterator[Action]:
    with running_plane("--jail", "off", python=python) as plane:
        session = await anyio.to_thread.run_sync(plane.create)
        async with Upstream() as upstream:
            address = Address(host="127.0.0.1", port=int(plane.url.rpartition(":")[2]))
            path = f"/s/{session['id']}/v1/health"

            async def ask() -> None:
                answer = await upstream.request(address, "GET", path, token=session["token"])
                assert answer.status == 200

            yield ask


@asynccontextmanager
async def session_create(python: str) -> AsyncIterator[Action]:
    """A box that is started for it; only the creation counts."""
    with running_plane(python=python) as plane:
        headers = {"Authorization": f"Bearer {plane.key}"}
        async with httpx.AsyncClient(base_url=plane.url, headers=headers, timeout=PATIENCE) as client:

            async def create() -> Took:
                began = time.perf_counter()
                answer = await client.post("/api/sessions", json={"headless": True})
                took = time.perf_counter() - began
                assert answer.status_code == 201, answer.text
                await client.delete(f"/api/sessions/{answer.json()['id']}")
                return Took(took)

            yield create


CALLS: dict[str, tuple[SetUp, int]] = {
    "click": (browser_call("/v1/browser/click", FORM, selector="#terms"), 200),
    "type": (browser_call("/v1/browser/type", FORM, selector="#name", text="Twenty characters :)", clear=True), 60),
    "execute": (browser_call("/v1/browser/execute", FORM, expression="1 + 1"), 400),
    "snapshot": (snapshot, 60),
    "process": (process, 300),
    "gateway": (gateway, 2000),
    "session_create": (session_create, 12),
}


def benchmark(name: str) -> Benchmark:
    set_up, rounds = CALLS[name]
    pythons = {"other commit": f"{os.environ['BELLJAR_OTHER']}/.venv/bin/python", "this commit": sys.executable}

    def contender(label: str, python: str) -> Contender:
        return Contender(label, lambda: set_up(python))

    contenders = [contender(label, python) for label, python in pythons.items()]
    return Benchmark(f"commits_{name}", "other commit", contenders, rounds=rounds, warm_up=3)


def main() -> None:
    if "BELLJAR_OTHER" not in os.environ:
        console.print("[yellow]commits left out: BELLJAR_OTHER names no worktree of another commit[/yellow]")
        return
    names = [name for name in sys.argv[1:] if name in CALLS]
    sys.argv[1:] = [argument for argument in sys.argv[1:] if argument not in CALLS]
    for name in names or CALLS:
        run(benchmark(name))


if __name__ == "__main__":
    main()
