"""One UDP port, and a TCP port of the same number, shared by peers that have a name and a password each.

What comes from a source that has not shown both gets no answer, and nothing is sent elsewhere: there is nobody to be
made to send to strangers, and nothing to be learnt by asking.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from belljar.ice.source import Candidate, Source, Transport, mapped_host, plain_host
from belljar.ice.stun import is_request, is_signed, name_in
from belljar.ice.tcp import MOST_PACKET, TcpLine, TcpLines

# Sources that one peer may come from: a browser has a few for each of its networks.
_MOST_SOURCES = 16
# Bytes that may wait for a socket which does not take them: later ones are dropped, as on a full line.
_MOST_WAITING = 1 << 20
_RECEIVE_BUFFER = 1 << 20

Deliver = Callable[[bytes, Source], None]


@dataclass(eq=False)
class _Guest:
    name: str
    password: bytes
    deliver: Deliver
    sources: set[Source] = field(default_factory=set)


class SharedPort(asyncio.DatagramProtocol):
    """Who is behind which source.  `candidates` are the addresses under which it is reached."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.candidates = candidates
        self._transport: Any = None
        # Whether the socket is of IPv6, which takes IPv4 as well where it listens everywhere.
        self._is_v6 = False
        self._by_name: dict[str, _Guest] = {}
        self._by_source: dict[Source, _Guest] = {}
        self.lines = TcpLines(self._came_by_line, self._line_ended)
        # Packets of nobody, and such as their peer could not read.
        self.refused = 0

    # The UDP socket.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._is_v6 = transport.get_extra_info("socket").family == socket.AF_INET6

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._received(data, Source(Transport.UDP, plain_host(addr[0]), addr[1]))

    def error_received(self, exc: Exception) -> None:
        """Somebody's host says that nobody listens there any more: their peer will notice."""

    # Both.

    def _received(self, data: bytes, source: Source) -> bool:
        """Whether it was a guest's."""
        # An address with a zone means something on one link alone, and nothing where packets are relayed to.
        if len(data) > MOST_PACKET or "%" in source.host:
            self.refused += 1
            return False
        guest = self._by_source.get(source)
        # A browser may use a source again, for another peer.
        if guest is None or (is_request(data) and name_in(data) != guest.name):
            guest = self._introduced(data, source)
        if guest is None:
            self.refused += 1
            return False
        try:
            guest.deliver(data, source)
        except Exception:  # noqa: BLE001  # asyncio would close the socket, everybody's, for one packet
            self.refused += 1
        return True

    def _introduced(self, data: bytes, source: Source) -> _Guest | None:
        """Whose first packet from there this is: one that knows its peer's name and password."""
        if not is_request(data) or (guest := self._by_name.get(name_in(data) or "")) is None:
            return None
        if len(guest.sources) >= _MOST_SOURCES or not is_signed(data, guest.password):
            return None
        if (before := self._by_source.get(source)) is not None:
            before.sources.discard(source)
        guest.sources.add(source)
        self._by_source[source] = guest
        return guest

    def _came_by_line(self, line: TcpLine, data: bytes) -> bool:
        return self._received(data, line.source)

    def _line_ended(self, line: TcpLine) -> None:
        if (guest := self._by_source.pop(line.source, None)) is not None:
            guest.sources.discard(line.source)

    # Guests.

    def join(self, name: str, password: str, deliver: Deliver) -> None:
        """Have what comes for `name` delivered.  Raises ValueError where it is somebody's already."""
        if name in self._by_name:
            raise ValueError("the name is taken")
        self._by_name[name] = _Guest(name, password.encode(), deliver)

    def leave(self, name: str) -> None:
        if (guest := self._by_name.pop(name, None)) is not None:
            for source in guest.sources:
                self._by_source.pop(source, None)
                self.lines.close(source)

    def send(self, name: str, data: bytes, source: Source) -> None:
        """To a source that `name` has come from; to no other."""
        guest = self._by_source.get(source)
        if guest is None or guest.name != name:
            return
        if source.transport is Transport.TCP:
            self.lines.send(source, data)
        elif self._transport is not None and self._transport.get_write_buffer_size() < _MOST_WAITING:
            host = mapped_host(source.host) if self._is_v6 else source.host
            self._transport.sendto(data, (host, source.port))

    @property
    def is_empty(self) -> bool:
        return not self._by_name and not self._by_source


@dataclass(frozen=True)
class OpenPort:
    """The sockets, bound and not yet read: they may be handed to another process."""

    udp: socket.socket
    # None where that number is taken, or nobody wants it.
    tcp: socket.socket | None

    @property
    def number(self) -> int:
        return int(self.udp.getsockname()[1])

    def candidates(self, addresses: Sequence[str]) -> list[Candidate]:
        """The first address is the best, and UDP better than TCP."""
        transports = [Transport.UDP] if self.tcp is None else [Transport.UDP, Transport.TCP]
        return [Candidate(one, address, self.number) for one in transports for address in addresses]

    def close(self) -> None:
        self.udp.close()
        if self.tcp is not None:
            self.tcp.close()


def bind_port(host: str, port: int, *, has_tcp: bool) -> OpenPort:
    """Both sockets on one number; 0 takes one that is free for both.  `::` takes IPv4 too.  Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for attempt in range(20):
        udp = socket.socket(family, socket.SOCK_DGRAM)
        tcp = socket.socket(family, socket.SOCK_STREAM) if has_tcp else None
        try:
            if family == socket.AF_INET6:
                for one in (udp, tcp) if tcp is not None else (udp,):
                    one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, host != "::")
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
            udp.bind((host, port))
            if tcp is not None:
                tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tcp.bind((host, udp.getsockname()[1]))
                tcp.listen(128)
                tcp.setblocking(False)
        except OSError:
            udp.close()
            if tcp is not None:
                tcp.close()
            if port or attempt == 19:
                raise
            continue
        udp.setblocking(False)
        return OpenPort(udp, tcp)
    raise AssertionError("unreachable")


@asynccontextmanager
async def open_port(sockets: OpenPort, candidates: Sequence[Candidate]) -> AsyncIterator[SharedPort]:
    """Read the sockets for as long as the block, and close them."""
    shared = SharedPort(candidates)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: shared, sock=sockets.udp)
    server = None
    if sockets.tcp is not None:
        server = await loop.create_server(shared.lines.new_line, sock=sockets.tcp)
    try:
        yield shared
    finally:
        if server is not None:
            server.close()
        shared.lines.close_all()
        transport.close()
