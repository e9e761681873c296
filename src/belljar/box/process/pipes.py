"""Bytes to and from a child: output is read as it comes, input is written with a bound."""

import asyncio
import os
from collections.abc import Callable

import anyio

READ_BYTES = 64 * 1024
# What is still read after a child's end: its pipe holds no more, and a surviving grandchild may write for ever.
MOST_AT_THE_END = 1024 * 1024


class Output:
    """The reading end of a pipe or terminal: each chunk goes to `take`, one per readiness so that all get a turn.

    Nothing is read before `listen`.
    """

    def __init__(self, descriptor: int, take: Callable[[bytes], None]) -> None:
        self._descriptor: int | None = descriptor
        self._take = take
        # Called once, when nobody can write any more.
        self.on_end: Callable[[], None] = lambda: None
        self._loop = asyncio.get_running_loop()

    def listen(self) -> None:
        if self._descriptor is not None:
            os.set_blocking(self._descriptor, False)
            self._loop.add_reader(self._descriptor, self._read)

    @property
    def is_open(self) -> bool:
        return self._descriptor is not None

    def drain(self) -> None:
        """Take what is there now, so that a report of the child's end comes after its last words."""
        taken = 0
        while taken < MOST_AT_THE_END and (size := self._read()):
            taken += size

    def close(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None
            self.on_end()

    def _read(self) -> int:
        if self._descriptor is None:
            return 0
        try:
            data = os.read(self._descriptor, READ_BYTES)
        except BlockingIOError:
            return 0
        except OSError:
            # A terminal without anyone on the other side answers EIO: that is its end of file.
            data = b""
        if data:
            self._take(data)
        else:
            self.close()
        return len(data)


class InputStuck(Exception):
    """The child did not take all of its input in time; `written` bytes of it are in the pipe."""

    def __init__(self, written: int) -> None:
        super().__init__(written)
        self.written = written


class InputClosed(Exception):
    """The child has closed its input, or is gone."""


class Input:
    """The writing end of a pipe or terminal; writes of several callers do not mix."""

    def __init__(self, descriptor: int) -> None:
        # None once it is closed.
        self.descriptor: int | None = descriptor
        self._lock = anyio.Lock()
        os.set_blocking(descriptor, False)

    async def write(self, data: bytes, *, timeout: float) -> int:
        """Write all of `data`.  Nothing is kept for later: what the child does not take in time is not written."""
        rest = memoryview(data)
        with anyio.move_on_after(timeout):
            async with self._lock:
                while rest:
                    try:
                        rest = rest[self._write(rest) :]
                    except BlockingIOError:
                        await self._writable()
        if rest:
            raise InputStuck(len(data) - len(rest))
        return len(data)

    def close(self) -> None:
        if self.descriptor is not None:
            anyio.notify_closing(self.descriptor)
            os.close(self.descriptor)
            self.descriptor = None

    def _write(self, data: memoryview) -> int:
        if self.descriptor is None:
            raise InputClosed
        try:
            return os.write(self.descriptor, data)
        except BlockingIOError:
            raise
        except OSError as error:
            raise InputClosed from error

    async def _writable(self) -> None:
        if self.descriptor is None:
            raise InputClosed
        try:
            await anyio.wait_writable(self.descriptor)
        except anyio.ClosedResourceError as error:
            raise InputClosed from error
