"""A viewer of the live socket whose picture comes by WebRTC: signalled there, and one viewer all the same."""

import json
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from websockets.asyncio.client import ClientConnection, connect

from tests.box.live.rtc.client import PATIENCE, on_loopback
from tests.servers import RunningBox, running_box

__all__ = ["on_loopback"]
pytestmark = pytest.mark.usefixtures("on_loopback")


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as box, box.client() as client:
        assert client.post("/v1/desktop/start", json={"width": 800, "height": 600}).status_code == 200
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


class Watcher:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []
        self.frames = 0
        self.track: Any = None
        self.channel: Any = None
        self.answers: list[bytes] = []
        self.peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def event(self, name: str, is_right: Callable[[Any], bool] = lambda data: True) -> Any:
        with anyio.fail_after(PATIENCE):
            while True:
                for event in self.events:
                    if event["name"] == name and is_right(event["data"]):
                        self.events.remove(event)
                        return event["data"]
                heard = await self.socket.recv()
                if isinstance(heard, bytes):
                    self.frames += 1
                elif (message := json.loads(heard))["type"] == "event":
                    self.events.append(message)

    async def connect(self, number: int, codecs: list[str]) -> None:
        await self.send(type="webrtc", action="start", peer=number, codecs=codecs)
        offer = await self.event("webrtc", lambda data: data["peer"] == number)
        assert (offer["state"], bool(offer["iceServers"])) == ("offered", True)
        assert f"{codecs[0].upper()}/90000" in offer["sdp"]
        opened = anyio.Event()

        def took(channel: Any) -> None:
            self.channel = channel
            channel.on("message", self.answers.append)
            opened.set()

        self.peer.on("track", lambda track: setattr(self, "track", track))
        self.peer.on("datachannel", took)
        await self.peer.setRemoteDescription(RTCSessionDescription(offer["sdp"], "offer"))
        await self.peer.setLocalDescription(await self.peer.createAnswer())
        await self.send(type="webrtc", action="answer", peer=number, sdp=self.peer.localDescription.sdp)
        assert (await self.event("webrtc"))["state"] == "connected"
        with anyio.fail_after(PATIENCE):
            await opened.wait()


@asynccontextmanager
async def watching(box: RunningBox, token: str | None = None) -> AsyncIterator[Watcher]:
    protocols = ["belljar.binary", f"belljar.bearer.{token or box.token}"]
    url = f"{box.url.replace('http', 'ws', 1)}/v1/live"
    async with connect(url, max_size=None, proxy=None, subprotocols=protocols) as socket:  # type: ignore[arg-type]
        watcher = Watcher(socket)
        await watcher.event("ready")
        try:
            yield watcher
        finally:
            await watcher.peer.close()


@pytest.mark.parametrize("codec", ["vp8", "h264"])
async def test_the_picture_comes_by_the_peer_and_nothing_else_does(
    box: RunningBox, api: httpx.Client, codec: str
) -> None:
    view = api.post("/v1/tokens", json={"role": "view", "ttl": 60}).json()["token"]
    async with watching(box, view) as watcher:
        await watcher.connect(7, [codec])
        assert api.get("/health").json()["viewers"] == 1
        await watcher.send(type="video", codecs=["webrtc", "h264"])
        assert await watcher.event("video") == {"format": "webrtc", "viewport": {"w": 800, "h": 600, "dpr": 1.0}}
        await watcher.event("stats")
        before = watcher.frames
        with anyio.fail_after(PATIENCE):
            frame = await watcher.track.recv()
        assert (frame.width, frame.height) == (800, 600)
        api.post("/v1/desktop/mouse/move", json={"x": 300, "y": 200})
        watcher.channel.send(struct.pack(">BHHH", 1, 4, 10, 10))
        watcher.channel.send(struct.pack(">BHII", 7, 8, 1, 2))
        await watcher.event("stats")
        assert watcher.frames == before, "frames over the socket, too"
        assert [answer[3:11] for answer in watcher.answers] == [struct.pack(">II", 1, 2)]
        assert api.get("/v1/desktop/mouse/position").json()["x"] == 300
        # Without the peer the socket brings it again, unasked.
        await watcher.send(type="webrtc", action="stop", peer=7)
        assert (await watcher.event("video"))["format"] == "h264"
        gone = await watcher.event("webrtc")
        assert (gone["peer"], gone["state"]) == (7, "gone")
        # One that is stopped, again and when there is none, can be followed by another.
        await watcher.send(type="webrtc", action="stop", peer=7)
        await watcher.send(type="webrtc", action="start", peer=8, codecs=[codec])
        assert (await watcher.event("webrtc", lambda data: data["peer"] == 8))["state"] == "offered"


async def test_a_stream_that_is_stopped_ends_the_peer_and_none_is_had(box: RunningBox, api: httpx.Client) -> None:
    async with watching(box) as watcher:
        await watcher.connect(1, ["vp8"])
        api.post("/v1/desktop/stream/stop")
        assert (await watcher.event("webrtc"))["reason"] == "the stream has ended"
        await watcher.send(type="webrtc", action="start", peer=2)
        assert (await watcher.event("webrtc"))["state"] == "gone"
        api.post("/v1/desktop/stream/start")
        # Too many at a time are refused, and what is no description ends the peer alone.
        for number in range(3, 12):
            await watcher.send(type="webrtc", action="start", peer=number)
        assert (await watcher.event("error"))["code"] == "rate_limited"
        offer = await watcher.event("webrtc", lambda data: data["state"] == "offered")
        for sdp in ("", "v=0", "nonsense\r\n" * 100):
            await watcher.send(type="webrtc", action="answer", peer=offer["peer"], sdp=sdp)
        await watcher.event("webrtc", lambda data: data == {**data, "peer": offer["peer"], "state": "gone"})
    end = time.monotonic() + PATIENCE
    while api.get("/health").json()["viewers"]:
        assert time.monotonic() < end


async def test_without_webrtc_it_says_so() -> None:
    with running_box("--webrtc", "off") as box, box.client() as client:
        assert client.post("/v1/desktop/start", json={"width": 800, "height": 600}).status_code == 200
        async with watching(box) as watcher:
            await watcher.send(type="webrtc", action="start", peer=1, codecs=["vp8"])
            assert "--webrtc" in (await watcher.event("webrtc", lambda data: data["state"] == "gone"))["reason"]
