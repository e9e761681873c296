"""Spans of what was done, in traces as W3C has them: whose trace a request belongs to, and what goes on to others.

A request that brings `traceparent` goes on in its caller's trace.  Where spans are exported, one that does not begins a
trace, or joins that of its session; each request is a span then.  Where they are not, what was brought is passed on.

Spans are gathered until they are sent, or taken by a control plane: never waited for, and no more than may wait.  A box
has no network where it is a container, and no business with the operator's keys anywhere: behind a control plane it
holds its spans, and that one takes them by the box's own socket.
"""

import hashlib
import re
import secrets
from collections import deque
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Annotated

import anyio
import msgspec
from msgspec import Meta

from belljar.tasks import Signal

TRACE_HEADER = b"traceparent"
# Of a call that shall be no span: nobody gathers this trace.
NOT_SAMPLED = b"00-" + b"b" * 32 + b"-" + b"b" * 16 + b"-00"
# Version 00; a later one begins alike, and may go on.
_PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


# What there can be of a span, for those that come from another process.
TraceId = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
SpanId = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
Nanoseconds = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Attribute = Annotated[str, Meta(max_length=200)] | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Attributes = Annotated[dict[Annotated[str, Meta(pattern=r"^[a-z._]{1,64}$")], Attribute], Meta(max_length=12)]


class SpanKind(IntEnum):
    """As OTLP numbers them."""

    INTERNAL = 1
    SERVER = 2


@dataclass
class Span:
    """One thing that was done, in a trace.  Times are nanoseconds since 1970."""

    trace_id: TraceId
    span_id: SpanId
    parent_id: SpanId | None = None
    # Whether its caller wants it kept.
    is_sampled: bool = True
    name: Annotated[str, Meta(pattern=r"^[ -~]{0,200}$")] = ""
    kind: SpanKind = SpanKind.SERVER
    began: Nanoseconds = 0
    ended: Nanoseconds = 0
    is_error: bool = False
    attributes: Attributes = field(default_factory=dict)
    # The trace and span of something else that it belongs to.
    link: tuple[TraceId, SpanId] | None = None
    # Of the box that held it; of this process itself where there is none.
    box_id: str = ""

    @property
    def header(self) -> str:
        """What those who do something for it are told."""
        return f"00-{self.trace_id}-{self.span_id}-{'01' if self.is_sampled else '00'}"

    def belongs_to(self, trace_id: str, span_id: str) -> None:
        """Of a session: a request without a trace of its own is part of the session's, another one is linked to it."""
        if self.parent_id is None:
            self.trace_id, self.parent_id = trace_id, span_id
        else:
            self.link = (trace_id, span_id)


# Of the request in whose context this is asked.
current_span: ContextVar[Span | None] = ContextVar("span", default=None)


def span_for(traceparent: str | None, *, is_exported: bool) -> Span | None:
    """For a request.  Without export it is its caller's own, so that what goes on is what came."""
    found = None if traceparent is None else _PARENT.fullmatch(traceparent.strip())
    if found is not None and found[1].strip("0") and found[2].strip("0"):
        is_sampled = bool(int(found[3], 16) & 1)
        if not is_exported:
            return Span(found[1], found[2], found[2], is_sampled)
        return Span(found[1], secrets.token_hex(8), found[2], is_sampled)
    if not is_exported:
        return None
    outer = current_span.get()
    if outer is not None:
        return Span(outer.trace_id, secrets.token_hex(8), outer.span_id, outer.is_sampled)
    return Span(secrets.token_hex(16), secrets.token_hex(8))


def session_trace(session_id: str) -> tuple[str, str]:
    """The trace and span of a session: every control plane comes to the same without a word."""
    made = hashlib.sha256(f"belljar session {session_id}".encode()).hexdigest()
    return made[:32], made[32:48]


# Spans that may wait; the oldest go first.
MAX_WAITING = 4096
# Spans that are sent or taken at once.
BATCH = 512
# How long more are waited for once there is one.
GATHER_SECONDS = 1.0
# More than a batch has; what a box answers beyond it is not read.
_MOST_BYTES = 1 << 20

_encode = msgspec.json.Encoder().encode
_read_batch = msgspec.json.Decoder(list[msgspec.Raw]).decode
_read_span = msgspec.json.Decoder(Span).decode


class GatheredSpans:
    def __init__(self) -> None:
        self._waiting: deque[Span] = deque()
        self._arrived = Signal()
        self.lost = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, span: Span) -> None:
        """Takes a microsecond; what its caller does not want kept is not."""
        if not span.is_sampled:
            return
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft()
            self.lost += 1
        self._waiting.append(span)
        self._arrived.fire()

    async def gathered(self) -> None:
        """Wait for the first, and a moment for those that follow it."""
        await self._arrived.until(lambda: bool(self._waiting))
        await anyio.sleep(GATHER_SECONDS)

    def take(self) -> list[Span]:
        """The oldest, a batch at most."""
        return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]


def write_spans(spans: Sequence[Span]) -> bytes:
    return _encode(spans)


def read_spans(content: bytes) -> tuple[list[Span], int]:
    """Spans that another process wrote, and how many are none: an odd one costs itself alone."""
    if len(content) > _MOST_BYTES:
        return [], 1
    try:
        given = _read_batch(content)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return [], 1
    spans: list[Span] = []
    for one in given[:BATCH]:
        try:
            spans.append(_read_span(one))
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            continue
    return spans, len(given) - len(spans)
