"""A control plane's port, as a box sees it: a WebSocket over which packets of viewers come and go.

The control plane says first, and again when it has changed:

    {"candidates": [[transport, address, port]...], "iceServers": [...]}

and is told of each viewer whom it may let in, {"join": name, "password": ...}, until {"leave": name}.  All else is
packets, several in one binary message (`belljar.ice.relay`); the box passes them on unread.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Sequence

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from belljar.box.live.video.streamer import Streamer
from belljar.ice import Candidate, IceServer
from belljar.tasks import Signal

_MESSAGE_BYTES = 65536


class Relay:
    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self.candidates: Sequence[Candidate] = ()
        self.ice_servers: list[IceServer] = []
        self._link: socket.socket | None = None
        self._given: Streamer | None = None
        self._linked = Signal()
        self._said: deque[dict[str, str]] = deque()
        self._spoken = Signal()

    def join(self, name: str, password: str) -> None:
        self._said.append({"join": name, "password": password})
        self._spoken.fire()

    def leave(self, name: str) -> None:
        self._said.append({"leave": name})
        self._spoken.fire()

    def give(self, streamer: Streamer) -> None:
        """Have that process take part, if it does not yet.  Raises `StreamerLost`."""
        if self._given is streamer:
            return
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            ours.setblocking(False)
            try:
                streamer.send({"do": "relay", "candidates": self.candidates}, [theirs.fileno()])
            except BaseException:
                ours.close()
                raise
        self._unlink()
        self._link, self._given = ours, streamer
        self._linked.fire()

    def _unlink(self) -> None:
        if self._link is not None:
            # Whoever reads it wakes up.
            self._link.shutdown(socket.SHUT_RDWR)
            self._link = None

    async def attend(self, stopping: anyio.Event, on_ready: Callable[[], None]) -> None:
        """Until the control plane hangs up, or the box ends; `on_ready` once it has said where its port is."""
        await self._websocket.accept()
        async with anyio.create_task_group() as tasks:

            async def inward() -> None:
                try:
                    await self._take_in(on_ready)
                except WebSocketDisconnect:
                    pass
                tasks.cancel_scope.cancel()

            async def end() -> None:
                await stopping.wait()
                tasks.cancel_scope.cancel()

            tasks.start_soon(inward, name="relay inward")
            tasks.start_soon(self._pass_out, name="relay outward")
            tasks.start_soon(self._speak, name="relay names")
            tasks.start_soon(end, name="relay end")
        self._unlink()

    async def _take_in(self, on_ready: Callable[[], None]) -> None:
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if (data := message.get("bytes")) is not None:
                self._deliver(data)
            else:
                self._read(message["text"])
                on_ready()

    def _read(self, text: str) -> None:
        said = msgspec.json.decode(text)
        self.candidates = tuple(Candidate.read(one) for one in said["candidates"])
        self.ice_servers = said["iceServers"]

    def _deliver(self, data: bytes) -> None:
        if self._link is not None:
            try:
                self._link.send(data)
            except OSError:
                # It is busy, or gone: packets may be lost.
                return

    async def _pass_out(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._linked.until(lambda: self._link is not None)
            link = self._link
            assert link is not None
            with link:
                while data := await _received(loop, link):
                    await self._websocket.send_bytes(data)
            if self._link is link:
                self._link = self._given = None

    async def _speak(self) -> None:
        while True:
            await self._spoken.until(lambda: bool(self._said))
            await self._websocket.send_text(msgspec.json.encode(self._said.popleft()).decode())


async def _received(loop: asyncio.AbstractEventLoop, link: socket.socket) -> bytes:
    try:
        return await loop.sock_recv(link, _MESSAGE_BYTES)
    except OSError:
        return b""
