"""The screen at 1280×720 by every transport, watched in a real Chromium, beside stock aiortc and x11vnc with noVNC.

All show one page of one box.  What is timed is from the page's clock to the decoded picture, the median of a window;
beside it stand frames, bits, presses until the picture shows them, and processor time by process, of all windows.  The
viewer's own Chromium runs on the same cores, and counts as `viewer`.
"""

import statistics
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from playwright.async_api import Browser
from playwright.async_api import TimeoutError as NotSeen

from benchmarks.harness import Action, Benchmark, Contender, Took, console, run
from benchmarks.live import script
from benchmarks.streaming import WINDOW, Seen, drawn, processors, source, spent, verdict
from benchmarks.streaming_viewers import Viewer, Watching, a_browser, installed, novnc, ours, stock
from tests.servers import RunningBox

# Presses in a round, each waited for.
CLICKS = 8
CLICK_SECONDS = 5.0
# What a window without a picture counts as, in milliseconds.
NO_PICTURE = 30_000.0
# Frames before a window begins.
RUN_UP = 15


class Shared:
    """What contenders have in common, opened by the first that needs it and ended with that one."""

    def __init__(self) -> None:
        self._boxes: dict[int, RunningBox] = {}
        self._browser: tuple[Browser, int] | None = None
        self.seen: dict[str, Seen] = {}

    @asynccontextmanager
    async def box(self, fps: int) -> AsyncIterator[RunningBox]:
        if fps in self._boxes:
            yield self._boxes[fps]
            return
        with source(streamFrameRate=fps) as self._boxes[fps]:
            yield self._boxes[fps]
            del self._boxes[fps]

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[tuple[Browser, int]]:
        if self._browser is not None:
            yield self._browser
            return
        async with a_browser() as self._browser:
            yield self._browser
            self._browser = None


SHARED = Shared()


def contender(name: str, watching: Watching, fps: int = 30, needs: tuple[str, ...] = ()) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        if needs:
            await installed(*needs)
        async with AsyncExitStack() as stack:
            box = await stack.enter_async_context(SHARED.box(fps))
            browser, driver = await stack.enter_async_context(SHARED.browser())
            seen = SHARED.seen[name] = Seen()

            async def watch() -> Took:
                delays = [NO_PICTURE]
                try:
                    async with watching(box, browser) as viewer:
                        delays = await window(box, viewer, driver, seen) or delays
                        await clicks(viewer, seen)
                except NotSeen as error:
                    console.print(f"[yellow]streaming: {name} showed nothing: {str(error).splitlines()[0]}[/yellow]")
                script(box, "halt()")
                say()
                return Took(statistics.median(delays) / 1000)

            yield watch

    return Contender(name, set_up)


async def window(box: RunningBox, viewer: Viewer, driver: int, seen: Seen) -> list[float]:
    script(box, "go()")
    page = viewer.page
    await page.wait_for_function(f"probe.frames >= {RUN_UP}", timeout=20_000)
    roots: dict[int, str | None] = {box.process.pid: None, driver: "viewer", **viewer.others}
    before, count, first = processors(roots), drawn(box), await page.evaluate("probe.take()")
    begin = time.monotonic()
    await anyio.sleep(WINDOW)
    found = await page.evaluate("probe.take()")
    seen.seconds += time.monotonic() - begin
    seen.use(spent(before, processors(roots)))
    seen.draw(count, drawn(box))
    seen.frames += found["frames"] - first["frames"]
    seen.bits += (found["bytes"] - first["bytes"]) * 8
    seen.delays += found["delays"]
    return list(found["delays"])


async def clicks(viewer: Viewer, seen: Seen) -> None:
    """Presses while the page moves; one that is not seen in time counts as that."""
    page = viewer.page
    for number in range(CLICKS):
        await page.mouse.click(400 + number, 400)
        try:
            await page.wait_for_function("probe.waiting === null", timeout=CLICK_SECONDS * 1000)
        except NotSeen:
            seen.clicks.append(CLICK_SECONDS * 1000)
            await page.evaluate("probe.waiting = null")
    seen.clicks += (await page.evaluate("probe.take()"))["clicks"]


def unwatched(name: str, fps: int = 30) -> Contender:
    """The page by itself, and what its frames a second are then."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        async with SHARED.box(fps) as box:
            seen = SHARED.seen[name] = Seen()

            async def alone() -> Took:
                script(box, "go()")
                await anyio.sleep(1.0)
                before, count, begin = processors({box.process.pid: None}), drawn(box), time.monotonic()
                await anyio.sleep(WINDOW)
                seconds = time.monotonic() - begin
                seen.seconds += seconds
                seen.use(spent(before, processors({box.process.pid: None})))
                frames = seen.draw(count, drawn(box))
                script(box, "halt()")
                say()
                return Took(seconds / max(1, frames))

            yield alone

    return Contender(name, set_up)


JPEG, H264, VP8_RTC, H264_RTC = "JPEG, WebSocket", "H.264, WebSocket", "VP8, WebRTC", "H.264, WebRTC"
FAST, ALONE = "H.264, WebSocket, 60 a second", "nobody watches"
OURS = (JPEG, H264, VP8_RTC, H264_RTC)


def say() -> None:
    """What was seen until now."""
    notes, seen = BENCHMARK.notes, {name: one for name, one in SHARED.seen.items() if one.seconds}
    notes |= {name: one.words() for name, one in seen.items()}
    if (vp8 := seen.get(VP8_RTC)) is not None:
        own = vp8.share("streamer")
        found = f"{vp8.fps:.1f} fps, streamer {own:.0f} % (with the server {own + vp8.share('server'):.0f} %)"
        notes["VP8 ≥ 29 fps at ≤ 25 % of a core"] = verdict(vp8.fps >= 29 and own <= 25, found)
    if (fast := seen.get(FAST)) is not None:
        own = fast.share("streamer")
        found = f"{fast.fps:.1f} fps, streamer {own:.0f} % (with the server {own + fast.share('server'):.0f} %)"
        is_met = fast.fps >= 50 and own <= 45
        notes["H.264 ≥ 50 fps where the page draws 60, at ≤ 45 %"] = verdict(
            is_met, f"{found}, page {fast.page_fps:.0f} fps"
        )
    delays = {name: statistics.median(seen[name].delays) for name in OURS if name in seen and seen[name].delays}
    if delays:
        found = ", ".join(f"{name} {late:.0f} ms" for name, late in delays.items())
        notes["p50 ≤ 60 ms glass to glass"] = verdict(max(delays.values()) <= 60, found)
    if (alone := seen.get(ALONE)) is not None and alone.drawn:
        shares = {name: seen[name].page_fps / alone.page_fps for name in OURS if name in seen}
        found = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        # Pictures are made by Chromium itself; of video this must hold.
        is_met = all(share >= 0.95 for name, share in shares.items() if name != JPEG)
        notes["the page draws ≥ 95 % of its frames while watched"] = verdict(is_met, found)


BENCHMARK = Benchmark(
    "streaming",
    baseline=JPEG,
    contenders=[
        contender(JPEG, ours("jpeg")),
        contender(H264, ours("webcodecs")),
        contender(VP8_RTC, ours("webrtc", "vp8")),
        contender(H264_RTC, ours("webrtc", "h264")),
        contender(FAST, ours("webcodecs"), fps=60),
        contender("stock aiortc, VP8", stock("vp8")),
        contender("stock aiortc, H.264", stock("h264")),
        contender("x11vnc with noVNC", novnc, needs=("x11vnc", "websockify")),
        unwatched(ALONE),
    ],
    rounds=3,
    quick_rounds=1,
    warm_up=0,
    limit=260,
    action_limit=90,
)

if __name__ == "__main__":
    run(BENCHMARK)
