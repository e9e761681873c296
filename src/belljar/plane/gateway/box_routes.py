"""What the gateway must know of a box's routes, by method and path.

The routes state it themselves (`gateway=` in `box/routes`).  To load them would load the box, browser and all, so `make
openapi` writes it down in `box_routes.json`, and `make check` sees that it is fresh.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec
from starlette.routing import compile_path
from starlette.types import Scope

from belljar.server.router import WEBSOCKET, AtGateway

TABLE = "box_routes.json"
NOTHING = AtGateway()
# What asks with another method where a page is: the box refuses it, as openly as it answers.
_PAGE = AtGateway(is_page=True)


class BoxRoute(msgspec.Struct, omit_defaults=True):
    path: str
    methods: tuple[str, ...]
    gateway: AtGateway


class BoxRoutes:
    def __init__(self, routes: Iterable[BoxRoute]) -> None:
        self._fixed: dict[tuple[str, str], AtGateway] = {}
        self._others: list[tuple[str, re.Pattern[str], AtGateway]] = []
        self._pages: set[str] = set()
        for route in routes:
            if route.gateway.is_page:
                self._pages.add(route.path)
            for method in route.methods:
                if "{" in route.path:
                    self._others.append((method, compile_path(route.path)[0], route.gateway))
                else:
                    self._fixed[method, route.path] = route.gateway

    def find(self, scope: Scope, path: str) -> AtGateway:
        """What is said of the route that a request is for, whose path in the box is `path`; mostly nothing."""
        method = WEBSOCKET if scope["type"] == "websocket" else scope["method"]
        if method == "HEAD":
            method = "GET"
        if (found := self._fixed.get((method, path))) is not None:
            return found
        if path in self._pages and method != WEBSOCKET:
            return _PAGE
        return next((at for on, pattern, at in self._others if on == method and pattern.match(path)), NOTHING)


@cache
def box_routes() -> BoxRoutes:
    return BoxRoutes(msgspec.json.decode(files(__package__).joinpath(TABLE).read_bytes(), type=list[BoxRoute]))
