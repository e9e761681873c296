"""A picture of the page: `GET /v1/browser/screenshot` against raw `Page.captureScreenshot`, its base64 undone."""

from belljar.box.browser.cdp.replies import Picture
from belljar.box.browser.page.page import Page
from benchmarks.harness import Benchmark, Contender, run
from benchmarks.reading import in_process, over_http


async def raw(page: Page) -> bytes:
    return (await page.session.send_as(Picture, "Page.captureScreenshot", format="png")).data


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
