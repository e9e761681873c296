"""Decides, purely: scheme, host, port and resolved addresses in; allow or deny out, with the rule that did it."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network

from belljar.egress.policy.addresses import (
    METADATA_NAMES,
    Address,
    Host,
    Network,
    is_metadata,
    is_own_loopback,
    show_authority,
    special_purpose,
    unwrapped,
)

ANYWHERE: tuple[Network, ...] = (IPv4Network("0.0.0.0/0"), IPv6Network("::/0"))
LOOPBACK_NETWORKS: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Scheme(StrEnum):
    HTTP = "http"  # a plain request, which the proxy reads
    TUNNEL = "tunnel"  # CONNECT or SOCKS: HTTPS, WebSocket and everything else, which it does not


class Verdict(StrEnum):
    ALLOW = "allow"
    DENY = "deny"
    RESOLVE = "resolve"  # ask again with the addresses of the name


@dataclass(frozen=True)
class Request:
    scheme: Scheme
    host: Host
    port: int

    def __str__(self) -> str:
        return show_authority(self.host, self.port)


@dataclass(frozen=True)
class Decision:
    verdict: Verdict
    # The rule in the words of the policy, or what was decided without one.
    rule: str = ""
    # Why, for people; says what would have to be allowed.
    reason: str = ""
    # Name of the upstream that is to carry the connection; None dials directly.
    upstream: str | None = None

    @property
    def is_allowed(self) -> bool:
        return self.verdict is Verdict.ALLOW


@dataclass(frozen=True)
class Rule:
    """One line of a policy.  Everything it names must match."""

    allows: bool
    text: str
    # A name, `*.name`, or None for any host.
    host: str | None = None
    # Hosts that the rule passes over, whatever else it names.
    excepted: tuple[Host, ...] = ()
    ports: tuple[tuple[int, int], ...] = ()
    scheme: Scheme | None = None
    # For `allow`, all addresses must be inside; for `deny`, one is enough.  Empty: the public internet.
    networks: tuple[Network, ...] = ()
    upstream: str | None = None

    def concerns(self, request: Request) -> bool:
        """Whether host, port and scheme fit; addresses are another matter."""
        return (
            (self.scheme is None or self.scheme is request.scheme)
            and (not self.ports or any(low <= request.port <= high for low, high in self.ports))
            and _fits(self.host, request.host)
            and not any(_is_or_fits(host, request.host) for host in self.excepted)
        )


@dataclass(frozen=True)
class Limits:
    """What one box may move; None is no limit."""

    connections: int = 512
    connection_bytes: int | None = None
    bytes_per_second: int | None = None


@dataclass(frozen=True)
class Upstream:
    scheme: str  # http, https or socks5
    host: str
    port: int
    username: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Policy:
    """Ordered rules; the first that matches decides, and what none matches is denied."""

    rules: tuple[Rule, ...] = ()
    limits: Limits = Limits()
    upstreams: dict[str, Upstream] = field(default_factory=dict)
    # Allow, and mark in the log, what no rule matches.  Addresses that are not public stay denied.
    learns: bool = False

    def decide(self, request: Request, addresses: tuple[Address, ...] | None = None) -> Decision:
        """`addresses` are those the name resolved to, all of them; None when it has not been looked up yet."""
        if not isinstance(request.host, str):
            addresses = (request.host,)
        concerned = [rule for rule in (*self.rules, LEARN) if rule.concerns(request)]
        if not self.learns:
            concerned.remove(LEARN)
        obstacle: Decision | None = None
        for index, rule in enumerate(concerned):
            if addresses is None and rule.host is None and rule.networks and _goes_upstream(concerned[index:]):
                # Looking the name up just to compare it with a range would give it away outside the upstream.
                continue
            decision = _allow(rule, request, addresses) if rule.allows else _deny(rule, addresses)
            if decision is not None and (decision.verdict is not Verdict.DENY or not rule.allows):
                return decision
            obstacle = obstacle or decision
        return obstacle or Decision(Verdict.DENY, "default", f"no rule allows {request}")


LEARN = Rule(allows=True, text="learn")


def is_tightening(old: Policy, new: Policy) -> bool:
    """Whether `new` surely allows nothing that `old` did not: the same rules behind more `deny` ones, or no rules."""
    if not any(rule.allows for rule in new.rules) and not new.learns:
        return True
    extra = len(new.rules) - len(old.rules)
    return (
        extra >= 0
        and new.rules[extra:] == old.rules
        and not any(rule.allows for rule in new.rules[:extra])
        and new.upstreams == old.upstreams
        and new.learns <= old.learns
        and _is_within(new.limits.connections, old.limits.connections)
        and _is_within(new.limits.connection_bytes, old.limits.connection_bytes)
        and _is_within(new.limits.bytes_per_second, old.limits.bytes_per_second)
    )


def _is_within(new: int | None, old: int | None) -> bool:
    return old is None or (new is not None and new <= old)


def _goes_upstream(rules: list[Rule]) -> bool:
    return any(rule.upstream is not None for rule in rules)


def _deny(rule: Rule, addresses: tuple[Address, ...] | None) -> Decision | None:
    if rule.networks:
        if addresses is None:
            return Decision(Verdict.RESOLVE)
        if not any(_inside(address, rule.networks) for address in addresses):
            return None
    return Decision(Verdict.DENY, rule.text, f"denied by the rule `{rule.text}`")


def _allow(rule: Rule, request: Request, addresses: tuple[Address, ...] | None) -> Decision | None:
    """Allow, a wish for addresses, or a refusal that a later rule may still overrule; None does not concern us."""
    if isinstance(request.host, str) and request.host in METADATA_NAMES and rule.host != request.host:
        return _special(request, "cloud metadata", request.host)
    if rule.upstream is not None and isinstance(request.host, str) and not is_own_loopback(request.host):
        # The name goes out unresolved: what it leads to is the upstream's business.
        return None if rule.networks else Decision(Verdict.ALLOW, rule.text, upstream=rule.upstream)
    if isinstance(request.host, str) and request.host.endswith(".onion"):
        return Decision(Verdict.DENY, "onion", "an .onion name needs a rule with a Tor upstream")
    if addresses is None:
        return Decision(Verdict.RESOLVE)
    if not addresses:
        return Decision(Verdict.DENY, "unresolved", f"{request.host} has no address")
    for address in addresses:
        kind = special_purpose(address)
        if is_metadata(address):
            if not _names(rule, address):
                return _special(request, "cloud metadata", address)
        elif rule.networks and not _inside(address, rule.networks):
            return None
        elif kind is not None and not rule.networks:
            return _special(request, kind, address)
    return Decision(Verdict.ALLOW, rule.text, upstream=rule.upstream)


def _special(request: Request, kind: str, address: Host) -> Decision:
    # By the name that was asked for, where that is enough to admit it.
    admitted = request.host if request.host == "localhost" else address
    flag = f"--allow {show_authority(admitted, request.port)}"
    return Decision(Verdict.DENY, kind, f"{address} is not on the public internet ({kind}); {flag} would admit it")


def _inside(address: Address, networks: tuple[Network, ...]) -> bool:
    inner = unwrapped(address)
    return any(inner.version == network.version and inner in network for network in networks)


def _names(rule: Rule, address: Address) -> bool:
    """Whether the rule names this very address, not just a range it happens to lie in."""
    inner = unwrapped(address)
    return any(network.num_addresses == 1 and inner == network.network_address for network in rule.networks)


def _fits(pattern: str | None, host: Host) -> bool:
    if pattern is None:
        return True
    if pattern == "localhost":
        return is_own_loopback(host)
    if not isinstance(host, str):
        return False
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


def _is_or_fits(excepted: Host, host: Host) -> bool:
    if isinstance(excepted, str):
        return _fits(excepted, host)
    return not isinstance(host, str) and unwrapped(host) == unwrapped(excepted)


def quoted(text: str) -> str:
    """A rule or host as it may stand in a header: printable ASCII, no quotes."""
    return re.sub(r"[^ !#-\[\]-~]", "?", text)
