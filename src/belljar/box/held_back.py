"""Agents' requests that would change the page or the desktop are held back while a person holds control.

One place for REST and for everything that goes through it, MCP included: no route has to remember.
"""

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from belljar.asgi.answers import answer
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

# These change neither what the person sees nor what they work on.  A crawl has pages of its own; `scrape` reads, and
# asks for control itself before it goes anywhere.
_HARMLESS = frozenset(
    {
        "/v1/browser/contexts",
        "/v1/browser/crawl",
        "/v1/browser/crawls",
        "/v1/browser/scrape",
        "/v1/browser/wait",
        "/v1/desktop/recording/start",
        "/v1/desktop/recording/stop",
        "/v1/desktop/stream/start",
        "/v1/desktop/stream/stop",
    }
)
_HARMLESS_BELOW = (
    "/v1/browser/contexts/",
    "/v1/browser/crawls/",
    "/v1/browser/downloads/",
    "/v1/desktop/recordings/",
)


def needs_control(method: str, path: str) -> bool:
    """Whether a request can change the page or the desktop; new endpoints are taken to."""
    if method in SAFE_METHODS or not path.startswith(("/v1/browser/", "/v1/desktop/")):
        return False
    return path not in _HARMLESS and not path.startswith(_HARMLESS_BELOW)


class HeldBack:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and needs_control(scope["method"], scope["path"]):
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
