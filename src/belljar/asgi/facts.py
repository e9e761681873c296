"""What is said of a route for the layers around it: who may ask, what it tells, whether it acts, counts, takes files.

It stands in the route's own decorator, and every layer reads it from the route that a request was found to be for.
Unsaid means the strictest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from starlette.types import Scope

from belljar.tokens import Role


class Kind(Enum):
    """What a route or an event of a box tells."""

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


# What the role `view` may be told: what a person before the screen could see.
VIEW_KINDS = frozenset({Kind.STATE, Kind.PIXELS, Kind.TEXT})


def may_be_told(role: Role, kind: Kind | None) -> bool:
    """Whether somebody in this role may be told what is of this kind; what nobody has placed is for those who drive."""
    return role >= Role.DRIVE or kind in VIEW_KINDS


@dataclass(frozen=True)
class Messages:
    """What goes over a WebSocket as text, as models: what a client may send, and what it is sent."""

    client: Any
    server: Any
    # What an event of the server's carries, by its name.
    events: Mapping[str, Any] = field(default_factory=dict)
    subprotocols: tuple[str, ...] = ()


@dataclass(frozen=True)
class Facts:
    # For anybody, without a token: it tells nothing secret.
    is_open: bool = False
    # The least role, where it is not said by what a `GET` tells.
    needs: Role = Role.DRIVE
    tells: Kind | None = None
    # Whether it can change what a person works on, unless its method is a safe one: agents need control for it.
    acts: bool = True
    # Whether asking for it keeps a box or session from being idle, ...
    counts: bool = True
    # ... and if it is a WebSocket, whether every message does: otherwise it notes by itself which do.
    counts_messages: bool = True
    # Whether its body may be as large as an upload.
    takes_files: bool = False
    # Whether it can only be answered where the session's box is.
    is_on_its_host: bool = False
    # As which command of the live socket it can be run; where there are several, with which fields besides those given.
    live: str | Mapping[str, Mapping[str, Any]] = ""
    # What its server-sent events carry, by their name; `*` where any name can come.
    events: Mapping[str, Any] = field(default_factory=dict)
    # What goes over it, if it is a WebSocket.
    messages: Messages | None = None

    @property
    def live_commands(self) -> Mapping[str, Mapping[str, Any]]:
        if isinstance(self.live, str):
            return {self.live: {}} if self.live else {}
        return self.live


STRICTEST = Facts()


def facts_of(scope: Scope) -> Facts:
    """Of the route that a request is for; where there is none, the strictest."""
    facts: Facts = getattr(scope.get("route"), "facts", STRICTEST)
    return facts
