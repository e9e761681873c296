"""Which headers go on to a box and which come back: no credential in, nothing of the connection itself either way.

How long a body is belongs to a connection too: it is said anew on each, by whoever sends the body there.
"""

from collections.abc import Iterable

from starlette.types import Scope

from belljar.plane.addresses import Public
from belljar.server.guard import TOKEN_SUBPROTOCOL
from belljar.server.telemetry.spans import TRACE_HEADER, current_span

Pairs = list[tuple[bytes, bytes]]

_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te"}
    | {b"trailer", b"transfer-encoding", b"upgrade"}
)
# What this side of a connection says by itself: how a request's body is framed, and whether to wait before it is sent.
_FRAMING = frozenset({b"content-length", b"transfer-encoding", b"expect"})
# The caller's credential, and what only a control plane may say.
_OURS = frozenset({b"authorization", b"belljar-caller", b"forwarded", b"cookie", b"host", b"origin"})
# Said anew, with what this request is in its trace.
_TRACE = frozenset({TRACE_HEADER})
_NOT_FOR_BOXES = _HOP_BY_HOP | _FRAMING | _OURS | _TRACE
_NOT_FROM_BOXES = _HOP_BY_HOP | {b"date", b"server", b"x-request-id"}
# What another control plane judges by, as we did: what we have believed is not left out on the way there.
_JUDGED_BY = frozenset({b"authorization", b"cookie", b"host", b"origin", b"accept"})
_WEBSOCKET = b"sec-websocket-"
_OUR_COOKIES = b"belljar_"


def forwarded(raw: Iterable[tuple[bytes, bytes]], public: Public) -> Pairs:
    """The caller's headers as the box gets them, without a credential."""
    pairs = list(raw)
    named = _named_by_connection(pairs)
    dropped = _NOT_FOR_BOXES | named if named else _NOT_FOR_BOXES
    kept = [
        (name, value)
        for name, value in pairs
        if name not in dropped and not name.startswith((_WEBSOCKET, b"x-forwarded-"))
    ]
    if cookie := _foreign_cookies(pairs):
        kept.append((b"cookie", cookie))
    kept.append((b"host", public.host.encode()))
    if (span := current_span.get()) is not None:
        kept.append((TRACE_HEADER, span.header.encode()))
    return kept


def returned(pairs: Pairs, *, is_viewer: bool) -> Pairs:
    """The box's headers as the caller gets them.

    Boxes and the dashboard share an origin: whatever a box sends is shut into an origin of its own, but for the
    viewer's page, which is ours.
    """
    named = _named_by_connection(pairs)
    dropped = _NOT_FROM_BOXES | named if named else _NOT_FROM_BOXES
    kept = [(name, value) for name, value in pairs if name not in dropped]
    if not is_viewer:
        kept.append((b"content-security-policy", b"sandbox"))
    return kept


def unchanged(scope: Scope, public: Public, client: str | None) -> Pairs:
    """A request's headers as a peer gets them, which judges by them again; a token in a subprotocol becomes one."""
    dropped = (
        _HOP_BY_HOP | _FRAMING | _TRACE | {b"belljar-caller"} | (_named_by_connection(scope["headers"]) - _JUDGED_BY)
    )
    pairs = [
        (name, value)
        for name, value in scope["headers"]
        if name not in dropped and not name.startswith((_WEBSOCKET, b"x-forwarded-"))
    ]
    tokens = [one for one in scope.get("subprotocols", ()) if one.startswith(TOKEN_SUBPROTOCOL)]
    if tokens and not any(name == b"authorization" for name, _ in pairs):
        pairs.append((b"authorization", b"Bearer " + tokens[0].removeprefix(TOKEN_SUBPROTOCOL).encode()))
    # For a peer that has us among its trusted proxies.
    pairs += [
        (b"x-forwarded-proto", public.scheme.encode()),
        (b"x-forwarded-host", public.host.encode()),
        (b"x-forwarded-prefix", public.prefix.encode()),
    ]
    if client is not None:
        pairs.append((b"x-forwarded-for", client.encode()))
    if (span := current_span.get()) is not None:
        pairs.append((TRACE_HEADER, span.header.encode()))
    return pairs


def peer_returned(pairs: Pairs) -> Pairs:
    return [(name, value) for name, value in pairs if name not in _NOT_FROM_BOXES]


def _named_by_connection(pairs: Iterable[tuple[bytes, bytes]]) -> frozenset[bytes]:
    named: set[bytes] = set()
    for name, value in pairs:
        if name == b"connection":
            named.update(part.strip().lower() for part in value.split(b","))
    return frozenset(named - {b"close"})


def _foreign_cookies(pairs: Pairs) -> bytes:
    given = b"; ".join(value for name, value in pairs if name == b"cookie")
    return b"; ".join(part for part in given.split(b"; ") if part and not part.strip().startswith(_OUR_COOKIES))
