"""`belljar mcp` with a box of its own: the client's messages and the box's application in one process."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import anyio
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.agent.mcp.desk import Desk, Starts
from belljar.agent.mcp.idle import close_when_idle
from belljar.agent.mcp.inprocess import InProcess
from belljar.asgi.answers import answer
from belljar.problems import UnknownPath
from belljar.tasks import background
from belljar.tokens import Caller, Role


class Embedded:
    """A mount that answers nothing by itself: it lives beside the box's parts and calls them for its one client.

    `on_end` is called when the client is gone, however it went: the box has nobody left to serve.
    """

    path = "/mcp"

    def __init__(self, host: str, *, headless: bool, idle: float, on_end: Callable[[], None]) -> None:
        self._headers = [(b"host", host.encode())]
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
        caller = Caller(Role.OPERATOR, "operator")
        outer: Scope = {"asgi": {"version": "3.0"}, "scheme": "http", "state": {**state, "caller": caller}}
        api = InProcess(app, self._headers, outer)
        starts = Starts()
        desk = Desk(api, starts, headless=self._headless)

        async def serve() -> None:
            from belljar.agent.mcp.stdio import serve_stdio

            await self._listening.wait()
            try:
                await serve_stdio(lambda _: desk)
            finally:
                self._on_end()

        async with (
            background(lambda: close_when_idle(starts, self._idle), name="idle browser"),
            background(serve, name="mcp"),
        ):
            yield
