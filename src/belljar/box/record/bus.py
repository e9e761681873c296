"""The bus: whatever happens in a box is told here once, in order and on one clock, and waits to be written.

A source calls `tell` where the thing happens.  It takes a few microseconds and never waits: nothing is redacted,
encoded or written there.  What comes faster than a second's share of its kind, or than it is written, is counted.

    bus.tell(EventKind.CONTROL, "taken", actor=SYSTEM, data={"holder": "viewer"})
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from contextvars import ContextVar

import msgspec

from belljar import logs
from belljar.record.segments import Actor, Origin
from belljar.server.telemetry.spans import current_span
from belljar.tasks import Signal
from belljar.wire.record import ActorKind, ActorVia, EventKind

# What is made in the writer's thread, and only if it is written.
Data = Mapping[str, object] | Callable[[], Mapping[str, object]]

SYSTEM = Actor(ActorKind.SYSTEM)
PAGE = Actor(ActorKind.PAGE)
CDP_AGENT = Actor(ActorKind.AGENT, ActorVia.CDP)


class _Doing(msgspec.Struct, gc=False):
    """A call that somebody makes.  Tasks that it began go on in its context when it is over."""

    actor: Actor
    is_over: bool = False


_doing: ContextVar[_Doing | None] = ContextVar("doing", default=None)


class doing:  # read as a word: `with doing(actor)`
    """What happens in this block's context is done by `actor`.  Every call is in one: a generator would cost more."""

    __slots__ = ("_before", "_call")

    def __init__(self, actor: Actor) -> None:
        self._call = _Doing(actor)

    def __enter__(self) -> None:
        self._before = _doing.set(self._call)

    def __exit__(self, *_: object) -> None:
        self._call.is_over = True
        _doing.reset(self._before)


def whoever_acts() -> Actor:
    """Who makes the call in whose context this is asked; the box itself where that is none, or over."""
    call = _doing.get()
    return SYSTEM if call is None or call.is_over else call.actor


class Cause(msgspec.Struct, frozen=True, gc=False):
    """Who did something, and in which call, of whose trace."""

    actor: Actor
    request_id: str | None = None
    trace_id: str | None = None


def current_cause() -> Cause:
    """The call in whose context this is asked, for what will be heard of elsewhere."""
    call = _doing.get()
    if call is not None and call.is_over:
        return Cause(whoever_acts())
    return Cause(whoever_acts(), logs.request_id.get(), _trace_id())


def _trace_id() -> str | None:
    span = current_span.get()
    return None if span is None else span.trace_id


# Microseconds by which a source may tell late of what happened earlier.
LATE = 5_000_000
# Events that may wait for the writer.
MAX_WAITING = 8192
# Bytes of arguments and the like that may wait with them.
MAX_HELD_BYTES = 4 << 20
# Events of a kind in one second.
SHARE = 500
SHARES: Mapping[str, int] = {EventKind.CALL: 4000, EventKind.CDP: 2000, EventKind.CONSOLE: 200, EventKind.SYSTEM: 5000}


class Happening(msgspec.Struct, gc=False):
    """An event before it is written."""

    mono: int
    kind: str
    name: str
    actor: Actor
    request_id: str | None
    tab_id: str | None
    data: Data | None
    trace_id: str | None = None


class Clock:
    """The box's one clock: monotonic, with the wall's time at its beginning."""

    def __init__(self) -> None:
        self._began = time.monotonic_ns()
        self.origin = Origin(time.time_ns() // 1000, self._began // 1000)

    def now(self) -> int:
        """Microseconds since the box began."""
        return (time.monotonic_ns() - self._began) // 1000

    def at_monotonic(self, seconds: float) -> int:
        """When it was by the system's monotonic clock, which Chromium and X tell too."""
        return round(seconds * 1e6) - self.origin.mono

    def at_wall(self, seconds: float) -> int:
        """When it was in seconds since 1970."""
        return round(seconds * 1e6) - self.origin.wall

    def lately_at_monotonic(self, seconds: float) -> int:
        """As `at_monotonic`, of what was just told: another clock is not believed further than that."""
        return self._lately(self.at_monotonic(seconds))

    def lately_at_wall(self, seconds: float) -> int:
        """As `at_wall`, of what was just told: somebody may have set the host's clock."""
        return self._lately(self.at_wall(seconds))

    def _lately(self, mono: int) -> int:
        now = self.now()
        return min(mono, now) if now - mono < LATE else now


class Bus:
    def __init__(self) -> None:
        self.clock = Clock()
        self.waiting: deque[Happening] = deque()
        self.arrived = Signal()
        # What was lost since it was last told, by kind.
        self.lost: Counter[str] = Counter()
        self.held_bytes = 0
        self._written: frozenset[str] = frozenset()
        # Those who hear of events at once, by the kinds that they want.
        self._listeners: dict[str, tuple[Callable[[Happening], None], ...]] = {}
        self._second = 0
        self._in_second: Counter[str] = Counter()
        # The calls that act on tabs, while they do.
        self._acts: dict[str, Cause] = {}

    def write_kinds(self, kinds: Collection[str]) -> None:
        """From now on only events of these kinds wait to be written."""
        self._written = frozenset(kinds)

    def listen(
        self, callback: Callable[[Happening], None], kinds: Iterable[EventKind] = tuple(EventKind)
    ) -> Callable[[], None]:
        """Call `callback` with every event of these kinds at once, as it is: not redacted.  Returns how to stop."""
        kinds = tuple(kinds)
        for kind in kinds:
            self._listeners[kind] = (*self._listeners.get(kind, ()), callback)

        def off() -> None:
            for kind in kinds:
                left = list(self._listeners[kind])
                left.remove(callback)
                self._listeners[kind] = tuple(left)

        return off

    def wants(self, kind: EventKind) -> bool:
        """Whether anybody would hear of it: for a source that has to work to tell."""
        return kind in self._written or bool(self._listeners.get(kind))

    def tell(
        self,
        kind: EventKind,
        name: str,
        *,
        actor: Actor = SYSTEM,
        tab: str | None = None,
        data: Data | None = None,
        request_id: str | None = None,
        mono: int | None = None,
        held_bytes: int = 0,
    ) -> None:
        """Something happened: now, or at `mono` where the source knows better.

        `data` is flat and small; its names say what is in it (`record/redaction.py` lists which are kept at which
        level).  `held_bytes` is how much memory it keeps until it is written.  Without `request_id` it belongs to the
        act that runs on its tab, or else, unless a page did it, to the request in whose context it is told, if that
        is not over.
        """
        is_written = kind in self._written
        listeners = self._listeners.get(kind)
        if not is_written and not listeners:
            return
        now = self.clock.now()
        is_lost = is_written and self._is_too_much(kind, now)
        if is_lost:
            self.lost[kind] += 1
            if not listeners:
                return
        trace_id = None
        if request_id is None:
            act = None if tab is None else self._acts.get(tab)
            if act is not None:
                request_id, trace_id = act.request_id, act.trace_id
            elif actor is not PAGE:
                # A page's own doing is heard of by tasks that some request began long ago.
                call = _doing.get()
                if call is None or not call.is_over:
                    request_id, trace_id = logs.request_id.get(), _trace_id()
        event = Happening(now if mono is None else mono, kind, name, actor, request_id, tab, data, trace_id)
        if listeners:
            for callback in listeners:
                callback(event)
        if not is_written or is_lost:
            return
        if held_bytes:
            self.held_bytes += held_bytes
            if self.held_bytes > MAX_HELD_BYTES:
                event.data = {"cut": True}
        self.waiting.append(event)
        self.arrived.fire()

    def _is_too_much(self, kind: str, now: int) -> bool:
        """Whether this one is beyond its kind's share of the second, or more waits than may.  Counts it in."""
        if (second := now // 1_000_000) != self._second:
            self._second = second
            self._in_second.clear()
        count = self._in_second[kind] = self._in_second.get(kind, 0) + 1
        return count > SHARES.get(kind, SHARE) or len(self.waiting) >= MAX_WAITING

    def lose(self, kind: EventKind) -> None:
        """Something happened of which nothing more is known: only counted."""
        if kind in self._written:
            self.lost[kind] += 1
            self.arrived.fire()

    def act_begins(self, tab: str) -> Callable[[], None]:
        """What happens in this tab from now on belongs to the request in whose context this is called.

        Returns how to say that it is over.
        """
        act = current_cause()
        if act.request_id is None:
            return lambda: None
        self._acts[tab] = act

        def ended() -> None:
            if self._acts.get(tab) is act:
                del self._acts[tab]

        return ended

    def act_on(self, tab: str) -> Cause | None:
        """The call that acts on this tab now."""
        return self._acts.get(tab)

    def take(self) -> list[Happening]:
        """All that waits, oldest first."""
        taken = list(self.waiting)
        self.waiting.clear()
        self.held_bytes = 0
        return taken
