"""The price of the record: `execute` in a box that writes down what happens against one that does not, by turns.

The second "none" is another box without a record: what it differs by is noise.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks.clicks import Line
from benchmarks.harness import Action, Benchmark, Contender, run
from benchmarks.paired import PairedRounds, private_megabytes
from tests.servers import running_box

ROUNDS = PairedRounds("none")


def recorded(name: str, *flags: str) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        with running_box("--log-level", "warning", *flags) as box, box.client() as client:
            client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
            line, pid = Line(box), box.process.pid
            yield ROUNDS.watched(name, pid, lambda: line.ask("/v1/browser/execute", {"expression": "1 + 1"}))
            await line.close()
            BENCHMARK.notes[f"the server's own memory, {name}"] = f"{private_megabytes(pid):.1f} MB"
            BENCHMARK.notes.update(ROUNDS.figures(BENCHMARK.warm_up))

    return opened


BENCHMARK = Benchmark(
    "record",
    baseline="none",
    contenders=[
        Contender("none", recorded("none", "--record", "none")),
        Contender("none again", recorded("none again", "--record", "none")),
        Contender("actions", recorded("actions", "--record", "actions")),
        Contender("content", recorded("content", "--record", "content")),
    ],
    rounds=100,
    quick_rounds=30,
    warm_up=4,
)

if __name__ == "__main__":
    run(BENCHMARK)
