"""The price of the record: clicks in a box that writes down what happens, with pictures or without, by turns.

The second "none" is another box without a record: what it differs by is noise.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks.clicks import SELECTOR, Line
from benchmarks.harness import Action, Benchmark, Contender, run
from benchmarks.paired import PairedRounds, private_megabytes
from tests.servers import running_box
from tests.site import running_site

ROUNDS = PairedRounds("none")


def recorded(name: str, *flags: str) -> Contender:
    return Contender(name, clicking(name, *flags))


def clicking(name: str, *flags: str) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Action]:
        with running_site() as site, running_box("--egress", "open", "--log-level", "warning", *flags) as box:
            line, pid = Line(box), box.process.pid
            await line.ask("/v1/browser/start", {"headless": True})
            await line.ask("/v1/browser/navigate", {"url": site.url("acting/still.html")})
            yield ROUNDS.watched(name, pid, lambda: line.ask("/v1/browser/click", {"selector": SELECTOR}))
            await line.close()
            BENCHMARK.notes[f"the server's own memory, {name}"] = f"{private_megabytes(pid):.1f} MB"
            BENCHMARK.notes.update(ROUNDS.figures(BENCHMARK.warm_up))

    return opened


BENCHMARK = Benchmark(
    "record_click",
    baseline="none",
    contenders=[
        recorded("none", "--record", "none"),
        recorded("none again", "--record", "none"),
        recorded("actions", "--record", "actions"),
        recorded("content, without pictures", "--record", "content", "--record-kind", "call"),
        recorded("content", "--record", "content"),
        recorded("on_failure", "--film", "on_failure"),
    ],
    rounds=40,
    quick_rounds=12,
    warm_up=3,
)

if __name__ == "__main__":
    run(BENCHMARK)
