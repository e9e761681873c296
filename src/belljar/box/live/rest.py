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

import msgspec
from starlette.types import Scope

from belljar.asgi.inprocess import InProcess
from belljar.asgi.requests import internal_error
from belljar.asgi.router import Application, Route
from belljar.logs import log
from belljar.problems import InvalidRequest
from belljar.problems.live import UnknownMethod

Params = dict[str, Any]

_JSON = ((b"content-type", b"application/json"),)


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
    content = b"" if call.body is None else msgspec.json.encode(call.body)
    try:
        reply = await InProcess(app, around).call(
            call.method, call.path, query=urlencode(call.query), headers=_JSON, content=content
        )
    except Exception:  # a request's boundary
        log.exception("live.command_failed", path=call.path)
        return Answer(error=with_message(internal_error(around["state"]["request_id"]).body()))
    is_json = reply.media_type.endswith("json")
    if reply.status >= 400:
        problem = (
            msgspec.json.decode(reply.content) if is_json else internal_error(around["state"]["request_id"]).body()
        )
        return Answer(error=with_message(problem))
    if is_json or not reply.content:
        return Answer(result=msgspec.json.decode(reply.content) if reply.content else None)
    picture = {"format": reply.media_type.partition("/")[2], "data": b64encode(reply.content).decode()}
    return Answer(result=picture)


def with_message(problem: Params) -> Params:
    """Specification 3's `message`, beside the problem's own members."""
    return {"message": problem.get("detail") or problem["title"], **problem}
