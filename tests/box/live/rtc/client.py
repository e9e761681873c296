"""A viewer that speaks Neko over WebRTC, on loopback: aiortc on the other side, as a client."""

import json
import struct
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aioice.ice
import anyio
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from websockets.asyncio.client import ClientConnection, connect

from tests.servers import RunningBox

PATIENCE = 20.0
SIGNALING = "/v1/desktop/stream/signaling"


@pytest.fixture
def on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """aioice passes over 127.0.0.1; here there is nothing else to use."""
    monkeypatch.setattr(aioice.ice, "get_host_addresses", lambda **_: ["127.0.0.1"])


class NekoClient:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.peer: RTCPeerConnection | None = None
        self._track: Any = None
        self._sound: Any = None
        self._channel: Any = None
        self._is_open = anyio.Event()
        # Set once the other side has closed the connection.
        self.gone = anyio.Event()
        self.answers: list[bytes] = []

    async def send(self, event: str, payload: dict[str, Any] | None = None) -> None:
        await self.socket.send(json.dumps({"event": event, "payload": payload or {}}))

    async def wait(self, event: str, is_right: Callable[[Any], bool] = lambda payload: True) -> Any:
        with anyio.fail_after(PATIENCE):
            while True:
                for message in self.heard:
                    if message["event"] == event and is_right(message.get("payload")):
                        self.heard.remove(message)
                        return message.get("payload")
                self.heard.append(json.loads(await self.socket.recv()))

    async def watch(self) -> None:
        """Ask for the stream, and take what is offered until it is connected."""
        await self.send("signal/request", {"video": {}, "audio": {}})
        await self.take_offer()

    async def take_offer(self) -> None:
        offer = await self.wait("signal/provide")
        assert offer["iceservers"], "an empty list leads the published client to a public server"
        if self.peer is not None:
            await self.peer.close()
        self._is_open = anyio.Event()
        peer = self.peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        peer.on("track", self._took)
        peer.on("datachannel", self._opened)
        peer.on("connectionstatechange", lambda: self.gone.set() if peer.connectionState == "closed" else None)
        await peer.setRemoteDescription(RTCSessionDescription(offer["sdp"], "offer"))
        await peer.setLocalDescription(await peer.createAnswer())
        await self.send("signal/answer", {"sdp": peer.localDescription.sdp})
        with anyio.fail_after(PATIENCE):
            await self._is_open.wait()
        assert peer.connectionState == "connected"

    def _took(self, track: Any) -> None:
        if track.kind == "audio":
            self._sound = track
        else:
            self._track = track

    def _opened(self, channel: Any) -> None:
        self._channel = channel
        channel.on("message", self.answers.append)
        self._is_open.set()

    @property
    def is_open(self) -> bool:
        return self._channel is not None and self._channel.readyState == "open"

    def put(self, data: bytes) -> None:
        self._channel.send(data)

    def move(self, x: int, y: int) -> None:
        self.put(struct.pack(">BHHH", 1, 4, x, y))

    def button(self, number: int, *, is_down: bool) -> None:
        self.put(struct.pack(">BHI", 5 if is_down else 6, 4, number))

    def key(self, keysym: int, *, is_down: bool) -> None:
        self.put(struct.pack(">BHI", 3 if is_down else 4, 4, keysym))

    async def frame(self) -> Any:
        """The next picture, decoded."""
        with anyio.fail_after(PATIENCE):
            return await self._track.recv()

    @property
    def has_sound(self) -> bool:
        return self._sound is not None

    async def sound(self) -> Any:
        """The next piece of sound, decoded."""
        with anyio.fail_after(PATIENCE):
            return await self._sound.recv()

    async def stats(self) -> int:
        """Bytes received so far."""
        assert self.peer is not None
        report = await self.peer.getStats()
        return sum(getattr(one, "bytesReceived", 0) for one in report.values() if one.type == "transport")

    async def sees(self, x: int, y: int, colour: tuple[int, int, int]) -> None:
        """Decode on until the picture has this colour there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            frame = await self.frame()
            pixel = frame.to_image().getpixel((x, y))
            if all(abs(a - b) < 40 for a, b in zip(pixel, colour, strict=True)):
                return
        raise AssertionError(f"never saw {colour}, last {pixel}")


@asynccontextmanager
async def neko(box: RunningBox, token: str | None = None, path: str = SIGNALING) -> AsyncIterator[NekoClient]:
    async with neko_at(f"{box.url}{path}", token or box.token) as client:
        yield client


@asynccontextmanager
async def neko_at(url: str, token: str) -> AsyncIterator[NekoClient]:
    """`url` is the signalling socket's, with http in front."""
    name = "token" if url.endswith("/api/ws") else "access_token"
    async with connect(f"{url.replace('http', 'ws', 1)}?{name}={token}", max_size=None, proxy=None) as socket:
        client = NekoClient(socket)
        try:
            yield client
        finally:
            if client.peer is not None:
                await client.peer.close()
