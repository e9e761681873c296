"""The API of the server we are part of, without a socket: its own application, called for the caller it has found."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import anyio
import msgspec
from starlette.types import ASGIApp, Message, Scope

from belljar.agent.mcp.api import Body, Json, Query, Reply, checked
from belljar.asgi.guard import INSIDE

# Under which address was asked.  Everything else of the outer request is its own.
_ADDRESS = frozenset({b"host", b"x-forwarded-proto", b"x-forwarded-prefix", b"x-forwarded-host"})
# Who asks, where keys are judged with every call: one that is revoked meanwhile ends there.
_CREDENTIALS = frozenset({b"authorization", b"cookie", b"origin"})
_LARGEST_ANSWER = 64 * 1024 * 1024


class InProcess:
    """Every call passes the guard again: it can do exactly what its caller could do over HTTP.

    A box's guard has found the caller, who goes along in the scope: what they came with was good for one request.
    """

    def __init__(self, app: ASGIApp, headers: Iterable[tuple[bytes, bytes]], outer: Scope) -> None:
        self._app = app
        caller = outer["state"].get("caller")
        self._inside = {} if caller is None else {INSIDE: caller}
        kept = _ADDRESS | _CREDENTIALS if caller is None else _ADDRESS
        self._headers = [(name, value) for name, value in headers if name in kept]
        self._outer = outer

    async def call(self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None) -> Reply:
        content, headers = _encoded(body)
        answer = _Answer()
        await self._app(self._scope(method, path, _spelled(query), headers), _Sender(content), answer.send)
        return checked(answer.reply())

    def _scope(self, method: str, path: str, query: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
        return {
            "type": "http",
            "asgi": self._outer["asgi"],
            "http_version": "1.1",
            "method": method,
            "scheme": self._outer["scheme"],
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": self._outer.get("root_path", ""),
            "headers": [*self._headers, *headers],
            "client": self._outer.get("client"),
            "server": self._outer.get("server"),
            "state": dict(self._outer["state"]),
            **self._inside,
        }


def _encoded(body: Json | Body | None) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The body's bytes, and the headers that go with them."""
    if body is None:
        return b"", [(b"content-length", b"0")]
    content, media_type = (
        (body.content, body.media_type) if isinstance(body, Body) else (msgspec.json.encode(body), "application/json")
    )
    return content, [(b"content-type", media_type.encode()), (b"content-length", str(len(content)).encode())]


def _spelled(query: Query | None) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    return urlencode({name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()})


class _Sender:
    """An ASGI `receive`: the body at once, and then a client that stays for as long as it waits."""

    def __init__(self, content: bytes) -> None:
        self._content: bytes | None = content

    async def __call__(self) -> Message:
        content, self._content = self._content, None
        if content is None:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": content, "more_body": False}


class _Answer:
    def __init__(self) -> None:
        self._status = 500
        self._media_type = ""
        self._content = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            types = [value for name, value in message.get("headers", ()) if name == b"content-type"]
            self._media_type = types[0].decode("latin-1").partition(";")[0] if types else ""
        elif message["type"] == "http.response.body":
            self._content += message.get("body", b"")
            if len(self._content) > _LARGEST_ANSWER:
                raise ConnectionAbortedError("the answer is too large for a tool")

    def reply(self) -> Reply:
        return Reply(self._status, self._media_type, bytes(self._content))
