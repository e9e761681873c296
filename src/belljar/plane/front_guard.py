"""Before everything else: Host, Origin and size for all; for the API a key, a browser's cookie, or an app's token."""

from collections.abc import Collection
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from belljar.plane.access.credentials import COOKIE
from belljar.plane.access.sign_ins import ACCESS_PREFIX
from belljar.plane.gateway.authorize import is_from_app
from belljar.plane.gateway.gateway import PREFIX
from belljar.plane.parts import Plane
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.sessions.states import LIVE
from belljar.problems import Forbidden, TokenInvalid
from belljar.server.application import Application, MountRoute
from belljar.server.guard import (
    Answer,
    check_host,
    check_length,
    check_origin,
    cookie_token,
    credential_over,
    limited,
    serve_until,
)
from belljar.server.requests import RequestHeaders
from belljar.server.router import facts_of
from belljar.wire.sessions import TokenRole

_CREATE = ("POST", "/api/sessions")
# What our tools ask for to find an app its session; all else goes to the session itself.
_FOR_APPS = frozenset({_CREATE, ("GET", "/api/sessions"), ("GET", "/api/me")})


@dataclass(frozen=True)
class FrontGuardRules:
    allowed_hosts: Collection[str] | None
    allowed_origins: Collection[str]
    max_body: int


class FrontGuard:
    """Sends what is for boxes to the gateway, which judges by itself, and the rest to the API."""

    def __init__(self, api: Application, rules: FrontGuardRules) -> None:
        self._api = api
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Problems are raised: the outermost layer answers with them where nothing was sent yet."""
        if scope["type"] not in ("http", "websocket"):
            await self._api(scope, receive, send)
            return
        headers = RequestHeaders(scope)
        check_host(headers, self._rules.allowed_hosts)
        check_origin(headers, self._rules.allowed_origins)
        if scope["path"].startswith(PREFIX):
            await _control(scope).gateway(scope, receive, send)
            return
        self._api.find(scope)
        check_length(headers, self._rules.max_body)
        if scope["type"] == "http":
            receive = limited(receive, self._rules.max_body)
        if facts_of(scope).is_open:
            await self._api(scope, receive, send)
            return
        control = _control(scope)
        key, expires_at = await _key(scope, headers, control)
        scope["state"]["key"] = key
        if (row := await _elsewhere(scope, key)) is not None:
            await control.gateway.neighbours.carry(scope, receive, send, row)
            return
        answer = Answer(send)
        with control.sign_ins.serving(key.sign_in_id) as serving:
            await serve_until(expires_at, self._api, scope, receive, answer.send)
        if serving.is_cut:
            await answer.end_early("credential over: revoked", credential_over("revoked"))


def _control(scope: Scope) -> Plane:
    control: Plane = scope["state"]["control"]
    return control


async def _elsewhere(scope: Scope, key: KeyRow) -> SessionRow | None:
    """The session, when a request needs its own box and that is not here."""
    if not facts_of(scope).is_on_its_host:
        return None
    control = _control(scope)
    entry = await control.directory.get(scope["path_params"]["id"])
    if entry is None or not (key.is_admin or key.user_id == entry.row.user_id):
        return None
    row = entry.row
    if row.place == control.launcher.place or await _is_stored(scope, control, row):
        return None
    return row


async def _is_stored(scope: Scope, control: Plane, row: SessionRow) -> bool:
    """Whether what the session left can be read here, though its own host may be gone."""
    is_over = row.state not in LIVE and row.box_id is not None
    return is_over and scope["method"] == "GET" and await control.artifacts.is_stored(row.box_id or "")


async def _key(scope: Scope, headers: Headers, control: Plane) -> tuple[KeyRow, float | None]:
    """Whose request it is, and when what they came with ends by itself."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    given = given.strip()
    if scheme.lower() == "bearer":
        if given.startswith(ACCESS_PREFIX):
            return await _app(scope, given, control)
        if (row := await control.credentials.judge_key(given)) is not None:
            return row, None
    elif cookie := cookie_token(scope, headers, COOKIE):
        judged = await control.sign_ins.judge_cookie(cookie) or await control.credentials.judge_cookie(cookie)
        if judged is not None:
            return judged
    raise _refusal(scope, control, is_given=bool(given))


async def _app(scope: Scope, token: str, control: Plane) -> tuple[KeyRow, float]:
    """An app's token: for `/mcp`, and for what our tools ask there on its behalf."""
    judged = await control.sign_ins.judge_app(token, control.addresses.of(scope).mcp)
    is_mcp = isinstance(scope.get("route"), MountRoute)
    if judged is None or not (is_mcp or is_from_app(scope, token)):
        raise _refusal(scope, control, is_given=True)
    row, _ = judged
    if not is_mcp:
        asked = (scope["method"], scope["path"])
        if asked not in _FOR_APPS:
            raise Forbidden("An app may use sessions over MCP, and ask for nothing else.")
        if asked == _CREATE and row.app_role is TokenRole.VIEW:
            raise Forbidden("This app may watch your sessions, and start none: start one, or let it in anew to drive.")
    return judged


def _refusal(scope: Scope, control: Plane, *, is_given: bool) -> TokenInvalid:
    """Over MCP it says where an app may get a token (RFC 9728)."""
    refused = TokenInvalid()
    if isinstance(scope.get("route"), MountRoute) and not control.settings.no_mcp_oauth:
        at = control.addresses.of(scope).http
        said = (
            f'Bearer realm="belljar", resource_metadata="{at}/.well-known/oauth-protected-resource/mcp", scope="drive"'
        )
        refused.headers = {"WWW-Authenticate": said + (', error="invalid_token"' if is_given else "")}
    return refused
