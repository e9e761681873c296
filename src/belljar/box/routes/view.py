"""The viewer page.  It holds nothing secret, so it needs no token; what it shows comes over the live WebSocket."""

from collections.abc import Callable, Coroutine
from importlib.resources import files
from typing import Any

import anyio
from fastapi import APIRouter
from starlette.responses import Response

router = APIRouter(include_in_schema=False)

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}


ASSETS = ("style.css", "main.js", "connection.js", "input.js", "picture.js", "panels.js")


def _serving(name: str) -> Callable[[], Coroutine[Any, Any, Response]]:
    """An endpoint for one file: no path that a client sends is ever joined to a folder."""
    kind = _KINDS[name.rpartition(".")[2]]

    async def serve() -> Response:
        content = await anyio.to_thread.run_sync(files("belljar.box").joinpath("view", name).read_bytes)
        return Response(content, headers=_HEADERS, media_type=kind)

    return serve


router.add_api_route("/view", _serving("index.html"), methods=["GET"])
for _name in ASSETS:
    router.add_api_route(f"/view/{_name}", _serving(_name), methods=["GET"])
