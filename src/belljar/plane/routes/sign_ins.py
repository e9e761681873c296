"""`/sign-in`: how a person's browser gets in, and out; `/api/sign-ins`: where people are signed in, and its end."""

import re
from typing import Annotated

from pydantic import Field
from starlette.requests import Request, cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response

from belljar.logs import log
from belljar.plane.access.apps import place_of
from belljar.plane.access.credentials import COOKIE
from belljar.plane.access.oidc import FLOW_SECONDS, Provider, flow_name
from belljar.plane.access.secrets import digest
from belljar.plane.claims import Refused
from belljar.plane.parts import Plane, TheControl, TheKey
from belljar.plane.registry import KeyRow, NameTaken, OriginRevoked, SignInRow, TicketUse
from belljar.plane.views import time_at
from belljar.problems import Forbidden, NotFound, TokenInvalid, UnknownPath
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.access import PersonSignIn, SignInKind, SignInList, SignInVia
from belljar.wire.base import Model, Ok

router = Router(prefix="/api/sign-ins", tags=["sign-ins"])
pages = Router(include_in_schema=False, is_open=True)

_CALLBACK = "/sign-in/oidc/callback"
# A path of this server, below its prefix: no second slash or backslash that would make a host of what follows.
_OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,4000}")


@router.get("", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_sign_ins(
    control: TheControl,
    key: TheKey,
    user: Annotated[str | None, Query(max_length=64, description="Whose; an admin sees everyone's without it.")] = None,
    kind: Annotated[SignInKind | None, Query(description="Browsers or apps alone.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> SignInList:
    """Browsers in which you are signed in, and apps that you let in; an admin sees everyone's."""
    if not key.is_admin and user not in (None, key.user_id):
        raise Forbidden("Only an admin may see where others are signed in.")
    rows = await control.registry.sign_ins.list(user if key.is_admin else key.user_id, kind, limit)
    return SignInList(sign_ins=[_view(row, key) for row in rows])


@router.delete("/{id}", responses=problems(NotFound))
async def end_sign_in(id: str, control: TheControl, key: TheKey) -> Ok:
    """Sign a browser out, or shut an app out, and close what they opened.  Twice is fine."""
    row = await control.registry.sign_ins.get(id)
    if row is None or not (key.is_admin or row.user_id == key.user_id):
        raise NotFound("sign-in", id)
    await control.sign_ins.end(id, actor=key.user_id)
    return Ok()


class SignInByKey(Model):
    key: str = Field(max_length=512)


@pages.get("/sign-in")
async def sign_in_by_link(
    request: Request, control: TheControl, ticket: Annotated[str, Query(max_length=256)]
) -> Response:
    """A link that was printed at the start becomes a cookie, once."""
    home = control.addresses.of(request.scope).prefix + "/"
    hashed = digest(ticket)
    row = await control.registry.tokens.ticket(hashed)
    key = None
    if row is not None and row.use is TicketUse.DASHBOARD and await control.registry.tokens.spend(hashed):
        key = await control.registry.keys.get(row.key_id or "")
    if key is None:
        if "text/html" in request.headers.get("accept", ""):
            # A person: signed in already by the same link, or to be told on the page that asks for a key.
            return RedirectResponse(f"{home}#used", 303, headers={"cache-control": "no-store"})
        raise TokenInvalid("this link was used already, or its time has passed")
    return await _signed_in(RedirectResponse(home, 303), request, control, key, SignInVia.LINK)


@pages.post("/sign-in")
async def sign_in_by_key(body: SignInByKey, request: Request, control: TheControl) -> Response:
    """A pasted key becomes a cookie."""
    row = await control.credentials.judge_key(body.key.strip())
    if row is None:
        raise TokenInvalid()
    return await _signed_in(JSONResponse({"ok": True}), request, control, row, SignInVia.KEY)


@pages.delete("/sign-in")
async def sign_out(request: Request, control: TheControl) -> Response:
    """End this browser's sign-in with all that it opened; says where the provider ends its own, if there is one."""
    end_at = None
    if (row := await control.sign_ins.browser(_cookie(request, COOKIE))) is not None:
        await control.sign_ins.end(row.id, actor=row.user_id, why="signed out")
        if row.via is SignInVia.OIDC and control.provider is not None:
            home = control.addresses.of(request.scope).http + "/"
            end_at = await control.provider.end_address(row.id_token, home)
    response = JSONResponse({"ok": True, "endAt": end_at})
    return _with_cookie(response, request, control, COOKIE, "", 0)


@pages.get("/sign-in/ways")
async def ways(control: TheControl) -> Response:
    """What the page that asks somebody to sign in may offer."""
    provider = None if control.provider is None else {"name": control.provider.settings.label}
    return JSONResponse({"provider": provider}, headers={"cache-control": "no-store"})


@pages.get("/sign-in/oidc")
async def begin_at_provider(
    request: Request, control: TheControl, to: Annotated[str, Query(max_length=4096)] = "/"
) -> Response:
    """Send the browser to the provider; `to` is where in the app it goes afterwards."""
    provider = _provider(control)
    public = control.addresses.of(request.scope)
    try:
        address, name, flow = await provider.begin(public.http + _CALLBACK, to if _OWN_PATH.fullmatch(to) else "/")
    except Refused as refused:
        return _told(request, control, refused)
    response = RedirectResponse(address, 303)
    return _with_cookie(response, request, control, name, flow, FLOW_SECONDS, is_flow=True)


@pages.get(_CALLBACK)
async def come_back_from_provider(
    request: Request,
    control: TheControl,
    state: Annotated[str, Query(max_length=256)] = "",
    code: Annotated[str, Query(max_length=8192)] = "",
    error: Annotated[str, Query(max_length=256)] = "",
    iss: Annotated[str | None, Query(max_length=2048)] = None,
) -> Response:
    """The provider's answer becomes a cookie, in the browser that asked for it."""
    provider = _provider(control)
    public = control.addresses.of(request.scope)
    name = flow_name(state)
    try:
        flow = provider.flow(_cookie(request, name), state)
        if error or not code:
            raise Refused("not_signed_in", "the provider signed nobody in")
        person = await provider.finish(flow, code, public.http + _CALLBACK, iss)
        key = await control.registry.keys.put_person(
            person.key_id, person.wanted, may_share_name=provider.settings.may_share_names
        )
        response: Response = RedirectResponse(public.prefix + flow.to, 303)
        response = await _signed_in(response, request, control, key, SignInVia.OIDC, person.id_token)
    except Refused as refused:
        response = _told(request, control, refused)
    except NameTaken:
        response = _told(request, control, Refused("name_taken", "a user has the name that the provider says"))
    except (OriginRevoked, TokenInvalid):
        response = _told(request, control, Refused("shut_out", "the operator has shut this person out"))
    return _with_cookie(response, request, control, name, "", 0, is_flow=True)


def _provider(control: Plane) -> Provider:
    if control.provider is None:
        raise UnknownPath("endpoint not found")
    return control.provider


def _told(request: Request, control: Plane, refused: Refused) -> Response:
    """The page says why, in its own words; the log, which has no names, says it in ours."""
    log.warning("oidc.refused", code=refused.code, detail=str(refused))
    home = control.addresses.of(request.scope).prefix + "/"
    return RedirectResponse(f"{home}#refused={refused.code}", 303, headers={"cache-control": "no-store"})


async def _signed_in(
    response: Response, request: Request, control: Plane, key: KeyRow, via: SignInVia, id_token: str | None = None
) -> Response:
    name = browser_name(request.headers.get("user-agent", ""))
    address = control.addresses.client(request.scope) or ""
    # Whoever signs in anew leaves nothing of before behind.
    if (before := await control.sign_ins.browser(_cookie(request, COOKIE))) is not None:
        await control.sign_ins.end(before.id, actor=before.user_id, why="signed in anew")
    cookie, row = await control.sign_ins.sign_in(key, via, name=name, address=address, id_token=id_token)
    return _with_cookie(response, request, control, COOKIE, cookie, round(row.expires_at - row.created_at))


def _with_cookie(
    response: Response,
    request: Request,
    control: Plane,
    name: str,
    value: str,
    seconds: int,
    *,
    is_flow: bool = False,
) -> Response:
    """One that comes back with a redirect from the provider's site must be lax; what it opens is nothing."""
    public = control.addresses.of(request.scope)
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=public.prefix + (_CALLBACK if is_flow else "/"),
        secure=public.scheme == "https",
        httponly=True,
        samesite="lax" if is_flow else "strict",
    )
    response.headers["cache-control"] = "no-store"
    return response


def _cookie(request: Request, name: str) -> str:
    return cookie_parser(request.headers.get("cookie", "")).get(name, "")


def browser_name(agent: str) -> str:
    """What a person calls a browser and its system; the whole of what it said where it is another."""
    browsers = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
    systems = {
        "Android": "Android",
        "iPhone": "iPhone",
        "iPad": "iPad",
        "Windows": "Windows",
        "Mac OS": "macOS",
        "Linux": "Linux",
    }
    browser = next((name for sign, name in browsers.items() if sign in agent), "")
    system = next((name for sign, name in systems.items() if sign in agent), "")
    return f"{browser} on {system}" if browser and system else agent or "unknown"


def _view(row: SignInRow, key: KeyRow) -> PersonSignIn:
    return PersonSignIn(
        id=row.id,
        kind=row.kind,
        user=row.user_id,
        via=row.via,
        name=row.name,
        role=row.role,
        client_id=row.client_id,
        redirect_host=None if row.redirect_uri is None else place_of(row.redirect_uri),
        address=row.address,
        created_at=time_at(row.created_at),
        seen_at=time_at(row.seen_at),
        expires_at=time_at(row.expires_at),
        is_current=row.id == key.sign_in_id,
    )
