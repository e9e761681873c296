"""Agents' requests that would change the page or the desktop are held back while a person holds control.

One place for REST and for everything that goes through it, MCP included: no route has to remember.
"""

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.asgi.answers import answer
from belljar.asgi.facts import Facts, facts_of
from belljar.asgi.guard import SAFE_METHODS
from belljar.asgi.request_headers import RequestHeaders
from belljar.box.lease import AGENT, Lease, viewer, viewer_id
from belljar.limits import whole_number
from belljar.problems import InvalidRequest, Problem

# A caller that would rather wait than be refused says how many milliseconds, in this header or query parameter.
WAIT_HEADER = "belljar-control-wait"
WAIT_PARAMETER = "controlWait"
# A person's own tools bring the key of the viewer they belong to.
VIEWER_HEADER = "belljar-viewer"
MAX_WAIT_MS = 600_000


def needs_control(method: str, facts: Facts) -> bool:
    """Whether a request can change the page or the desktop; what is said of no route is taken to."""
    return facts.acts and method not in SAFE_METHODS


class HeldBack:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_known = scope["type"] == "http" and scope["route"] is not None
        if is_known and needs_control(scope["method"], facts_of(scope)):
            headers = RequestHeaders(scope)
            lease: Lease = scope["state"]["box"].lease
            named = viewer_id(headers.get(VIEWER_HEADER, ""), scope["state"]["caller"].id)
            who = viewer(named) if lease.is_present(named) else AGENT
            try:
                await lease.admit(who, wait=_wait(scope, headers))
            except Problem as problem:
                await answer(problem, scope, receive, send)
                return
        await self._app(scope, receive, send)


def _wait(scope: Scope, headers: Headers) -> float:
    """In seconds."""
    given = headers.get(WAIT_HEADER) or QueryParams(scope["query_string"]).get(WAIT_PARAMETER) or "0"
    wait = whole_number(given)
    if wait is None or wait > MAX_WAIT_MS:
        raise InvalidRequest(f"{WAIT_PARAMETER} must be a whole number of milliseconds up to {MAX_WAIT_MS}.")
    return wait / 1000
