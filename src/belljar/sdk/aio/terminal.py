"""A terminal over its WebSocket."""

import json
from collections.abc import AsyncIterator
from typing import Any

from belljar.sdk.aio.io import ConnectionClosed, Socket
from belljar.sdk.errors import Unreachable


class AsyncTerminal:
    """Iterate over what it shows, as bytes, until the program ends; then `exit_code` says how."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.has_exited = False
        # None for a program that a signal ended, too.
        self.exit_code: int | None = None

    async def write(self, text: str) -> None:
        """Type."""
        await self._tell({"type": "input", "data": text})

    async def resize(self, *, cols: int, rows: int) -> None:
        """Give it another size."""
        await self._tell({"type": "resize", "cols": cols, "rows": rows})

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            try:
                message = await self._socket.recv()
            except ConnectionClosed:
                return
            if isinstance(message, bytes):
                yield message
            else:
                self._note(json.loads(message))

    def _note(self, told: dict[str, Any]) -> None:
        if told["type"] == "exit":
            self.has_exited = True
            self.exit_code = told.get("exitCode")

    async def _tell(self, message: dict[str, Any]) -> None:
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed as error:
            raise Unreachable("The terminal's connection has ended.") from error
