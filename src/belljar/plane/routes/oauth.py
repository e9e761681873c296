"""OAuth for `/mcp`: where apps learn of it, register, and get tokens; `/api/apps`: what a person is asked, and says."""

import base64
import binascii
from typing import Any
from urllib.parse import parse_qsl, unquote_plus

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from belljar.plane.access.apps import ACCESS_SECONDS, AUTH_METHODS, SCOPES, Apps, Refusal, Tokens, place_of
from belljar.plane.addresses import Public
from belljar.plane.parts import Plane, TheControl, TheKey
from belljar.plane.registry import ClientRow
from belljar.problems import Problem, UnknownPath
from belljar.problems.plane import AppRefused
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.wire.oauth import AppAnswer, AppConsent, AppQuestion, AppRequest
from belljar.wire.sessions import TokenRole

# Addresses, fields and errors are those of RFC 6749, 7009, 7591, 8414, 8707, 9207 and 9728.
router = Router(include_in_schema=False, is_open=True)
api_router = Router(prefix="/api/apps", tags=["sign-ins"])

_MOST_BODY = 16 * 1024
_FORM = "application/x-www-form-urlencoded"
_RESOURCE = "/.well-known/oauth-protected-resource"
_SERVER = "/.well-known/oauth-authorization-server"
# The same by the name that clients try where a server has a prefix and they cannot reach what is above it.
_SERVER_TOO = "/.well-known/openid-configuration"


@api_router.post("/question", operation_id="describeAppRequest", responses=problems(AppRefused))
async def describe_app_request(body: AppRequest, request: Request, control: TheControl, key: TheKey) -> AppQuestion:
    """What an app asks for, to be shown to the person who may let it in."""
    public = _public(control, request)
    try:
        client, roles = await control.apps.check(body, public)
    except Refusal as refusal:
        raise _as_problem(refusal) from None
    return AppQuestion(
        name=client.name,
        redirect_host=place_of(body.redirect_uri),
        roles=list(roles),
        asked=TokenRole.DRIVE if body.scope and TokenRole.DRIVE in roles else TokenRole.VIEW,
        resource=public.mcp,
        user=key.user_id,
    )


@api_router.post("/consent", operation_id="answerAppRequest", responses=problems(AppRefused))
async def answer_app_request(body: AppConsent, request: Request, control: TheControl, key: TheKey) -> AppAnswer:
    """Let an app in, to act for you over MCP, or do not; either way the browser goes back to it."""
    public = _public(control, request)
    address = control.addresses.client(request.scope) or ""
    try:
        if body.allow:
            return AppAnswer(redirect_to=await control.apps.allow(body, body.role, key, public, address))
        return AppAnswer(redirect_to=await control.apps.deny(body, public))
    except Refusal as refusal:
        raise _as_problem(refusal) from None


@router.get(_RESOURCE)
@router.get(_RESOURCE + "/{path:path}")
async def resource_metadata(request: Request, control: TheControl, path: str = "") -> Response:
    """Of the one resource there is, also where a client looks for it with the whole path of it (RFC 9728)."""
    public = _public(control, request)
    if f"/{path}".rstrip("/") not in ("", "/mcp", f"{public.prefix}/mcp"):
        raise UnknownPath("endpoint not found")
    return _said(
        {
            "resource": public.mcp,
            "authorization_servers": [public.http],
            "scopes_supported": list(SCOPES),
            "bearer_methods_supported": ["header"],
            "resource_name": "Belljar",
        }
    )


@router.get(_SERVER)
@router.get(_SERVER + "/{path:path}")
@router.get(_SERVER_TOO)
@router.get(_SERVER_TOO + "/{path:path}")
async def server_metadata(request: Request, control: TheControl, path: str = "") -> Response:
    """RFC 8414."""
    public = _public(control, request)
    # Some look for it by the resource's path.
    if f"/{path}".rstrip("/") not in ("", public.prefix, "/mcp", f"{public.prefix}/mcp"):
        raise UnknownPath("endpoint not found")
    return _said(
        {
            "issuer": public.http,
            "authorization_endpoint": f"{public.http}/oauth/authorize",
            "token_endpoint": f"{public.http}/oauth/token",
            "registration_endpoint": f"{public.http}/oauth/register",
            "revocation_endpoint": f"{public.http}/oauth/revoke",
            "scopes_supported": list(SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
            "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
            "authorization_response_iss_parameter_supported": True,
        }
    )


@router.post("/oauth/register")
async def register(request: Request, control: TheControl) -> Response:
    """An app registers itself."""
    _public(control, request)
    try:
        try:
            asked = msgspec.json.decode(await _body(request, "application/json"))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            raise Refusal("invalid_client_metadata", "Send a JSON object.")
        made = await control.apps.register(asked, control.addresses.client(request.scope) or "")
    except Refusal as refusal:
        return _refused(refusal)
    return _said(made.model_dump(mode="json", exclude_none=True), 201)


@router.post("/oauth/token")
async def token(request: Request, control: TheControl) -> Response:
    """A code or a refresh token becomes tokens, once."""
    _public(control, request)
    try:
        form = await _form(request)
        client = await _client(control.apps, request, form)
        match form.get("grant_type"):
            case "authorization_code":
                return _given(await control.apps.redeem(form, client))
            case "refresh_token":
                return _given(await control.apps.refresh(form, client))
        raise Refusal("unsupported_grant_type", "There are authorization_code and refresh_token.")
    except Refusal as refusal:
        return _refused(refusal)


@router.post("/oauth/revoke")
async def revoke(request: Request, control: TheControl) -> Response:
    """End what a token belongs to, and close what it opened."""
    _public(control, request)
    try:
        form = await _form(request)
        await control.apps.revoke(form.get("token", ""), await _client(control.apps, request, form))
    except Refusal as refusal:
        return _refused(refusal)
    return _said({})


def _public(control: Plane, request: Request) -> Public:
    """Where we are; nowhere for apps, where the operator wants none."""
    if control.settings.no_mcp_oauth:
        raise UnknownPath("endpoint not found")
    return control.addresses.of(request.scope)


async def _form(request: Request) -> dict[str, str]:
    """Its fields; one that is there twice could be read in two ways."""
    try:
        pairs = parse_qsl((await _body(request, _FORM)).decode("ascii"), keep_blank_values=True, max_num_fields=32)
    except ValueError:
        raise Refusal("invalid_request", "The form cannot be read.") from None
    form = dict(pairs)
    if len(form) < len(pairs):
        raise Refusal("invalid_request", "A field is there twice.")
    return form


async def _body(request: Request, kind: str) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise Refusal("invalid_request", f"Send {kind}.", 415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BODY:
            raise Refusal("invalid_request", "The request is too large.", 413)
    return bytes(body)


async def _client(apps: Apps, request: Request, form: dict[str, str]) -> ClientRow:
    """By the header or in the form, never both."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        secret = form.get("client_secret")
        method = "none" if secret is None else "client_secret_post"
        return await apps.authenticate(form.get("client_id", ""), secret, method)
    try:
        id, _, secret = base64.b64decode(given, validate=True).decode("ascii").partition(":")
    except (binascii.Error, UnicodeError):
        id, secret = "", ""
    if "client_secret" in form or form.get("client_id", unquote_plus(id)) != unquote_plus(id):
        raise Refusal("invalid_request", "The app says in two ways who it is.")
    return await apps.authenticate(unquote_plus(id), unquote_plus(secret), "client_secret_basic")


def _given(made: Tokens) -> Response:
    return _said(
        {
            "access_token": made.access,
            "token_type": "Bearer",
            "expires_in": int(ACCESS_SECONDS),
            "refresh_token": made.refresh,
            "scope": made.role,
        }
    )


def _said(body: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(body, status, headers={"Cache-Control": "no-store"})


def _as_problem(refusal: Refusal) -> Problem:
    return AppRefused(refusal.description, error=refusal.error)


def _refused(refusal: Refusal) -> Response:
    """OAuth's words, with a problem's beside them; its clients read no other media type."""
    body = {**_as_problem(refusal).body(), "status": refusal.status}
    body |= {"error": refusal.error, "error_description": refusal.description}
    headers = {"Cache-Control": "no-store"}
    if refusal.status == 401:
        headers["WWW-Authenticate"] = 'Basic realm="belljar"'
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return JSONResponse(body, refusal.status, headers=headers)
