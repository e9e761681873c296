"""An application of ours: its routes and how they are found, lifespan and document; mounts beside them."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import anyio
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from belljar.problems import MethodNotAllowed, Problem, UnknownPath
from belljar.server.answers import answer
from belljar.server.openapi import written_document
from belljar.server.router import WEBSOCKET, Facts, Kind, Route, Router
from belljar.server.signature import JsonRequest
from belljar.tokens import Role

Lifespan = Callable[[object], AbstractAsyncContextManager[Mapping[str, object]]]


class Mount(Protocol):
    """Requests come when the guard has passed them; `running` lasts as long as the server's own parts.

    `running` is given the whole application, guard and all, so that a mount can call it as any client would, and the
    state that the server puts into each request's scope.
    """

    @property
    def path(self) -> str: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def running(self, app: ASGIApp, state: Mapping[str, object]) -> AbstractAsyncContextManager[None]: ...


class MountRoute:
    """Where something answers that is no endpoint of ours.  It carries calls that are judged one by one."""

    def __init__(self, path: str, app: ASGIApp) -> None:
        self.path, self.app = path, app
        self.facts = Facts(needs=Role.VIEW, acts=False)


class WrongMethod:
    """What a request is for that asks with another method where a route is open to anybody: so is this refusal."""

    facts = Facts(is_open=True, acts=False, counts=False)


class Application:
    """Every endpoint, without the layers around them.  The first route in the list that fits is taken."""

    def __init__(
        self,
        routes: Iterable[Route],
        lifespan: Lifespan | None = None,
        mounts: Mapping[str, ASGIApp] | None = None,
    ) -> None:
        self.routes = list(routes)
        self._mounts = {path: MountRoute(path, mount) for path, mount in (mounts or {}).items()}
        self._lifespan = Starlette(lifespan=lifespan)
        # Most paths have no parameters: those are looked up.
        self._fixed: dict[tuple[str, str], Route] = {}
        self._others: dict[str, list[Route]] = {}
        self._open = {route.path for route in self.routes if route.facts.is_open}
        for route in self.routes:
            for method in route.methods:
                if route.is_fixed:
                    first = next(
                        one for one in self.routes if method in one.methods and one.match(route.path) is not None
                    )
                    self._fixed.setdefault((method, route.path), first)
                else:
                    self._others.setdefault(method, []).append(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # For an endpoint that calls others, as the live socket does.
        scope["app"] = self
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "HEAD":
            await self._answer_head(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["route"] if "route" in scope else self.find(scope):
            case MountRoute() as mounted:
                await mounted.app(scope, receive, send)
            case Route() as route if scope["type"] == "http":
                response = await route.respond(JsonRequest(scope, receive, send))
                await response(scope, receive, send)
            case Route() as route:
                try:
                    await route.attend(WebSocket(scope, receive, send))
                except Problem as problem:
                    await answer(problem, scope, receive, send)
            case _:
                await answer(self._refusal(scope), scope, receive, send)

    async def _answer_head(self, scope: Scope, receive: Receive, send: Send) -> None:
        """HEAD is wherever GET is: what that answers, without its body."""
        as_get = {**scope, "method": "GET"}
        answer = _HeadersOnly(receive, send)
        try:
            await self._answer(as_get, answer.receive, answer.send)
        except (ClientDisconnect, OSError):
            if not answer.is_over:
                raise
        finally:
            scope["route"] = as_get.get("route")

    def find(self, scope: Scope) -> "Route | MountRoute | None":
        """Which route a request is for; it, and what stands in its path's parameters, is noted in `scope`."""
        path, parameters = scope["path"], {}
        route: Route | MountRoute | None = None
        if scope["type"] == "websocket":
            method = WEBSOCKET
        else:
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            route = self._mounts.get(path)
        route = route or self._fixed.get((method, path))
        if isinstance(route, Route) and not route.is_fixed:
            parameters = route.match(path) or {}
        elif route is None:
            for other in self._others.get(method, ()):
                if (found := other.match(path)) is not None:
                    route, parameters = other, found
                    break
        scope["route"], scope["path_params"] = route, parameters
        if route is None and path in self._open:
            scope["route"] = WrongMethod
        return route

    def _refusal(self, scope: Scope) -> Problem:
        if scope["type"] == "websocket":
            return UnknownPath("endpoint not found")
        there = [route for route in self.routes if route.match(scope["path"]) is not None]
        methods = sorted({method for route in there for method in route.methods} - {WEBSOCKET})
        if not methods:
            return UnknownPath("endpoint not found")
        allowed = ", ".join(methods)
        scope["route"] = there[0]
        detail = f"This endpoint does not take {scope['method']}; it takes {allowed}."
        return MethodNotAllowed(detail, headers={"Allow": allowed})


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


class FindRoute:
    """Finds the route before all layers that want to know what is said of it."""

    def __init__(self, app: ASGIApp, routes: Application) -> None:
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            self._routes.find(scope)
        await self._app(scope, receive, send)


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
