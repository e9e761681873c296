"""Hosts and addresses: what a host in a request really is, and what is not the public internet.

Browsers, curl and libc read `0x7f.1`, `2130706433`, `0177.0.0.1` and `127.0.0.1.` as one and the same host, so all of
them become one value here before anything is decided.
"""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# A name (lower case, no trailing dot) or an address.
Host = str | IPv4Address | IPv6Address

LOOPBACK: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))

# Stands for the address of a connection that did not leave its box, and for the rule that let it through.
OWN_LOOPBACK = "box"

_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*")
_NUMERAL = re.compile(r"[0-9]+|0x[0-9a-f]*")

# The special-purpose registries of IANA (RFC 6890 and after), without the few entries that are globally reachable.
_SPECIAL: tuple[tuple[Network, str], ...] = tuple(
    (ip_network(network), name)
    for network, name in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "AS112"),
        ("192.52.193.0/24", "AMT"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "AS112"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("2620:4f:8000::/48", "AS112"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_IPV6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")

# Where clouds hand out credentials.  One of them (Azure's) looks like any public address.
METADATA: frozenset[Address] = frozenset(
    ip_address(address)
    for address in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "169.254.0.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)
METADATA_NAMES = frozenset({"metadata.google.internal", "metadata.goog", "metadata", "instance-data"})


class BadHost(ValueError):
    """This is no host a browser would take."""


def parse_host(text: str) -> Host:
    """The one host that `text` stands for; raises `BadHost`."""
    if text.startswith("["):
        return _ipv6(text)
    name = text.lower()
    name = name[:-1] if name.endswith(".") else name
    if len(name) > 253 or not _NAME.fullmatch(name):
        raise BadHost("not a host name")
    last = name.rpartition(".")[2]
    return _ipv4(name) if _NUMERAL.fullmatch(last) else name


def parse_port(text: str) -> int:
    """A port from 1 to 65535 in ASCII digits; raises `BadHost`."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) <= 65535):
        raise BadHost("not a port from 1 to 65535")
    return int(text)


def split_authority(text: str, default_port: int | None) -> tuple[Host, int]:
    """`host`, `host:port` or `[v6]:port`; an empty port is the default one.  Raises `BadHost`."""
    if "@" in text:
        raise BadHost("user information is not allowed here")
    if text.startswith("["):
        host, bracket, rest = text.partition("]")
        host += bracket
        if rest and not rest.startswith(":"):
            raise BadHost("not a host and port")
        port = rest[1:]
    else:
        host, _, port = text.partition(":")
    if not port and default_port is None:
        raise BadHost("a port is missing")
    return parse_host(host), parse_port(port) if port else (default_port or 0)


def show_authority(host: Host, port: int) -> str:
    return f"[{host}]:{port}" if isinstance(host, IPv6Address) else f"{host}:{port}"


def is_own_loopback(host: Host) -> bool:
    """Whether `host` means the machine that says it: `localhost`, 127/8, ::1, by whatever spelling."""
    if isinstance(host, str):
        return host == "localhost" or host.endswith(".localhost")
    return unwrapped(host).is_loopback


def unwrapped(address: Address) -> Address:
    """The IPv4 address inside a mapped, compatible or NAT64 one; otherwise the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 0xFFFF):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_metadata(address: Address) -> bool:
    return unwrapped(address) in METADATA


def special_purpose(address: Address) -> str | None:
    """What kind of non-public address this is (`private`, `loopback`, …); None for the public internet."""
    inner = unwrapped(address)
    if inner in METADATA:
        return "cloud metadata"
    for network, name in _SPECIAL:
        if inner.version == network.version and inner in network:
            return name
    if isinstance(inner, IPv6Address) and inner not in _GLOBAL_IPV6:
        return "not global"
    return None


def _ipv6(text: str) -> IPv6Address:
    if not text.endswith("]") or "%" in text:
        raise BadHost("not an IPv6 address")
    try:
        return IPv6Address(text[1:-1])
    except ValueError:
        raise BadHost("not an IPv6 address") from None


def _ipv4(text: str) -> IPv4Address:
    """As the URL standard reads it: one to four numbers, each decimal, octal or hexadecimal, the last filling up."""
    parts = [_number(part) for part in text.split(".")]
    if len(parts) > 4 or any(part > 255 for part in parts[:-1]) or parts[-1] >= 256 ** (5 - len(parts)):
        raise BadHost("not an IPv4 address")
    value = parts[-1] + sum(part << 8 * (3 - index) for index, part in enumerate(parts[:-1]))
    return IPv4Address(value)


def _number(text: str) -> int:
    try:
        if text.startswith("0x"):
            return int(text[2:] or "0", 16)
        return int(text, 8) if len(text) > 1 and text.startswith("0") else int(text, 10)
    except ValueError:
        raise BadHost("not an IPv4 address") from None
