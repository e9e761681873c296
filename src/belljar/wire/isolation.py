"""What keeps a box's programs in, and what of it does not hold on this host."""

from enum import StrEnum

from pydantic import Field

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
    RLIMIT = "rlimit"
    IMAGE = "image"  # a disk of that size
    WATCHED = "watched"  # nobody: writers are stopped soon after
    NONE = "none"


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
