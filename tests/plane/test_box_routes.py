"""What the gateway knows of a box's routes is what they say, and is said nowhere again."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from belljar.box.app import routers
from belljar.plane.gateway import box_routes as module
from belljar.plane.gateway.box_routes import NOTHING, TABLE, BoxRoute, box_routes
from belljar.server.router import WEBSOCKET, AtGateway

GATEWAY = Path(module.__file__).parent
ROUTES = [route for router in routers() for route in router.routes]


def asked(method: str) -> dict[str, Any]:
    return {"type": "websocket"} if method == WEBSOCKET else {"type": "http", "method": method}


def test_for_every_route_of_a_box_the_gateway_finds_what_the_route_says() -> None:
    for route in ROUTES:
        path = re.sub(r"\{[^}]+\}", "some-id", route.path)
        for method in route.methods:
            assert box_routes().find(asked(method), path) == route.facts.gateway, (method, route.path)


def test_nothing_is_said_of_what_is_no_route() -> None:
    """A line whose route has gone, or moved, is not left behind."""
    routes = {(route.path, method) for route in ROUTES for method in route.methods}
    lines = msgspec.json.decode((GATEWAY / TABLE).read_bytes(), type=list[BoxRoute])
    assert len(lines) > 10
    for line in lines:
        assert {(line.path, method) for method in line.methods} <= routes, line.path


@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("HEAD", "/view", AtGateway(is_page=True)),
        # Refused by the box, as openly as it answers.
        ("PUT", "/view/session", AtGateway(is_page=True)),
        ("GET", "/view/other.js", NOTHING),
        ("GET", "/view/../v1/processes", NOTHING),
        ("GET", "/v1/control", NOTHING),
        (WEBSOCKET, "/v1/browser/cdp/devtools/page/x/y", NOTHING),
        (WEBSOCKET, "/view", NOTHING),
        ("GET", "/v1/live", NOTHING),
    ],
)
def test_what_is_no_route_of_a_box_gets_the_strictest(method: str, path: str, said: AtGateway) -> None:
    assert box_routes().find(asked(method), path) == said


def test_no_path_of_a_box_stands_in_the_gateways_code() -> None:
    """But for the one in a sentence for people."""
    paths = re.compile(r'"(/(?:v1|view|ws)\b[^"]*)"')
    for file in GATEWAY.glob("*.py"):
        assert not paths.findall(file.read_text()), file.name
