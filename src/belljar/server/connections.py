"""How many connections one address may have open: one client must not take all that a server can hold."""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from starlette.datastructures import Headers

from belljar.limits import MAX_CONNECTIONS_PER_ADDRESS
from belljar.problems import TooManyConnections

# What of an IPv6 address one customer has.
_IPV6_PREFIX = 64


class Connections:
    """Counts them, but for those of this machine itself and of proxies, which speak for many."""

    def __init__(self, most: int = MAX_CONNECTIONS_PER_ADDRESS, trusted: Collection[str] = ()) -> None:
        """`most` 0 is no limit."""
        self._most = most
        self._trusted = frozenset(trusted)
        self._open: Counter[str] = Counter()

    def open(self, address: str | None) -> str | None:
        """Under which name it is counted until it is closed; None when it is not.  Raises `TooManyConnections`."""
        name = None if address is None or address in self._trusted else counted_as(address)
        if name is None or not self._most:
            return None
        if self._open[name] >= self._most:
            raise TooManyConnections(
                f"Your address has {self._most} connections open already, as many as it may.",
                headers={"Retry-After": "1"},
            )
        self._open[name] += 1
        return name

    def close(self, name: str | None) -> None:
        if name is not None:
            self._open[name] -= 1
            if self._open[name] <= 0:
                del self._open[name]

    @contextmanager
    def counted(self, address: str | None) -> Iterator[None]:
        name = self.open(address)
        try:
            yield
        finally:
            self.close(name)

    @property
    def addresses(self) -> int:
        """How many of them have one open."""
        return len(self._open)


@lru_cache(maxsize=4096)
def counted_as(address: str) -> str | None:
    """One name for all addresses of a client; None for this machine's own, and for a Unix socket's, which has none."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_loopback:
        return None
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, _IPV6_PREFIX), strict=False))
    return str(found)


def forwarded_address(headers: Headers, trusted: Collection[str]) -> str | None:
    """For whom a proxy asks: the last in `X-Forwarded-For` that is no proxy of ours, as far as they tell."""
    told = [part.strip() for line in headers.getlist("x-forwarded-for") for part in line.split(",")]
    return next((address for address in reversed(told) if address and address not in trusted), None)
