"""How an application of ours is made: FastAPI with our errors and document, and a short way to its endpoints."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
from fastapi import APIRouter, FastAPI, Response
from fastapi.telemetry import TelemetryConfig
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from belljar import __version__
from belljar.asgi.bodies import JsonRequest
from belljar.asgi.openapi import describe, written_document
from belljar.asgi.routing import JsonRoute, add_problem_handlers, answer_shortly
from belljar.problems import Problem

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[dict[str, Any]]]

# FastAPI would tell OpenTelemetry of requests and exceptions where a variable or a library has set that up.  Ours are
# told of in logs and metrics, which leave out tokens, typed text and pages.
_NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}


def make_application(
    title: str,
    document: str,
    routers: Iterable[APIRouter],
    lifespan: Lifespan | None = None,
    anywhere: Sequence[type[Problem]] = (),
) -> FastAPI:
    """Every endpoint of `routers`, without the layers around them, and `document` at /openapi.json.

    `anywhere` are problems that each of them can answer with.

    Their routes are taken over as they are, not included: FastAPI tries an included router's by a longer way.
    """
    app = FastAPI(
        title=title,
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
    )
    app.router.route_class = JsonRoute
    add_problem_handlers(app)
    describe(app, anywhere)
    for router in routers:
        app.router.routes.extend(router.routes)

    async def openapi() -> Response:
        return Response(await anyio.to_thread.run_sync(written_document, document), media_type="application/json")

    app.router.add_api_route("/openapi.json", openapi, include_in_schema=False)
    return app


class ShortWay:
    """Goes to an endpoint at once where its route has a short way; all else is FastAPI's: WebSockets, 404, 405.

    Which route it is does not differ: the first in the list that takes this method at this path.
    """

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._at: dict[tuple[str, str], list[BaseRoute]] = {}
        self._with_parameters: dict[str, list[BaseRoute]] = {}
        routes = [route for route in app.routes if isinstance(route, Route)]
        for route in routes:
            for method in route.methods or ():
                if route.param_convertors:
                    self._with_parameters.setdefault(method, []).append(route)
                else:
                    self._at[method, route.path] = [one for one in routes if one.path_regex.match(route.path)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._find(scope) if scope["type"] == "http" else None
        if isinstance(route, JsonRoute) and route.handle_shortly is not None:
            await answer_shortly(route.handle_shortly, JsonRequest(scope, receive, send))
        else:
            await self._app(scope, receive, send)

    def _find(self, scope: Scope) -> BaseRoute | None:
        """Notes the route and the parameters in its path in `scope`, as Starlette does."""
        method = scope["method"]
        for route in self._at.get((method, scope["path"]), self._with_parameters.get(method, [])):
            match, found = route.matches(scope)
            if match is Match.FULL:
                scope.update(found)
                return route
        return None
