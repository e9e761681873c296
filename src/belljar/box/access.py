"""Which role a request to a box needs at least: asked by the guard before anything is routed.

Whoever may only watch reads what a person before the screen could see.  What each route tells is said in one table,
by kind; a route that is not in it, and a kind that is not granted, need `drive`.
"""

from collections.abc import Mapping
from enum import Enum
from urllib.parse import parse_qsl

from starlette.types import Scope

from belljar.asgi.guard import PROBES
from belljar.tokens import Role
from belljar.wire.live import EventName

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


class Kind(Enum):
    """What a route or an event tells."""

    STATE = "how the box, its browser and its desktop are"
    PIXELS = "what the screen or a page looks like now"
    TEXT = "what can be read there: words, titles, tabs and their addresses, dialogs, windows"
    MARKUP = "what a page is made of: HTML, addresses of links, what is hidden, anything found by a selector"
    CONSOLE = "what a page's scripts log"
    HEADERS = "requests and responses, with their headers and bodies"
    STORAGE = "cookies, local storage and saved profiles"
    CLIPBOARD = "what was copied"
    FILES = "files, downloads and films"
    PROGRAMS = "processes, what they write, and what they tell a screen reader"
    EGRESS = "where the box connects to, and where it may"
    HISTORY = "what happened earlier, and crawls, whose pages nobody sees"
    CDP = "the way to everything"


# What the role `view` may be told.
VIEW_KINDS = frozenset({Kind.STATE, Kind.PIXELS, Kind.TEXT})

# Every `GET` there is.
KINDS: Mapping[str, Kind] = {
    "/api/download/{path}": Kind.FILES,
    "/health": Kind.STATE,
    "/healthz": Kind.STATE,
    "/metrics": Kind.STATE,
    "/openapi.json": Kind.STATE,
    "/readyz": Kind.STATE,
    "/v1/browser/cdp": Kind.CDP,
    "/v1/browser/cdp/json/list": Kind.CDP,
    "/v1/browser/cdp/json/version": Kind.CDP,
    "/v1/browser/console": Kind.CONSOLE,
    "/v1/browser/content": Kind.MARKUP,
    "/v1/browser/contexts": Kind.STORAGE,
    "/v1/browser/cookies": Kind.STORAGE,
    "/v1/browser/crawls": Kind.HISTORY,
    "/v1/browser/crawls/{id}": Kind.HISTORY,
    "/v1/browser/crawls/{id}/events": Kind.HISTORY,
    "/v1/browser/dialog": Kind.TEXT,
    "/v1/browser/downloads": Kind.FILES,
    "/v1/browser/downloads/{download_id}": Kind.FILES,
    "/v1/browser/elements": Kind.TEXT,
    "/v1/browser/events": Kind.HISTORY,
    "/v1/browser/links": Kind.MARKUP,
    "/v1/browser/markdown": Kind.MARKUP,
    "/v1/browser/network": Kind.HEADERS,
    "/v1/browser/network/{id}/body": Kind.HEADERS,
    "/v1/browser/partitions": Kind.STORAGE,
    "/v1/browser/pdf": Kind.MARKUP,
    "/v1/browser/screenshot": Kind.PIXELS,
    "/v1/browser/snapshot": Kind.TEXT,
    "/v1/browser/status": Kind.STATE,
    "/v1/browser/storage": Kind.STORAGE,
    "/v1/browser/tabs": Kind.TEXT,
    "/v1/browser/text": Kind.TEXT,
    "/v1/control": Kind.STATE,
    "/v1/desktop/accessibility": Kind.PROGRAMS,
    "/v1/desktop/clipboard": Kind.CLIPBOARD,
    "/v1/desktop/display/info": Kind.STATE,
    "/v1/desktop/mouse/position": Kind.STATE,
    "/v1/desktop/recordings": Kind.FILES,
    "/v1/desktop/recordings/{id}": Kind.FILES,
    "/v1/desktop/recordings/{id}/download": Kind.FILES,
    "/v1/desktop/screenshot": Kind.PIXELS,
    "/v1/desktop/screenshot/region": Kind.PIXELS,
    "/v1/desktop/status": Kind.STATE,
    "/v1/desktop/stream/signaling": Kind.CDP,
    "/v1/desktop/stream/status": Kind.STATE,
    "/v1/desktop/windows": Kind.TEXT,
    "/v1/desktop/windows/focused": Kind.TEXT,
    "/v1/egress/log": Kind.EGRESS,
    "/v1/egress/policy": Kind.EGRESS,
    "/v1/egress/suggestion": Kind.EGRESS,
    "/v1/fs/entries": Kind.FILES,
    "/v1/fs/file": Kind.FILES,
    "/v1/fs/stat": Kind.FILES,
    "/v1/health": Kind.STATE,
    "/v1/processes": Kind.PROGRAMS,
    "/v1/processes/config": Kind.PROGRAMS,
    "/v1/processes/{id}": Kind.PROGRAMS,
    "/v1/processes/{id}/logs": Kind.PROGRAMS,
    "/v1/processes/{id}/terminal/ws": Kind.PROGRAMS,
}

# What viewers are told over the live socket, beside frames.
EVENT_KINDS: Mapping[EventName, Kind] = {
    EventName.READY: Kind.TEXT,
    EventName.NAVIGATED: Kind.TEXT,
    EventName.CONSOLE: Kind.CONSOLE,
    EventName.ERROR: Kind.STATE,
    EventName.TABS: Kind.TEXT,
    EventName.DIALOG: Kind.TEXT,
    # Its name and state, which Chromium shows too; not the file.
    EventName.DOWNLOAD: Kind.TEXT,
    EventName.CONTROL: Kind.STATE,
    EventName.STATS: Kind.STATE,
}

# Carries calls that are judged one by one, each for itself.
_JUDGED_WITHIN = frozenset({"/mcp"})
_WATCHING_SOCKETS = frozenset({"/v1/live", "/ws"})


def kind_of(path: str, query: str = "") -> Kind | None:
    """What a `GET` of `path` tells; None where nobody has said so."""
    kind = KINDS.get(path)
    if kind in (Kind.PIXELS, Kind.TEXT) and query and _reaches_into_the_page(query):
        return Kind.MARKUP
    return kind


def _reaches_into_the_page(query: str) -> bool:
    """A selector finds what is hidden, and whether it is found tells attributes letter by letter; so does a frame's."""
    return any(
        name in ("selector", "frame") or (name == "urls" and value != "false")
        for name, value in parse_qsl(query, keep_blank_values=True)
    )


def may_be_told(role: Role, kind: Kind | None) -> bool:
    """Whether somebody in this role may be told what is of this kind; what nobody has placed is for those who drive."""
    return role >= Role.DRIVE or kind in VIEW_KINDS


def role_needed(scope: Scope) -> Role:
    """`view` for what it may be told, `drive` for all else, new endpoints included.

    What only the operator may do asks for it in its route (`TheOperator`).
    """
    if scope["type"] == "websocket":
        return Role.VIEW if scope["path"] in _WATCHING_SOCKETS else Role.DRIVE
    if scope["path"] in _JUDGED_WITHIN:
        return Role.VIEW
    is_reading = scope["method"] in ("GET", "HEAD")
    kind = kind_of(scope["path"], scope["query_string"].decode("latin-1")) if is_reading else None
    return Role.VIEW if may_be_told(Role.VIEW, kind) else Role.DRIVE
