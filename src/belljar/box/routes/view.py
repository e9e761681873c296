"""The viewer page and the way to it: nothing secret, so no token; what is shown comes over the live WebSocket."""

from collections.abc import Callable, Coroutine
from importlib.resources import files
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from belljar import __version__
from belljar.asgi.router import Router

router = Router(include_in_schema=False, acts=False, is_open=True)

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


@router.get("/")
async def root(request: Request) -> Response:
    """What this is, for a program that knocks; a person's browser is led to the viewer page."""
    here = request.scope.get("root_path", "")
    if wants_page(request.headers.get("accept", "")):
        return RedirectResponse(f"{here}/view", status_code=303, headers={"Vary": "Accept"})
    about = {"name": "belljar", "version": __version__, "docs": f"{here}/openapi.json", "ui": f"{here}/view"}
    return JSONResponse(about, headers={"Vary": "Accept"})


def wants_page(accept: str) -> bool:
    """Whether it is a browser that asks: programs take anything, and do not name HTML."""
    return any(part.partition(";")[0].strip().lower() == "text/html" for part in accept.split(","))


router.add("/view", _serving("index.html"), "GET")
for _name in ASSETS:
    router.add(f"/view/{_name}", _serving(_name), "GET")
