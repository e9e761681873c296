"""What the gateway must know of the routes of a box, written from the routes.  `--check`: only whether it is fresh."""

import sys
from pathlib import Path

import msgspec

from belljar.box.app import routers
from belljar.plane.gateway.box_routes import NOTHING, TABLE, BoxRoute

PATH = Path(__file__).parent.parent / "src/belljar/plane/gateway" / TABLE


def made() -> str:
    routes = [
        BoxRoute(route.path, route.methods, route.facts.gateway)
        for router in routers()
        for route in router.routes
        if route.facts.gateway != NOTHING
    ]
    lines = [msgspec.json.encode(plain(route)).decode() for route in sorted(routes, key=lambda one: one.path)]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def plain(route: BoxRoute) -> dict[str, object]:
    """Only what is said: a fact that is new changes no line but those of its own routes."""
    said = {name: value for name, value in vars(route.gateway).items() if value != getattr(NOTHING, name)}
    return {"path": route.path, "methods": route.methods, "gateway": said}


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PATH.write_text(made())
    elif PATH.read_text() != made():
        sys.exit(f"{PATH.name} is stale: run 'make openapi' and commit it.")
