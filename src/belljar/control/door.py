"""Before everything else: Host, Origin and size for all; a key or the dashboard's cookie for the API."""

from collections.abc import Collection
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.asgi.answers import answer
from belljar.asgi.guard import PROBES, check_host, check_length, check_origin, cookie_token, limited
from belljar.control.credentials import Credentials
from belljar.control.gateway.gateway import PREFIX, Gateway
from belljar.control.registry import KeyRow
from belljar.problems import Problem, TokenInvalid

COOKIE = "belljar_control"
# Pages and the way to sign in; they hold nothing secret.
OPEN = frozenset({"/", "/dashboard.js", "/dashboard.css", "/sign-in"})


@dataclass(frozen=True)
class DoorRules:
    allowed_hosts: Collection[str] | None
    allowed_origins: Collection[str]
    max_body: int


class Door:
    """Sends what is for boxes to the gateway, which judges by itself, and the rest to the API."""

    def __init__(self, api: ASGIApp, rules: DoorRules) -> None:
        self._api = api
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._api(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            check_host(headers, self._rules.allowed_hosts)
            check_origin(headers, self._rules.allowed_origins)
            if scope["path"].startswith(PREFIX):
                gateway: Gateway = scope["state"]["control"].gateway
                await gateway(scope, receive, send)
                return
            check_length(headers, self._rules.max_body)
            if scope["path"] not in PROBES and scope["path"] not in OPEN:
                scope["state"]["key"] = await _key(scope, headers, scope["state"]["control"].credentials)
        except Problem as problem:
            if scope["path"].startswith(PREFIX):
                # The outermost layer knows whether anything was sent yet.
                raise
            await answer(problem, scope, receive, send)
            return
        if scope["type"] == "http":
            receive = limited(receive, self._rules.max_body)
        await self._api(scope, receive, send)


async def _key(scope: Scope, headers: Headers, credentials: Credentials) -> KeyRow:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        row = await credentials.judge_key(given.strip())
    elif cookie := cookie_token(scope, headers, COOKIE):
        row = await credentials.judge_cookie(cookie)
    else:
        row = None
    if row is None:
        raise TokenInvalid()
    return row
