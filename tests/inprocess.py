"""A box's application run in the test's own process, without a server, and the SDK to call it with."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from starlette.types import Message

from belljar.box.app import create_app
from belljar.box.settings import BoxSettings
from belljar.sdk.aio.box import AsyncBox
from belljar.sdk.inprocess import InProcessHttp
from belljar.server.inprocess import InProcess
from belljar.tasks import background
from belljar.tokens import Caller, Keys

# Each step of an application's life within this many seconds.
_STEP = 20


class Application:
    """Running parts, for as many callers as a test has."""

    def __init__(self, app: Any, state: dict[str, object]) -> None:
        self.app = app
        self._state = state

    def outer(self, caller: Caller | None, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
        """The scope of a request or connection that the guard has found `caller` for."""
        return {
            "scheme": "http",
            "headers": [(b"host", b"localhost"), *headers],
            "state": {**self._state, **({} if caller is None else {"caller": caller})},
        }

    def calls(self, caller: Caller | None, *headers: tuple[bytes, bytes]) -> InProcess:
        return InProcess(self.app, self.outer(caller, *headers))

    def box(self, caller: Caller | None, *headers: tuple[bytes, bytes]) -> AsyncBox:
        return AsyncBox(InProcessHttp(self.calls(caller, *headers)))


@asynccontextmanager
async def running_application(state_dir: Path, keys: Keys) -> AsyncIterator[Application]:
    """Start the application's parts as a server does; they have ended when the block is left."""
    app = create_app(BoxSettings(state_dir=state_dir), keys).app
    to_app, from_server = anyio.create_memory_object_stream[Message](1)
    from_app, to_server = anyio.create_memory_object_stream[Message](1)
    state: dict[str, object] = {}

    async def live() -> None:
        await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": state}, from_server.receive, from_app.send)

    async def step(name: str) -> None:
        with anyio.fail_after(_STEP):
            await to_app.send({"type": f"lifespan.{name}"})
            assert (await to_server.receive())["type"] == f"lifespan.{name}.complete"

    async with to_app, from_server, from_app, to_server, background(live, name="application"):
        await step("startup")
        try:
            yield Application(app, state)
        finally:
            await step("shutdown")
