"""Where a packet comes from, and where peers are told to send theirs."""

from enum import IntEnum
from typing import NamedTuple


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
