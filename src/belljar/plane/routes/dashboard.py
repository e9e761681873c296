"""`GET /`: the web app, and how a person signs in to it."""

from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from belljar.plane.access.credentials import COOKIE, COOKIE_SECONDS
from belljar.plane.access.secrets import digest
from belljar.plane.parts import Plane, TheControl
from belljar.plane.registry import TicketUse
from belljar.problems import TokenInvalid
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.server.web_app import asset, page
from belljar.wire.base import Model

router = Router(include_in_schema=False, is_open=True)


class SignIn(Model):
    key: str = Field(max_length=512)


@router.get("/")
@router.get("/profiles")
@router.get("/admin")
async def app_page() -> Response:
    """The web app; which of its screens is in the address, and the page's own business."""
    return await page("plane", root="./", assets="./")


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


@router.get("/sign-in")
async def sign_in_by_link(
    request: Request, control: TheControl, ticket: Annotated[str, Query(max_length=256)]
) -> Response:
    """A link that was printed at the start becomes a cookie, once."""
    home = control.addresses.of(request.scope).prefix + "/"
    hashed = digest(ticket)
    row = await control.registry.tokens.ticket(hashed)
    if (
        row is None
        or row.use is not TicketUse.DASHBOARD
        or row.key_id is None
        or not await control.registry.tokens.spend(hashed)
    ):
        if "text/html" in request.headers.get("accept", ""):
            # A person: signed in already by the same link, or to be told on the page that asks for a key.
            return RedirectResponse(f"{home}#used", 303, headers={"cache-control": "no-store"})
        raise TokenInvalid("this link was used already, or its time has passed")
    response = RedirectResponse(home, 303)
    return _with_cookie(response, request, control, control.credentials.make_cookie(row.key_id))


@router.post("/sign-in")
async def sign_in(body: SignIn, request: Request, control: TheControl) -> Response:
    """A pasted key becomes a cookie."""
    row = await control.credentials.judge_key(body.key.strip())
    if row is None:
        raise TokenInvalid()
    return _with_cookie(JSONResponse({"ok": True}), request, control, control.credentials.make_cookie(row.id))


@router.delete("/sign-in")
async def sign_out(request: Request, control: TheControl) -> Response:
    """Forget the cookie in this browser."""
    return _with_cookie(JSONResponse({"ok": True}), request, control, "", seconds=0)


def _with_cookie(
    response: Response, request: Request, control: Plane, value: str, seconds: int = COOKIE_SECONDS
) -> Response:
    public = control.addresses.of(request.scope)
    response.set_cookie(
        COOKIE,
        value,
        max_age=seconds,
        path=public.prefix + "/",
        secure=public.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    response.headers["cache-control"] = "no-store"
    return response
