"""Whether the box is up, for callers, probes and Prometheus."""

import time

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from belljar import __version__
from belljar.asgi.metrics import exposition
from belljar.asgi.routing import JsonRoute
from belljar.box.parts import TheBox
from belljar.wire.health import Health

router = APIRouter(tags=["health"], route_class=JsonRoute)


@router.get("/v1/health")
async def health(box: TheBox) -> Health:
    """Published clients wait for `status: "ok"` before their first call."""
    return Health(version=__version__, uptime_seconds=round(time.time() - box.started_at, 3))


@router.get("/healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    """For a liveness probe: the process answers.  No token."""
    return "ok"


@router.get("/readyz", response_class=PlainTextResponse)
async def readyz() -> str:
    """For a readiness probe: requests are served.  No token; nothing listens before every part is up."""
    return "ok"


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(box: TheBox) -> Response:
    """Prometheus metrics."""
    return exposition(box.metrics)
