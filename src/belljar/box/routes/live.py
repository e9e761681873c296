"""The live WebSocket, how the live view is, and the viewer page, which has nothing secret in it."""

import re
import secrets
from collections.abc import Callable, Coroutine, Sequence
from importlib.resources import files

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.websockets import WebSocket

from belljar import __version__
from belljar.box.access.lease import viewer_id
from belljar.box.live.input import PageInput, ScreenInput
from belljar.box.live.viewer import InputTarget, Viewer
from belljar.box.parts import TheBox
from belljar.server.router import AtGateway, Kind, Messages, Router
from belljar.server.web_app import asset, is_built, page
from belljar.tokens import Role
from belljar.wire.live import (
    BINARY_SUBPROTOCOL,
    EVENT_DATA,
    JSON_SUBPROTOCOL,
    ClientMessage,
    Glance,
    LiveHealth,
    LiveMode,
    ServerMessage,
)

router = Router(tags=["live"], acts=False)
_MESSAGES = Messages(ClientMessage, ServerMessage, EVENT_DATA, (JSON_SUBPROTOCOL, BINARY_SUBPROTOCOL))
# Of an address, a title or a dialog's words in a list.
_LONGEST_TOLD = 500
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")


_LIVE = AtGateway(ticket="live", brings_peers=True)


@router.websocket(
    "/v1/live",
    operation_id="connectLive",
    needs=Role.VIEW,
    counts_messages=False,
    last_words=2,
    gateway=_LIVE,
    messages=_MESSAGES,
)
@router.websocket("/ws", needs=Role.VIEW, counts_messages=False, last_words=2, gateway=_LIVE)
async def live(socket: WebSocket, box: TheBox, viewer: str = "") -> None:
    """Frames, input, commands and events over one WebSocket; the protocol is told in docs/reference/live.md."""
    is_good = _KEY.fullmatch(viewer) and not box.live.is_here(viewer_id(viewer, socket.state.caller.id))
    key = viewer if is_good else secrets.token_urlsafe(18)
    inputs: dict[LiveMode, InputTarget] = {
        LiveMode.BROWSER: PageInput(lambda: box.browser.active_page, box.browser.presses),
        LiveMode.DESKTOP: ScreenInput(box.desktop),
    }
    attending = Viewer(key, box.settings.box_id, socket, socket.app, box.live, box.streaming, inputs)
    await attending.attend(box.stopping, lambda: box.tenancy.reason)


@router.get("/health", operation_id="getLiveHealth", tells=Kind.STATE, counts=False, response_model_exclude_none=True)
async def health(box: TheBox) -> LiveHealth:
    """Whether the browser runs, when it was last seen and used, who watches, and how smoothly."""
    return box.live.health()


@router.get(
    "/v1/live/glance", operation_id="getLiveGlance", tells=Kind.TEXT, counts=False, response_model_exclude_none=True
)
async def glance(box: TheBox) -> Glance:
    """What is shown and who drives it, without a picture; asking for it is no use of a box."""
    control = box.lease.state()
    page = box.browser.active_page
    dialog = None if page is None else page.dialog
    return Glance(
        mode=box.live.source.mode,
        url=None if page is None else page.url[:_LONGEST_TOLD],
        title=None if page is None else page.title[:_LONGEST_TOLD],
        holder=control.holder,
        question=control.question,
        dialog=None if dialog is None else dialog.message[:_LONGEST_TOLD],
        viewers=box.live.viewers,
        seq=box.record.newest,
    )


view_router = Router(include_in_schema=False, acts=False, is_open=True)
_PAGE = AtGateway(is_page=True)

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


def _headers(embedders: Sequence[str] = ()) -> dict[str, str]:
    """Of the page and its parts; `embedders` are the origins beside our own that may show it in a frame."""
    ancestors = " ".join(["'self'", *embedders])
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; "
            "connect-src 'self'; "
            f"base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        "Cache-Control": "no-cache",
    }


# Filled in with the origins from which the page takes a token; they were checked to be nothing but origins.
_EMBEDDERS = '<meta name="belljar-embed-origins" content="{}">'
ASSETS = ("style.css", "main.js")


def _serving(name: str) -> Callable[[], Coroutine[object, object, Response]]:
    """An endpoint for one file: no path that a client sends is ever joined to a folder."""
    kind = _KINDS[name.rpartition(".")[2]]

    async def serve() -> Response:
        return Response(await _read(name), headers=_headers(), media_type=kind)

    return serve


async def _read(name: str) -> bytes:
    return await anyio.to_thread.run_sync(files("belljar.box").joinpath("view", name).read_bytes)


@view_router.get("/view", gateway=_PAGE)
async def view(box: TheBox) -> Response:
    """The page, which is told from whom it may take a token when it stands in a frame of another site."""
    embedders = box.settings.embed_origins
    page = (await _read("index.html")).replace(
        _EMBEDDERS.format("").encode(), _EMBEDDERS.format(" ".join(embedders)).encode()
    )
    return Response(page, headers=_headers(embedders), media_type=_KINDS["html"])


@view_router.get("/")
async def root(request: Request) -> Response:
    """What this is, for a program that knocks; a person's browser is led to the viewer page."""
    here = request.scope.get("root_path", "")
    if wants_page(request.headers.get("accept", "")):
        page = "ui/" if is_built() else "view"
        return RedirectResponse(f"{here}/{page}", status_code=303, headers={"Vary": "Accept"})
    about = {"name": "belljar", "version": __version__, "docs": f"{here}/openapi.json", "ui": f"{here}/ui/"}
    return JSONResponse(about, headers={"Vary": "Accept"})


def wants_page(accept: str) -> bool:
    """Whether it is a browser that asks: programs take anything, and do not name HTML."""
    return any(part.partition(";")[0].strip().lower() == "text/html" for part in accept.split(","))


@view_router.get("/ui", gateway=_PAGE)
async def app_folder(request: Request) -> Response:
    return RedirectResponse(f"{request.scope.get('root_path', '')}/ui/", status_code=308)


@view_router.get("/ui/", gateway=_PAGE)
async def app_page(box: TheBox) -> Response:
    """The web app, with this box as its only session."""
    return await page("box", root="../", assets="./", embedders=box.settings.embed_origins)


@view_router.get("/ui/assets/{name}", gateway=_PAGE)
async def app_asset(name: str, request: Request) -> Response:
    return await asset(name, request)


for _name in ASSETS:
    view_router.add(f"/view/{_name}", _serving(_name), "GET", gateway=_PAGE)
