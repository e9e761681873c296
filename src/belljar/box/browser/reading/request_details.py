"""Details of a tab's requests: headers as they went over the wire, timing, and what began them; the latest of them.

Redirects keep Chromium's id, and the headers on the wire come as events of their own, before or after the request's;
so what is told is kept in a trail for each id, and put together for a hop when somebody asks.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from belljar.box.browser.cdp.events import Initiator, InitiatorFrame, ResourceTiming, ResponseHead
from belljar.record.redaction import REDACTED, TOKENS

# What all details of a tab may take, packed; the oldest are dropped for new ones.
MOST_BYTES = 2 << 20
# What the headers of one message may take before they are cut, and what is then kept of them.
MOST_HEADER_BYTES = 32_000
CUT_HEADERS, CUT_CHARS = 100, 1_000
STACK_FRAMES = 10
# Beside what is packed: the objects it is kept in.
_OVERHEAD = 300

_SECRET_NAME = re.compile(
    r"auth|cookie|token|secret|session|passw|credential|signature|csrf|xsrf|jwt|api[-_]?key|access[-_]?key"
)
# Names that say a scheme or a policy, never who somebody is.
_OPEN_NAMES = frozenset({":authority", "www-authenticate", "proxy-authenticate", "signature-input"})
# Pages and servers choose what is searched: a name ends where the next may begin, or thousands of `?` would be looked
# at once for each of them.
_QUERY_VALUE = re.compile(r"([?&#][^=&#?]*)=[^&#]+")
# The same within a header, where an address ends before what no address has.
_QUERY_VALUE_IN_TEXT = re.compile(r"([?&#][^=&#?\s\"<>]*)=[^&#\s\"<>]+")
_USER_INFO = re.compile(r"(://)[^/?#@\s]*@")

_encode = msgspec.json.Encoder().encode


def redact_address(text: str) -> str:
    """Without the values of its query and fragment, and whose account it is for."""
    return TOKENS.sub(REDACTED, _QUERY_VALUE.sub(rf"\1={REDACTED}", _USER_INFO.sub(r"\1", text)))


def redact_header(name: str, value: str) -> str:
    """What may be told of a header's value: nothing of cookies, credentials and tokens, addresses without values."""
    lower = name.lower()
    if lower not in _OPEN_NAMES and _SECRET_NAME.search(lower):
        return REDACTED
    without_tokens = TOKENS.sub(REDACTED, _USER_INFO.sub(r"\1", value))
    return _QUERY_VALUE_IN_TEXT.sub(rf"\1={REDACTED}", without_tokens)


@dataclass(frozen=True)
class Details:
    """Of one request: headers are pairs, since a name may be there twice."""

    request_headers: list[tuple[str, str]]
    response_headers: list[tuple[str, str]]
    # Whether the request's headers are those that went over the wire, and not what the page asked for.
    is_from_wire: bool = False
    # Whether something was left out, or dropped for newer requests.
    is_cut: bool = False
    status_text: str = ""
    protocol: str = ""
    is_reused: bool | None = None
    timing: ResourceTiming | None = None
    initiator: dict[str, object] | None = None


class _Headers(msgspec.Struct, gc=False):
    """Of one message; packed, as the two below are."""

    headers: dict[str, str] = {}
    is_cut: bool = False


class _Request(_Headers):
    initiator: dict[str, object] = {}


class _Response(_Headers):
    status_text: str = ""
    protocol: str = ""
    is_reused: bool | None = None
    timing: ResourceTiming | None = None


_decode_headers = msgspec.json.Decoder(_Headers).decode
_decode_request = msgspec.json.Decoder(_Request).decode
_decode_response = msgspec.json.Decoder(_Response).decode


@dataclass
class _Hop:
    request: bytes
    response: bytes | None = None
    # Whether events about the wire belong to it; None while that is not known.
    has_extra: bool | None = None


@dataclass
class _Trail:
    """What was told of one id of Chromium's, in the order in which it came."""

    hops: list[_Hop] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    answered: list[bytes] = field(default_factory=list)
    size: int = 0


class DetailStore:
    """The trails of a tab's latest requests, within `MOST_BYTES`."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._trails: OrderedDict[str, _Trail] = OrderedDict()
        self._most_bytes = most_bytes
        self.size = 0

    def sent(self, id: str, headers: dict[str, str], initiator: Initiator) -> None:
        """A request, or the next hop of one."""
        kept, is_cut = _bounded(headers)
        trail = self._trail(id)
        trail.hops.append(_Hop(self._pack(trail, _Request(kept, is_cut, _initiator(initiator)))))
        self._make_room()

    def answered(self, id: str, response: ResponseHead, *, has_extra: bool | None) -> None:
        """The answer to the latest hop; of what nobody saw asked for, `data:` addresses for one, nothing is kept."""
        trail = self._trails.get(id)
        if trail is None or not trail.hops:
            return
        kept, is_cut = _bounded(response.headers)
        words = response.status_text[:CUT_CHARS], response.protocol[:100]
        hop = trail.hops[-1]
        hop.has_extra = has_extra
        told = _Response(kept, is_cut, *words, response.connection_reused, response.timing)
        hop.response = self._pack(trail, told)
        self._make_room()

    def sent_on_the_wire(self, id: str, headers: dict[str, str]) -> None:
        trail = self._trail(id)
        trail.sent.append(self._pack(trail, _Headers(*_bounded(headers))))
        self._make_room()

    def answered_on_the_wire(self, id: str, headers: dict[str, str]) -> None:
        trail = self._trail(id)
        trail.answered.append(self._pack(trail, _Headers(*_bounded(headers))))
        self._make_room()

    def __len__(self) -> int:
        """How many requests something is known of."""
        return len(self._trails)

    def read(self, id: str) -> Details:
        """Of a request, or with `:n` of its n-th hop; with nothing in it where that was dropped."""
        chromium_id, _, hop_number = id.partition(":")
        trail = self._trails.get(chromium_id)
        index = int(hop_number) - 1 if hop_number else -1
        if trail is None or not trail.hops or index >= len(trail.hops):
            return Details([], [], is_cut=True)
        hop = trail.hops[index]
        request = _decode_request(hop.request)
        response = _decode_response(hop.response) if hop.response is not None else _Response()
        sent, answered = _extra(trail, trail.sent, hop), _extra(trail, trail.answered, hop)
        return Details(
            list(_pairs((sent or request).headers)),
            list(_pairs((answered or response).headers)),
            is_from_wire=sent is not None,
            is_cut=any(one.is_cut for one in (request, response, sent, answered) if one is not None),
            status_text=response.status_text,
            protocol=response.protocol,
            is_reused=response.is_reused,
            timing=response.timing,
            initiator=request.initiator,
        )

    def _trail(self, id: str) -> _Trail:
        trail = self._trails.get(id)
        if trail is None:
            trail = self._trails[id] = _Trail()
        return trail

    def _pack(self, trail: _Trail, what: _Headers) -> bytes:
        packed = _encode(what)
        trail.size += len(packed) + _OVERHEAD
        self.size += len(packed) + _OVERHEAD
        return packed

    def _make_room(self) -> None:
        while self.size > self._most_bytes and self._trails:
            _, dropped = self._trails.popitem(last=False)
            self.size -= dropped.size


def _extra(trail: _Trail, extras: list[bytes], hop: _Hop) -> _Headers | None:
    """What went over the wire for this hop; of a last one that was sent again, for a password, what went last."""
    if hop.has_extra is False:
        return None
    before = 0
    for other in trail.hops:
        if other is hop:
            break
        before += other.has_extra is not False
    if before >= len(extras):
        return None
    return _decode_headers(extras[-1 if hop is trail.hops[-1] else before])


def _pairs(headers: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, values in headers.items():
        # Chromium joins what came several times by line breaks.
        yield from ((name, redact_header(name, value)) for value in values.split("\n"))


def _bounded(headers: dict[str, str]) -> tuple[dict[str, str], bool]:
    if sum(map(len, headers)) + sum(map(len, headers.values())) <= MOST_HEADER_BYTES:
        return headers, False
    return {name[:CUT_CHARS]: value[:CUT_CHARS] for name, value in list(headers.items())[:CUT_HEADERS]}, True


def _initiator(told: Initiator) -> dict[str, object]:
    """Lines and columns count from one here, from nought there."""
    frames: list[InitiatorFrame] = []
    stack = told.stack
    while stack is not None and len(frames) < STACK_FRAMES:
        frames += stack.call_frames
        stack = stack.parent
    found: dict[str, object] = {"type": told.type, "stack": [_frame(one) for one in frames[:STACK_FRAMES]]}
    if told.url:
        found["url"] = redact_address(told.url[:CUT_CHARS])
    if told.line_number is not None:
        found["line"] = round(told.line_number) + 1
    if told.request_id:
        found["requestId"] = told.request_id
    return found


def _frame(told: InitiatorFrame) -> dict[str, object]:
    return {
        "functionName": told.function_name[:200],
        "url": redact_address(told.url[:CUT_CHARS]),
        "line": told.line_number + 1,
        "column": told.column_number + 1,
    }


def phases(timing: ResourceTiming, began: float, duration: float | None) -> dict[str, float]:
    """How long each part took, in milliseconds; those that there were.  `began` is on Chromium's clock."""
    before = (timing.request_time - began) * 1000
    if before < -1:
        # An answer from the cache has the times of when it was fetched.
        return {}
    starts = (timing.dns_start, timing.connect_start, timing.send_start)
    found = {
        "blocked": before + next((start for start in starts if start >= 0), 0),
        "dns": _between(timing.dns_start, timing.dns_end),
        "connect": _between(timing.connect_start, timing.connect_end),
        "tls": _between(timing.ssl_start, timing.ssl_end),
        "send": _between(timing.send_start, timing.send_end),
        "wait": _between(timing.send_end, timing.receive_headers_end),
    }
    if duration is not None:
        found["receive"] = duration - before - timing.receive_headers_end
    return {name: round(max(0.0, value), 3) for name, value in found.items() if value is not None}


def _between(start: float, end: float) -> float | None:
    return end - start if start >= 0 <= end else None
