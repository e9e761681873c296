"""From what was recorded, the smallest policy that would have allowed it."""

from collections import defaultdict
from collections.abc import Iterable
from ipaddress import ip_address

from belljar.egress.addresses import Address, special_purpose
from belljar.egress.log import Record


def suggest(records: Iterable[Record]) -> str:
    """One rule for each host, with just the ports and ways it was reached by; what was denied is left out."""
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    for record in records:
        if record.decision == "allow" and record.address != "box":
            seen[_target(record), record.scheme].add(record.port)
    lines = []
    for (target, scheme), ports in sorted(seen.items()):
        numbers = ",".join(str(port) for port in sorted(ports))
        lines.append(f"allow {target} port {numbers} scheme {scheme}")
    return "\n".join(lines) + "\n" if lines else "deny *\n"


def _target(record: Record) -> str:
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
