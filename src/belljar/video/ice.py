"""ICE for all peers over ports that others have opened: one handed to us, or ones whose owners relay packets.

Nothing is ever sent to where nobody came from: the candidates that a peer names are not tried.
"""

import asyncio
import random
import socket
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Protocol

import aioice.ice
import aioice.stun
import aiortc.rtcicetransport
from aioice.candidate import candidate_foundation, candidate_priority

from belljar.ice import Candidate, OpenPort, Packet, Source, Transport, open_port, pack, unpack

_MESSAGE_BYTES = 65536
# aioice's numbers for candidates that are equal but for their order.
_MOST_LOCAL = 65535
# A connection over TCP is the second choice: a lost packet holds up all that follow it.
_TCP_PENALTY = 32768
# How often a peer is asked whether it is still there, how often each question is repeated (after 0.5, 1, 2 s), and how
# many may stay without an answer: some 17 seconds of silence, which no line that carries pictures has.
_ASK_SECONDS = 2.0
_REPEATS = 2
_MOST_UNANSWERED = 3


class Way(Protocol):
    """A port by which peers are reached."""

    candidates: Sequence[Candidate]

    def join(self, name: str, password: str, deliver: Callable[[bytes, Source], None]) -> None: ...

    def leave(self, name: str) -> None: ...

    def send(self, name: str, data: bytes, source: Source) -> None: ...


class RelayedPort:
    """A port of somebody else's, who lets in those that may come, and passes their packets on over `link`."""

    def __init__(self, link: socket.socket, candidates: Sequence[Candidate], on_end: Callable[["RelayedPort"], None]):
        self._link = link
        self.candidates = candidates
        self._on_end = on_end
        self._deliver: dict[str, Callable[[bytes, Source], None]] = {}
        # What is sent in one turn of the loop goes out together.
        self._waiting: list[Packet] = []
        link.setblocking(False)
        asyncio.get_running_loop().add_reader(link, self._read)

    def join(self, name: str, password: str, deliver: Callable[[bytes, Source], None]) -> None:
        self._deliver[name] = deliver

    def leave(self, name: str) -> None:
        self._deliver.pop(name, None)

    def send(self, name: str, data: bytes, source: Source) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(Packet(name, source, data))

    def _flush(self) -> None:
        packets, self._waiting = self._waiting, []
        for message in pack(packets):
            try:
                self._link.send(message)
            except BlockingIOError:
                # As on a line that is full: what does not fit is lost.
                return
            except OSError:
                self.close()
                return

    def _read(self) -> None:
        try:
            message = self._link.recv(_MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if not message:
            self.close()
            return
        for name, source, data in unpack(message):
            if (deliver := self._deliver.get(name)) is not None:
                deliver(data, source)

    def close(self) -> None:
        if self._link.fileno() != -1:
            asyncio.get_running_loop().remove_reader(self._link)
            self._link.close()
            self._on_end(self)


class _Place:
    """One peer's share of a way, by one transport: to aioice, a transport of its own."""

    def __init__(self, way: Way, name: str, transport: Transport, protocol: aioice.ice.StunProtocol) -> None:
        self._way = way
        self._name = name
        self._transport = transport
        self._protocol = protocol

    def sendto(self, data: bytes, addr: tuple[str, int]) -> None:
        self._way.send(self._name, data, Source(self._transport, addr[0], addr[1]))

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        self._way.leave(self._name)
        # aioice waits for it, and must not hear of it before it does.
        asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)


class Ways:
    """All ports there are now; a peer is offered those of the moment it is made."""

    def __init__(self) -> None:
        self._ways: list[Way] = []
        self._own = AsyncExitStack()
        # Of the peer that is being made.
        self.credentials: tuple[str, str] | None = None

    async def open_own(self, sockets: OpenPort, candidates: Sequence[Candidate]) -> None:
        """In place of the last one handed to us."""
        await self.close_own()
        self._ways.append(await self._own.enter_async_context(open_port(sockets, candidates)))

    async def close_own(self) -> None:
        self._ways = [way for way in self._ways if isinstance(way, RelayedPort)]
        await self._own.aclose()
        self._own = AsyncExitStack()

    def add_relay(self, link: socket.socket, candidates: Sequence[Candidate]) -> None:
        self._ways.append(RelayedPort(link, candidates, self._ways.remove))

    def candidates_for(self, connection: aioice.ice.Connection, component: int) -> list[aioice.ice.Candidate]:
        """Take part in every way, and say where that is."""
        offered: list[aioice.ice.Candidate] = []
        for way in self._ways:
            # One for each kind of pair: aioice pairs no addresses of two versions.
            protocols: dict[tuple[Transport, bool], aioice.ice.StunProtocol] = {}
            for candidate in way.candidates:
                made = _as_aioice(candidate, component, len(offered))
                offered.append(made)
                kind = candidate.transport, ":" in candidate.host
                if kind not in protocols:
                    protocol = aioice.ice.StunProtocol(connection)
                    place: Any = _Place(way, connection.local_username, candidate.transport, protocol)
                    protocol.connection_made(place)
                    protocol.local_candidate = made
                    protocols[kind] = protocol
                    connection._protocols.append(protocol)

            def deliver(data: bytes, source: Source, protocols: Any = protocols) -> None:
                if (protocol := protocols.get((source.transport, ":" in source.host))) is not None:
                    protocol.datagram_received(data, (source.host, source.port))

            way.join(connection.local_username, connection.local_password, deliver)
        return offered


def _as_aioice(candidate: Candidate, component: int, index: int) -> aioice.ice.Candidate:
    is_tcp = candidate.transport is Transport.TCP
    word = candidate.transport.word
    return aioice.ice.Candidate(
        foundation=candidate_foundation("host", word, candidate.host),
        component=component,
        transport=word,
        # The first is the best.
        priority=candidate_priority(component, "host", _MOST_LOCAL - index - (_TCP_PENALTY if is_tcp else 0)),
        host=candidate.host,
        port=candidate.port,
        type="host",
        tcptype="passive" if is_tcp else None,
    )


def use(ways: Ways) -> None:
    """Have every peer made from now on come by these ways, under the name it was given."""

    class Connection(aioice.ice.Connection):
        def __init__(self, *args: Any, **options: Any) -> None:
            if ways.credentials is not None:
                options |= dict(zip(("local_username", "local_password"), ways.credentials, strict=True))
            super().__init__(*args, **options)

        async def query_consent(self) -> None:
            """Close it when the other side does not answer any more (RFC 7675).

            aioice asks once and waits for half a second: a line that is long would be taken for dead, and one that is
            dead is noticed after half a minute.
            """
            unanswered = 0
            while unanswered < _MOST_UNANSWERED:
                await asyncio.sleep(_ASK_SECONDS * random.uniform(0.8, 1.2))
                unanswered = 0 if await self._is_answered() else unanswered + 1
            self._query_consent_task = None
            await self.close()

        async def _is_answered(self) -> bool:
            assert self.remote_password is not None
            for pair in list(self._nominated.values()):
                request, key = self.build_request(pair, nominate=False), self.remote_password.encode()
                try:
                    await pair.protocol.request(request, pair.remote_addr, integrity_key=key, retransmissions=_REPEATS)
                except aioice.stun.TransactionError:
                    return False
            return True

        async def get_component_candidates(
            self, component: int, addresses: list[str], timeout: int = 5
        ) -> list[aioice.ice.Candidate]:
            return ways.candidates_for(self, component)

    aiortc.rtcicetransport.Connection = Connection


def without_candidates(sdp: str) -> str:
    """A peer's description without where it says it is: it is where it comes from."""
    lines = [line for line in sdp.splitlines() if not line.startswith(("a=candidate:", "a=end-of-candidates"))]
    return "\r\n".join(lines) + "\r\n"
