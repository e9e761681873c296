"""A connected socket with what was read ahead of need, and how bytes move between two: by a loop, or spliced."""

import asyncio
import fcntl
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TypeVar

import anyio
import anyio.lowlevel

from belljar.egress.proxy.http1 import Body

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


T = TypeVar("T")
SMALL_BUFFER = 16 * 1024
LARGE_BUFFER = 256 * 1024
LEAST_TO_SPLICE = 64 * 1024
# Turns of a busy copy before others get theirs.
TURNS = 16


class WireClosed(Exception):
    """The peer went away in the middle of something."""


class HeadTooLarge(Exception):
    """The head of a message is over the limit."""


class Wire:
    """Takes over the socket.  One reader and one writer at a time."""

    # Whether the socket carries the bytes as they are.
    is_plain = True

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = sock
        self.ahead = bytearray()
        self._loop = asyncio.get_running_loop()

    async def recv_into(self, buffer: memoryview) -> int:
        """Some bytes; 0 at the end.  A reset is an end too."""
        try:
            return await self._loop.sock_recv_into(self.sock, buffer)
        except OSError:
            return 0

    async def send(self, data: bytes | bytearray | memoryview) -> None:
        try:
            await self._loop.sock_sendall(self.sock, data)
        except OSError as error:
            raise WireClosed from error

    def end_sending(self) -> None:
        try:
            self.sock.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def close(self) -> None:
        self.sock.close()

    def is_stale(self) -> bool:
        """Whether an idle connection was closed, or spoken on, by the other side."""
        try:
            self.sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return bool(self.ahead)
        except OSError:
            return True
        return True

    def is_ended(self) -> bool:
        """Whether the other side has closed it."""
        try:
            return not self.sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    @contextmanager
    def watched(self, left: Callable[[], None]) -> Iterator[None]:
        """Inside this block, in which nobody else reads here, `left` is called when the other side closes it."""
        if self.ahead:
            yield
            return

        def look() -> None:
            self._loop.remove_reader(self.sock)
            if self.is_ended():
                left()

        self._loop.add_reader(self.sock, look)
        try:
            yield
        finally:
            self._loop.remove_reader(self.sock)

    async def fill(self, size: int = SMALL_BUFFER) -> None:
        """Read some more ahead; raises `WireClosed` at the end."""
        buffer = bytearray(size)
        count = await self.recv_into(memoryview(buffer))
        if not count:
            raise WireClosed
        self.ahead += memoryview(buffer)[:count]

    async def read(self, count: int) -> bytes:
        while len(self.ahead) < count:
            await self.fill()
        data = bytes(self.ahead[:count])
        del self.ahead[:count]
        return data

    async def read_head(self, limit: int) -> bytes:
        """Up to and without the empty line; b"" when the peer ends before it says anything."""
        start = 0
        while True:
            end = self.ahead.find(b"\r\n\r\n", start)
            if 0 <= end <= limit:
                head = bytes(self.ahead[:end])
                del self.ahead[: end + 4]
                return head
            if len(self.ahead) > limit:
                raise HeadTooLarge
            start = max(0, len(self.ahead) - 3)
            try:
                await self.fill()
            except WireClosed:
                if self.ahead.strip(b"\r\n"):
                    raise
                return b""


class TlsWire(Wire):
    """A wire with TLS on it, for upstream proxies that want that."""

    is_plain = False

    def __init__(self, sock: socket.socket, server_name: str) -> None:
        super().__init__(sock)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=server_name)

    async def shake_hands(self) -> None:
        try:
            await self._drive(self._tls.do_handshake)
        except ssl.SSLError as error:
            raise WireClosed from error

    async def recv_into(self, buffer: memoryview) -> int:
        try:
            data = await self._drive(lambda: self._tls.read(len(buffer)))
        except (ssl.SSLError, WireClosed):
            return 0
        buffer[: len(data)] = data
        return len(data)

    async def send(self, data: bytes | bytearray | memoryview) -> None:
        try:
            self._tls.write(data)
        except ssl.SSLError as error:
            raise WireClosed from error
        await self._flush()

    def is_stale(self) -> bool:
        # Tickets and close notes arrive unasked, so what is readable says nothing: do not reuse.
        return True

    async def _drive(self, step: Callable[[], T]) -> T:
        """Carry bytes between TLS and the socket until `step` has what it wants."""
        buffer = memoryview(bytearray(SMALL_BUFFER))
        while True:
            try:
                result = step()
            except ssl.SSLWantReadError:
                await self._flush()
                size = await super().recv_into(buffer)
                if not size:
                    raise WireClosed from None
                self._incoming.write(buffer[:size])
            else:
                await self._flush()
                return result

    async def _flush(self) -> None:
        data = self._outgoing.read()
        if data:
            await super().send(data)


# Hears of every piece; answers with seconds to wait first, 0 for none.
Count = Callable[[int], float]


async def move(source: Wire, target: Wire, count: Count, body: Body | None = None, lead: bytes = b"") -> bool:
    """Copy until `source` ends, or until `body` is complete: then what follows stays in `source.ahead`.

    `lead` goes before it, together with what is there already.  `count` may raise to end it.  Returns whether the end
    was a proper one.  What is short, or has to be looked at, is read and written; a stream that goes on is left to the
    kernel, so that a thousand idle tunnels cost little.
    """
    if lead:
        await target.send(lead + await _at_hand(source, count, body))
    buffer = memoryview(bytearray(SMALL_BUFFER))
    turns = 0
    while body is None or not body.is_complete:
        if source.ahead:
            piece = memoryview(bytes(source.ahead))
            source.ahead.clear()
        else:
            size = await source.recv_into(buffer)
            if not size:
                return body is None or body.ends_with_connection
            piece = buffer[:size]
        if body is not None:
            used = body.feed(piece)
            if used < len(piece):
                source.ahead += piece[used:]
                piece = piece[:used]
        await _wait(count(len(piece)))
        await target.send(piece)
        if len(piece) >= SMALL_BUFFER:
            pipe = open_splice() if _can_splice(source, target, body) else None
            if pipe is not None and not await _splice(pipe, source, target, count, body):
                return body is None or body.ends_with_connection
            if pipe is None and len(buffer) < LARGE_BUFFER:
                buffer = memoryview(bytearray(LARGE_BUFFER))
        turns += 1
        if turns % TURNS == 0:
            await anyio.lowlevel.checkpoint()
    return True


async def _at_hand(source: Wire, count: Count, body: Body | None) -> bytes:
    """What was read ahead and belongs to the body."""
    used = len(source.ahead) if body is None else body.feed(memoryview(bytes(source.ahead)))
    if not used:
        return b""
    await _wait(count(used))
    piece = bytes(source.ahead[:used])
    del source.ahead[:used]
    return piece


def _can_splice(source: Wire, target: Wire, body: Body | None) -> bool:
    """Not through TLS, which is ours to undo; and not for a little."""
    return source.is_plain and target.is_plain and (body is None or body.sure() >= LEAST_TO_SPLICE)


async def _splice(pipe: Splice, source: Wire, target: Wire, count: Count, body: Body | None) -> bool:
    """Move on as long as nothing has to be looked at; False when the source has ended."""
    turns = 0
    with pipe:
        while most := pipe.size if body is None else body.sure():
            try:
                size = await pipe.fill(source.sock, most)
            except OSError:
                # A reset is an end too.
                return False
            if not size:
                return False
            if body is not None:
                body.passed(size)
            await _wait(count(size))
            try:
                await pipe.drain(target.sock)
            except OSError as error:
                raise WireClosed from error
            turns += 1
            if turns % TURNS == 0:
                await anyio.lowlevel.checkpoint()
    return True


async def _wait(pause: float) -> None:
    if pause:
        await anyio.sleep(pause)
