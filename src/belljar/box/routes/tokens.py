"""Tokens for others, and signing in with a browser."""

import secrets
import time
from datetime import UTC, datetime
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router, json_of
from belljar.asgi.signature import Query
from belljar.box.parts import TheBox, TheCaller, TheOperator
from belljar.box.people import LINK_SECONDS
from belljar.problems import Forbidden
from belljar.tokens import cookie_name
from belljar.wire.base import Ok
from belljar.wire.tokens import COOKIE_PATH, MakeLink, MintedToken, MintToken, SignedIn, SignIn, ViewLink

router = Router(tags=["tokens"], acts=False)


@router.post("/v1/tokens", operation_id="createToken", responses=problems(Forbidden))
async def mint(body: MintToken, request: Request, box: TheBox, _: TheOperator) -> MintedToken:
    """Sign a token for somebody else, to drive or only to watch, and a one-time link that opens the viewer page."""
    name = body.name or f"{body.role}-{secrets.token_hex(3)}"
    token, said = box.keys.mint(body.role, name, body.ttl)
    ticket = box.people.make_ticket(body.role, name, until=said.expires_at)
    return MintedToken(
        id=said.id,
        token=token,
        role=said.role,
        name=name,
        expires_at=datetime.fromtimestamp(said.expires_at, UTC),
        link=f"{str(request.base_url).rstrip('/')}/view#ticket={ticket}",
    )


@router.post("/v1/live/links", operation_id="createLiveLink")
async def make_link(body: MakeLink, request: Request, box: TheBox, caller: TheCaller) -> ViewLink:
    """A one-time link that opens the viewer page, for a person to watch or to take over from whoever asks."""
    name = f"{body.role}-{secrets.token_hex(3)}"
    ticket = box.people.make_ticket(body.role, name, until=caller.expires_at or 0)
    return ViewLink(
        link=f"{str(request.base_url).rstrip('/')}/view#ticket={ticket}",
        role=body.role,
        expires_at=datetime.fromtimestamp(time.time() + LINK_SECONDS, UTC),
    )


@router.post(
    "/view/session", operation_id="signInToView", is_open=True, response_model=SignedIn, openapi_extra={"security": []}
)
async def sign_in(body: SignIn, request: Request, box: TheBox) -> Response:
    """Exchange a one-time link's ticket, or a token, for the cookie that the viewer page and its WebSocket use."""
    value, said = box.people.sign_in(body)
    expires_at = datetime.fromtimestamp(said.expires_at, UTC)
    response = json_of(SignedIn(role=said.role, name=said.user_id, expires_at=expires_at))
    _set_cookie(request, response, box, value, body.path, round(said.expires_at - time.time()))
    response.headers["cache-control"] = "no-store"
    return response


@router.delete(
    "/view/session", operation_id="signOutOfView", is_open=True, response_model=Ok, openapi_extra={"security": []}
)
async def sign_out(
    request: Request, box: TheBox, path: Annotated[str, Query(pattern=f"^(?:{COOKIE_PATH})?$", max_length=512)] = ""
) -> Response:
    """Forget the cookie in this browser."""
    response = json_of(Ok())
    _set_cookie(request, response, box, "", path, 0)
    return response


def _set_cookie(request: Request, response: Response, box: TheBox, value: str, path: str | None, age: int) -> None:
    # TLS may end at a proxy before us: the browser knows, and says so in its Origin.
    is_secure = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
    own = request.scope.get("root_path", "")
    response.set_cookie(
        cookie_name(box.settings.box_id),
        value,
        max_age=age,
        path=f"{own}/" if own else path or "/",
        secure=is_secure,
        httponly=True,
        samesite="strict",
    )
