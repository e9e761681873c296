"""SOCKS 5 from both sides: what a program in the box says to us, and what we say to an upstream."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from belljar.egress.policy.addresses import BadHost, Host, parse_host
from belljar.egress.proxy.wires import Wire, WireClosed

OK, FAILED, DENIED, UNREACHABLE, REFUSED, BAD_COMMAND, BAD_ADDRESS = 0, 1, 2, 4, 5, 7, 8
_NO_AUTH, _PASSWORD, _NONE_FITS = 0, 2, 0xFF
_CONNECT = 1


class SocksRefused(Exception):
    """The other side said no, or we do; `code` is SOCKS's reason."""

    def __init__(self, code: int) -> None:
        super().__init__(f"SOCKS reply {code}")
        self.code = code


async def accept(client: Wire) -> tuple[Host, int]:
    """What the client wants to reach.  BIND and UDP ASSOCIATE are refused: nothing may listen or bypass us."""
    _, methods = await client.read(2)
    if _NO_AUTH not in await client.read(methods):
        await client.send(bytes((5, _NONE_FITS)))
        raise WireClosed
    await client.send(bytes((5, _NO_AUTH)))
    version, command, _, kind = await client.read(4)
    host = await _read_host(client, kind)
    port = int.from_bytes(await client.read(2), "big")
    if version != 5 or command != _CONNECT:
        raise SocksRefused(BAD_COMMAND)
    if host is None or not port:
        raise SocksRefused(BAD_ADDRESS)
    return host, port


async def answer(client: Wire, code: int) -> None:
    await client.send(bytes((5, code, 0, 1, 0, 0, 0, 0, 0, 0)))


async def connect(upstream: Wire, host: Host, port: int, credentials: tuple[str, str] | None) -> None:
    """Ask an upstream for `host`, by name where it is one: it never gets resolved on this side."""
    methods = (_NO_AUTH, _PASSWORD) if credentials else (_NO_AUTH,)
    await upstream.send(bytes((5, len(methods), *methods)))
    _, method = await upstream.read(2)
    if method == _PASSWORD and credentials:
        username, password = (part.encode()[:255] for part in credentials)
        await upstream.send(bytes((1, len(username))) + username + bytes((len(password),)) + password)
        if (await upstream.read(2))[1] != 0:
            raise SocksRefused(FAILED)
    elif method != _NO_AUTH:
        raise SocksRefused(FAILED)
    await upstream.send(bytes((5, _CONNECT, 0)) + _pack(host) + port.to_bytes(2, "big"))
    _, code, _, kind = await upstream.read(4)
    if code != OK:
        raise SocksRefused(code)
    await _read_host(upstream, kind)
    await upstream.read(2)


def _pack(host: Host) -> bytes:
    if isinstance(host, IPv4Address):
        return b"\x01" + host.packed
    if isinstance(host, IPv6Address):
        return b"\x04" + host.packed
    name = host.encode()
    return bytes((3, len(name))) + name


async def _read_host(wire: Wire, kind: int) -> Host | None:
    """None when it is no host we take."""
    if kind == 1:
        return ip_address(await wire.read(4))
    if kind == 4:
        return ip_address(await wire.read(16))
    if kind != 3:
        raise SocksRefused(BAD_ADDRESS)
    name = await wire.read((await wire.read(1))[0])
    try:
        return parse_host(name.decode("latin-1"))
    except BadHost:
        return None
