"""An application of ours: its routes, lifespan and document; mounts beside them, and HEAD wherever GET is."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import anyio
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.server.openapi import written_document
from belljar.server.router import Application, Kind, Lifespan, Router


class Mount(Protocol):
    """Requests come when the guard has passed them; `running` lasts as long as the server's own parts.

    `running` is given the whole application, guard and all, so that a mount can call it as any client would, and the
    state that the server puts into each request's scope.
    """

    @property
    def path(self) -> str: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def running(self, app: ASGIApp, state: Mapping[str, object]) -> AbstractAsyncContextManager[None]: ...


class HeadAsGet:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        as_get = {**scope, "method": "GET"}
        answer = _HeadersOnly(receive, send)
        try:
            await self._app(as_get, answer.receive, answer.send)
        except (ClientDisconnect, OSError):
            if not answer.is_over:
                raise
        finally:
            scope["route"] = as_get.get("route")


class _HeadersOnly:
    """Once the headers are out, a stream without an end is told in both ways it may look that its client left."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self.is_over = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._send(message)
        elif not self.is_over:
            self.is_over = True
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            raise OSError("a HEAD request has no body")

    async def receive(self) -> Message:
        return {"type": "http.disconnect"} if self.is_over else await self._receive()


def make_application(
    document: str,
    routers: Iterable[Router],
    lifespan: Lifespan | None = None,
    mounts: Mapping[str, ASGIApp] | None = None,
) -> Application:
    """Every endpoint of `routers`, `document` at /openapi.json, and `mounts` at their paths."""
    own = Router(include_in_schema=False, tells=Kind.STATE, acts=False, counts=False)

    @own.get("/openapi.json")
    async def openapi() -> Response:
        return Response(await anyio.to_thread.run_sync(written_document, document), media_type="application/json")

    routes = [route for router in (*routers, own) for route in router.routes]
    return Application(routes, lifespan, mounts)
