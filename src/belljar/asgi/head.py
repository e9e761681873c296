"""HEAD wherever GET is: the same headers, no body."""

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        as_get = {**scope, "method": "GET"}
        answer = _HeadersOnly(receive, send)
        try:
            await self._app(as_get, answer.receive, answer.send)
        except (ClientDisconnect, OSError):
            if not answer.is_over:
                raise
        finally:
            scope["route"] = as_get.get("route")


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
