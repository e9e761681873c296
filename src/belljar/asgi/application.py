"""How an application of ours is made: its routes, its lifespan, its document."""

from collections.abc import Iterable, Mapping

import anyio
from starlette.responses import Response
from starlette.types import ASGIApp

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import written_document
from belljar.asgi.router import Application, Lifespan, Router


def make_application(
    document: str,
    routers: Iterable[Router],
    lifespan: Lifespan | None = None,
    mounts: Mapping[str, ASGIApp] | None = None,
) -> Application:
    """Every endpoint of `routers`, `document` at /openapi.json, and `mounts` at their paths."""
    own = Router(include_in_schema=False, tells=Kind.STATE, acts=False, counts=False)

    @own.get("/openapi.json")
    async def openapi() -> Response:
        return Response(await anyio.to_thread.run_sync(written_document, document), media_type="application/json")

    routes = [route for router in (*routers, own) for route in router.routes]
    return Application(routes, lifespan, mounts)
