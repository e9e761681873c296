"""The policy that an egress process is held to by somebody else than the box it serves.

Where the process runs outside of the box's container, whoever took the box over could tell it any policy.  So whoever
started both leaves a file that the box cannot reach, and nothing goes out that the file's policy would not let out too.
"""

from dataclasses import dataclass, field
from pathlib import Path

from belljar.egress.policy.addresses import Address
from belljar.egress.policy.file import BadPolicy, parse_policy
from belljar.egress.policy.policy import Decision, Limits, Policy, Request, Upstream, Verdict

# Of a policy; a larger file is none.
MAX_BYTES = 256 * 1024
NOTHING = Policy()


@dataclass
class Ceiling:
    """Read anew whenever the file is another; one that cannot be read lets nothing out."""

    path: Path
    _policy: Policy = NOTHING
    _read: tuple[int, int, int] | None = field(default=None, repr=False)

    def policy(self) -> Policy:
        try:
            about = self.path.stat()
            read = (about.st_ino, about.st_mtime_ns, about.st_size)
            if read != self._read:
                self._policy = _parse(self.path)
                self._read = read
        except (OSError, UnicodeDecodeError, BadPolicy):
            self._policy, self._read = NOTHING, None
        return self._policy

    def hold(self, decision: Decision, policy: Policy, request: Request, addresses: tuple[Address, ...]) -> Decision:
        """What the box's policy decided, unless that would let out more than may be."""
        if not decision.is_allowed:
            return decision
        ceiling = self.policy()
        most = ceiling.decide(request, addresses or None)
        if most.verdict is Verdict.DENY:
            return most
        if most.is_allowed and _way(policy, decision) == _way(ceiling, most):
            return decision
        return Decision(Verdict.DENY, "ceiling", f"{request} may not be reached in this way")

    def limits(self, wanted: Limits) -> Limits:
        """The lower of both."""
        most = self.policy().limits
        return Limits(
            min(wanted.connections, most.connections),
            _lower(wanted.connection_bytes, most.connection_bytes),
            _lower(wanted.bytes_per_second, most.bytes_per_second),
        )


def _parse(path: Path) -> Policy:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadPolicy("the file is too large")
    return parse_policy(data.decode(), ())


def _way(policy: Policy, decision: Decision) -> Upstream | None:
    return None if decision.upstream is None else policy.upstreams[decision.upstream]


def _lower(one: int | None, other: int | None) -> int | None:
    return min((value for value in (one, other) if value is not None), default=None)
