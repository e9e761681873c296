"""What has no end of its own ends with the credential that opened it: WebSockets and event streams.

The guards run every request by here, so no endpoint has to think of it.  One that has last words of its own says so
in its facts (`last_words`), and is given that long.
"""

import math
import time
from collections.abc import Callable

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.problems import Problem, TokenInvalid

# What a WebSocket is closed with, where it is the time of its credential that is over.
CLOSE_CODE = 1008
EXPIRED = "credential over: expired"
# For the last message to reach a client; the connection of one that does not read is dropped.
_LAST_SECONDS = 2.0


def seconds_left(expires_at: float) -> float:
    """Of a time in seconds since 1970."""
    return math.inf if expires_at == math.inf else max(0.0, expires_at - time.time())


async def serve_until(
    expires_at: float | None, app: ASGIApp, scope: Scope, receive: Receive, send: Send, *, last_words: float = 0.0
) -> None:
    """Serve a caller whose credential is good until `expires_at`, in seconds since 1970.

    Every answer that is neither a socket nor an event stream ends by itself, and is not cut short.
    """
    if expires_at is None or expires_at == math.inf:
        await app(scope, receive, send)
        return
    until = anyio.current_time() + seconds_left(expires_at) + last_words
    with anyio.CancelScope() as endless:

        def begin() -> None:
            endless.deadline = until

        answer = Answer(send, on_endless=begin)
        if scope["type"] == "websocket":
            begin()
        await app(scope, receive, answer.send)
    if endless.cancelled_caught:
        await answer.end_early(EXPIRED, credential_over("expired"))


def credential_over(why: str) -> TokenInvalid:
    return TokenInvalid(f"the credential was {why} while it was used")


class Answer:
    """What a client was sent so far, and so in which way it can be told that no more will come."""

    def __init__(self, send: Send, on_endless: Callable[[], None] | None = None) -> None:
        """`on_endless` is called when an event stream begins."""
        self._send = send
        self._on_endless = on_endless
        self._is_open = False
        self._is_endless = False
        self._is_over = False

    async def send(self, message: Message) -> None:
        match message["type"]:
            case "websocket.accept":
                self._is_open = True
            case "http.response.start" if _is_event_stream(message):
                self._is_endless = True
                if self._on_endless is not None:
                    self._on_endless()
            case "websocket.close":
                self._is_over = True
            case "http.response.body" | "websocket.http.response.body":
                self._is_over = not message.get("more_body", False)
        await self._send(message)

    async def end_early(self, reason: str, problem: Problem) -> None:
        """A stream of events just ends: whoever asks again learns why.  All else must not look as if it were whole.

        Raises `problem`, of which the outermost layer makes an answer where nothing was sent, and breaks off what was.
        """
        if self._is_over:
            return
        if self._is_open:
            last: Message = {"type": "websocket.close", "code": CLOSE_CODE, "reason": reason}
        elif self._is_endless:
            last = {"type": "http.response.body", "body": b"", "more_body": False}
        else:
            raise problem
        with anyio.move_on_after(_LAST_SECONDS) as telling:
            await self._send(last)
        if telling.cancelled_caught and not self._is_open:
            raise problem


def _is_event_stream(start: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in start.get("headers", ())
    )
