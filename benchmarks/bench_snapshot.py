"""A page of 300 controls for a model: `GET /v1/browser/snapshot` against the accessibility domain."""

import json

from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.snapshot import SnapshotOptions, Snapshots
from benchmarks.harness import Benchmark, Contender, run
from benchmarks.reading import in_process, over_http


async def accessibility(page: Page) -> object:
    return await page.session.send_as(dict[str, object], "Accessibility.getFullAXTree")


async def walk(page: Page) -> object:
    return await page.watcher(Snapshots).take(SnapshotOptions())


def note(body: bytes) -> None:
    BENCHMARK.notes["characters"] = len(json.loads(body)["snapshot"])


BENCHMARK = Benchmark(
    "snapshot",
    baseline="Accessibility.getFullAXTree",
    contenders=[
        Contender("Accessibility.getFullAXTree", in_process(accessibility)),
        Contender("in-page walk", in_process(walk)),
        Contender("GET /v1/browser/snapshot", over_http("/v1/browser/snapshot", note)),
        Contender("unchanged", over_http("/v1/browser/snapshot?since=1")),
    ],
    rounds=100,
)

if __name__ == "__main__":
    run(BENCHMARK)
