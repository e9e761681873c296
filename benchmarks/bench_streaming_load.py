"""What watching costs: processor time of server, streamer and film in a window, by how many watch, how, and what.

The page of `bench_streaming` moves all the time; one viewer decodes nothing either, so what is counted is the box's own
part alone, without Chromium and Xvfb, which are noted beside it.
"""

import json
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2 as httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.bench_streaming import PAGE, START, processors
from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import rest, script
from tests.box.live.video import _below, streamers
from tests.servers import RunningBox, running_box

WINDOW = 3.0


def film_seconds(box: RunningBox) -> float:
    """Processor time of the process that writes films."""
    total = 0.0
    for pid in _below(box.process.pid):
        try:
            if b"encoder.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                total += (int(fields[11]) + int(fields[12])) / 100
        except OSError:
            continue
    return total


async def film(box: RunningBox) -> None:
    rest(box, "/v1/desktop/recording/start", {"fps": 30})


async def nothing(box: RunningBox) -> None:
    return


class Viewer:
    """Takes and acknowledges frames, and leaves without a word."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.frames = 0
        self.has_seen = anyio.Event()

    async def read(self) -> None:
        try:
            async for message in self._socket:
                if isinstance(message, bytes):
                    self.frames += 1
                    self.has_seen.set()
                    (timestamp,) = struct.unpack(">d", message[8:16])
                    await self._socket.send(json.dumps({"type": "ack", "timestamp": timestamp}))
        except ConnectionClosed:
            return


@asynccontextmanager
async def viewing(box: RunningBox, count: int, codec: str, fps: int) -> AsyncIterator[list[Viewer]]:
    sockets = []
    address = box.url.replace("http", "ws") + "/v1/live"
    async with anyio.create_task_group() as tasks:
        viewers = []
        for _ in range(count):
            socket = await connect(
                address,
                additional_headers=box.headers,
                subprotocols=["belljar.binary"],  # type: ignore[list-item]  # plain strings
                max_size=None,
                compression=None,
            )
            sockets.append(socket)
            await socket.send(json.dumps({"type": "video", "codecs": [codec], "fps": fps}))
            viewers.append(Viewer(socket))
            tasks.start_soon(viewers[-1].read)
        yield viewers
        for socket in sockets:
            socket.transport.abort()
        tasks.cancel_scope.cancel()


def contender(
    name: str,
    *,
    viewers: int = 1,
    codec: str = "h264",
    fps: int = 30,
    is_still: bool = False,
    beside: Callable[[RunningBox], Awaitable[None]] = nothing,
) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_box() as box:
            rest(box, "/v1/browser/start", START)
            rest(box, "/v1/browser/navigate", {"url": PAGE})

            async def watch() -> Took:
                async with viewing(box, viewers, codec, fps) as watchers:
                    script(box, "halt()" if is_still else "go()")
                    await beside(box)
                    for watcher in watchers:
                        with anyio.fail_after(30):
                            await watcher.has_seen.wait()
                    # What a start or a still screen's last sharpenings take is no part of it.
                    await anyio.sleep(2.0)
                    seen = [watcher.frames for watcher in watchers]
                    drawn = script(box, "frame")
                    before, filmed, begin = processors(box), film_seconds(box), time.monotonic()
                    await anyio.sleep(WINDOW)
                    after, seconds = processors(box), time.monotonic() - begin
                    filmed = film_seconds(box) - filmed
                    drawn = script(box, "frame") - drawn
                    frames = [watcher.frames - was for watcher, was in zip(watchers, seen, strict=True)]
                script(box, "halt()")
                # With no film this is a 409, and as well.
                httpx.post(box.url + "/v1/desktop/recording/stop", headers=box.headers, timeout=60)
                own = after["server"] - before["server"] + after["streamer"] - before["streamer"] + filmed
                parts = {part: after[part] - before[part] for part in ("server", "streamer")} | {"film": filmed}
                others = after["the rest"] - before["the rest"] - filmed
                notes = BENCHMARK.notes
                if frames:
                    notes[f"{name}, frames a second of the slowest"] = round(min(frames) / seconds, 1)
                notes[f"{name}, frames a second that the page drew"] = round(drawn / seconds, 1)
                for part, used in (parts | {"Chromium and Xvfb": others}).items():
                    notes[f"{name}, {part}, % of a core"] = round(used / seconds * 100, 1)
                notes[f"{name}, encoders running"] = len(streamers(box))
                return Took(own / seconds)

            yield watch

    return Contender(name, set_up)


BENCHMARK = Benchmark(
    "streaming_load",
    baseline="one viewer",
    contenders=[
        contender("one viewer"),
        contender("one viewer and a film", beside=film),
        contender("a film alone", viewers=0, beside=film),
        contender("four viewers", viewers=4),
        contender("sixteen viewers", viewers=16),
        contender("one viewer, VP8", codec="vp8"),
        contender("one viewer, 60 a second", fps=60),
        contender("a still screen, one viewer", is_still=True),
    ],
    rounds=5,
    quick_rounds=2,
    warm_up=0,
    limit=240,
)

if __name__ == "__main__":
    run(BENCHMARK)
