"""`GET /`: the web app."""

from starlette.requests import Request
from starlette.responses import Response

from belljar.plane.parts import TheControl
from belljar.server.router import Router
from belljar.server.web_app import asset, page

router = Router(include_in_schema=False, is_open=True)


@router.get("/")
@router.get("/profiles")
@router.get("/admin")
@router.get("/access")
async def app_page() -> Response:
    """The web app; which of its screens is in the address, and the page's own business."""
    return await page("plane", root="./", assets="./")


@router.get("/oauth/authorize")
@router.get("/admin/{section}")
async def app_page_below() -> Response:
    """The same, one folder down."""
    return await page("plane", root="../", assets="../")


@router.get("/sessions/{id}")
async def session_page(control: TheControl) -> Response:
    """The same with one session, the only screen that others may have in a frame: a token for that session opens it.

    The others take an API key, which no page of somebody else should ever have.
    """
    return await page("plane", root="../", assets="../", embedders=control.settings.embed_origins)


@router.get("/assets/{name}")
async def app_asset(name: str, request: Request) -> Response:
    return await asset(name, request)
