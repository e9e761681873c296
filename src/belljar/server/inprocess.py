"""Calls of our own application without a socket, on behalf of somebody whose request or connection is open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import anyio
from starlette.types import ASGIApp, Message, Scope

from belljar.server.guard import INSIDE

Headers = Iterable[tuple[bytes, bytes]]

# Under which address was asked.  Everything else of the outer request is its own.
_ADDRESS = frozenset({b"host", b"x-forwarded-proto", b"x-forwarded-prefix", b"x-forwarded-host"})
# Who asks, where keys are judged with every call: one that is revoked meanwhile ends there.
_CREDENTIALS = frozenset({b"authorization", b"cookie", b"origin"})
_SCHEMES = {"ws": "http", "wss": "https"}
# What a call came through, where that is no request over HTTP, and the name of the viewer whose command it is: keys of
# the scope, which nothing from outside can set.
VIA = "belljar.via"
VIEWER_NAME = "belljar.viewer"
_LARGEST_ANSWER = 64 * 1024 * 1024


@dataclass(frozen=True)
class Reply:
    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes

    @property
    def media_type(self) -> str:
        kinds = [value for name, value in self.headers if name == b"content-type"]
        return kinds[0].decode("latin-1").partition(";")[0] if kinds else ""


class InProcess:
    """An application, called for whoever `outer` is the scope of: it can do exactly what they could do over HTTP.

    The caller that a guard has found goes along in the scope, never in a header: what they came with was good for one
    request.  Where there is none, their credentials go along and are judged again.  Whoever calls stays for as long
    as the call takes; cancelling it is how they leave.  `about` is put into the scope of each call.
    """

    def __init__(self, app: ASGIApp, outer: Scope, about: Mapping[str, object] | None = None) -> None:
        self._app = app
        caller = outer["state"].get("caller")
        kept = _ADDRESS | _CREDENTIALS if caller is None else _ADDRESS
        self._headers = [(name, value) for name, value in outer["headers"] if name in kept]
        self._outer = outer
        self._inside = {**(about or {}), **({} if caller is None else {INSIDE: caller})}

    async def call(
        self, method: str, path: str, *, query: str = "", headers: Headers = (), content: bytes = b""
    ) -> Reply:
        """The answer, whatever its status."""
        outer = self._outer
        scheme = outer["scheme"]
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": _SCHEMES.get(scheme, scheme),
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": outer.get("root_path", ""),
            "headers": [*self._headers, *headers, (b"content-length", str(len(content)).encode())],
            "client": outer.get("client"),
            "server": outer.get("server"),
            "state": dict(outer["state"]),
            **self._inside,
        }
        exchange = _Exchange(content)
        await self._app(scope, exchange.receive, exchange.send)
        return Reply(exchange.status, exchange.headers, bytes(exchange.content))


class _Exchange:
    """The two ends of one request that an application is called with."""

    def __init__(self, content: bytes) -> None:
        self._sent: bytes | None = content
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.content = bytearray()

    async def receive(self) -> Message:
        content, self._sent = self._sent, None
        if content is None:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = list(message.get("headers", ()))
        elif message["type"] == "http.response.body":
            self.content += message.get("body", b"")
            if len(self.content) > _LARGEST_ANSWER:
                raise ConnectionAbortedError("the answer is too large to be held in memory")
