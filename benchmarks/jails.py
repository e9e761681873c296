"""Boxes with the jail on and off, side by side, for one and the same request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from typing import Any

import anyio

from benchmarks.clicks import Line
from benchmarks.harness import Action, Benchmark, Contender, SetUp
from tests.servers import running_box

# A path, and what is sent there; nothing for a GET.
Call = tuple[str, dict[str, Any] | None]


def side_by_side(name: str, calls: list[Call], *, first: list[Call] | None = None, rounds: int = 300) -> Benchmark:
    """`first` is asked once, when the box is up; `calls` one after the other are what is timed."""
    return Benchmark(
        name,
        baseline="--jail off",
        contenders=[Contender(f"--jail {mode}", _asking(mode, calls, first or [])) for mode in ("off", "require")],
        rounds=rounds,
        quick_rounds=min(rounds, 30 if rounds < 300 else 150),
        warm_up=min(5, rounds // 20),
    )


def _asking(mode: str, calls: list[Call], first: list[Call]) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_box("--log-level", "warning", "--jail", mode) as box, box.client() as client:
            for path, body in first:
                client.post(path, json=body).raise_for_status()
            line = Line(box)
            reading = HTTPConnection("127.0.0.1", box.port, timeout=30)

            def read(path: str) -> None:
                reading.request("GET", path, headers=box.headers)
                answer = reading.getresponse()
                answer.read()
                assert answer.status == 200

            async def action() -> None:
                for path, body in calls:
                    if body is None:
                        await anyio.to_thread.run_sync(read, path)
                    else:
                        await line.ask(path, body)

            yield action
            await line.close()
            reading.close()

    return set_up
