"""`POST /v1/browser/execute` against a raw `Runtime.evaluate`, both of `1 + 1` in a Chromium of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from belljar.box.browser.page.page import Page
from benchmarks.clicks import Line
from benchmarks.harness import Action, Benchmark, Contender, run
from benchmarks.reading import in_process
from tests.servers import running_box


async def raw(page: Page) -> object:
    return await page.session.send_as(dict[str, object], "Runtime.evaluate", expression="1 + 1", returnByValue=True)


async def frame_evaluate(page: Page) -> object:
    return await page.main.evaluate("1 + 1")


@asynccontextmanager
async def over_http() -> AsyncIterator[Action]:
    with running_box("--log-level", "warning") as box, box.client() as client:
        client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        line = Line(box)
        yield lambda: line.ask("/v1/browser/execute", {"expression": "1 + 1"})
        await line.close()


BENCHMARK = Benchmark(
    "execute",
    baseline="Runtime.evaluate",
    contenders=[
        Contender("Runtime.evaluate", in_process(raw)),
        Contender("Frame.evaluate", in_process(frame_evaluate)),
        Contender("POST /v1/browser/execute", over_http),
    ],
    rounds=1000,
    quick_rounds=200,
    warm_up=50,
)

if __name__ == "__main__":
    run(BENCHMARK)
