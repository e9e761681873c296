"""Which headers go on to a box and which come back: no credential in, nothing of the connection itself either way."""

from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import Scope

from belljar.asgi.guard import TOKEN_SUBPROTOCOL
from belljar.control.addresses import Public

Pairs = list[tuple[bytes, bytes]]

_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te"}
    | {b"trailer", b"transfer-encoding", b"upgrade"}
)
# The caller's credential, and what only a control plane may say.
_OURS = frozenset({b"authorization", b"belljar-caller", b"forwarded", b"cookie", b"host", b"origin"})
_WEBSOCKET = b"sec-websocket-"
_OUR_COOKIES = b"belljar_"


def forwarded(raw: Iterable[tuple[bytes, bytes]], public: Public, prefix: str) -> Pairs:
    """The caller's headers as the box gets them, without a credential, and under which address it was asked."""
    pairs = list(raw)
    dropped = _HOP_BY_HOP | _named_by_connection(pairs)
    kept = [
        (name, value)
        for name, value in pairs
        if name not in dropped and name not in _OURS and not name.startswith((_WEBSOCKET, b"x-forwarded-"))
    ]
    if cookie := _foreign_cookies(pairs):
        kept.append((b"cookie", cookie))
    kept += [
        (b"host", public.host.encode()),
        (b"x-forwarded-prefix", (public.prefix + prefix).encode()),
        (b"x-forwarded-proto", public.scheme.encode()),
    ]
    return kept


def returned(pairs: Pairs, *, is_viewer: bool) -> Pairs:
    """The box's headers as the caller gets them.

    Boxes and the dashboard share an origin: whatever a box sends is shut into an origin of its own, but for the
    viewer's page, which is ours.
    """
    dropped = _HOP_BY_HOP | _named_by_connection(pairs) | {b"date", b"server", b"x-request-id"}
    kept = [(name, value) for name, value in pairs if name not in dropped]
    if not is_viewer:
        kept.append((b"content-security-policy", b"sandbox"))
        kept.append((b"x-content-type-options", b"nosniff"))
    return kept


def unchanged(scope: Scope) -> Pairs:
    """A request's headers as a peer gets them, which judges by them again; a token in a subprotocol becomes one."""
    pairs = [
        (name, value) for name, value in scope["headers"] if name not in _HOP_BY_HOP and not name.startswith(_WEBSOCKET)
    ]
    for offered in scope.get("subprotocols", ()):
        if offered.startswith(TOKEN_SUBPROTOCOL):
            pairs.append((b"authorization", b"Bearer " + offered.removeprefix(TOKEN_SUBPROTOCOL).encode()))
    return pairs


def peer_returned(pairs: Pairs) -> Pairs:
    dropped = _HOP_BY_HOP | {b"date", b"server", b"x-request-id"}
    return [(name, value) for name, value in pairs if name not in dropped]


def wants_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _named_by_connection(pairs: Pairs) -> frozenset[bytes]:
    named: set[bytes] = set()
    for name, value in pairs:
        if name == b"connection":
            named.update(part.strip().lower() for part in value.split(b","))
    return frozenset(named - {b"close"})


def _foreign_cookies(pairs: Pairs) -> bytes:
    given = b"; ".join(value for name, value in pairs if name == b"cookie")
    return b"; ".join(part for part in given.split(b"; ") if part and not part.strip().startswith(_OUR_COOKIES))
