"""Contenders measured side by side in one run, because only neighbours in time compare on a noisy machine.

A benchmark is a file `bench_<name>.py` with one `Benchmark` and, at its end, `run(BENCHMARK)`:

    @asynccontextmanager
    async def over_http() -> AsyncIterator[Action]:
        async with a_running_server() as client:
            yield lambda: client.post("/v1/processes", json={...})   # awaited when awaitable, else called

    BENCHMARK = Benchmark("process_start", baseline="asyncio", contenders=[
        Contender("asyncio", plain_spawn), Contender("belljar", over_http)])

    if __name__ == "__main__":
        run(BENCHMARK)

All contenders are set up first, warmed up, and then take turns. A set-up that raises `Unavailable` is left out aloud.
"""

import argparse
import inspect
import json
import os
import platform
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio
from rich.console import Console
from rich.table import Table

from benchmarks.figures import Figures, compare, turns

RESULTS = Path(__file__).parent / "results"

console = Console()


class Took(float):
    """Seconds that an action measured itself, where part of what it does is not the thing in question."""


class Unavailable(Exception):
    """A contender cannot take part here; the message says what it lacks."""


Action = Callable[[], Awaitable[object] | object]
SetUp = Callable[[], AbstractAsyncContextManager[Action]]


@dataclass(frozen=True)
class Contender:
    """A name and a set-up: an async context manager that yields the action to time and ends it all on leaving."""

    name: str
    set_up: SetUp


@dataclass(frozen=True)
class Benchmark:
    """What is compared with what, and for how long at most."""

    name: str
    baseline: str
    contenders: list[Contender]
    rounds: int = 200
    quick_rounds: int = 20
    warm_up: int = 5
    # Seconds after which no further round begins, and within which one action must end.
    limit: float = 120.0
    action_limit: float = 30.0
    # Figures beside the times (memory, sizes), filled by set-ups and actions: `BENCHMARK.notes["idle MB"] = 61.2`.
    notes: dict[str, float | str] = field(default_factory=dict)


def run(benchmark: Benchmark) -> None:
    """Measure, print the table, and leave the figures in `benchmarks/results/<name>.json`."""
    parser = argparse.ArgumentParser(description=f"Benchmark {benchmark.name}")
    parser.add_argument("--quick", action="store_true", help=f"{benchmark.quick_rounds} rounds only")
    parser.add_argument("--rounds", type=int, help=f"rounds to take, instead of {benchmark.rounds}")
    parser.add_argument("--only", action="append", default=[], help="part of a contender's name; may be repeated")
    options = parser.parse_args()
    benchmark = only(benchmark, options.only)
    rounds: int = options.rounds or (benchmark.quick_rounds if options.quick else benchmark.rounds)
    samples = anyio.run(measure, benchmark, rounds)
    figures = compare(samples, benchmark.baseline)
    show(benchmark, figures)
    console.print(f"[dim]{save(benchmark, figures)}[/dim]")


def only(benchmark: Benchmark, parts: list[str]) -> Benchmark:
    """With the contenders alone whose names have one of these; the first is the baseline where the own is left out."""
    chosen = [one for one in benchmark.contenders if any(part.lower() in one.name.lower() for part in parts)]
    if not parts:
        return benchmark
    if not chosen:
        raise SystemExit(f"{benchmark.name} has: {', '.join(one.name for one in benchmark.contenders)}")
    names = [one.name for one in chosen]
    baseline = benchmark.baseline if benchmark.baseline in names else names[0]
    return replace(benchmark, contenders=chosen, baseline=baseline)


async def measure(benchmark: Benchmark, rounds: int) -> dict[str, list[float]]:
    """Seconds by contender. Stops early, with whole rounds, when the benchmark's limit is reached."""
    async with AsyncExitStack() as stack:
        actions = await _set_up(benchmark, stack)
        if benchmark.baseline not in actions:
            raise SystemExit(
                f"{benchmark.name}: the baseline {benchmark.baseline!r} is not available, nothing to compare"
            )
        for order in turns(list(actions), benchmark.warm_up):
            for name in order:
                await _time(actions[name], benchmark.action_limit)
        samples: dict[str, list[float]] = {name: [] for name in actions}
        until = time.perf_counter() + benchmark.limit
        for order in turns(list(actions), rounds):
            for name in order:
                samples[name].append(await _time(actions[name], benchmark.action_limit))
            if time.perf_counter() > until:
                break
        return samples


def show(benchmark: Benchmark, figures: list[Figures]) -> None:
    table = Table(title=benchmark.name, title_justify="left")
    table.add_column("contender")
    for heading in ("p50 ms", "p95 ms", "best ms", f"p50 / {benchmark.baseline}", "p95 ratio", "samples"):
        table.add_column(heading, justify="right")
    for row in figures:
        times = (f"{seconds * 1000:.3f}" for seconds in (row.p50, row.p95, row.best))
        table.add_row(row.name, *times, f"{row.ratio_p50:.2f}×", f"{row.ratio_p95:.2f}×", str(row.samples))
    console.print(table)
    for name, value in benchmark.notes.items():
        console.print(f"  {name}: {value}")


def save(benchmark: Benchmark, figures: list[Figures]) -> Path:
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{benchmark.name}.json"
    path.write_text(json.dumps(report(benchmark, figures), indent=2) + "\n")
    return path


def report(benchmark: Benchmark, figures: list[Figures]) -> Mapping[str, object]:
    """What is saved: the figures in seconds, and enough about the machine to know whether two files compare."""
    return {
        "name": benchmark.name,
        "baseline": benchmark.baseline,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "kernel": platform.release(),
            "load": os.getloadavg()[0],
        },
        "contenders": [asdict(row) for row in figures],
        "notes": benchmark.notes,
    }


async def _set_up(benchmark: Benchmark, stack: AsyncExitStack) -> dict[str, Action]:
    actions = {}
    for contender in benchmark.contenders:
        try:
            actions[contender.name] = await stack.enter_async_context(contender.set_up())
        except Unavailable as reason:
            console.print(f"[yellow]{benchmark.name}: {contender.name} left out: {reason}[/yellow]")
    return actions


async def _time(action: Action, limit: float) -> float:
    started = time.perf_counter()
    with anyio.fail_after(limit):
        result = action()
        if inspect.isawaitable(result):
            result = await result
    return float(result) if isinstance(result, Took) else time.perf_counter() - started
