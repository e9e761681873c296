"""A picture of the page: `GET /v1/browser/screenshot` against raw `Page.captureScreenshot`, its base64 undone."""

import base64

from belljar.box.browser.page.page import Page
from benchmarks.harness import Benchmark, Contender, run
from benchmarks.reading import in_process, over_http


async def raw(page: Page) -> bytes:
    reply = await page.session.send("Page.captureScreenshot", format="png")
    return base64.b64decode(reply["data"])


BENCHMARK = Benchmark(
    "screenshot",
    baseline="Page.captureScreenshot",
    contenders=[
        Contender("Page.captureScreenshot", in_process(raw)),
        Contender("GET /v1/browser/screenshot", over_http("/v1/browser/screenshot")),
        Contender("jpeg", over_http("/v1/browser/screenshot?format=jpeg")),
    ],
    rounds=100,
)

if __name__ == "__main__":
    run(BENCHMARK)
