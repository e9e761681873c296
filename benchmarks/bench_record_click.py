"""The price of the record: clicks in a box that writes down what happens, with pictures or without, by turns."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks.clicks import SELECTOR, Line
from benchmarks.harness import Action, Benchmark, Contender, run
from tests.servers import running_box
from tests.site import running_site


def recorded(*flags: str) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        with running_site() as site, running_box("--egress", "open", "--log-level", "warning", *flags) as box:
            line = Line(box)
            await line.ask("/v1/browser/start", {"headless": True})
            await line.ask("/v1/browser/navigate", {"url": site.url("acting/still.html")})
            yield lambda: line.ask("/v1/browser/click", {"selector": SELECTOR})
            await line.close()

    return opened


BENCHMARK = Benchmark(
    "record_click",
    baseline="none",
    contenders=[
        Contender("none", recorded("--record", "none")),
        Contender("actions", recorded("--record", "actions")),
        Contender("content, without pictures", recorded("--record", "content", "--record-kind", "call")),
        Contender("content", recorded("--record", "content")),
        Contender("on_failure", recorded("--film", "on_failure")),
    ],
    rounds=600,
    quick_rounds=150,
    warm_up=30,
)

if __name__ == "__main__":
    run(BENCHMARK)
