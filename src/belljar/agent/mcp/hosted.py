"""`/mcp`: streamable HTTP on a box or a control plane, with the caller's own credential for every call.

Nothing of a client is kept between two requests, so one that reconnects goes on where it was, and so does the browser.
"""

import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.agent.mcp.api import Below
from belljar.agent.mcp.desk import Desk, Starts
from belljar.agent.mcp.idle import close_when_idle
from belljar.agent.mcp.inprocess import InProcess
from belljar.agent.mcp.sessions import DEFAULT_NAME, Known, SessionApi
from belljar.asgi.answers import answer
from belljar.asgi.request_headers import RequestHeaders
from belljar.problems import MethodNotAllowed
from belljar.tasks import background

# Whose desk: made from the API with a caller's credential, and the request it came with.
DeskFor = Callable[[InProcess, Scope], Desk]

# Callers of a control plane whose sessions are remembered, and sessions; others are looked up again.
_MOST_SEATS = 10_000


class Hosted:
    """The mount of either server; the SDK is loaded when somebody first asks for it."""

    path = "/mcp"

    def __init__(self, desk_for: DeskFor, starts: Starts, *, idle: float = 0) -> None:
        self._desk_for = desk_for
        self._starts = starts
        self._idle = idle
        self._app: ASGIApp | None = None
        self._wanted = anyio.Event()
        self._ready = anyio.Event()
        self._handle: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # There is nothing to listen for between calls, and no session to end.
            refused = MethodNotAllowed("MCP here takes POST alone.", headers={"Allow": "POST"})
            await answer(refused, scope, receive, send)
            return
        self._wanted.set()
        await self._ready.wait()
        assert self._handle is not None
        # Read here: a client that goes away meanwhile is no fault, for which the library would take it.
        body = await Request(scope, receive).body()
        await self._handle(scope, _given_again(body, receive), send)

    @asynccontextmanager
    async def running(self, app: ASGIApp, state: Mapping[str, object]) -> AsyncIterator[None]:
        self._app = app
        async with background(self._serve, name="mcp"):
            yield

    async def _serve(self) -> None:
        await self._wanted.wait()
        # Half a second of imports: in a thread, so that others are served meanwhile.
        manager = await anyio.to_thread.run_sync(self._manager)
        async with background(lambda: close_when_idle(self._starts, self._idle), name="idle browser"), manager.run():
            self._handle = manager.handle_request
            self._ready.set()
            await anyio.sleep_forever()

    def _manager(self) -> Any:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from belljar.agent.mcp.server import make_server

        return StreamableHTTPSessionManager(make_server(self._desk), stateless=True)

    def _desk(self, context: Any) -> Desk:
        scope: Scope = context.request.scope
        assert self._app is not None
        return self._desk_for(InProcess(self._app, scope["headers"], scope), scope)


def _given_again(body: bytes, receive: Receive) -> Receive:
    """The body in one piece, and then whatever else there is to learn of the client."""
    pieces = [body]

    async def given() -> Message:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(), "more_body": False}
        return await receive()

    return given


def on_box(*, idle: float = 0) -> Hosted:
    """The mount of a box: everyone uses its one browser; `/mcp?headed=true` starts it on a display."""
    starts = Starts()

    def desk_for(api: InProcess, scope: Scope) -> Desk:
        return Desk(api, starts, headless=_is_headless(scope))

    return Hosted(desk_for, starts, idle=idle)


def on_control_plane() -> Hosted:
    """The mount of a control plane: each caller has a session, or several by name (`/mcp?session=research`).

    A session's own, `/s/{id}/mcp`, is answered here as well and not by its box: what tools ask for goes through the
    gateway, which alone can make a link that it will take from a person.
    """
    seats: OrderedDict[bytes, tuple[Known, Starts]] = OrderedDict()

    def seat(whose: str) -> tuple[Known, Starts]:
        key = hashlib.sha256(whose.encode("utf-8", "surrogateescape")).digest()
        found = seats.setdefault(key, (Known(), Starts()))
        seats.move_to_end(key)
        if len(seats) > _MOST_SEATS:
            seats.popitem(last=False)
        return found

    def desk_for(api: InProcess, scope: Scope) -> Desk:
        if session := scope["path"].removesuffix(Hosted.path):
            _, starts = seat(session)
            return Desk(Below(api, session), starts, headless=_is_headless(scope))
        name = QueryParams(scope["query_string"]).get("session") or DEFAULT_NAME
        who = RequestHeaders(scope).get("authorization", "") + "\0" + RequestHeaders(scope).get("cookie", "")
        known, starts = seat(f"{who}\0{name}")
        return Desk(SessionApi(api, name, known), starts)

    return Hosted(desk_for, Starts())


def _is_headless(scope: Scope) -> bool:
    return QueryParams(scope["query_string"]).get("headed") != "true"
