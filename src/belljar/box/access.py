"""Which role a request to a box needs at least.  One table, asked by the guard before anything is routed."""

from starlette.types import Scope

from belljar.asgi.guard import PROBES
from belljar.tokens import Role

# The viewer page holds nothing secret; signing in is what it is for.
OPEN_PATHS = PROBES | {
    "/",
    "/view",
    "/view/session",
    "/view/style.css",
    "/view/main.js",
    "/view/connection.js",
    "/view/input.js",
    "/view/picture.js",
    "/view/panels.js",
}

# What a person who may only watch may read.  Cookies, requests' headers, files and program output are not among it:
# they hold secrets that the screen does not show.
_WATCHING = frozenset(
    {
        "/health",
        "/metrics",
        "/openapi.json",
        "/v1/browser/console",
        "/v1/browser/content",
        "/v1/browser/dialog",
        "/v1/browser/elements",
        "/v1/browser/links",
        "/v1/browser/markdown",
        "/v1/browser/screenshot",
        "/v1/browser/snapshot",
        "/v1/browser/status",
        "/v1/browser/tabs",
        "/v1/browser/text",
        "/v1/control",
        "/v1/desktop/display/info",
        "/v1/desktop/mouse/position",
        "/v1/desktop/screenshot",
        "/v1/desktop/screenshot/region",
        "/v1/desktop/status",
        "/v1/desktop/windows",
        "/v1/desktop/windows/focused",
        "/v1/health",
    }
)
# Carries calls that are judged one by one, each for itself.
_JUDGED_WITHIN = frozenset({"/mcp"})
_WATCHING_SOCKETS = frozenset({"/v1/live", "/ws"})


def role_needed(scope: Scope) -> Role:
    """`view` for what is listed, `drive` for all else, new endpoints included.

    What only the operator may do asks for it in its route (`TheOperator`).
    """
    if scope["type"] == "websocket":
        return Role.VIEW if scope["path"] in _WATCHING_SOCKETS else Role.DRIVE
    is_reading = scope["method"] in ("GET", "HEAD") and scope["path"] in _WATCHING
    return Role.VIEW if is_reading or scope["path"] in _JUDGED_WITHIN else Role.DRIVE
