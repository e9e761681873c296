"""HEAD wherever GET is: the same headers, no body."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        is_over = False

        async def headers_only(message: Message) -> None:
            nonlocal is_over
            if message["type"] == "http.response.start":
                await send(message)
            elif not is_over:
                is_over = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def gone_once_over() -> Message:
            # A stream without an end stops when its client seems to have left.
            return {"type": "http.disconnect"} if is_over else await receive()

        as_get = {**scope, "method": "GET"}
        try:
            await self._app(as_get, gone_once_over, headers_only)
        finally:
            scope["route"] = as_get.get("route")
