"""ICE for all peers over one UDP socket, which somebody else has opened.

A packet belongs to the peer whose name (ufrag) and password its first STUN request had; what comes from an address that
has not shown both gets no answer.  Nothing is ever sent elsewhere: the candidates that a peer names are not tried.
"""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any, cast

import aioice.ice
import aioice.stun
import aiortc.rtcicetransport
from aioice.candidate import Candidate, candidate_foundation, candidate_priority

_MAGIC_COOKIE = (0x2112A442).to_bytes(4)
# Addresses that one peer may come from: a browser has a few.
_MOST_ADDRESSES = 8

Address = tuple[str, int]


class SharedSocket(asyncio.DatagramProtocol):
    """The socket, and who is behind which address."""

    def __init__(self, addresses: Sequence[str], port: int) -> None:
        self.addresses = addresses
        self.port = port
        self._transport: asyncio.DatagramTransport | None = None
        self._by_name: dict[str, _Peer] = {}
        self._by_address: dict[Address, _Peer] = {}
        # Packets that could not be read.
        self.refused = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        address = (addr[0], addr[1])
        try:
            peer = self._by_address.get(address) or self._introduced(data, address)
            if peer is not None:
                peer.protocol.datagram_received(data, address)
        except Exception:  # noqa: BLE001  # asyncio would close the socket, everybody's, for one packet of a stranger
            self.refused += 1

    def _introduced(self, data: bytes, address: Address) -> "_Peer | None":
        """Whose first packet from there this is: one that knows its peer's name and password."""
        if len(data) < 20 or data[0] > 3 or data[4:8] != _MAGIC_COOKIE:
            return None
        message = aioice.stun.parse_message(data)
        peer = self._by_name.get(str(message.attributes.get("USERNAME", "")).partition(":")[0])
        if peer is None or len(peer.addresses) >= _MOST_ADDRESSES:
            return None
        if not message.check_message_integrity(peer.password):
            return None
        peer.addresses.add(address)
        self._by_address[address] = peer
        return peer

    def join(self, peer: "_Peer") -> None:
        self._by_name[peer.name] = peer

    def leave(self, peer: "_Peer") -> None:
        self._by_name.pop(peer.name, None)
        for address in peer.addresses:
            self._by_address.pop(address, None)
        peer.addresses.clear()

    def send(self, data: bytes, address: Address) -> None:
        if self._transport is not None:
            self._transport.sendto(data, address)

    @property
    def is_empty(self) -> bool:
        return not self._by_name and not self._by_address


class _Peer:
    """One peer's share of the socket: to aioice, a transport of its own."""

    def __init__(self, shared: SharedSocket, name: str, password: str, protocol: aioice.ice.StunProtocol) -> None:
        self._shared = shared
        self.name = name
        self.password = password.encode()
        self.protocol = protocol
        self.addresses: set[Address] = set()
        shared.join(self)

    def sendto(self, data: bytes, addr: Address) -> None:
        if addr in self.addresses:
            self._shared.send(data, addr)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self._shared.addresses[0], self._shared.port) if name == "sockname" else default

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        self._shared.leave(self)
        # aioice waits for it, and must not hear of it before it does.
        asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)


async def share(sock: socket.socket, addresses: Sequence[str]) -> SharedSocket:
    """Have every peer made from now on use `sock`, under these addresses."""
    shared = SharedSocket(addresses, sock.getsockname()[1])

    class Connection(aioice.ice.Connection):
        async def get_component_candidates(
            self, component: int, addresses: list[str], timeout: int = 5
        ) -> list[Candidate]:
            protocol = aioice.ice.StunProtocol(self)
            transport: Any = _Peer(shared, self.local_username, self.local_password, protocol)
            protocol.connection_made(transport)
            candidates = [
                Candidate(
                    foundation=candidate_foundation("host", "udp", address),
                    component=component,
                    transport="udp",
                    # The first is the best.
                    priority=candidate_priority(component, "host", 65535 - index),
                    host=address,
                    port=shared.port,
                    type="host",
                )
                for index, address in enumerate(shared.addresses)
            ]
            protocol.local_candidate = candidates[0]
            self._protocols.append(protocol)
            return candidates

    await asyncio.get_running_loop().create_datagram_endpoint(lambda: shared, sock=sock)
    aiortc.rtcicetransport.Connection = Connection
    return shared


def without_candidates(sdp: str) -> str:
    """A peer's description without where it says it is: it is where it comes from."""
    lines = [line for line in sdp.splitlines() if not line.startswith(("a=candidate:", "a=end-of-candidates"))]
    return "\r\n".join(lines) + "\r\n"
