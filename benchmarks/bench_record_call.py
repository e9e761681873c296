"""The price of the record: a call that does next to nothing, with it and without; no browser is in the way.

Two boxes without a record differ by a hundredth here, where a browser's calls wander by a tenth on a busy machine.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks.clicks import Line
from benchmarks.harness import Action, Benchmark, Contender, run
from benchmarks.paired import PairedRounds
from tests.servers import running_box

ROUNDS = PairedRounds("none")


def recorded(name: str, level: str) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        with running_box("--log-level", "warning", "--jail", "off", "--record", level) as box:
            line = Line(box)
            release = {"action": "release"}
            yield ROUNDS.watched(name, box.process.pid, lambda: line.ask("/v1/control", release))
            await line.close()
            BENCHMARK.notes.update(ROUNDS.figures(BENCHMARK.warm_up))

    return opened


BENCHMARK = Benchmark(
    "record_call",
    baseline="none",
    contenders=[
        Contender("none", recorded("none", "none")),
        Contender("none again", recorded("none again", "none")),
        Contender("actions", recorded("actions", "actions")),
        Contender("content", recorded("content", "content")),
    ],
    rounds=300,
    quick_rounds=60,
    warm_up=5,
)

if __name__ == "__main__":
    run(BENCHMARK)
