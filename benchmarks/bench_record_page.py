"""The first page of a record over HTTP: of a hundred thousand events against one of a thousand."""

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx2 as httpx

from belljar.record.segments import Actor, Event, Origin, SegmentWriter
from benchmarks.harness import Action, Benchmark, Contender, run
from tests.servers import running_box


def record_of(count: int) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        with tempfile.TemporaryDirectory(prefix="belljar-bench-") as folder:
            writer = SegmentWriter(Path(folder, "record"), Origin(0, 0), "box")
            actor = Actor("agent", "rest", "operator")
            for begin in range(0, count, 1000):
                writer.write(
                    Event(
                        0,
                        n,
                        n,
                        "call",
                        "executeBrowserScript.begin",
                        actor,
                        "ab12",
                        None,
                        {"expression": {"length": 9}},
                    )
                    for n in range(begin, begin + 1000)
                )
            writer.close()
            with running_box("--log-level", "warning", "--jail", "off", "--state-dir", folder) as box:
                async with httpx.AsyncClient(base_url=box.url, headers=box.headers) as client:

                    async def first_page() -> None:
                        answer = await client.get("/v1/events")
                        assert len(answer.json()["events"]) == 200

                    yield first_page

    return opened


BENCHMARK = Benchmark(
    "record_page",
    baseline="1,000 events",
    contenders=[Contender("1,000 events", record_of(1000)), Contender("100,000 events", record_of(100_000))],
    rounds=200,
    quick_rounds=50,
    warm_up=10,
)

if __name__ == "__main__":
    run(BENCHMARK)
