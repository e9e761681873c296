"""Bytes from one socket to another without this process ever seeing them: a pipe between them, filled by the kernel."""

import fcntl
import os
import socket
from types import TracebackType

import anyio

# What one user's pipes may have together is limited: then they come smaller, and some too small to be of use.
WANTED = 1 << 20
LEAST = 64 * 1024
_FLAGS = os.SPLICE_F_NONBLOCK | os.SPLICE_F_MOVE


def open_splice() -> "Splice | None":
    """None where pipes, or room in them, have run out: then bytes are read and written."""
    try:
        pipe = Splice()
    except OSError:
        return None
    if pipe.size < LEAST:
        pipe.close()
        return None
    return pipe


class Splice:
    """A pipe, and what it holds just now."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._held = 0
        try:
            self.size = fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, WANTED)
        except OSError:
            self.size = fcntl.fcntl(self._in, fcntl.F_GETPIPE_SZ)

    def __enter__(self) -> "Splice":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._out)
        os.close(self._in)

    async def fill(self, source: socket.socket, most: int) -> int:
        """Some bytes into the pipe, which must be empty; 0 at the end of the source.  Raises OSError."""
        while True:
            try:
                self._held = os.splice(source.fileno(), self._in, min(most, self.size), flags=_FLAGS)
            except BlockingIOError:
                await anyio.wait_readable(source)
            else:
                return self._held

    async def drain(self, target: socket.socket) -> None:
        """All that the pipe holds to the target.  Raises OSError."""
        while self._held:
            try:
                self._held -= os.splice(self._out, target.fileno(), self._held, flags=_FLAGS)
            except BlockingIOError:
                await anyio.wait_writable(target)
