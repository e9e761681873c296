"""The price of the record: `execute` in a box that writes down what happens against one that does not, by turns."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from benchmarks.clicks import Line
from benchmarks.harness import Action, Benchmark, Contender, run
from tests.servers import running_box


def at_level(level: str) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        with running_box("--log-level", "warning", "--record", level) as box, box.client() as client:
            client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
            line = Line(box)
            yield lambda: line.ask("/v1/browser/execute", {"expression": "1 + 1"})
            await line.close()
            sys.stderr.write(f"record {level}: the server has {private_megabytes(box.process.pid):.1f} MB of its own\n")

    return opened


def private_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


BENCHMARK = Benchmark(
    "record",
    baseline="none",
    contenders=[Contender(level, at_level(level)) for level in ("none", "actions", "content")],
    rounds=1000,
    quick_rounds=200,
    warm_up=50,
)

if __name__ == "__main__":
    run(BENCHMARK)
