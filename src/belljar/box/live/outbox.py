"""What goes out to one viewer: messages in order, and the newest frame when there is room for one.

Messages come before frames, so that results and events do not wait behind them.  A viewer that does not take its
messages is given up; of frames it just gets fewer.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import msgspec
from starlette.websockets import WebSocket

from belljar.box.live.feed import Feed
from belljar.box.live.stream import Frame, FrameKind
from belljar.box.live.stream.slot import ACK_PATIENCE
from belljar.wire.live import FRAME_HEADER, KEY_FLAG, SMALL_FLAG

MAX_MESSAGES = 2000
# What a binary frame begins with.
_KINDS = {FrameKind.JPEG: 1, FrameKind.H264: 2, FrameKind.VP8: 3}


class TooSlow(Exception):
    """The viewer takes nothing of what it is sent."""


class Outbox:
    def __init__(self, socket: WebSocket, *, is_binary: bool, patience: float) -> None:
        self._socket = socket
        self._is_binary = is_binary
        self._patience = patience
        self._messages: deque[str] = deque()
        self._wake = anyio.Event()
        self._closing: tuple[int, str] | None = None

    def put(self, message: dict[str, object]) -> None:
        """Never waits.  Beyond a bound the viewer is given up."""
        if len(self._messages) >= MAX_MESSAGES:
            self._messages.clear()
            self.close(1013, "too slow")
            return
        self._messages.append(msgspec.json.encode(message).decode())
        self.stir()

    def close(self, code: int, reason: str) -> None:
        """Close the socket once what was put before has gone out."""
        if self._closing is None:
            self._closing = (code, reason)
        self.stir()

    def stir(self) -> None:
        self._wake.set()
        self._wake = anyio.Event()

    async def run(self, feed: Feed) -> None:
        """Send until closed.  Raises `TooSlow`, or what the socket raises when its peer has gone."""
        while True:
            if self._messages:
                await self._send_text(self._messages.popleft())
            elif self._closing is not None:
                with anyio.move_on_after(self._patience):
                    await self._socket.close(*self._closing)
                return
            elif feed.is_ready:
                await self._send_frame(feed)
            else:
                with anyio.move_on_after(ACK_PATIENCE):
                    await self._wake.wait()

    async def _send_text(self, text: str) -> None:
        with self._patiently():
            await self._socket.send_text(text)

    async def _send_frame(self, feed: Feed) -> None:
        frame, place = await feed.next(), feed.place
        if frame is None:
            return
        began = time.monotonic()
        place.sending(frame)
        with self._patiently():
            if self._is_binary:
                await self._socket.send_bytes(frame.once(as_bytes))
            else:
                await self._socket.send_text(frame.once(as_text))
        # The viewer may have changed its place meanwhile.
        place.sent(frame, time.monotonic() - began)

    @contextmanager
    def _patiently(self) -> Iterator[None]:
        with anyio.move_on_after(self._patience) as scope:
            yield
        if scope.cancelled_caught:
            raise TooSlow


def as_text(frame: Frame) -> str:
    """The message `frame` of the live protocol."""
    return msgspec.json.encode(
        {
            "type": "frame",
            "format": frame.kind,
            "data": frame.base64,
            "viewport": {"w": frame.width, "h": frame.height, "dpr": frame.dpr},
            "timestamp": frame.timestamp,
        }
    ).decode()


def as_bytes(frame: Frame) -> bytes:
    """The binary frame of the live protocol."""
    flags = SMALL_FLAG if frame.is_small else 0
    if frame.kind is not FrameKind.JPEG and frame.is_key:
        flags |= KEY_FLAG
    head = FRAME_HEADER.pack(
        _KINDS[frame.kind],
        flags,
        min(frame.width, 0xFFFF),
        min(frame.height, 0xFFFF),
        min(round(frame.dpr * 100), 0xFFFF),
        frame.timestamp,
    )
    return head + frame.data
