"""Boxes with the jail on and off, side by side, for one and the same request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from benchmarks.clicks import Line
from benchmarks.harness import Action, Benchmark, Contender, SetUp
from tests.servers import running_box

Call = tuple[str, dict[str, Any]]


def side_by_side(name: str, calls: list[Call], *, first: Call | None = None, rounds: int = 300) -> Benchmark:
    """`first` is asked once, when the box is up; `calls` one after the other are what is timed."""
    return Benchmark(
        name,
        baseline="--jail off",
        contenders=[Contender(f"--jail {mode}", _asking(mode, calls, first)) for mode in ("off", "require")],
        rounds=rounds,
        quick_rounds=min(rounds, 30),
        warm_up=min(5, rounds // 20),
    )


def _asking(mode: str, calls: list[Call], first: Call | None) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_box("--log-level", "warning", "--jail", mode) as box, box.client() as client:
            if first is not None:
                client.post(first[0], json=first[1]).raise_for_status()
            line = Line(box)

            async def action() -> None:
                for path, body in calls:
                    await line.ask(path, body)

            yield action
            await line.close()

    return set_up
