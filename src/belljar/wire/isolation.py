"""Isolation, network policy and health of a box: what keeps its programs in, and what does not hold here."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from belljar.wire.base import Model


class JailMode(StrEnum):
    AUTO = "auto"  # the strongest thing the host allows
    REQUIRE = "require"  # a jail, or no start
    OFF = "off"  # none


class Evaluate(StrEnum):
    ON = "on"  # scripts of callers run in the page's own world
    ISOLATED = "isolated"  # in one that sees the DOM, and not the page's scripts
    OFF = "off"  # nowhere


class CdpRelay(StrEnum):
    ON = "on"  # with `Evaluate.OFF`: only methods on a reviewed list
    OFF = "off"  # nobody may connect


class LimitHolder(StrEnum):
    """Who enforces a limit."""

    CGROUP = "cgroup"
    CONTAINER = "container"  # the one around the box, which holds it to what it was started with
    RLIMIT = "rlimit"
    IMAGE = "image"  # a disk of that size
    WATCHED = "watched"  # nobody: writers are stopped soon after
    NONE = "none"


class Lock(StrEnum):
    """What of a host or a container keeps a jail from being made."""

    SECCOMP = "seccomp"
    APPARMOR = "apparmor"
    SELINUX = "selinux"
    PROC = "masked_proc"
    USER_NAMESPACES = "user_namespaces"


class DiskLimit(Model):
    """What programs may take of the disk; no `limitBytes` is no limit."""

    limit_bytes: int | None = None
    enforced_by: LimitHolder = LimitHolder.NONE


class SessionIsolation(Model):
    """What of it whoever uses a session has to know; the remedy is the operator's business."""

    jail: bool = Field(description="Whether programs run in namespaces of their own, behind a system-call filter.")
    reason: str | None = Field(None, description="Why there is no jail.")
    disk: DiskLimit = DiskLimit()


class Isolation(Model):
    # Whether programs run in namespaces of their own, behind a system-call filter.
    jail: bool
    # Why there is no jail, and what would help.
    reason: str | None = None
    remedy: str | None = None
    # Which lock of the host or the container is closed, where it was one.
    lock: Lock | None = None
    # The host's uid that programs run as, where it is not the server's own.
    uid: int | None = None
    # Whether the egress proxy is the only way out, or just the way programs are told to take.
    network: str = "host"
    egress: str = "public"
    memory_limit: LimitHolder = LimitHolder.NONE
    process_limit: LimitHolder = LimitHolder.NONE
    cpu_limit: LimitHolder = LimitHolder.NONE
    disk_limit: LimitHolder = LimitHolder.NONE
    disk: DiskLimit = DiskLimit()
    # Programs that the kernel ended for memory since the box started.
    memory_kills: int = 0
    # Programs that were stopped for writing beyond the disk limit.
    disk_stops: int = 0


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


class EgressLoosening(Model):
    """Where a box may connect to beside what its policy allows: the operator's to say."""

    allow: tuple[HostName, ...] = Field(
        default=(),
        max_length=1000,
        description="Hosts, `*.example.com` for those below one, each with an optional `:port`.",
    )
    learn: bool | None = Field(
        None,
        description="Whether what no rule matches is allowed from now on and written down, where it is public; "
        "left out, it stays as it is.",
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


class ContainerUsage(Model):
    """What the container around a box uses."""

    memory: int = Field(description="Bytes, without pages of files that could be dropped.")
    cpu_seconds: float
    processes: int


class Health(Model):
    status: Literal["ok"] = "ok"
    version: str
    uptime_seconds: float
    last_activity: datetime | None = None
    open_streams: int = 0
    egress_bytes: int = Field(0, description="Through connections that have ended, both ways.")
    egress_sent: int = 0
    egress_received: int = 0
    expires_at: datetime | None = None
    isolation: Isolation | None = None
    # Where a container holds the box's limits.
    usage: ContainerUsage | None = None
