"""Two descriptors carrying NUL-ended messages, read and written from the event loop without a task."""

import asyncio
import fcntl
import os
import select
import struct
import termios
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

# Most messages are small, and a buffer for a large one would be mapped into memory and out again for each of them:
# as much as all else that is done with it.  Where a small read is full, larger ones follow.
SMALL_READ, LARGE_READ = 1 << 16, 1 << 20
# Above this many unsent bytes `drained` makes senders wait; below half of it they go on.
HIGH_WATER = 4 << 20
# Seconds that the other side's reading end may stay open after its writing end was closed.
_READER_GOING = 0.25
# Nothing, to whoever reads JSON.
_FENCE = b" "


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
        # Bytes given to `send`, and those of them that the pipe has taken.
        self.sent = 0
        self._written = 0
        # Set at the end: how many the other side has read, or may have.
        self._read_by_other = 0
        # Whether the next message is to be behind a fence.
        self._wants_fence = False
        # Where fences come from, once there was one.
        self._fences: tuple[int, int] | None = None
        self.closed = False
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        self._loop.add_reader(read, self._readable)

    def send(self, message: bytes) -> None:
        """Write now what the pipe takes, the rest when it can.  After the end this does nothing."""
        if self.closed:
            return
        message += b"\0"
        self.sent += len(message)
        if self._gathered is not None:
            self._gathered.append(message)
        else:
            self._write_out(message)

    def fence(self) -> int:
        """Before a call's first message: what `was_read_since` wants to know.

        A process that is being killed may be in the middle of a read, which still takes what is there and hands it to
        nobody.  It begins no other: so the message is put behind a byte at which every read ends.
        """
        self._wants_fence = True
        return self.sent

    def was_read_since(self, fence: int) -> bool:
        """After the end: whether the other side may have got anything that was sent behind this fence."""
        return self._read_by_other > fence + len(_FENCE)

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
        if self._wants_fence:
            self._write_fence()
        try:
            sent = os.write(self._write, message)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._end()
            return
        self._written += sent
        if sent < len(message):
            self._keep(memoryview(message)[sent:])
            self._loop.add_writer(self._write, self._writable)

    def _write_fence(self) -> None:
        """A packet of its own (pipe(7) has them by O_DIRECT), between messages; a pipe that takes none goes without.

        It is moved here from another pipe: written here, it would become a part of messages that wait to be read.
        """
        self._wants_fence = False
        with suppress(OSError):
            if self._fences is None:
                self._fences = os.pipe2(os.O_DIRECT | os.O_NONBLOCK | os.O_CLOEXEC)
            source, sink = self._fences
            os.write(sink, _FENCE)
            try:
                written = os.splice(source, self._write, len(_FENCE), flags=os.SPLICE_F_NONBLOCK)
            except OSError:
                # Not to be found there by the next.
                os.read(source, len(_FENCE))
                raise
            self.sent += written
            self._written += written

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
            self._wait_for_reader_to_go()
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
                self._written += sent
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

    def _wait_for_reader_to_go(self) -> None:
        """A process that ends closes its two ends in any order: what it read is known when the other one is closed."""
        self._loop.remove_reader(self._read)
        # An end without a reader counts as one with an error, which is told whatever one waits for.
        self._loop.add_reader(self._write, self._end)
        self._loop.call_later(_READER_GOING, self._end)

    def _end(self) -> None:
        if self.closed:
            return
        self.closed = True
        self._read_by_other = self._written - self._left_unread()
        self._loop.remove_reader(self._read)
        self._loop.remove_reader(self._write)
        self._loop.remove_writer(self._write)
        os.close(self._read)
        os.close(self._write)
        for descriptor in self._fences or ():
            os.close(descriptor)
        self._unsent.clear()
        self._wake()
        self._on_end()

    def _left_unread(self) -> int:
        """Bytes that nobody has read nor ever will: those that wait in a pipe which has no reader any more."""
        poll = select.poll()
        poll.register(self._write, 0)
        if not any(events & select.POLLERR for _, events in poll.poll(0)):
            # There is one, who may read them yet.
            return 0
        left: int = struct.unpack("i", fcntl.ioctl(self._write, termios.FIONREAD, bytes(4)))[0]
        return left
