"""Sessions of the control plane: what is asked for, what is answered, and the states and reasons in between."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints
from pydantic_core import to_json

from belljar.wire.base import Model, Request
from belljar.wire.isolation import CdpRelay, EgressRestriction, Evaluate, SessionIsolation
from belljar.wire.live import Glance
from belljar.wire.record import EventKind, FilmMode, RecordLevel

# Ids stand in paths, folder names and cookies.
SESSION_ID = r"^[a-z0-9][a-z0-9-]{0,47}$"
SessionId = Annotated[str, StringConstraints(pattern=SESSION_ID)]
TagName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,64}$")]
TagValue = Annotated[str, StringConstraints(max_length=256)]

# Every list of sessions holds it.
MAX_METADATA_BYTES = 16 * 1024
# So that the time at which a session would be idle has a date, in every database.
MAX_IDLE_TIMEOUT = 2**31 - 1
IdleTimeout = Annotated[int, Field(ge=0, le=MAX_IDLE_TIMEOUT)]


def _small(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(to_json(metadata)) > MAX_METADATA_BYTES:
        raise ValueError(f"may be {MAX_METADATA_BYTES} bytes of JSON at most")
    return metadata


Metadata = Annotated[dict[str, Any], Field(max_length=64), AfterValidator(_small)]


class SessionState(StrEnum):
    PENDING = "pending"  # wanted, waiting for room; owns nothing yet
    STARTING = "starting"  # a box is being made or lent
    RUNNING = "running"  # the box answers and belongs to the caller
    STOPPING = "stopping"  # its box is being removed
    STOPPED = "stopped"  # over, as someone wanted or a limit said
    FAILED = "failed"  # over because something broke


class EndReason(StrEnum):
    RELEASED = "released"  # its user, or the control plane's own end, gave it back
    EXPIRED = "expired"  # it reached its ttl
    IDLE = "idle"  # nobody did anything for idleTimeout
    CRASHED = "crashed"  # its box died
    OOM = "oom"  # its box was killed for want of memory
    REVOKED = "revoked"  # its tokens were revoked as a whole
    EVICTED = "evicted"  # the operator needed the room
    FAILED = "failed"  # it never came up


class SessionMode(StrEnum):
    BROWSER = "browser"
    DESKTOP = "desktop"
    NONE = "none"  # nothing is started but the box itself


class TokenRole(StrEnum):
    DRIVE = "drive"
    VIEW = "view"


class Viewport(Model):
    width: int = Field(default=1280, ge=100, le=7680)
    height: int = Field(default=720, ge=100, le=4320)


class WantedViewport(Viewport):
    model_config = ConfigDict(extra="forbid")


class SessionLimits(Request):
    """What a session may use at most: never more than the operator's ceilings, which `above_ceiling` names."""

    memory_mb: int | None = Field(default=None, ge=256, le=2**31, strict=True, description="Of all its programs.")
    cpus: float | None = Field(
        default=None,
        ge=0.1,
        le=4096,
        strict=True,
        allow_inf_nan=False,
        description="Processors; 1.5 is one and a half.",
    )
    disk_mb: int | None = Field(default=None, ge=64, le=2**31, strict=True)
    processes: int | None = Field(default=None, ge=64, le=2**22, strict=True, description="Threads count too.")
    viewers: int | None = Field(default=None, ge=1, le=10_000, strict=True, description="Live viewers at once.")
    input_rate: float | None = Field(
        default=None, ge=1, le=1e6, strict=True, allow_inf_nan=False, description="Input messages a second, per viewer."
    )
    command_rate: float | None = Field(
        default=None, ge=1, le=1e6, strict=True, allow_inf_nan=False, description="Commands a second, per viewer."
    )


class SessionPolicy(EgressRestriction):
    """What a session may not do, beside what the control plane forbids everyone: never more than that."""

    model_config = ConfigDict(extra="forbid")

    egress: Literal["none"] | None = Field(default=None, description="`none` cuts it off from everything.")
    evaluate: Evaluate | None = Field(default=None, description="Where callers' scripts run.")
    cdp: CdpRelay | None = Field(default=None, description="Whether CDP clients may connect.")


class Allowance(Model):
    """What a session may use and do, as it is enforced; a limit that is absent is none."""

    memory_mb: int | None = None
    cpus: float | None = None
    disk_mb: int | None = None
    processes: int | None = None
    viewers: int | None = None
    input_rate: float | None = None
    command_rate: float | None = None
    evaluate: Evaluate = Evaluate.ON
    cdp: CdpRelay = CdpRelay.ON
    record: RecordLevel = RecordLevel.ACTIONS
    record_kinds: tuple[EventKind, ...] | None = Field(None, description="Absent: all.")
    film: FilmMode = FilmMode.OFF


class CreateSession(Request):
    id: SessionId | None = Field(None, description="Chosen by the caller; a taken one is `session_exists`.")
    mode: SessionMode = SessionMode.BROWSER
    headless: bool = False
    viewport: WantedViewport = WantedViewport()
    url: str | None = Field(None, max_length=8192, description="The page to open first.")
    profile_id: str | None = None
    read_only: bool = Field(False, description="Run on a copy of the profile; nothing is kept.")
    proxy: str | None = Field(
        None,
        max_length=2048,
        pattern=r"^(http|https|socks5|socks5h)://[^\s#]+$",
        description="Upstream proxy for everything the session fetches; an admin's key only.",
    )
    policy: SessionPolicy | None = None
    limits: SessionLimits | None = None
    record: RecordLevel | None = Field(
        None, description="What is written down of what happens; never more than the operator's ceiling."
    )
    record_kinds: tuple[EventKind, ...] | None = Field(
        None, min_length=1, max_length=len(EventKind), description="Only events of these kinds."
    )
    film: FilmMode | None = Field(
        None, description="What is filmed unasked: nothing, all, or the last minutes before a failure."
    )
    ttl: int | None = Field(None, ge=1, description="Seconds until the session ends whatever happens.")
    idle_timeout: IdleTimeout | None = Field(None, description="Seconds without activity; 0 never ends it for that.")
    tags: dict[TagName, TagValue] = Field({}, max_length=32)
    metadata: Metadata = Field({}, description="Up to 16 KiB of JSON.")
    wait: bool = Field(True, description="False answers at once; the session is still pending or starting then.")


class PatchSession(Request):
    ttl: int | None = Field(None, ge=1, description="Seconds from now until the session ends.")
    idle_timeout: IdleTimeout | None = None
    tags: dict[TagName, TagValue | None] | None = Field(None, max_length=32, description="Merged; null removes a tag.")
    metadata: Metadata | None = Field(None, description="Replaces what was there.")


class Connect(Model):
    """Addresses that open once, without another secret: each holds a ticket."""

    cdp_url: str
    ws_url: str
    view_url: str
    expires_at: datetime


class Session(Model):
    id: str
    state: SessionState
    reason: EndReason | None = None
    detail: str | None = Field(None, description="A sentence about the reason, where there is more to say.")
    user_id: str
    sandbox_id: str | None = None
    host: str | None = None
    revoked: bool
    mode: SessionMode
    headless: bool
    viewport: Viewport = Field(description="The page's; of a desktop the screen's.")
    screen: Viewport | None = Field(None, description="The display: a headful browser's bars stand above the page.")
    url: str | None = None
    profile_id: str | None = None
    read_only: bool = False
    tags: dict[str, str]
    metadata: dict[str, Any]
    http_url: str
    ws_url: str
    cdp_url: str
    view_url: str
    capabilities: list[str]
    isolation: SessionIsolation | None = Field(None, description="What keeps its programs in; once it runs.")
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    expires_at: datetime
    idle_timeout: int
    idle_timeout_at: datetime | None = None
    last_activity: datetime | None = None
    limits: Allowance = Field(Allowance(), description="What it may use and do at most.")
    memory_mb: float | None = None
    cpu_seconds: float | None = None
    token: str | None = Field(None, description="Opens this session and no other; only in the answer to its creation.")
    connect: Connect | None = Field(None, description="One-time addresses; only in the answer to its creation.")
    glance: Glance | None = Field(None, description="What it shows and who drives it; only while a list is followed.")


class SessionGone(Model):
    """A session that is not in the list any more: it was forgotten, or a filter does not find it now."""

    id: str


class SessionsListed(Model):
    """All that there is has been told: these and no others; from here on, what changes."""

    ids: list[str]


class SessionList(Model):
    sessions: list[Session]
    next: str | None = Field(None, description="Give it as `after` to get the next page.")


class Removed(Model):
    removed: list[str]


class CreateToken(Request):
    role: TokenRole = TokenRole.VIEW
    ttl: int = Field(3600, ge=1, le=86_400, description="Seconds; the session's own end comes first.")
    note: str = Field("", max_length=256)


class SessionToken(Model):
    id: str
    session_id: str
    role: TokenRole
    note: str = ""
    created_at: datetime
    expires_at: datetime
    revoked: bool = False
    token: str | None = Field(None, description="Only in the answer that makes it.")
    view_url: str | None = None


class TokenList(Model):
    tokens: list[SessionToken]


class CreateTicket(Request):
    role: TokenRole = TokenRole.DRIVE


class SessionEvent(Model):
    id: int
    at: datetime
    kind: str
    session_id: str | None = None
    user_id: str | None = None
    actor: str
    detail: dict[str, Any] = {}


class EventList(Model):
    events: list[SessionEvent]
    next: int | None = None
    total: int | None = Field(None, description="How many there are in all, where `count` asked for it.")


class SessionRecording(Model):
    id: str = Field(examples=["rec_1"])
    bytes: int
    written_at: datetime = Field(description="When its last part was written.")
    url: str


class SessionRecordings(Model):
    recordings: list[SessionRecording]
