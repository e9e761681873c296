"""Tor: everything but the box's own localhost goes through a SOCKS proxy, names unresolved, or nothing goes at all.

Chromium's own flags are the second line here: the box is jailed, its one way out is the egress proxy, and the policy
made here knows no other upstream.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit

from belljar.agent.tool.failure import ToolFailure

DEFAULT_PORT = 9050
GREETING_SECONDS = 10.0
_HINT = "Start the proxy, or leave tor_proxy out to go without it: nothing was requested."
# What Chromium asks for by itself, whatever its switches say; it would tell that one browser from others.
_ERRANDS = (
    "clients2.google.com",
    "update.googleapis.com",
    "safebrowsing.googleapis.com",
    "content-autofill.googleapis.com",
    "optimizationguide-pa.googleapis.com",
)


@dataclass(frozen=True)
class Tor:
    host: str
    port: int
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    def policy(self) -> str:
        """An egress policy without any other way out."""
        credentials = ""
        if self.username is not None:
            credentials = f"{quote(self.username, safe='')}:{quote(self.password or '', safe='')}@"
        host = f"[{self.host}]" if ":" in self.host else self.host
        errands = "".join(f"deny {name}\n" for name in _ERRANDS)
        return f"upstream tor socks5h://{credentials}{host}:{self.port}\n{errands}allow * via tor\n"

    def check(self) -> None:
        """Ask the proxy whether it is one.  Blocks.  Raises `ToolFailure`."""
        methods = b"\x05\x02\x00\x02" if self.username is not None else b"\x05\x01\x00"
        try:
            with socket.create_connection((self.host, self.port), GREETING_SECONDS) as connection:
                connection.settimeout(GREETING_SECONDS)
                connection.sendall(methods)
                answer = connection.recv(2)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ToolFailure(f"tor_proxy cannot be reached at {self.host}:{self.port}: {reason}.", _HINT) from error
        if answer[:1] != b"\x05" or answer[1:] == b"\xff":
            raise ToolFailure(f"What listens at {self.host}:{self.port} is no SOCKS 5 proxy for us.", _HINT)


def read_tor(proxy: str) -> Tor:
    """`socks5://` or `socks5h://`: names are the proxy's business either way.  Raises `ToolFailure`."""
    try:
        parts = urlsplit(proxy.strip())
        host, port = parts.hostname, parts.port or DEFAULT_PORT
    except ValueError:
        parts, host, port = urlsplit(""), None, 0
    is_bare = parts.path in ("", "/") and not parts.query and not parts.fragment
    if parts.scheme not in ("socks5", "socks5h") or not host or not is_bare:
        raise ToolFailure(
            "tor_proxy cannot be honoured: it must look like socks5h://127.0.0.1:9050.",
            "Use socks5:// or socks5h:// with host and port: nothing was requested.",
        )
    username = unquote(parts.username) if parts.username else None
    return Tor(host, port, username, unquote(parts.password or "") if username else None)


def loopback_only(allow: Iterable[str]) -> tuple[str, ...]:
    """What is allowed beside the policy is reached directly: under Tor that may only be this machine itself."""
    allowed = tuple(allow)
    outside = [target for target in allowed if not _is_loopback(target)]
    if outside:
        raise ToolFailure(
            f"tor_proxy cannot be honoured: BELLJAR_ALLOW would let {outside[0]} be reached directly.",
            "Take it out of BELLJAR_ALLOW, or leave tor_proxy out: nothing was requested.",
        )
    return allowed


def is_only_way_out(tor: Tor, policy: str, allow: Iterable[str]) -> bool:
    """Whether under a running box's policy all that is allowed goes through this proxy; in doubt it does not."""
    upstreams: dict[str, str] = {}
    used: set[str] = set()
    for line in policy.splitlines():
        match re.sub(r"(^|\s)#.*", "", line).split():
            case [] | ["deny" | "limit", *_]:
                continue
            case ["upstream", name, address]:
                upstreams[name] = address
            case ["allow", _, *_, "via", name]:
                used.add(name)
            case ["allow", target, *_] if _is_loopback(target):
                continue
            case _:
                return False
    try:
        ways = {(way.host, way.port) for way in (read_tor(upstreams.get(name, "")) for name in used)}
    except ToolFailure:
        return False
    return ways == {(tor.host, tor.port)} and all(map(_is_loopback, allow))


def _is_loopback(target: str) -> bool:
    """Of a host, address or range, with a port or without."""
    host = target.partition("]")[0].removeprefix("[") if target.startswith("[") else target
    if host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        return host == "localhost" or ipaddress.ip_network(host, strict=False).is_loopback
    except ValueError:
        return False
