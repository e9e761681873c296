"""When somebody last used the box.  Asking how it is does not count, nor does a stream that is only watched."""

import time
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.tokens import CONTROL_PLANE, Caller

# Watching and pinging are no use of the box: the live socket notes input and commands itself.
_SELF_NOTED = frozenset({"/v1/live", "/ws"})
_UNCOUNTED = frozenset({"/healthz", "/readyz", "/metrics", "/health", "/v1/health", "/v1/claim", "/openapi.json"})


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
            if message["type"] == "websocket.receive" and scope["path"] not in _SELF_NOTED:
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
    # Nobody is asked for on the paths that are open to anybody.
    return scope["path"] in _UNCOUNTED or caller is None or caller.id == CONTROL_PLANE
