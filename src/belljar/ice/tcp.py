"""Packets over TCP (RFC 4571: each after its length), as ICE uses it: who connects says at once whom it is for."""

import asyncio
import socket
import struct
from collections.abc import Callable
from typing import cast

from belljar.ice.source import Source, Transport, plain_host

# What is longer is no packet of a peer's: all they send fits into a frame of a network.  How many may wait is counted,
# so how much memory they take depends on this.
MOST_PACKET = 4096
# How long a connection may take to say whose it is, and how many may be about to.
_INTRODUCTION_SECONDS = 5.0
_MOST_STRANGERS = 64
_MOST_STRANGERS_PER_HOST = 16
_MOST_LINES = 1024
# Bytes that may wait for a slow reader.  What comes beyond is dropped, which its peer takes for a loss.
_MOST_WAITING = 192 * 1024
# A line that takes nothing for so long is cut.
_STUCK_MILLISECONDS = 10_000
# So that what waits, waits where it is counted.
_SEND_BUFFER = 128 * 1024

Came = Callable[["TcpLine", bytes], bool]


class TcpLine(asyncio.Protocol):
    """One connection."""

    def __init__(self, lines: "TcpLines") -> None:
        self._lines = lines
        self._transport: asyncio.Transport
        self._buffer = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self.source = Source(Transport.TCP, "", 0)

    @property
    def is_stranger(self) -> bool:
        return self._timer is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername") or ("", 0)
        self.source = Source(Transport.TCP, plain_host(peer[0]), peer[1])
        if not self._lines.has_room(self.source.host):
            self._transport.abort()
            return
        sock: socket.socket = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STUCK_MILLISECONDS)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        self._timer = asyncio.get_running_loop().call_later(_INTRODUCTION_SECONDS, self.abort)
        self._lines.add(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 2:
            (length,) = struct.unpack_from(">H", self._buffer)
            if length > MOST_PACKET:
                self.abort()
                return
            if len(self._buffer) < 2 + length:
                return
            packet = bytes(self._buffer[2 : 2 + length])
            del self._buffer[: 2 + length]
            if not self._take(packet):
                self.abort()
                return

    def _take(self, packet: bytes) -> bool:
        """Whether it may go on: the first packet must be its introduction."""
        was_its_guests = self._lines.came(self, packet)
        if self._timer is None:
            return True
        if was_its_guests:
            self._timer.cancel()
            self._timer = None
        return was_its_guests

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._lines.remove(self)

    def send(self, packet: bytes) -> None:
        if self._transport.get_write_buffer_size() + len(packet) <= _MOST_WAITING:
            self._transport.write(struct.pack(">H", len(packet)) + packet)

    def abort(self) -> None:
        self._transport.abort()


class TcpLines:
    """All connections to one port."""

    def __init__(self, came: Came, ended: Callable[[TcpLine], None]) -> None:
        self.came = came
        self._ended = ended
        self._lines: dict[Source, TcpLine] = {}

    def new_line(self) -> TcpLine:
        return TcpLine(self)

    def has_room(self, host: str) -> bool:
        strangers = [line for line in self._lines.values() if line.is_stranger]
        of_host = sum(line.source.host == host for line in strangers)
        is_crowded = len(strangers) >= _MOST_STRANGERS or of_host >= _MOST_STRANGERS_PER_HOST
        return not is_crowded and len(self._lines) < _MOST_LINES

    def add(self, line: TcpLine) -> None:
        self._lines[line.source] = line

    def remove(self, line: TcpLine) -> None:
        if self._lines.get(line.source) is line:
            del self._lines[line.source]
            self._ended(line)

    def send(self, source: Source, packet: bytes) -> None:
        if (line := self._lines.get(source)) is not None:
            line.send(packet)

    def close(self, source: Source) -> None:
        if (line := self._lines.get(source)) is not None:
            line.abort()

    def close_all(self) -> None:
        for line in list(self._lines.values()):
            line.abort()

    def __len__(self) -> int:
        return len(self._lines)
