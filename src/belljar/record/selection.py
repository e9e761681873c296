"""Which events somebody asks for, and which of them they may be told."""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from belljar.problems import InvalidRequest
from belljar.record.segments import Reader
from belljar.server.router import Kind, may_be_told
from belljar.tokens import Role
from belljar.wire.record import EventKind, RecordQuery, check_kinds

# Lines that one page looks at, at most: who asks for something rare asks again from where it ended.
MAX_LOOKED_AT = 200_000

# Where a record's pictures are, below its folder: named by what is in them.
PICTURES = "pictures"

# A source may tell late of what happened earlier: so many microseconds an event may stand away from its place in time.
LATE = 10_000_000

# What each kind of event tells, as routes say it of themselves.  What happened earlier is more than a person before
# the screen sees now: to that belongs all that `GET /v1/browser/events` has.
TELLS = {
    EventKind.CALL: Kind.HISTORY,
    EventKind.CDP: Kind.CDP,
    EventKind.INPUT: Kind.HISTORY,
    EventKind.CONTROL: Kind.STATE,
    EventKind.NAV: Kind.HISTORY,
    EventKind.TAB: Kind.HISTORY,
    EventKind.DIALOG: Kind.HISTORY,
    EventKind.DOWNLOAD: Kind.FILES,
    EventKind.UPLOAD: Kind.FILES,
    EventKind.CONSOLE: Kind.CONSOLE,
    EventKind.NETWORK: Kind.HEADERS,
    EventKind.EGRESS: Kind.EGRESS,
    EventKind.PROCESS: Kind.PROGRAMS,
    EventKind.VIEWER: Kind.STATE,
    EventKind.FILM: Kind.FILES,
    EventKind.SCREEN: Kind.FILES,
    EventKind.MARK: Kind.HISTORY,
    EventKind.ASK: Kind.STATE,
    EventKind.SYSTEM: Kind.STATE,
}


class _Actor(msgspec.Struct, gc=False):
    kind: str


class _EventHead(msgspec.Struct, rename="camel", gc=False):
    """What decides whether an event is wanted."""

    seq: int
    t: int
    kind: str
    actor: _Actor
    tab_id: str | None = None


_look = msgspec.json.Decoder(_EventHead).decode


@dataclass(frozen=True)
class Selection:
    kinds: frozenset[str]
    actor: str | None = None
    tab: str | None = None
    from_: int | None = None
    to: int | None = None

    def has(self, event: _EventHead) -> bool:
        return (
            event.kind in self.kinds
            and (self.actor is None or event.actor.kind == self.actor)
            and (self.tab is None or event.tab_id == self.tab)
            and (self.from_ is None or event.t >= self.from_)
            and (self.to is None or event.t <= self.to)
        )


@dataclass(frozen=True)
class Found:
    lines: list[bytes]
    numbers: list[int]
    # How far was looked, and whether there is more after it to look at.
    cursor: int
    more: bool = False
    # Nothing that comes can be wanted.
    is_over: bool = False


def selection_of(query: RecordQuery, role: Role) -> Selection:
    """What of a query this role may be told.  Raises `InvalidRequest` for kinds that there are not."""
    told = frozenset(kind.value for kind, tells in TELLS.items() if may_be_told(role, tells))
    return Selection(
        told if query.kinds is None else told & read_kinds(query.kinds.split(",")),
        query.actor,
        query.tab,
        query.from_,
        query.to,
    )


def read_kinds(names: Iterable[str]) -> frozenset[str]:
    """Kinds by their names.  Raises `InvalidRequest`."""
    kinds = tuple(name.strip() for name in names if name.strip())
    try:
        return frozenset(check_kinds(kinds))
    except ValueError as error:
        raise InvalidRequest(f"kinds: {error}.") from error


def find(reader: Reader, selection: Selection, since: int, limit: int) -> Found:
    """The first `limit` events after `since` that are wanted, as the lines they are on disk."""
    if not selection.kinds:
        return Found([], [], since, is_over=True)
    lines: list[bytes] = []
    numbers: list[int] = []
    cursor, looked_at = since, 0
    begin = None if selection.from_ is None else selection.from_ - LATE
    for line in reader.lines(since, begin):
        if len(lines) >= limit or looked_at >= MAX_LOOKED_AT:
            return Found(lines, numbers, cursor, more=True)
        looked_at += 1
        try:
            event = _look(line)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            # A line that somebody has changed; `verify` tells.
            continue
        if selection.to is not None and event.t > selection.to + LATE:
            return Found(lines, numbers, cursor, is_over=True)
        cursor = event.seq
        if selection.has(event):
            lines.append(line.rstrip(b"\n"))
            numbers.append(event.seq)
    return Found(lines, numbers, cursor)
