"""What goes out to one viewer: messages in order, and the newest picture when there is room for one.

Messages come before pictures, so that results and events do not wait behind them.  A viewer that does not take its
messages is given up; of pictures it just gets fewer.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import msgspec
from starlette.websockets import WebSocket

from belljar.box.live.stream import Hub, Slot
from belljar.box.live.stream.slot import ACK_PATIENCE

MAX_MESSAGES = 2000


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

    def put(self, message: dict[str, Any]) -> None:
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

    async def run(self, hub: Hub, slot: Slot) -> None:
        """Send until closed.  Raises `TooSlow`, or what the socket raises when its peer has gone."""
        while True:
            if self._messages:
                await self._send_text(self._messages.popleft())
            elif self._closing is not None:
                with anyio.move_on_after(self._patience):
                    await self._socket.close(*self._closing)
                return
            elif slot.is_ready:
                await self._send_picture(hub, slot)
            else:
                with anyio.move_on_after(ACK_PATIENCE):
                    await self._wake.wait()

    async def _send_text(self, text: str) -> None:
        with self._patiently():
            await self._socket.send_text(text)

    async def _send_picture(self, hub: Hub, slot: Slot) -> None:
        picture = await hub.next_for(slot)
        if picture is None:
            return
        began = time.monotonic()
        slot.sending(picture)
        with self._patiently():
            if self._is_binary:
                await self._socket.send_bytes(picture.as_bytes)
            else:
                await self._socket.send_text(picture.as_text)
        slot.sent(picture, time.monotonic() - began)

    @contextmanager
    def _patiently(self) -> Iterator[None]:
        with anyio.move_on_after(self._patience) as scope:
            yield
        if scope.cancelled_caught:
            raise TooSlow
