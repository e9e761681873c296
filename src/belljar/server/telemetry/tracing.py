"""Traces as W3C has them: whose trace a request belongs to, what goes on to others, and spans of what was done.

A request that brings `traceparent` goes on in its caller's trace.  Where spans are exported, one that does not begins a
trace, or joins that of its session; each request is a span then.  Where they are not, what was brought is passed on.
"""

import hashlib
import re
import secrets
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Annotated

from msgspec import Meta

HEADER = b"traceparent"
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
current: ContextVar[Span | None] = ContextVar("span", default=None)


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
    outer = current.get()
    if outer is not None:
        return Span(outer.trace_id, secrets.token_hex(8), outer.span_id, outer.is_sampled)
    return Span(secrets.token_hex(16), secrets.token_hex(8))


def session_trace(session_id: str) -> tuple[str, str]:
    """The trace and span of a session: every control plane comes to the same without a word."""
    made = hashlib.sha256(f"belljar session {session_id}".encode()).hexdigest()
    return made[:32], made[32:48]
