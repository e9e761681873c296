"""Commands of the live socket, run as the REST calls they are.

The routes say which are commands, and under which names: the same checks, the same waiting for a page's turn, the same
problems, and the same policy for `evaluate`.  Nothing can be done here that could not be done over HTTP.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

import anyio
import msgspec
from starlette.types import Message, Scope

from belljar.asgi.requests import internal_error
from belljar.asgi.router import Application, Route
from belljar.logs import log
from belljar.problems import InvalidRequest
from belljar.problems.live import UnknownMethod

Params = dict[str, Any]


@dataclass(frozen=True)
class Call:
    route: Route
    path: str
    body: Params | None = None
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return self.route.methods[0]


@dataclass(frozen=True)
class Answer:
    """`result` of a good answer, or the `error` of another: a problem, with `message`."""

    result: Any = None
    error: Params | None = None


def call_of(app: Application, method: str, params: Params) -> Call:
    """The REST call that a command is.  Raises `UnknownMethod`."""
    table = _table(app)
    if method not in table:
        raise UnknownMethod(f"There is no command of that name. Known are: {', '.join(sorted(table))}.")
    route, fixed = table[method]
    # Specification 3 names it so; REST has one name for it everywhere.
    timeout = {"timeout": params["timeoutMs"]} if "timeoutMs" in params else {}
    given = {name: value for name, value in params.items() if name != "timeoutMs"} | timeout | dict(fixed)
    if not route.is_fixed:
        return Call(route, _with_tab(route.path_format, given))
    if route.methods == ("GET",):
        return Call(route, route.path, query=_words(given))
    return Call(route, route.path, given)


@cache
def _table(app: Application) -> Mapping[str, tuple[Route, Mapping[str, Any]]]:
    """Each command by its name, as the routes have it."""
    return {name: (route, fixed) for route in app.routes for name, fixed in route.facts.live_commands.items()}


def _with_tab(path: str, params: Params) -> str:
    id = params.get("id", params.get("tabId"))
    if not isinstance(id, str) or not id:
        raise InvalidRequest("id: the command needs a tab's id.")
    return path.replace("{tab_id}", quote(id, safe=""))


def _words(params: Params) -> dict[str, str]:
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in params.items()}


async def run(app: Application, call: Call, around: Scope) -> Answer:
    """Ask our own application, on behalf of the connection whose scope is `around`."""
    body = b"" if call.body is None else msgspec.json.encode(call.body)
    path = call.path
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": call.method,
        "scheme": "https" if around["scheme"] == "wss" else "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": around.get("root_path", ""),
        "query_string": urlencode(call.query).encode(),
        "headers": [(b"host", _header(around, b"host")), (b"content-type", b"application/json")],
        "client": around.get("client"),
        "server": around.get("server"),
        "state": dict(around["state"]),
    }
    if body:
        scope["headers"].append((b"content-length", str(len(body)).encode()))
    exchange = _Exchange(body)
    try:
        await app(scope, exchange.receive, exchange.send)
    except Exception:  # a request's boundary
        log.exception("live.command_failed", path=path)
    return exchange.answer(around["state"]["request_id"])


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"localhost")


class _Exchange:
    """One request and what is answered to it."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self._status = 500
        self._kind = ""
        self._parts: list[bytes] = []

    async def receive(self) -> Message:
        body, self._body = self._body, None
        if body is None:
            # The one who asks is there as long as this runs.
            await anyio.sleep_forever()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._kind = dict(message["headers"]).get(b"content-type", b"").decode().partition(";")[0]
        elif message["type"] == "http.response.body":
            self._parts.append(message.get("body", b""))

    def answer(self, request_id: str) -> Answer:
        content = b"".join(self._parts)
        is_json = self._kind.endswith("json")
        if self._status < 400:
            if is_json or not content:
                return Answer(result=msgspec.json.decode(content) if content else None)
            return Answer(result={"format": self._kind.partition("/")[2], "data": b64encode(content).decode()})
        problem = msgspec.json.decode(content) if is_json else internal_error(request_id).body()
        return Answer(error=with_message(problem))


def with_message(problem: Params) -> Params:
    """Specification 3's `message`, beside the problem's own members."""
    return {"message": problem.get("detail") or problem["title"], **problem}
