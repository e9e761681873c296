"""Packets on their way between who owns a port and a box: several in one message, each with its peer and its source.

u8 transport · u8 length of the name · u8 length of the address · u16 port · u16 length of the packet
the name · the address, 4 or 16 bytes · the packet
"""

import struct
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import NamedTuple

from belljar.ice.source import Source, Transport

_RECORD = struct.Struct(">BBBHH")
# What one message may have, to go through any socket between here and there as one.
MESSAGE_BYTES = 60_000


class Packet(NamedTuple):
    name: str
    source: Source
    data: bytes


def pack(packets: Iterable[Packet]) -> Iterator[bytes]:
    """As messages of at most `MESSAGE_BYTES`."""
    waiting = bytearray()
    for name, (transport, host, port), data in packets:
        named, address = name.encode("ascii"), ip_address(host).packed
        record = _RECORD.pack(transport, len(named), len(address), port, len(data)) + named + address + data
        if waiting and len(waiting) + len(record) > MESSAGE_BYTES:
            yield bytes(waiting)
            waiting.clear()
        waiting += record
    if waiting:
        yield bytes(waiting)


def unpack(message: bytes) -> Iterator[Packet]:
    """Raises ValueError for what is no such message."""
    at = 0
    while at < len(message):
        try:
            transport, named, address, port, length = _RECORD.unpack_from(message, at)
            at += _RECORD.size
            end = at + named + address + length
            if end > len(message):
                raise ValueError("cut short")
            name = message[at : at + named].decode("ascii")
            host = str(ip_address(message[at + named : at + named + address]))
            yield Packet(name, Source(Transport(transport), host, port), message[at + named + address : end])
            at = end
        except struct.error as error:
            raise ValueError("cut short") from error
