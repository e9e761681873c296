"""One box's way out: its policy, its live connections, its limits, and the log of what went and was refused."""

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from belljar.egress.policy.addresses import LOOPBACK, OWN_LOOPBACK, Address, is_own_loopback
from belljar.egress.policy.ceiling import Ceiling
from belljar.egress.policy.policy import Decision, Limits, Policy, Request, Verdict
from belljar.egress.proxy.dial import BoxDial, DialError, dial, dial_upstream, resolve
from belljar.egress.proxy.wires import Wire

KEPT_RECORDS = 2_000
# Records that one reader may be behind.
WATCHER_BUFFER = 1_000


@dataclass
class Record:
    """One connection to somewhere, or one refusal.  It is announced when decided and again when it ends."""

    id: int
    host: str
    port: int
    scheme: str
    decision: str
    rule: str
    reason: str = ""
    address: str | None = None
    upstream: str | None = None
    requests: int = 1
    bytes_sent: int = 0
    bytes_received: int = 0
    time: float = field(default_factory=time.time)
    # Seconds; None while the connection is open.
    duration: float | None = None

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


class Ring:
    """The newest records by id; an update of one that is still here replaces it."""

    def __init__(self, size: int = KEPT_RECORDS) -> None:
        self._order: deque[int] = deque()
        self._records: dict[int, Record] = {}
        self._size = size
        self._watchers: set[MemoryObjectSendStream[Record]] = set()
        # Called with each record as it is decided, and again when it ends.
        self.on_put: list[Callable[[Record], None]] = []
        # Of connections that have ended; those to the box's own loopback never left it.
        self.sent = 0
        self.received = 0

    @contextmanager
    def watch(self) -> Iterator[MemoryObjectReceiveStream[Record]]:
        """Records as they come: each when it is decided and again when it ends.  Who is too slow misses some."""
        send, receive = anyio.create_memory_object_stream[Record](WATCHER_BUFFER)
        self._watchers.add(send)
        try:
            with receive:
                yield receive
        finally:
            self._watchers.discard(send)
            send.close()

    def last_denial(self, host: str, port: int, since: float) -> Record | None:
        """The newest refusal of this host since a point in time."""
        for record in self.newest_first():
            if record.decision == "deny" and record.time >= since and (record.host, record.port) == (host, port):
                return record
        return None

    def put(self, record: Record) -> None:
        if record.id not in self._records:
            self._order.append(record.id)
        self._records[record.id] = record
        if record.duration is not None and record.address != OWN_LOOPBACK:
            self.sent += record.bytes_sent
            self.received += record.bytes_received
        while len(self._order) > self._size:
            del self._records[self._order.popleft()]
        for callback in self.on_put:
            callback(record)
        for watcher in self._watchers:
            try:
                watcher.send_nowait(record)
            except anyio.WouldBlock:
                continue

    def __iter__(self) -> Iterator[Record]:
        """Oldest first."""
        return iter([self._records[id] for id in self._order])

    def newest_first(self) -> Iterator[Record]:
        return iter([self._records[id] for id in reversed(self._order)])


class Denied(Exception):
    """The policy says no."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.reason)
        self.decision = decision


class OverLimit(Exception):
    """A connection has moved all the bytes it may."""


@dataclass(eq=False)
class Passage:
    """An open connection to somewhere: what was asked, what was decided, and what passed so far."""

    request: Request
    addresses: tuple[Address, ...]
    record: Record
    wire: Wire
    gate: "Gate"
    # Plain requests on it carry the whole URL, since an HTTP proxy is at the other end.
    wants_url: bool = False
    started: float = field(default_factory=time.monotonic)
    # Ends whoever is using the passage.
    scope: anyio.CancelScope | None = None
    # Set once it is closed, and announced as such.
    is_over: anyio.Event = field(default_factory=anyio.Event)

    def count_sent(self, size: int) -> float:
        self.record.bytes_sent += size
        return self.gate.charge(self.record, size)

    def count_received(self, size: int) -> float:
        self.record.bytes_received += size
        return self.gate.charge(self.record, size)

    def close(self) -> None:
        """Freely called twice."""
        if self.record.duration is None:
            self.record.duration = round(time.monotonic() - self.started, 6)
            self.wire.close()
            self.gate.forget(self)
            self.is_over.set()

    def cut(self, reason: str) -> None:
        """End it from outside, as when the policy was tightened."""
        self.record.reason = reason
        if self.scope is not None:
            # Its user closes it: a socket must not be closed under a task that waits on it.
            self.scope.cancel()
        else:
            self.close()


class Gate:
    """Opens passages as the policy allows, and closes those it no longer does."""

    def __init__(
        self,
        policy: Policy,
        announce: Callable[[Record], None],
        box_dial: BoxDial | None = None,
        identity: str = "box",
        ceiling: Ceiling | None = None,
    ) -> None:
        self.policy = policy
        self._ceiling = ceiling
        self._announce = announce
        self._box_dial = box_dial
        self._identity = identity
        self._passages: set[Passage] = set()
        # Larger than any of a process before this one.
        self._ids = itertools.count(time.time_ns() // 1000)
        # Bytes paid ahead: when, in loop time, the rate limit lets the next one go.
        self._free_at = 0.0
        # Connections of clients, with and without a passage.
        self.connections = 0

    def set_policy(self, policy: Policy) -> Sequence[Passage]:
        """Holds at once, for connections that are open too; those that it ended, a moment before they are over."""
        self.policy = policy
        return [passage for passage in list(self._passages) if self._is_cut(passage)]

    def _is_cut(self, passage: Passage) -> bool:
        if passage.record.address == OWN_LOOPBACK:
            return False
        decision = self._held(
            self.policy.decide(passage.request, passage.addresses or None), passage.request, tuple(passage.addresses)
        )
        if decision.is_allowed and decision.upstream == passage.record.upstream:
            return False
        passage.cut("the policy was changed")
        return True

    def is_open(self, passage: Passage) -> bool:
        return passage in self._passages

    def close(self) -> None:
        for passage in list(self._passages):
            passage.cut("the box was closed")

    async def open(self, request: Request) -> Passage:
        """Decide, look up, decide again with every address, and dial what was checked.

        Raises `Denied` or `DialError`.  The box's own loopback comes first where the host is its `localhost`.
        """
        if is_own_loopback(request.host) and self._box_dial is not None:
            try:
                sock = await self._box_dial(request.port)
            except OSError:
                pass
            else:
                record = self._record(request, Decision(Verdict.ALLOW, OWN_LOOPBACK))
                return self._passage(request, LOOPBACK, record, Wire(sock), OWN_LOOPBACK)
        policy = self.policy
        decision, addresses = await self._decide(request)
        record = self._record(request, decision)
        if not decision.is_allowed:
            record.duration = 0.0
            record.address = str(addresses[0]) if addresses else None
            self._announce(record)
            raise Denied(decision)
        try:
            passage = await self._dial(request, addresses, decision, record)
        except DialError as error:
            record.reason, record.duration = error.reason, 0.0
            self._announce(record)
            raise
        if self.policy is not policy:
            self._is_cut(passage)
            if not self.is_open(passage):
                raise Denied(Decision(Verdict.DENY, "default", "the policy was changed"))
        return passage

    async def _decide(self, request: Request) -> tuple[Decision, tuple[Address, ...]]:
        decision = self.policy.decide(request)
        if decision.verdict is not Verdict.RESOLVE:
            known = () if isinstance(request.host, str) else (request.host,)
            return self._held(decision, request, known), known
        assert isinstance(request.host, str)
        addresses = await resolve(request.host)
        return self._held(self.policy.decide(request, addresses), request, addresses), addresses

    def _held(self, decision: Decision, request: Request, addresses: tuple[Address, ...]) -> Decision:
        if self._ceiling is None:
            return decision
        return self._ceiling.hold(decision, self.policy, request, addresses)

    @property
    def limits(self) -> Limits:
        return self.policy.limits if self._ceiling is None else self._ceiling.limits(self.policy.limits)

    async def _dial(
        self, request: Request, addresses: tuple[Address, ...], decision: Decision, record: Record
    ) -> Passage:
        if decision.upstream is not None:
            upstream = self.policy.upstreams[decision.upstream]
            record.upstream = decision.upstream
            wire, wants_url = await dial_upstream(upstream, request, self._identity)
            passage = self._passage(request, addresses, record, wire, None)
            passage.wants_url = wants_url
            return passage
        wire, address = await dial(addresses, request.port)
        return self._passage(request, addresses, record, wire, str(address))

    def charge(self, record: Record, size: int) -> float:
        """Seconds to wait before `size` more bytes may go; raises `OverLimit`."""
        limits = self.limits
        if limits.connection_bytes is not None and record.bytes_sent + record.bytes_received > limits.connection_bytes:
            record.reason = "over the size limit of a connection"
            raise OverLimit
        if limits.bytes_per_second is None:
            return 0.0
        now = time.monotonic()
        self._free_at = max(self._free_at, now) + size / limits.bytes_per_second
        return max(0.0, self._free_at - now)

    def forget(self, passage: Passage) -> None:
        self._passages.discard(passage)
        self._announce(passage.record)

    def _record(self, request: Request, decision: Decision) -> Record:
        return Record(
            id=next(self._ids),
            host=str(request.host),
            port=request.port,
            scheme=request.scheme.value,
            decision=decision.verdict.value,
            rule=decision.rule,
            reason=decision.reason,
        )

    def _passage(
        self, request: Request, addresses: tuple[Address, ...], record: Record, wire: Wire, address: str | None
    ) -> Passage:
        record.address = address
        passage = Passage(request, addresses, record, wire, self)
        self._passages.add(passage)
        self._announce(record)
        return passage
