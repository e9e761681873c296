"""The screen at 1280×720 by every transport: from the page's clock to the decoded picture, frames, bits and processors.

The page draws its clock as a row of black and white blocks in every frame, and who decodes a picture reads it there:
what is timed is the median of that over a window.  Receivers are Python (Pillow, PyAV, aiortc) in the benchmark's own
process, so decoding is in the latency and not in the box's processor time; aiortc's holds frames back for some 30 ms,
which browsers do not.
"""

import json
import statistics
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import aioice.ice
import anyio
import av
from PIL import Image

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import cpu_seconds, rest, script, watching
from tests.box.live.rtc.client import NekoClient, neko
from tests.box.live.video import streamers
from tests.servers import RunningBox, running_box

WINDOW = 3.0
# Of the clock, and how wide and high each is drawn.
BITS = 16
BLOCK = 40
_HTML = """<!doctype html><style>body { margin: 0; overflow: hidden } pre { margin: 60px 0 0; font-size: 15px }
canvas { position: absolute; top: 0; left: 0 }
#box { position: absolute; width: 160px; height: 160px; background: #c33 }
</style><canvas id=clock width=640 height=40></canvas><pre id=text></pre><div id=box></div><script>
let frame = 0, going = false;
const context = clock.getContext("2d");
function step() {
  if (!going) return;
  frame++;
  box.style.transform = `translate(${(frame * 7) % 1120}px, ${60 + (frame * 3) % 480}px)`;
  text.textContent = Array.from({ length: 30 }, (_, row) =>
    `${row + frame} the quick brown fox ${(row * frame) % 9973}`).join("\\n");
  const now = Math.floor(performance.timeOrigin + performance.now()) % 65536, gray = now ^ (now >> 1);
  for (let bit = 0; bit < 16; bit++) {
    context.fillStyle = gray >> bit & 1 ? "#fff" : "#000";
    context.fillRect(bit * 40, 0, 40, 40);
  }
  requestAnimationFrame(step);
}
function go() { if (!going) { going = true; step() } return frame }
function halt() { going = false; return frame }
</script>"""
PAGE = "data:text/html;base64," + b64encode(_HTML.encode()).decode()
START = {"kiosk": True, "width": 1280, "height": 720, "webrtcPortRange": "59300-59399"}


def delay(grey: Callable[[int], int]) -> float | None:
    """Milliseconds since the clock in a picture; `grey` gives how light the block at that bit is."""
    code = sum(1 << bit for bit in range(BITS) if grey(bit) > 128)
    shown = 0
    while code:
        shown ^= code
        code >>= 1
    late = (int(time.time() * 1000) - shown) % 65536
    # More is a picture without a clock, or one that was read wrongly.
    return float(late) if late < 5000 else None


class Received:
    """What came in a window."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.frames = 0
        self.bytes = 0

    def picture(self, frame: Any) -> None:
        """A frame that PyAV has decoded."""
        plane = frame.planes[0]
        luma = memoryview(plane)
        row = plane.line_size * (BLOCK // 2)
        self.count(lambda bit: int(luma[row + bit * BLOCK + BLOCK // 2]))

    def jpeg(self, data: bytes) -> None:
        image = Image.open(BytesIO(data)).convert("L")
        scale = image.width / 1280

        def grey(bit: int) -> int:
            pixel = image.getpixel((int((bit + 0.5) * BLOCK * scale), int(BLOCK / 2 * scale)))
            assert isinstance(pixel, int)
            return pixel

        self.bytes += len(data)
        self.count(grey)

    def count(self, grey: Callable[[int], int]) -> None:
        self.frames += 1
        late = delay(grey)
        if late is not None:
            self.delays.append(late)


Receiving = Callable[[RunningBox, Received], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def by_jpeg(box: RunningBox, received: Received) -> AsyncIterator[None]:
    async with watching(box) as watcher:
        watcher.on_frame = received.jpeg
        yield


def by_websocket(codec: str) -> Receiving:
    @asynccontextmanager
    async def receive(box: RunningBox, received: Received) -> AsyncIterator[None]:
        decoder: Any = av.CodecContext.create(codec, "r")

        def decode(data: bytes) -> None:
            # A picture comes before the first frame of video.
            if not data.startswith(b"\xff\xd8"):
                received.bytes += len(data)
                for frame in decoder.decode(av.Packet(data)):
                    received.picture(frame)

        async with watching(box) as watcher:
            await watcher.socket.send(json.dumps({"type": "video", "codecs": [codec]}))
            watcher.on_frame = decode
            yield

    return receive


@asynccontextmanager
async def by_webrtc(box: RunningBox, received: Received) -> AsyncIterator[None]:
    async with neko(box) as viewer, anyio.create_task_group() as tasks:
        await viewer.watch()
        tasks.start_soon(_take, viewer, received)
        yield
        report = await viewer.stats()
        received.bytes = report - received.bytes
        tasks.cancel_scope.cancel()


async def _take(viewer: NekoClient, received: Received) -> None:
    received.bytes = await viewer.stats()
    while True:
        received.picture(await viewer.frame())


def contender(name: str, receive: Receiving, codec: str = "vp8") -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_box() as box:
            rest(box, "/v1/browser/start", START | {"streamVideoCodec": codec})
            rest(box, "/v1/browser/navigate", {"url": PAGE})

            async def watch() -> Took:
                received = Received()
                async with receive(box, received):
                    script(box, "go()")
                    with anyio.fail_after(30):
                        while received.frames < 10:
                            await anyio.sleep(0.05)
                            assert box.process.poll() is None
                    begin, frames, sent = time.monotonic(), received.frames, received.bytes
                    received.delays.clear()
                    drawn = script(box, "frame")
                    before = processors(box)
                    await anyio.sleep(WINDOW)
                    after, seconds = processors(box), time.monotonic() - begin
                    drawn = script(box, "frame") - drawn
                script(box, "halt()")
                frames = received.frames - frames
                bits = (received.bytes - (0 if "WebRTC" in name else sent)) * 8
                note(name, received.delays, frames / seconds, bits / seconds, drawn / seconds)
                for part, used in after.items():
                    BENCHMARK.notes[f"{name}, {part}, % of a core"] = round(
                        (used - before.get(part, 0)) / seconds * 100
                    )
                return Took(statistics.median(received.delays) / 1000)

            yield watch

    return Contender(name, set_up)


def note(name: str, delays: list[float], fps: float, bits: float, drawn: float) -> None:
    ordered = sorted(delays)
    BENCHMARK.notes[f"{name}, frames a second"] = round(fps, 1)
    BENCHMARK.notes[f"{name}, frames a second that the page drew"] = round(drawn, 1)
    BENCHMARK.notes[f"{name}, glass to glass p50, p95 ms"] = (
        f"{ordered[len(ordered) // 2]:.0f}, {ordered[int(len(ordered) * 0.95)]:.0f}"
    )
    BENCHMARK.notes[f"{name}, Mb/s"] = round(bits / 1e6, 2)


def processors(box: RunningBox) -> dict[str, float]:
    """Seconds of processor time by part of the box, since its start."""
    server = _own(box.process.pid)
    streamer = sum(_own(pid) for pid in streamers(box))
    return {"server": server, "streamer": streamer, "the rest": cpu_seconds(box.process.pid) - server - streamer}


def _own(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


# aioice passes over loopback, and here there is nothing else to use.
aioice.ice.get_host_addresses = lambda **_: ["127.0.0.1"]

BENCHMARK = Benchmark(
    "streaming",
    baseline="JPEG, live socket",
    contenders=[
        contender("JPEG, live socket", by_jpeg),
        contender("H.264, live socket", by_websocket("h264")),
        contender("VP8, live socket", by_websocket("vp8")),
        contender("VP8, WebRTC", by_webrtc),
        contender("H.264, WebRTC", by_webrtc, "h264"),
    ],
    rounds=5,
    quick_rounds=2,
    warm_up=1,
    limit=300,
)

if __name__ == "__main__":
    run(BENCHMARK)
