"""Two descriptors carrying NUL-ended messages, read and written from the event loop without a task."""

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Most messages are small, and a buffer for a large one would be mapped into memory and out again for each of them:
# as much as all else that is done with it.  Where a small read is full, larger ones follow.
SMALL_READ, LARGE_READ = 1 << 16, 1 << 20
# Above this many unsent bytes `drained` makes senders wait; below half of it they go on.
HIGH_WATER = 4 << 20


class Pipe:
    """Owns both descriptors.  `on_message` gets each message, in order, on the loop; `on_end` is called once."""

    def __init__(self, read: int, write: int, on_message: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._read, self._write = read, write
        self._on_message, self._on_end = on_message, on_end
        # Pieces of a message whose end has not come yet; joined once, when it does.
        self._partial: list[bytes] = []
        self._read_size = SMALL_READ
        # Messages of a block that sends them together.
        self._gathered: list[bytes] | None = None
        self._unsent: deque[memoryview] = deque()
        self._unsent_size = 0
        self._drained: list[asyncio.Future[None]] = []
        self.closed = False
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        self._loop.add_reader(read, self._readable)

    def send(self, message: bytes) -> None:
        """Write now what the pipe takes, the rest when it can.  After the end this does nothing."""
        if self.closed:
            return
        message += b"\0"
        if self._gathered is not None:
            self._gathered.append(message)
        else:
            self._write_out(message)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is sent in this block, which must not wait, leaves in one write: each would wake Chromium."""
        self._gathered = []
        try:
            yield
        finally:
            messages, self._gathered = b"".join(self._gathered), None
            if messages and not self.closed:
                self._write_out(messages)

    def _write_out(self, message: bytes) -> None:
        if self._unsent:
            self._keep(memoryview(message))
            return
        try:
            sent = os.write(self._write, message)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._end()
            return
        if sent < len(message):
            self._keep(memoryview(message)[sent:])
            self._loop.add_writer(self._write, self._writable)

    @property
    def is_full(self) -> bool:
        return self._unsent_size > HIGH_WATER

    async def drained(self) -> None:
        """Wait while too much is unsent (or until the end)."""
        while self.is_full and not self.closed:
            waiter: asyncio.Future[None] = self._loop.create_future()
            self._drained.append(waiter)
            await waiter

    def close(self) -> None:
        """Close both descriptors.  Call it twice freely; `on_end` is called the first time only."""
        self._end()

    def _keep(self, rest: memoryview) -> None:
        self._unsent.append(rest)
        self._unsent_size += len(rest)

    def _readable(self) -> None:
        try:
            data = os.read(self._read, self._read_size)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._end()
            return
        self._read_size = LARGE_READ if len(data) >= SMALL_READ else SMALL_READ
        head, *rest = data.split(b"\0")
        if not rest:
            self._partial.append(head)
            return
        if self._partial:
            self._partial.append(head)
            head = b"".join(self._partial)
            self._partial.clear()
        last = rest.pop()
        if last:
            self._partial.append(last)
        self._deliver(deque((head, *rest)))

    def _deliver(self, messages: deque[bytes]) -> None:
        """In order, the rest of them also where one makes its reader fail: they are others' answers."""
        try:
            while messages:
                self._on_message(messages.popleft())
        finally:
            if messages:
                # Before anything that is read later.
                self._loop.call_soon(self._deliver, messages)

    def _writable(self) -> None:
        try:
            while self._unsent:
                sent = os.write(self._write, self._unsent[0])
                self._unsent_size -= sent
                if sent < len(self._unsent[0]):
                    self._unsent[0] = self._unsent[0][sent:]
                else:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except OSError:
            self._end()
            return
        if not self._unsent:
            self._loop.remove_writer(self._write)
        if self._unsent_size < HIGH_WATER // 2:
            self._wake()

    def _wake(self) -> None:
        waiters, self._drained = self._drained, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _end(self) -> None:
        if self.closed:
            return
        self.closed = True
        self._loop.remove_reader(self._read)
        self._loop.remove_writer(self._write)
        os.close(self._read)
        os.close(self._write)
        self._unsent.clear()
        self._wake()
        self._on_end()
