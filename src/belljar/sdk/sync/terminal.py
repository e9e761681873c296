# Made from aio/terminal.py by scripts/make_sync_sdk.py: change it there.
"""A terminal over its WebSocket."""

import json
from collections.abc import Iterator
from typing import Any

from belljar.sdk.errors import Unreachable
from belljar.sdk.sync.io import ConnectionClosed, Socket


class Terminal:
    """Iterate over what it shows, as bytes, until the program ends; then `exit_code` says how."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.has_exited = False
        # None for a program that a signal ended, too.
        self.exit_code: int | None = None

    def write(self, text: str) -> None:
        """Type."""
        self._tell({"type": "input", "data": text})

    def resize(self, *, cols: int, rows: int) -> None:
        """Give it another size."""
        self._tell({"type": "resize", "cols": cols, "rows": rows})

    def __iter__(self) -> Iterator[bytes]:
        while True:
            try:
                message = self._socket.recv()
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

    def _tell(self, message: dict[str, Any]) -> None:
        try:
            self._socket.send(json.dumps(message))
        except ConnectionClosed as error:
            raise Unreachable("The terminal's connection has ended.") from error
