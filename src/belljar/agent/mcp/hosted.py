"""`/mcp` on a box or control plane, and a box's own client on standard input and output: mounts of a server.

Nothing of a client is kept between two requests, so one that reconnects goes on where it was, and so does the browser.
The SDK, and the protocol's library, are loaded when somebody first asks.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.problems import MethodNotAllowed, UnknownPath
from belljar.server.answers import answer
from belljar.tasks import background
from belljar.tokens import Caller, Role

if TYPE_CHECKING:
    from belljar.agent.mcp.box_client import BoxClient, BoxClients, PlaneClients

PATH = "/mcp"


class HostedMcp:
    """Streamable HTTP, with the caller's own credential for every call; `load` makes the clients of an application."""

    path = PATH

    def __init__(self, load: "Callable[[ASGIApp], BoxClients | PlaneClients]", *, idle: float = 0) -> None:
        self._load = load
        self._idle = idle
        self._app: ASGIApp | None = None
        self._clients: BoxClients | PlaneClients | None = None
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
        from belljar.agent.mcp.box_client import close_when_idle

        assert self._clients is not None
        shared = self._clients.shared
        async with background(lambda: close_when_idle(shared, self._idle), name="idle browser"), manager.run():
            self._handle = manager.handle_request
            self._ready.set()
            await anyio.sleep_forever()

    def _manager(self) -> Any:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from belljar.agent.mcp.server import make_server

        assert self._app is not None
        self._clients = self._load(self._app)
        return StreamableHTTPSessionManager(make_server(self._client), stateless=True)

    def _client(self, context: Any) -> "BoxClient":
        assert self._clients is not None
        return self._clients.client(context.request.scope)


def _given_again(body: bytes, receive: Receive) -> Receive:
    """The body in one piece, and then whatever else there is to learn of the client."""
    pieces = [body]

    async def given() -> Message:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(), "more_body": False}
        return await receive()

    return given


def on_box(*, idle: float = 0) -> HostedMcp:
    """The mount of a box."""

    def load(app: ASGIApp) -> "BoxClients":
        from belljar.agent.mcp.box_client import BoxClients

        return BoxClients(app)

    return HostedMcp(load, idle=idle)


def on_control_plane() -> HostedMcp:
    """The mount of a control plane."""

    def load(app: ASGIApp) -> "PlaneClients":
        from belljar.agent.mcp.box_client import PlaneClients

        return PlaneClients(app, PATH)

    return HostedMcp(load)


class EmbeddedMcp:
    """`belljar mcp` with a box of its own: a mount that answers nothing, and calls the box for its one client.

    `on_end` is called when the client is gone, however it went: the box has nobody left to serve.
    """

    path = PATH

    def __init__(self, host: str, *, headless: bool, idle: float, on_end: Callable[[], None]) -> None:
        self._host = host
        self._headless = headless
        self._idle = idle
        self._on_end = on_end
        self._listening = anyio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await answer(UnknownPath("endpoint not found"), scope, receive, send)

    def begin(self) -> None:
        """Everything is up: the client's calls can be answered."""
        self._listening.set()

    @asynccontextmanager
    async def running(self, app: ASGIApp, state: Mapping[str, object]) -> AsyncIterator[None]:
        outer: Scope = {
            "scheme": "http",
            "headers": [(b"host", self._host.encode())],
            "state": {**state, "caller": Caller(Role.OPERATOR, "operator")},
        }

        async def serve() -> None:
            await self._listening.wait()
            try:
                await self._serve(app, outer)
            finally:
                self._on_end()

        async with background(serve, name="mcp"):
            yield

    async def _serve(self, app: ASGIApp, outer: Scope) -> None:
        from belljar.agent.mcp.box_client import BoxClient, Shared, close_when_idle
        from belljar.agent.mcp.stdio import serve_stdio
        from belljar.sdk.inprocess import InProcessHttp
        from belljar.server.inprocess import VIA, InProcess
        from belljar.wire.record import ActorVia

        shared = Shared()
        client = BoxClient(InProcessHttp(InProcess(app, outer, {VIA: ActorVia.MCP})), shared, headless=self._headless)
        async with background(lambda: close_when_idle(shared, self._idle), name="idle browser"):
            await serve_stdio(lambda _: client)
