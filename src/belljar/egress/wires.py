"""A connected socket with what was read ahead of need, and the loop that moves bytes between two of them."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.lowlevel

from belljar.egress.http1 import Body

T = TypeVar("T")
SMALL_BUFFER = 16 * 1024
LARGE_BUFFER = 256 * 1024
# Turns of a busy copy before others get theirs.
TURNS = 16


class WireClosed(Exception):
    """The peer went away in the middle of something."""


class HeadTooLarge(Exception):
    """The head of a message is over the limit."""


class Wire:
    """Takes over the socket.  One reader and one writer at a time."""

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


async def move(source: Wire, target: Wire, count: Count, body: Body | None = None) -> bool:
    """Copy until `source` ends, or until `body` is complete: then what follows stays in `source.ahead`.

    `count` may raise to end it.  Returns whether the end was a proper one.  The buffer grows with the stream, so that
    a thousand idle tunnels cost little.
    """
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
        pause = count(len(piece))
        if pause:
            await anyio.sleep(pause)
        await target.send(piece)
        if len(piece) == len(buffer) and len(buffer) < LARGE_BUFFER:
            buffer = memoryview(bytearray(LARGE_BUFFER))
        turns += 1
        if turns % TURNS == 0:
            await anyio.lowlevel.checkpoint()
    return True
