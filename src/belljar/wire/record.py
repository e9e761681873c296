"""The record: what agent, person, page and policy did, in one order and on one clock; its proof and its exports."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from belljar.wire.base import Model, Request

MAX_EVENTS = 1000
MAX_MARK_CHARS = 500


class RecordLevel(StrEnum):
    NONE = "none"  # nothing is written
    ACTIONS = "actions"  # who did what, where and when; nothing that was typed or shown
    CONTENT = "content"  # also console lines, titles, scripts; never what is typed, cookies and tokens


# Each may be had by whoever may have those after it.
LEVELS = (RecordLevel.NONE, RecordLevel.ACTIONS, RecordLevel.CONTENT)


class FilmMode(StrEnum):
    OFF = "off"  # nothing is filmed but what callers ask for
    ON_FAILURE = "on_failure"  # the last minutes, when something fails or a mark asks for them
    ON = "on"  # all of it


# Each may be had by whoever may have those after it.
FILM_MODES = (FilmMode.OFF, FilmMode.ON_FAILURE, FilmMode.ON)


class EventKind(StrEnum):
    CALL = "call"  # a call of the API: its beginning and its end
    CDP = "cdp"  # an outside CDP client, and what it asked for
    INPUT = "input"  # mouse, keys and touch
    CONTROL = "control"  # who holds control
    NAV = "nav"
    TAB = "tab"
    DIALOG = "dialog"
    DOWNLOAD = "download"
    UPLOAD = "upload"
    CONSOLE = "console"
    NETWORK = "network"
    EGRESS = "egress"  # what the network policy decided
    PROCESS = "process"
    VIEWER = "viewer"  # people who come and go
    FILM = "film"
    SCREEN = "screen"  # a picture before and after an act
    MARK = "mark"  # what somebody wanted to find again
    ASK = "ask"  # what an agent asks a person for
    SYSTEM = "system"  # the box itself; what was lost


def check_kinds(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same.  Raises `ValueError` where one of them is no kind of event."""
    known = [kind.value for kind in EventKind]
    if strange := [name for name in names if name not in known]:
        raise ValueError(f"there is no kind {strange[0][:32]!r}; known are {', '.join(known)}")
    return names


class ActorKind(StrEnum):
    AGENT = "agent"
    VIEWER = "viewer"
    OPERATOR = "operator"
    PAGE = "page"
    SYSTEM = "system"


class ActorVia(StrEnum):
    REST = "rest"
    MCP = "mcp"
    CDP = "cdp"
    LIVE = "live"
    NONE = "none"


class RecordActor(Model):
    kind: ActorKind
    via: ActorVia = ActorVia.NONE
    id: str | None = Field(None, description="Of the token or key, or a viewer's name; never a token.")


class RecordEvent(Model):
    seq: int = Field(description="Without gaps among what was written.")
    t: int = Field(description="Microseconds since 1970, by the clock that the box began with.")
    mono: int = Field(description="Microseconds since the box began.")
    kind: EventKind
    name: str = Field(description="What of that kind, such as `browserClick.begin`.")
    actor: RecordActor
    request_id: str | None = Field(None, description="Of the call that it belongs to.")
    tab_id: str | None = None
    trace_id: str | None = Field(None, description="Of the W3C trace that the call belongs to.")
    data: dict[str, Any] = {}
    chain: str = Field(description="Over this event and all before it.")


class RecordPage(Model):
    events: list[RecordEvent]
    cursor: int = Field(description="How far was read: `since` of the next page.")
    more: bool = Field(description="Whether there is more to read after `cursor`.")
    oldest: int = Field(description="The first event that is still there.")
    newest: int = Field(description="The last one that was written; 0 before there is one.")
    level: RecordLevel


class RecordQuery(Model):
    """Which events.  Times are microseconds since 1970, as in `t`."""

    since: int = Field(0, ge=0, description="Only events after this `seq`.")
    kinds: str | None = Field(None, max_length=400, description="Only these kinds, separated by commas.")
    actor: ActorKind | None = Field(None, description="Only what these did.")
    tab: str | None = Field(None, max_length=128, description="Only what belongs to this tab.")
    from_: int | None = Field(None, ge=0, alias="from", description="Only from this time on.")
    to: int | None = Field(None, ge=0, description="Only until this time.")
    limit: int = Field(200, ge=1, le=MAX_EVENTS, description="At most so many.")
    follow: bool = Field(False, description="Answer with an event stream, which goes on with what comes.")


class MarkedMoment(Model):
    t: int = Field(description="When it was, as in the event.")
    recording_id: str | None = Field(None, description="The film that was kept, where `film` asked for one.")


class Mark(Request):
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MARK_CHARS, strip_whitespace=True)] = Field(
        description="What to find again; kept as it is, at every level."
    )
    film: bool = Field(False, description="Keep the last minutes as a film; for sessions with `film: on_failure`.")


class ExportFormat(StrEnum):
    JSONL = "jsonl"  # events, one a line, as they are on disk
    HAR = "har"  # requests, for tools that read HTTP archives
    PLAYWRIGHT = "playwright"  # a trace for Playwright's viewer
    MARKDOWN = "markdown"  # the run, told so that it can be repeated
    ZIP = "zip"  # everything: segments, heads, key, pictures, films; what `belljar events verify` reads


class RecordHead(Model):
    """Where the record stood at `t`, signed: the chain of its last event."""

    seq: int
    chain: str
    t: int = Field(description="Microseconds since 1970.")
    key: str = Field(description="The first 16 digits of SHA-256 over the public key.")
    signature: str = Field(description="Ed25519 over `belljar-head-1 <seq> <chain> <t>`, in base64.")


class RecordKey(Model):
    """The public half of the key that signs heads."""

    id: str
    algorithm: str = "ed25519"
    public_key: str = Field(description="In base64.")
    box: str | None = Field(None, description="Whose it is; none of an installation's own.")
    certificate: str | None = Field(
        None, description="An installation's signature over `belljar-box-key-1 <box> <publicKey>`, in base64."
    )


class SessionRecordProof(Model):
    """Who vouches for a session's record, and its last head as the database has it, which its host cannot change."""

    installation: RecordKey
    key: RecordKey
    head: RecordHead | None = None


class RecordProof(Model):
    """The key, and the last head that was signed; none before something was written."""

    key: RecordKey
    head: RecordHead | None = None
