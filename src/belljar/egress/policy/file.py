"""Policies as text: presets, `--allow`, files of one rule a line; and the smallest policy for a log.

allow example.com                       the name, on any port, where it leads to public addresses
allow *.example.com port 443,8000-8010  names below it
deny  ads.example.com
deny  * except example.com,*.example.com  nothing but these, of what is allowed below
allow 10.1.0.0/16 port 5432             a range that is not public has to be named
allow intranet.example to 10.1.0.0/16   this name, where it leads there
allow localhost:3000                    one port of the host
upstream tor socks5h://127.0.0.1:9050
allow *.onion via tor
limit rate 5M
use public                              a preset's rules, here
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address, ip_network
from itertools import takewhile
from textwrap import shorten
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from belljar.egress.policy.addresses import (
    METADATA,
    Address,
    BadHost,
    Host,
    Network,
    parse_host,
    parse_port,
    special_purpose,
)
from belljar.egress.policy.policy import ANYWHERE, LOOPBACK_NETWORKS, Limits, Policy, Rule, Scheme, Upstream

if TYPE_CHECKING:
    from belljar.egress.proxy.gate import Record

PRESETS = {"public": "allow *", "open": "allow * to any", "none": "deny *", "learn": "learn"}
MAX_POLICY_CHARS = 65_536
MAX_RULES = 2_000
# Of a rule, in refusals, logs and headers.
MAX_SHOWN_CHARS = 300

_UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}
_DEFAULT_PORTS = {"http": 80, "https": 443, "socks5": 1080}


class BadPolicy(ValueError):
    """A policy that cannot be understood; nothing of it is applied."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line


@dataclass
class _Draft:
    rules: list[Rule]
    upstreams: dict[str, Upstream]
    limits: Limits = Limits()
    learns: bool = False


def parse_policy(text: str, allow: tuple[str, ...] = ()) -> Policy:
    """A preset's name or the text of a policy, behind the rules of `--allow`; raises `BadPolicy`."""
    if len(text) > MAX_POLICY_CHARS:
        raise BadPolicy(f"longer than {MAX_POLICY_CHARS} characters")
    draft = _Draft([_rule(f"allow {target}".split()) for target in allow], {})
    for number, line in enumerate(PRESETS.get(text.strip(), text).splitlines(), 1):
        words = re.sub(r"(^|\s)#.*", "", line).split()
        try:
            if words:
                _read_line(words, draft)
        except BadPolicy as error:
            raise BadPolicy(error.reason, number) from None
        if len(draft.rules) > MAX_RULES:
            raise BadPolicy(f"more than {MAX_RULES} rules", number)
    return Policy(tuple(draft.rules), draft.limits, draft.upstreams, draft.learns)


def restricted(text: str, allow: Sequence[str], *, deny: Sequence[str], only: Sequence[str]) -> str:
    """The same policy behind further refusals: `deny` hosts, and all hosts but `only`, where there are any.

    What `--allow` would put before it stands in it.  Doing it twice changes nothing.
    """
    # A preset's name stands for a whole policy; within one it is said with `use`.
    known = f"use {text.strip()}" if text.strip() in PRESETS else text.strip()
    lines = known.splitlines()
    refused = set(takewhile(lambda line: line.startswith("deny "), lines))
    wanted = [f"deny {host}" for host in deny] + ([f"deny * except {','.join(only)}"] if only else [])
    return "\n".join(
        [*(line for line in wanted if line not in refused), *(f"allow {target}" for target in allow), known]
    )


def loosened(text: str, allow: Sequence[str], *, more: Sequence[str], learn: bool | None) -> str:
    """The same policy behind further permissions: `more` hosts; and learning, or not, where `learn` says.

    Whoever learns has no use for a rule that refuses all the rest; without learning, what no rule allows is refused
    anyway.  What `--allow` would put before it stands in it.  Doing it twice changes nothing.
    """
    known = f"use {text.strip()}" if text.strip() in PRESETS else text.strip()
    lines = known.splitlines()
    if learn is not None:
        gone = (["learn"], ["use", "learn"], *((["deny", "*"], ["use", "none"]) if learn else ()))
        lines = [line for line in lines if line.split() not in gone] + (["learn"] if learn else [])
    permitted = set(takewhile(lambda line: line.startswith("allow "), lines))
    wanted = dict.fromkeys(f"allow {target}" for target in (*more, *allow))
    return "\n".join([*(line for line in wanted if line not in permitted), *lines])


def check_public(targets: Iterable[str]) -> None:
    """Raises `BadPolicy` for a host that is not on the public internet, whatever it is called."""
    for target in targets:
        rule = _rule(["allow", target])
        addresses = [network.network_address for network in rule.networks or ()]
        if rule.host == "localhost" or any(special_purpose(one) or one in METADATA for one in addresses):
            raise BadPolicy(f"{target!r} is not on the public internet")


def redacted(text: str) -> str:
    """The policy as it may be shown: without the credentials of upstreams."""
    return re.sub(r"(?m)(^\s*upstream\s+\S+\s+[a-z0-9]+://)[^@\s]*@", r"\1***@", text)


def _read_line(words: list[str], draft: _Draft) -> None:
    match words:
        case ["allow" | "deny", _, *_]:
            rule = _rule(words)
            if rule.upstream is not None and rule.upstream not in draft.upstreams:
                raise BadPolicy(f"no upstream {rule.upstream!r} is declared above this line")
            draft.rules.append(rule)
        case ["upstream", name, url]:
            if name in draft.upstreams:
                raise BadPolicy(f"upstream {name!r} is declared twice")
            draft.upstreams[name] = parse_upstream(url)
        case ["limit", what, amount]:
            draft.limits = _limit(draft.limits, what, amount)
        case ["use", preset] if preset in PRESETS:
            _read_line(PRESETS[preset].split(), draft)
        case ["learn"]:
            draft.learns = True
        case _:
            raise BadPolicy(
                f"cannot read {' '.join(words)[:80]!r}: expected allow, deny, upstream, limit, use or learn"
            )


def _rule(words: list[str]) -> Rule:
    text = shorten(" ".join(words), MAX_SHOWN_CHARS, placeholder=" …")
    rule = _target(Rule(allows=words[0] == "allow", text=text), words[1] if len(words) > 1 else "")
    options = words[2:]
    if len(options) % 2:
        raise BadPolicy(f"{options[-1]!r} wants a value")
    seen: set[str] = set()
    for name, value in zip(options[::2], options[1::2], strict=True):
        if name in seen:
            raise BadPolicy(f"{name!r} is given twice")
        seen.add(name)
        rule = _option(rule, name, value)
    if rule.upstream is not None and not rule.allows:
        raise BadPolicy("only an allow rule can have an upstream")
    return rule


def _target(rule: Rule, target: str) -> Rule:
    """`*`, a name, `*.name`, an address or a range, each but ranges with an optional `:port`."""
    if target == "*":
        return rule
    if "/" in target:
        return replace(rule, networks=(_network(target),))
    host, port = _split_port(target)
    if port:
        rule = replace(rule, ports=_ports(port))
    if host.startswith("*."):
        return replace(rule, host="*." + _name(host[2:]))
    try:
        parsed = parse_host(f"[{host}]" if ":" in host else host)
    except BadHost:
        raise BadPolicy(f"{target!r} is neither a name nor an address nor a range") from None
    if parsed == "localhost":
        return replace(rule, host="localhost", networks=LOOPBACK_NETWORKS)
    if isinstance(parsed, str):
        return replace(rule, host=parsed)
    return replace(rule, networks=(_only(parsed),))


def _split_port(target: str) -> tuple[str, str]:
    if target.startswith("["):
        host, _, rest = target[1:].partition("]")
        return host, rest.removeprefix(":")
    if target.count(":") > 1:
        return target, ""
    host, _, port = target.partition(":")
    return host, port


def _option(rule: Rule, name: str, value: str) -> Rule:
    match name, value:
        case "port", _:
            if rule.ports:
                raise BadPolicy("the port is given twice")
            return replace(rule, ports=_ports(value))
        case "scheme", "https":
            return replace(rule, scheme=Scheme.TUNNEL, ports=rule.ports or ((443, 443),))
        case "scheme", "http" | "tunnel":
            return replace(rule, scheme=Scheme(value))
        case "scheme", _:
            raise BadPolicy(f"the scheme is http, https or tunnel, not {value!r}")
        case "to", "any":
            return replace(rule, networks=ANYWHERE)
        case "to", _:
            if rule.networks:
                raise BadPolicy("a range goes with a name, not with another range")
            return replace(rule, networks=tuple(_network(part) for part in value.split(",")))
        case "via", _:
            return replace(rule, upstream=value)
        case "except", _:
            return replace(rule, excepted=tuple(_excepted(part) for part in value.split(",")))
    raise BadPolicy(f"unknown option {name!r}: expected port, scheme, to, via or except")


def _excepted(text: str) -> Host:
    """A name, `*.name` or an address."""
    if text.startswith("*."):
        return "*." + _name(text[2:])
    try:
        return parse_host(f"[{text}]" if ":" in text else text)
    except BadHost:
        raise BadPolicy(f"{text!r} is neither a name nor an address") from None


def _ports(text: str) -> tuple[tuple[int, int], ...]:
    try:
        pairs = [part.split("-", 1) for part in text.split(",")]
        ports = tuple((parse_port(pair[0]), parse_port(pair[-1])) for pair in pairs)
    except BadHost:
        raise BadPolicy(f"{text!r} is not a port, a list of ports or a range of ports") from None
    if any(low > high for low, high in ports):
        raise BadPolicy(f"{text!r} is a range that ends before it begins")
    return ports


def _network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise BadPolicy(f"{text!r} is not an address range: {error}") from None


def _only(address: Address) -> Network:
    return ip_network(f"{address}/{128 if isinstance(address, IPv6Address) else 32}")


def _name(text: str) -> str:
    try:
        host = parse_host(text)
    except BadHost:
        host = None
    if not isinstance(host, str):
        raise BadPolicy(f"{text!r} is not a host name")
    return host


def parse_upstream(url: str) -> Upstream:
    """`http://`, `https://`, `socks5://` or `socks5h://` with optional credentials; names always travel unresolved."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadPolicy("the upstream is not a URL") from None
    scheme = "socks5" if parts.scheme == "socks5h" else parts.scheme
    if scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
        raise BadPolicy("an upstream is http://, https://, socks5:// or socks5h://, a host and a port")
    return Upstream(
        scheme,
        parts.hostname,
        port or _DEFAULT_PORTS[scheme],
        unquote(parts.username) if parts.username is not None else None,
        unquote(parts.password or "") if parts.username is not None else None,
    )


def _limit(limits: Limits, what: str, amount: str) -> Limits:
    match = re.fullmatch(r"([0-9]{1,15})([kmg]?)b?", amount.lower())
    if not match or not int(match[1]):
        raise BadPolicy(f"{amount!r} is not an amount such as 100, 64K, 5M or 2G")
    number = int(match[1]) * _UNITS[match[2]]
    match what:
        case "connections":
            return replace(limits, connections=number)
        case "connection":
            return replace(limits, connection_bytes=number)
        case "rate":
            return replace(limits, bytes_per_second=number)
    raise BadPolicy(f"unknown limit {what!r}: expected connections, connection or rate")


def suggest(records: "Iterable[Record]") -> str:
    """One rule for each host, with just the ports and ways it was reached by; what was denied is left out."""
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    for record in records:
        if record.decision == "allow" and record.address != "box":
            seen[_suggested(record), record.scheme].add(record.port)
    lines = []
    for (target, scheme), ports in sorted(seen.items()):
        numbers = ",".join(str(port) for port in sorted(ports))
        lines.append(f"allow {target} port {numbers} scheme {scheme}")
    return "\n".join(lines) + "\n" if lines else "deny *\n"


def _suggested(record: "Record") -> str:
    """The host; with the address it led to where that is not a public one, since such a rule must name it."""
    host = _address(record.host)
    if host is not None:
        return f"{host}/{host.max_prefixlen}"
    address = _address(record.address or "")
    if address is not None and special_purpose(address) and record.host != "localhost":
        return f"{record.host} to {address}/{address.max_prefixlen}"
    return record.host


def _address(text: str) -> Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
