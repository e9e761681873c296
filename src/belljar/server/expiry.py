"""Event streams end when what their caller came with does: without this they would go on telling for ever."""

import time

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.problems import TokenInvalid

# For the end of a stream to reach a client; one that does not read is cut off.
_LAST_SECONDS = 1.0


async def serve_until(expires_at: float, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one HTTP request of a caller whose credential is good until `expires_at`, in seconds since 1970.

    Every answer but an event stream ends by itself, and is not cut short.
    """
    with anyio.CancelScope() as stream:

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_event_stream(message):
                stream.deadline = anyio.current_time() + expires_at - time.time()
            await send(message)

        await app(scope, receive, sent)
    if stream.cancelled_caught:
        with anyio.move_on_after(_LAST_SECONDS) as last:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        if last.cancelled_caught:
            raise TokenInvalid("the token's time passed while it was used")


def _is_event_stream(start: Message) -> bool:
    return any(
        name == b"content-type" and value.startswith(b"text/event-stream") for name, value in start.get("headers", ())
    )
