"""The suggested policy allows what was seen, and little else."""

from ipaddress import ip_address

from belljar.egress.policy.addresses import parse_host
from belljar.egress.policy.file import parse_policy, suggest
from belljar.egress.policy.policy import Request, Scheme
from belljar.egress.proxy.gate import Record, Ring


def record(
    id: int, host: str, port: int, scheme: str = "tunnel", decision: str = "allow", address: str = "8.8.8.8"
) -> Record:
    return Record(id=id, host=host, port=port, scheme=scheme, decision=decision, rule="learn", address=address)


SEEN = [
    record(1, "site.example", 443),
    record(2, "site.example", 443),
    record(3, "site.example", 8443),
    record(4, "site.example", 80, "http"),
    record(5, "intranet.example", 443, address="10.1.2.3"),
    record(6, "10.1.2.9", 22, address="10.1.2.9"),
    record(7, "denied.example", 443, decision="deny"),
    record(8, "localhost", 3000, address="box"),
    record(9, "localhost", 3001, "http", address="127.0.0.1"),
]


def test_a_suggestion_names_hosts_ports_and_schemes_once() -> None:
    assert suggest(SEEN).splitlines() == [
        "allow 10.1.2.9/32 port 22 scheme tunnel",
        "allow intranet.example to 10.1.2.3/32 port 443 scheme tunnel",
        "allow localhost port 3001 scheme http",
        "allow site.example port 80 scheme http",
        "allow site.example port 443,8443 scheme tunnel",
    ]


def test_a_suggestion_allows_what_was_seen_and_not_the_rest() -> None:
    policy = parse_policy(suggest(SEEN))
    for seen in SEEN:
        address = ip_address("127.0.0.1" if seen.address == "box" else seen.address or "")
        decision = policy.decide(Request(Scheme(seen.scheme), parse_host(seen.host), seen.port), (address,))
        assert decision.is_allowed is (seen.decision == "allow" and seen.address != "box")
    other = Request(Scheme.TUNNEL, "other.example", 443)
    assert not policy.decide(other, (ip_address("8.8.8.8"),)).is_allowed


def test_nothing_seen_suggests_nothing_allowed() -> None:
    assert suggest([]) == "deny *\n"


def test_the_ring_keeps_the_newest_and_updates_in_place() -> None:
    ring = Ring(size=2)
    for id in (1, 2, 3):
        ring.put(record(id, "site.example", 443))
    ring.put(record(2, "site.example", 444))
    assert [(kept.id, kept.port) for kept in ring] == [(2, 444), (3, 443)]
