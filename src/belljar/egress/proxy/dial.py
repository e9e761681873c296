"""Looks names up and connects: to the checked address itself, through an upstream, or to the box's own loopback."""

import base64
import errno
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address

import anyio
import anyio.to_thread

from belljar.egress.policy.addresses import LOOPBACK, Address, is_own_loopback, show_authority
from belljar.egress.policy.policy import Request, Scheme, Upstream
from belljar.egress.proxy import socks
from belljar.egress.proxy.http1 import MAX_HEAD, BadMessage, parse_head, status_of
from belljar.egress.proxy.wires import HeadTooLarge, TlsWire, Wire, WireClosed

LOOKUP_TIMEOUT = 10.0
CONNECT_TIMEOUT = 15.0
UPSTREAM_TIMEOUT = 60.0

# Opens a connection to a port of the box's own loopback; raises OSError when nothing listens there.
BoxDial = Callable[[int], Awaitable[socket.socket]]


class DialError(Exception):
    """Nobody answered; `reason` is for people."""

    def __init__(self, reason: str, code: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


_lookups = anyio.CapacityLimiter(32)


async def resolve(host: str) -> tuple[Address, ...]:
    """Every address of a name, in the order to try them; empty when it has none.  `localhost` needs no lookup."""
    if is_own_loopback(host):
        return LOOPBACK
    try:
        with anyio.fail_after(LOOKUP_TIMEOUT):
            found = await anyio.to_thread.run_sync(_look_up, host, limiter=_lookups, abandon_on_cancel=True)
    except (OSError, UnicodeError, TimeoutError):
        return ()
    return tuple(dict.fromkeys(found))


def _look_up(host: str) -> list[Address]:
    rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [ip_address(str(row[4][0]).partition("%")[0]) for row in rows]


async def dial(addresses: tuple[Address, ...], port: int) -> tuple[Wire, Address]:
    """Connect to the first of these addresses that answers; raises `DialError`."""
    error: OSError | None = None
    try:
        with anyio.fail_after(CONNECT_TIMEOUT):
            for address in addresses:
                try:
                    return Wire(await _connect(address, port)), address
                except OSError as failure:
                    error = error or failure
    except TimeoutError:
        raise DialError("no answer in time", errno.ETIMEDOUT) from None
    reason = "connection refused" if error and error.errno == errno.ECONNREFUSED else "cannot be reached"
    raise DialError(reason, error.errno if error else None) from error


async def dial_upstream(upstream: Upstream, request: Request, identity: str) -> tuple[Wire, bool]:
    """A wire to `request` through the upstream, and whether plain requests on it must carry the whole URL."""
    try:
        with anyio.fail_after(UPSTREAM_TIMEOUT):
            wire = await _reach(upstream)
            try:
                return wire, await _negotiate(wire, upstream, request, identity)
            except BaseException:
                wire.close()
                raise
    except (OSError, TimeoutError, WireClosed, HeadTooLarge, BadMessage) as error:
        raise DialError("the upstream proxy does not answer") from error
    except socks.SocksRefused as error:
        raise DialError("the upstream proxy cannot reach it", error.code) from error


def proxy_authorization(upstream: Upstream) -> bytes:
    """The header line an HTTP upstream wants, or nothing."""
    if upstream.username is None:
        return b""
    pair = f"{upstream.username}:{upstream.password or ''}".encode()
    return b"Proxy-Authorization: Basic " + base64.b64encode(pair) + b"\r\n"


async def _connect(address: Address, port: int) -> socket.socket:
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        try:
            sock.connect((str(address), port))
        except BlockingIOError:
            await anyio.wait_writable(sock)
            code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if code:
                raise OSError(code, "connect failed") from None
    except BaseException:
        sock.close()
        raise
    return sock


async def _reach(upstream: Upstream) -> Wire:
    """The operator named this host, so no policy applies to it."""
    try:
        addresses: tuple[Address, ...] = (ip_address(upstream.host),)
    except ValueError:
        addresses = await resolve(upstream.host)
    wire, _ = await dial(addresses, upstream.port)
    if upstream.scheme != "https":
        return wire
    tls = TlsWire(wire.sock, upstream.host)
    try:
        await tls.shake_hands()
    except BaseException:
        tls.close()
        raise
    return tls


async def _negotiate(wire: Wire, upstream: Upstream, request: Request, identity: str) -> bool:
    if upstream.scheme == "socks5":
        # Tor keeps streams of different credentials on different circuits: one identity for each session.
        own = (upstream.username, upstream.password or "") if upstream.username is not None else None
        await socks.connect(wire, request.host, request.port, own or (identity, "belljar"))
        return False
    if request.scheme is Scheme.HTTP:
        return True
    authority = show_authority(request.host, request.port).encode()
    line = b"CONNECT " + authority + b" HTTP/1.1\r\nHost: " + authority + b"\r\n"
    await wire.send(line + proxy_authorization(upstream) + b"\r\n")
    status = status_of(parse_head(await wire.read_head(MAX_HEAD)))
    if status != 200:
        raise DialError(f"the upstream proxy answered {status}")
    return False
