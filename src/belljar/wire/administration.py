"""What an operator sees: users, limits and who is near them, usage, hosts, settings in force, checks."""

from datetime import date, datetime
from enum import StrEnum

from pydantic import Field

from belljar.wire.access import ApiKey, KeyRole
from belljar.wire.base import Model, Ok
from belljar.wire.sessions import Allowance


class UsageSum(Model):
    """What sessions used together.  A session counts for the day on which it was asked for, with all that it used."""

    sessions: int
    running: int
    seconds: float = Field(description="That they had a box, to the millisecond.")
    peak_memory_mb: float = Field(description="Of the one that had most.")
    egress_bytes: int = Field(description="Both ways, through connections that have ended.")
    egress_sent: int = 0
    egress_received: int = 0


class Usage(UsageSum):
    """What a user's sessions used, of those still kept."""

    user_id: str


class DayUsage(UsageSum):
    day: date = Field(description="In UTC.")


class TagUsage(UsageSum):
    """Of the sessions that have a tag; one with several counts for each of them."""

    name: str
    value: str


class SessionUsage(Model):
    session_id: str
    user_id: str
    created_at: datetime | None = None
    seconds: float
    peak_memory_mb: float
    egress_bytes: int
    egress_sent: int = 0
    egress_received: int = 0


class UsageReport(Model):
    users: list[Usage]
    days: list[DayUsage] = []
    tags: list[TagUsage] = []
    sessions: list[SessionUsage] = []
    total: UsageSum


class UsageGroup(StrEnum):
    USER = "user"
    DAY = "day"
    TAG = "tag"
    SESSION = "session"


class User(Model):
    """Somebody who has a key, or had sessions that are kept."""

    user_id: str
    role: KeyRole | None = Field(None, description="The most that their keys may; none without a good key.")
    keys: int = Field(description="Good ones.")
    live: int = Field(description="Sessions that are not over.")
    last_used_at: datetime | None = Field(None, description="When one of their keys was last used.")
    used: UsageSum


class UserList(Model):
    users: list[User]
    next: str | None = None


class LimitUse(Model):
    name: str
    used: float
    limit: float | None = Field(None, description="None for no limit.")


class UserLimits(Model):
    user_id: str
    share: float = Field(description="Of the limit that they are nearest to: 1 is all of it.")
    limits: list[LimitUse]


class TogetherLimits(Model):
    """What the sessions of one user may have together; none is no limit."""

    sessions: int
    memory_mb: int | None = None
    cpus: float | None = None
    disk_mb: int | None = None
    processes: int | None = None
    viewers: int | None = None


class LimitsReport(Model):
    sessions: LimitUse
    waiting: LimitUse
    ttl: int
    max_ttl: int
    idle_timeout: int
    default: Allowance
    most: Allowance
    per_user: TogetherLimits
    users: list[UserLimits] = Field(description="Those with sessions, the nearest to a limit first.")


class HostPlane(Model):
    """A control plane, as it last said."""

    id: str
    is_alive: bool
    is_this: bool = Field(description="Whether it is the one that answers.")
    version: str | None = None
    started_at: datetime
    seen_at: datetime
    peer_url: str | None = None


class Host(Model):
    name: str
    is_alive: bool
    is_this: bool
    drained_at: datetime | None = Field(None, description="Since when it takes no more sessions.")
    drained_by: str | None = None
    sessions: int = Field(description="That are not over.")
    running: int
    warm: int
    warm_starting: int = 0
    warm_wanted: int = 0
    free_memory_mb: int | None = None
    free_disk_mb: int | None = None
    launcher: str | None = None
    planes: list[HostPlane]


class HostList(Model):
    hosts: list[Host]


class SettingSource(StrEnum):
    FLAG = "flag"
    VARIABLE = "variable"
    DEFAULT = "default"
    START = "start"  # decided at the start, by what the host has


class SettingInForce(Model):
    name: str
    flag: str
    variable: str
    value: str | None = Field(None, description="Secrets are masked; none where nothing is set.")
    source: SettingSource
    default: str | None = None
    may_be: str
    description: str


class BoxFlag(Model):
    """What every box is started with, unless its session asked for less."""

    flag: str
    value: str


class SettingsInForce(Model):
    settings: list[SettingInForce]
    boxes: list[BoxFlag]


class CheckLevel(StrEnum):
    OK = "ok"
    WARNING = "warning"  # it works, with less
    MISSING = "missing"  # something that cannot be done without, or weaker than asked


class Check(Model):
    id: str
    title: str
    level: CheckLevel
    detail: str
    fix: str | None = Field(None, description="The one line that mends it.")


class CheckReport(Model):
    version: str
    host: str
    checked_at: datetime
    ok: bool
    checks: list[Check]


class KeyReach(ApiKey):
    """A key, and what ends with it."""

    tokens: int = Field(description="Good tokens that go back to it.")
    sign_ins: int = Field(0, description="Browsers and apps that are signed in by it.")
    sockets: int = Field(description="Open connections that it, or one of those, opened here.")
    sessions: list[str] = Field(description="Sessions it started that are not over; they go on unless told to end.")


class KeyRevoked(Ok):
    tokens: int
    sockets: int
    sessions: list[str] = Field(description="Sessions that were ended with it.")
