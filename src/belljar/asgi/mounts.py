"""Something that answers at a path of a server without being part of it: `cli` brings it, the server guards it."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send


class Mount(Protocol):
    """Requests come when the guard has passed them; `running` lasts as long as the server's own parts.

    `running` is given the whole application, guard and all, so that a mount can call it as any client would, and the
    state that the server puts into each request's scope.
    """

    @property
    def path(self) -> str: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def running(self, app: ASGIApp, state: Mapping[str, object]) -> AbstractAsyncContextManager[None]: ...
