"""Who holds control: the agent, a viewer, or nobody; and requests held back while a person does.

Nobody at first, and then all may act.  While somebody holds it, only they may; it ends when they give it back, when
somebody entitled takes it, or when they go silent.  Reading is never a matter of control.

One place for REST and for everything that goes through it, MCP included: no route has to remember.
"""

import math
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import anyio
from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.box.record.bus import SYSTEM, Bus, whoever_acts
from belljar.limits import whole_number
from belljar.logs import log
from belljar.problems import InvalidRequest, Problem
from belljar.problems.box import ControlHeld, ViewerNotFound
from belljar.record.segments import Actor
from belljar.server.answers import answer
from belljar.server.guard import SAFE_METHODS
from belljar.server.requests import RequestHeaders
from belljar.server.router import Facts, facts_of
from belljar.tasks import background
from belljar.wire.control import Control, Holder, HolderKind
from belljar.wire.record import ActorKind, ActorVia, EventKind

# A viewer whose connection broke keeps control this long, so that a reload does not lose it.
GRACE_SECONDS = 10.0


@dataclass(frozen=True)
class Party:
    """One who may hold control.  A viewer is its id: the same one after a reconnect."""

    kind: HolderKind
    id: str = ""


NOBODY = Party(HolderKind.NONE)
AGENT = Party(HolderKind.AGENT)


def viewer(id: str) -> Party:
    return Party(HolderKind.VIEWER, id)


def viewer_id(key: str, caller: str) -> str:
    """The public id of the viewer who knows `key` and came with a token of `caller`'s.

    Everybody sees the id of who holds control; only the viewer itself was told its key.  So a program with the same
    token, the operator's even, does not become the person by naming them.
    """
    return urlsafe_b64encode(sha256(f"{caller}\0{key}".encode("utf-8", "surrogateescape")).digest()[:9]).decode()


# From whom each may take control without being given it.  A person comes before a program, and any person who may
# drive comes before the one that does: they are trusted alike, and everyone sees who took it.
MAY_TAKE_FROM = {
    HolderKind.AGENT: frozenset({HolderKind.NONE, HolderKind.AGENT}),
    HolderKind.VIEWER: frozenset({HolderKind.NONE, HolderKind.AGENT, HolderKind.VIEWER}),
}


class Lease:
    def __init__(self, ttl: float, bus: Bus | None = None) -> None:
        self._ttl = ttl
        self._bus = bus or Bus()
        self.holder = NOBODY
        self._since = time.time()
        # On the monotonic clock; infinite while nobody holds it.
        self._deadline = math.inf
        self._requests: list[Party] = []
        # What an agent asks of whoever watches.
        self._question: str | None = None
        # Names of the viewers that are connected and may drive, by id.
        self._present: dict[str, str] = {}
        self._changed = anyio.Event()
        self._listeners: list[Callable[[Control], None]] = []

    def listen(self, callback: Callable[[Control], None]) -> Callable[[], None]:
        """Call `callback` at every change: holder, requests, not mere renewals.  Returns how to stop."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    def may_act(self, who: Party) -> bool:
        return self.holder in (NOBODY, who)

    async def admit(self, who: Party, *, wait: float = 0) -> None:
        """Return when `who` may act, waiting at most `wait` seconds; otherwise `ControlHeld`.

        Acting is a sign of life: it renews the lease of its holder.
        """
        if not self.may_act(who) and wait > 0:
            with anyio.move_on_after(wait):
                while not self.may_act(who):
                    await self._changed.wait()
        self.check(who)

    async def until(self, *, has_person: bool, wait: float) -> None:
        """Return when a person holds control, or none does, and after `wait` seconds at the latest."""
        with anyio.move_on_after(wait):
            while (self.holder.kind is HolderKind.VIEWER) != has_person:
                await self._changed.wait()

    def check(self, who: Party) -> None:
        """As `admit`, without waiting."""
        if not self.may_act(who):
            raise self._held()
        self.renew(who)

    def take(self, who: Party) -> None:
        """Hold control from now on; `ControlHeld` where `who` is not entitled to take it."""
        self._check_present(who)
        if self.holder != who and self.holder.kind not in MAY_TAKE_FROM[who.kind]:
            raise self._held()
        self._move(who, "taken", self._actor(who))

    async def take_in_turn(self, who: Party, *, wait: float) -> None:
        """Take it as soon as it is free, waiting at most `wait` seconds; `ControlHeld` after that."""
        with anyio.move_on_after(wait):
            while self.holder != who and self.holder.kind not in MAY_TAKE_FROM[who.kind]:
                self.request(who)
                await self._changed.wait()
        self.take(who)

    def request(self, who: Party) -> None:
        """Take it if it is free; otherwise its holder is told who would like it."""
        self._check_present(who)
        if self.may_act(who):
            self._move(who, "taken", self._actor(who))
        elif who not in self._requests:
            self._requests.append(who)
            self._record("requested", self._actor(who), self.holder)
            self._announce()

    def ask(self, question: str | None) -> None:
        """Have whoever watches see what an agent needs a person for; None takes it back."""
        was_asked, self._question = self._question is not None, question or None
        if question or was_asked:
            name, data = ("asked", {"question": question}) if question else ("withdrawn", None)
            self._bus.tell(EventKind.ASK, name, actor=self._actor(AGENT), data=data)
        self._announce()

    def renew(self, who: Party) -> None:
        """The holder is still there.  Anybody else's word changes nothing."""
        if self.holder == who and who != NOBODY:
            self._deadline = time.monotonic() + self._ttl

    def release(self, who: Party, *, by_force: bool = False) -> None:
        """Give it back.  `by_force` (the operator) ends anyone's; otherwise another's is `ControlHeld`."""
        if self.holder == NOBODY:
            return
        if self.holder != who and not by_force:
            raise self._held()
        actor = self._actor(who)
        if self.holder == who:
            self._move(NOBODY, "released", actor)
        else:
            self._move(NOBODY, "ended", Actor(ActorKind.OPERATOR, actor.via, actor.id))

    def give(self, who: Party, to: Party) -> None:
        """Hand it to `to`: by its holder, or by anyone while nobody holds it."""
        self._check_present(to)
        if not self.may_act(who):
            raise self._held()
        self._move(to, "given", self._actor(who))

    def join(self, id: str, name: str) -> None:
        """A viewer that may drive has connected, perhaps again."""
        self._present[id] = name
        self.renew(viewer(id))

    def leave(self, id: str) -> None:
        """It is gone; what it held stays its own for a moment."""
        self._requests = [party for party in self._requests if party != viewer(id)]
        if self.holder == viewer(id):
            self._deadline = min(self._deadline, time.monotonic() + GRACE_SECONDS)
            self._wake()
        else:
            self._present.pop(id, None)

    def is_present(self, id: str) -> bool:
        """Whether the viewer of this id is connected and may drive."""
        return id in self._present

    def viewer_of(self, scope: Scope) -> str | None:
        """The name of the viewer whose own tools a request comes from, if it is one that is connected."""
        if not self._present:
            return None
        key = RequestHeaders(scope).get(VIEWER_HEADER)
        id = None if key is None else viewer_id(key, scope["state"]["caller"].id)
        return None if id is None or id not in self._present else self.name_of(id)

    def name_of(self, id: str) -> str:
        """What others see of the viewer of this id."""
        return self._present.get(id, "a viewer")

    def state(self) -> Control:
        left = self._deadline - time.monotonic()
        return Control(
            holder=self._described(self.holder),
            since=datetime.fromtimestamp(self._since, UTC),
            expires_at=None if math.isinf(left) else datetime.fromtimestamp(time.time() + left, UTC),
            requests=[self._described(party) for party in self._requests],
            question=self._question,
        )

    async def watch(self) -> None:
        """Ends a lease whose holder has gone silent."""
        while True:
            left = self._deadline - time.monotonic()
            if left <= 0:
                log.info("control.expired", holder=self.holder.kind)
                self._move(NOBODY, "expired", SYSTEM)
                continue
            # Renewals move the deadline without waking anyone: look again when the old one passes.
            with anyio.move_on_after(left):
                await self._changed.wait()

    def _move(self, to: Party, how: str, by: Actor) -> None:
        self._deadline = math.inf if to == NOBODY else time.monotonic() + self._ttl
        is_news = to != self.holder or to in self._requests
        self._requests = [party for party in self._requests if party != to]
        if to != self.holder:
            log.info("control.moved", holder=to.kind, viewer=to.id or None)
            self._record(how, by, to)
            if self.holder.kind is HolderKind.VIEWER and to.kind is not HolderKind.VIEWER:
                # A person was here, and is done.
                if self._question is not None:
                    self._bus.tell(EventKind.ASK, "answered", actor=self._actor(self.holder))
                self._question = None
            self.holder, self._since = to, time.time()
        if is_news:
            self._announce()

    def _actor(self, party: Party) -> Actor:
        """An agent is told apart by the call that it makes."""
        if party.kind is HolderKind.VIEWER:
            return Actor(ActorKind.VIEWER, ActorVia.LIVE, self.name_of(party.id))
        return whoever_acts()

    def _record(self, how: str, by: Actor, holder: Party) -> None:
        before = self.holder
        data = {"holder": holder.kind.value, "before": before.kind.value, "viewer": holder.id or before.id or None}
        self._bus.tell(EventKind.CONTROL, how, actor=by, data=data)

    def _announce(self) -> None:
        self._wake()
        state = self.state()
        for callback in tuple(self._listeners):
            callback(state)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    def _check_present(self, who: Party) -> None:
        if who.kind is HolderKind.VIEWER and who.id not in self._present:
            raise ViewerNotFound("No viewer of this id is connected and may drive.")

    def _held(self) -> ControlHeld:
        state = self.state()
        whom = f"{state.holder.name} holds control" if state.holder.name else "The agent holds control"
        left = self._deadline - time.monotonic()
        return ControlHeld(
            f"{whom}. Wait until it is given back, or ask for it with POST /v1/control.",
            holder=state.holder.model_dump(mode="json", by_alias=True, exclude_none=True),
            retry_after_ms=max(0, round(left * 1000)),
        )

    def _described(self, party: Party) -> Holder:
        if party.kind is not HolderKind.VIEWER:
            return Holder(kind=party.kind)
        return Holder(kind=party.kind, viewer=party.id, name=self.name_of(party.id))


@dataclass(frozen=True)
class AgentsControl:
    """The lease as a CDP client meets it: what it sends waits `wait` seconds at most while a person holds control."""

    lease: Lease
    wait: float

    def is_free(self) -> bool:
        self.lease.renew(AGENT)
        return self.lease.may_act(AGENT)

    async def admit(self, since: float) -> None:
        await self.lease.admit(AGENT, wait=max(0.0, since + self.wait - time.monotonic()))


@asynccontextmanager
async def open_lease(ttl: float, bus: Bus | None = None) -> AsyncIterator[Lease]:
    """The lease of a box; `ttl` is how many seconds its holder may be silent."""
    lease = Lease(ttl, bus)
    async with background(lease.watch, name="control lease"):
        yield lease


# A caller that would rather wait than be refused says how many milliseconds, in this header or query parameter.
WAIT_HEADER = "belljar-control-wait"
WAIT_PARAMETER = "controlWait"
# A person's own tools bring the key of the viewer they belong to.
VIEWER_HEADER = "belljar-viewer"
MAX_WAIT_MS = 600_000


def needs_control(method: str, facts: Facts) -> bool:
    """Whether a request can change the page or the desktop; what is said of no route is taken to."""
    return facts.acts and method not in SAFE_METHODS


class ControlRequired:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_known = scope["type"] == "http" and scope["route"] is not None
        if is_known and needs_control(scope["method"], facts_of(scope)):
            headers = RequestHeaders(scope)
            lease: Lease = scope["state"]["box"].lease
            named = viewer_id(headers.get(VIEWER_HEADER, ""), scope["state"]["caller"].id)
            who = viewer(named) if lease.is_present(named) else AGENT
            try:
                await lease.admit(who, wait=_wait(scope, headers))
            except Problem as problem:
                await answer(problem, scope, receive, send)
                return
        await self._app(scope, receive, send)


def _wait(scope: Scope, headers: Headers) -> float:
    """In seconds."""
    given = headers.get(WAIT_HEADER) or QueryParams(scope["query_string"]).get(WAIT_PARAMETER) or "0"
    wait = whole_number(given)
    if wait is None or wait > MAX_WAIT_MS:
        raise InvalidRequest(f"{WAIT_PARAMETER} must be a whole number of milliseconds up to {MAX_WAIT_MS}.")
    return wait / 1000
