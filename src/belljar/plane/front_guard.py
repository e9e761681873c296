"""Before everything else: Host, Origin and size for all; a key or the dashboard's cookie for the API."""

from collections.abc import Collection
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.plane.access.credentials import COOKIE, Credentials
from belljar.plane.gateway.gateway import PREFIX
from belljar.plane.parts import Plane
from belljar.plane.registry import KeyRow, SessionRow
from belljar.problems import TokenInvalid
from belljar.server.expiry import serve_until
from belljar.server.guard import check_host, check_length, check_origin, cookie_token, limited
from belljar.server.requests import RequestHeaders
from belljar.server.router import Application, facts_of


@dataclass(frozen=True)
class FrontGuardRules:
    allowed_hosts: Collection[str] | None
    allowed_origins: Collection[str]
    max_body: int


class FrontGuard:
    """Sends what is for boxes to the gateway, which judges by itself, and the rest to the API."""

    def __init__(self, api: ASGIApp, routes: Application, rules: FrontGuardRules) -> None:
        self._api = api
        self._routes = routes
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
        self._routes.find(scope)
        check_length(headers, self._rules.max_body)
        if scope["type"] == "http":
            receive = limited(receive, self._rules.max_body)
        expires_at: float | None = None
        if not facts_of(scope).is_open:
            key, expires_at = await _key(scope, headers, _control(scope).credentials)
            scope["state"]["key"] = key
            if (row := await _elsewhere(scope, key)) is not None:
                await _control(scope).gateway.neighbours.carry(scope, receive, send, row)
                return
        await serve_until(expires_at, self._api, scope, receive, send)


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
    return None if entry.row.place == control.launcher.place else entry.row


async def _key(scope: Scope, headers: Headers, credentials: Credentials) -> tuple[KeyRow, float | None]:
    """Whose request it is, and when what they came with ends by itself."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        if (row := await credentials.judge_key(given.strip())) is not None:
            return row, None
    elif cookie := cookie_token(scope, headers, COOKIE):
        if (judged := await credentials.judge_cookie(cookie)) is not None:
            return judged
    raise TokenInvalid()
