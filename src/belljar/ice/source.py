"""Where a packet comes from, and where peers are told to send theirs."""

from collections.abc import Sequence
from enum import IntEnum
from ipaddress import ip_address
from typing import NamedTuple

# How a socket of IPv6 that takes IPv4 as well (RFC 4291) writes an address of the latter.
_MAPPED = "::ffff:"


class Transport(IntEnum):
    UDP = 0
    TCP = 1  # RFC 6544, always passive: the other side connects

    @property
    def word(self) -> str:
        return self.name.lower()


class Source(NamedTuple):
    transport: Transport
    host: str
    port: int


def plain_host(host: str) -> str:
    """An address as its owner writes it, whichever kind of socket it came by."""
    return host.removeprefix(_MAPPED) if "." in host else host


def mapped_host(host: str) -> str:
    """An address for a socket of IPv6 that takes both."""
    return host if ":" in host else _MAPPED + host


def is_reachable(address: str) -> bool:
    """Whether viewers of other hosts, or of this one, may find something there: of either version, and of one host."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return not (found.is_unspecified or found.is_multicast or (found.version == 6 and found.is_link_local))


def host_to_bind(addresses: Sequence[str]) -> str:
    """Where a port listens that is reached under these: no wider than they need."""
    if len(set(addresses)) == 1 and ip_address(addresses[0]).is_loopback:
        return addresses[0]
    return "::" if any(":" in address for address in addresses) else "0.0.0.0"


class Candidate(NamedTuple):
    """An address under which a port is reached, as an offer names it."""

    transport: Transport
    host: str
    port: int

    @classmethod
    def read(cls, given: object) -> "Candidate":
        """As it is after JSON.  Raises ValueError."""
        match given:
            case [0 | 1 as transport, str(host), int(port)]:
                return cls(Transport(transport), host, port)
        raise ValueError("no candidate")
