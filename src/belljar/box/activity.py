"""When somebody last used the box.  Asking how it is does not count, nor does a stream that is only watched."""

import time
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.asgi.facts import facts_of
from belljar.tokens import CONTROL_PLANE, Caller


@dataclass
class Activity:
    last: float = field(default_factory=time.time)
    # Requests being answered and WebSockets open now.
    open_streams: int = 0

    def note(self) -> None:
        self.last = time.time()


class Noted:
    """Notes every request at its beginning and end, and every message a WebSocket's client sends."""

    def __init__(self, app: ASGIApp, activity: Activity) -> None:
        self._app = app
        self._activity = activity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or _is_uncounted(scope):
            await self._app(scope, receive, send)
            return
        activity = self._activity

        async def noted() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and facts_of(scope).counts_messages:
                activity.note()
            return message

        activity.note()
        activity.open_streams += 1
        try:
            await self._app(scope, noted if scope["type"] == "websocket" else receive, send)
        finally:
            activity.open_streams -= 1
            if scope["type"] == "http":
                activity.note()


def _is_uncounted(scope: Scope) -> bool:
    caller: Caller | None = scope["state"].get("caller")
    # Nobody is asked for where it is open to anybody.
    return not facts_of(scope).counts or caller is None or caller.id == CONTROL_PLANE
