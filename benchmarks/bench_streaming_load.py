"""What watching costs: processor time of server, streamer and film, by how many watch, how, and what.

The page of `bench_streaming` moves all the time.  Viewers receive and decode nothing, so what is counted is the box's
own part alone, without Chromium and Xvfb, which stand beside it; it is compared for each frame that the slowest viewer
got, because on a busy machine there are fewer.
"""

import json
import struct
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

import aioice.ice
import aiortc.rtcdtlstransport
import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.harness import Action, Benchmark, Contender, Took, run
from benchmarks.live import script
from benchmarks.streaming import WINDOW, Seen, drawn, end_film, film, processors, source, spent, verdict
from tests.box.live.rtc.client import neko
from tests.box.live.video import streamers
from tests.servers import RunningBox


class Viewer:
    """Counts the frames that it gets."""

    def __init__(self) -> None:
        self.frames = 0
        self.has_seen = anyio.Event()

    def count(self) -> None:
        self.frames += 1
        self.has_seen.set()

    async def read(self, socket: ClientConnection) -> None:
        """Take and acknowledge what comes over the live socket."""
        try:
            async for message in socket:
                if isinstance(message, bytes):
                    self.count()
                    (timestamp,) = struct.unpack(">d", message[8:16])
                    await socket.send(json.dumps({"type": "ack", "timestamp": timestamp}))
        except ConnectionClosed:
            return


Viewing = Callable[[RunningBox, int], AbstractAsyncContextManager[list[Viewer]]]


def by_websocket(codec: str, fps: int = 30) -> Viewing:
    @asynccontextmanager
    async def view(box: RunningBox, count: int) -> AsyncIterator[list[Viewer]]:
        address = box.url.replace("http", "ws") + "/v1/live"
        sockets, viewers = [], []
        async with anyio.create_task_group() as tasks:
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
                viewers.append(Viewer())
                tasks.start_soon(viewers[-1].read, socket)
            yield viewers
            for socket in sockets:
                socket.transport.abort()
            tasks.cancel_scope.cancel()

    return view


@asynccontextmanager
async def by_webrtc(box: RunningBox, count: int) -> AsyncIterator[list[Viewer]]:
    """VP8 with aiortc on this side, which connects and then neither decrypts nor decodes: frames end with a mark."""
    viewers = []
    async with AsyncExitStack() as stack:
        for _ in range(count):
            client = await stack.enter_async_context(neko(box))
            await client.watch()
            assert client.peer is not None
            viewer = Viewer()
            for sender in client.peer.getTransceivers():
                _COUNTED[sender.receiver.transport] = viewer
            viewers.append(viewer)
        yield viewers


_COUNTED: dict[object, Viewer] = {}


async def _count_only(transport: object, data: bytes, arrival_time_ms: int) -> None:
    if (viewer := _COUNTED.get(transport)) is not None and data[1] & 0x80:
        viewer.count()


aiortc.rtcdtlstransport.RTCDtlsTransport._handle_rtp_data = _count_only
# aioice passes over loopback, and here there is nothing else to use.
aioice.ice.get_host_addresses = lambda **_: ["127.0.0.1"]

SEEN: dict[str, Seen] = {}


def contender(
    name: str,
    view: Viewing | None = None,
    *,
    viewers: int = 1,
    is_still: bool = False,
    is_filmed: bool = False,
) -> Contender:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with source("--max-viewers", "32") as box:
            seen = SEEN[name] = Seen()
            roots: dict[int, str | None] = {box.process.pid: None}

            async def watch() -> Took:
                async with (view or by_websocket("h264"))(box, viewers) as watchers:
                    script(box, "halt()" if is_still else "go()")
                    if is_filmed:
                        film(box)
                    for watcher in watchers:
                        with anyio.fail_after(30):
                            await watcher.has_seen.wait()
                    # What a start or a still screen's last sharpenings take is no part of it.
                    await anyio.sleep(2.0)
                    got = [watcher.frames for watcher in watchers]
                    count, before, begin = drawn(box), processors(roots), time.monotonic()
                    await anyio.sleep(WINDOW)
                    used, seconds = spent(before, processors(roots)), time.monotonic() - begin
                    seen.draw(count, drawn(box))
                    seen.frames += min((one.frames - was for one, was in zip(watchers, got, strict=True)), default=0)
                    encoders = len(streamers(box))
                seen.seconds += seconds
                seen.use(used)
                script(box, "halt()")
                if is_filmed:
                    end_film(box)
                say()
                BENCHMARK.notes[name] = f"{seen.words()} · encoders {encoders}"
                return Took(sum(used.get(part, 0.0) for part in ("server", "streamer", "film")) / seconds)

            yield watch

    return Contender(name, set_up)


ONE, FILMED, FOUR, SIXTEEN = "one viewer", "one viewer and a film", "four viewers", "sixteen viewers"
ONE_RTC, FOUR_RTC, SIXTEEN_RTC = f"{ONE}, WebRTC", f"{FOUR}, WebRTC", f"{SIXTEEN}, WebRTC"
STILL = "a still screen, one viewer"
# What each may cost, and against whom.
ASKED = (
    (FOUR, ONE, 1.3),
    (SIXTEEN, ONE, 2.0),
    (FOUR_RTC, ONE_RTC, 1.3),
    (SIXTEEN_RTC, ONE_RTC, 2.0),
    (FILMED, ONE, 1.1),
)


def a_frame(name: str) -> float:
    """Milliseconds of processor time for a frame."""
    seen = SEEN[name]
    return seen.share("server", "streamer", "film") / seen.fps * 10


def say() -> None:
    for name, against, most in ASKED:
        if all(one in SEEN and SEEN[one].frames for one in (name, against)):
            ratio = a_frame(name) / a_frame(against)
            whole = sum(SEEN[name].processors.values()) / SEEN[name].seconds
            whole /= sum(SEEN[against].processors.values()) / SEEN[against].seconds
            found = (
                f"{ratio:.2f}× ({a_frame(against):.2f} to {a_frame(name):.2f} ms a frame; all processes {whole:.2f}×)"
            )
            BENCHMARK.notes[f"{name} ≤ {most}×"] = verdict(ratio <= most, found)
    if (still := SEEN.get(STILL)) is not None and still.seconds:
        share = still.share("server", "streamer")
        BENCHMARK.notes["a still screen ≤ 2 % of a core"] = verdict(share <= 2, f"{share:.1f} %")


BENCHMARK = Benchmark(
    "streaming_load",
    baseline=ONE,
    contenders=[
        contender(ONE),
        contender(FILMED, is_filmed=True),
        contender("a film alone", viewers=0, is_filmed=True),
        contender(FOUR, viewers=4),
        contender(SIXTEEN, viewers=16),
        contender(ONE_RTC, by_webrtc),
        contender(FOUR_RTC, by_webrtc, viewers=4),
        contender(SIXTEEN_RTC, by_webrtc, viewers=16),
        contender(STILL, is_still=True),
    ],
    rounds=2,
    quick_rounds=1,
    warm_up=0,
    limit=120,
    action_limit=60,
)

if __name__ == "__main__":
    run(BENCHMARK)
