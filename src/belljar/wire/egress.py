"""The network policy of a box, and what went through it."""

from typing import Annotated

from pydantic import Field, StringConstraints

from belljar.wire.base import Model

HostName = Annotated[str, StringConstraints(pattern=r"^(\*\.)?[A-Za-z0-9._:\[\]-]{1,253}$")]


class EgressPolicy(Model):
    policy: str = Field(
        description="`public`, `open`, `none`, `learn`, or the text of a policy, one rule a line. Credentials of "
        "upstreams are left out of answers.",
        max_length=65_536,
        examples=["public", "allow *.example.com port 443\nallow 10.1.0.0/16 port 5432\n"],
    )
    allow: list[str] = Field(
        default_factory=list, description="Hosts and ports allowed before the policy is asked.", max_length=1000
    )


class EgressRestriction(Model):
    """Where a box may not connect to, beside what its policy forbids: never more than that allows."""

    deny: tuple[HostName, ...] = Field(
        default=(), max_length=1000, description="Hosts, `*.example.com` for those below one."
    )
    only: tuple[HostName, ...] = Field(
        default=(), max_length=1000, description="Hosts in the same way; where there are any, no others can be reached."
    )


class EgressConnection(Model):
    """A connection to somewhere, or a refusal."""

    id: int
    time: float = Field(description="When it was decided, in seconds since 1970.")
    host: str
    port: int
    scheme: str = Field(description="`http` for plain requests, `tunnel` for CONNECT and SOCKS.")
    address: str | None = Field(None, description="What was dialled; `box` for the box's own loopback.")
    upstream: str | None = None
    decision: str = Field(description="`allow` or `deny`.")
    rule: str
    reason: str | None = None
    requests: int
    bytes_sent: int
    bytes_received: int
    duration_ms: float | None = Field(None, description="Absent while it is open.")


class EgressLog(Model):
    connections: list[EgressConnection] = Field(description="The newest records, oldest first.")


class EgressSuggestion(Model):
    policy: str = Field(description="The smallest policy that would have allowed what was allowed so far.")
