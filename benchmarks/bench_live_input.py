"""From a mouse press to the picture that shows what it did, over the live socket and over bare CDP."""

from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from benchmarks.harness import Action, Benchmark, Contender, run
from benchmarks.live import bare_page, bare_screencast, box_with_page, is_dark, watching


class Ground:
    """The colour of the page's ground, and waiting for another."""

    def __init__(self) -> None:
        self.is_dark = False
        self._changed = anyio.Event()

    def look(self, jpeg: bytes) -> None:
        if is_dark(jpeg) is not self.is_dark:
            self.is_dark = not self.is_dark
            self._changed.set()
            self._changed = anyio.Event()

    async def until_other(self, before: bool) -> None:
        while self.is_dark is before:
            await self._changed.wait()


@asynccontextmanager
async def bare() -> AsyncIterator[Action]:
    ground = Ground()
    async with bare_page() as page, bare_screencast(page, lambda data: ground.look(b64decode(data))):

        async def press() -> None:
            before = ground.is_dark
            for kind in ("mousePressed", "mouseReleased"):
                page.session.tell(
                    "Input.dispatchMouseEvent", type=kind, x=1200, y=700, button="left", buttons=1, clickCount=1
                )
            await ground.until_other(before)

        yield press


@asynccontextmanager
async def live() -> AsyncIterator[Action]:
    ground = Ground()
    async with box_with_page() as box, watching(box) as watcher:
        watcher.on_frame = ground.look
        # Nobody clicks what they do not see yet: a press without a picture goes nowhere.
        await watcher.has_seen.wait()

        async def press() -> None:
            before = ground.is_dark
            await watcher.click()
            await ground.until_other(before)

        yield press


BENCHMARK = Benchmark(
    "live_input",
    baseline="bare CDP",
    contenders=[Contender("bare CDP", bare), Contender("live socket", live)],
    rounds=100,
    quick_rounds=20,
)

if __name__ == "__main__":
    run(BENCHMARK)
