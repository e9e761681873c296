"""What the box says of itself: its routes, and its OpenAPI document, made once a run because that takes a second."""

from functools import cache
from typing import Any

from belljar.box.app import openapi, routers
from belljar.server.application import Application, make_application
from belljar.server.router import WEBSOCKET, Route


@cache
def paths() -> dict[str, dict[str, Any]]:
    """Every path, with its operations by method."""
    found: dict[str, dict[str, Any]] = openapi()["paths"]
    return found


@cache
def application() -> Application:
    """Every endpoint, without parts behind them."""
    return make_application("box", routers())


def routes(method: str) -> list[Route]:
    return [route for route in application().routes if method in route.methods]


def scope_of(path: str, query: str = "", method: str = "GET") -> dict[str, Any]:
    """A request, as the layers around the endpoints see it."""
    kind = "websocket" if method == WEBSOCKET else "http"
    scope: dict[str, Any] = {"type": kind, "method": method, "path": path, "query_string": query.encode()}
    application().find(scope)
    return scope
