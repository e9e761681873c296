"""One viewer's WebRTC connection, which lives in the streamer: what is said of it, and to it."""

from collections.abc import Callable
from typing import Any

import anyio

from belljar.box.live.video.streamer import Streamer, StreamerLost
from belljar.tasks import Signal

# How long the streamer and an offer may take.
OFFER_SECONDS = 15.0
# Why a peer is gone whose viewer can have another at once.
LOST = "the streamer has ended"


class Peer:
    """`on_report` is told how much of what was sent did not come, and how long the way there and back is."""

    def __init__(
        self,
        number: int,
        streamer: Streamer,
        on_data: Callable[[bytes], None],
        on_report: Callable[[float, float | None], None],
    ) -> None:
        self.number = number
        self._streamer = streamer
        self._on_data = on_data
        self._on_report = on_report
        self._offer: str | None = None
        self._is_answered = False
        self._changed = Signal()
        self.is_connected = False
        self.gone: str | None = None
        # Which stream it is sent, once it was told to take another.
        self.stream: int | None = None

    async def offer(self) -> str:
        with anyio.move_on_after(OFFER_SECONDS):
            await self._changed.until(lambda: self._offer is not None or self.gone is not None)
        if self._offer is None:
            raise StreamerLost(self.gone or "there is no offer")
        return self._offer

    async def until_connected(self) -> bool:
        await self._changed.until(lambda: self.is_connected or self.gone is not None)
        return self.is_connected

    async def until_switched(self, stream: int) -> None:
        await self._changed.until(lambda: self.stream == stream or self.gone is not None)

    async def until_gone(self) -> str:
        """Why; also when its streamer has ended."""
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                await self._streamer.process.wait()
                self.gone = self.gone or LOST
                self._changed.fire()

            tasks.start_soon(watch)
            await self._changed.until(lambda: self.gone is not None)
            tasks.cancel_scope.cancel()
        assert self.gone is not None
        return self.gone

    def answer(self, sdp: str) -> None:
        """The first counts: descriptions are long, and many would fill the streamer's link."""
        if not self._is_answered:
            self._is_answered = True
            self._send({"do": "answer", "peer": self.number, "sdp": sdp})

    def send(self, data: bytes) -> None:
        self._send({"do": "data", "peer": self.number, "data": data.hex()})

    def switch(self, stream: int) -> None:
        """Have it sent another stream, from its next key frame on."""
        self.stream = None
        self._send({"do": "switch", "peer": self.number, "stream": stream})

    def drop(self) -> None:
        self._send({"do": "drop", "peer": self.number})

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._streamer.send(message)
        except StreamerLost:
            # `until_gone` tells.
            return

    def heard(self, message: dict[str, Any]) -> None:
        match message["is"]:
            case "offer":
                self._offer = message["sdp"]
            case "connected":
                self.is_connected = True
            case "switched":
                self.stream = message["stream"]
            case "gone":
                self.gone = message["reason"]
            case "report":
                self._on_report(message["lost"], message["seconds"])
                return
            case "data":
                self._on_data(bytes.fromhex(message["data"]))
                return
        self._changed.fire()
