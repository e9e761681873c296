"""Whether the control plane is up, for probes and Prometheus."""

from sqlalchemy import text
from starlette.responses import PlainTextResponse, Response

from belljar.plane.parts import TheAdmin, TheControl
from belljar.problems import Forbidden
from belljar.server.openapi import problems
from belljar.server.requests import exposition
from belljar.server.router import Router
from belljar.wire.isolation import JailMode

router = Router(tags=["health"])


@router.get("/healthz", operation_id="getHealthz", is_open=True, response_class=PlainTextResponse)
async def healthz(control: TheControl) -> Response:
    """For a liveness probe: the process answers, and every task runs that it cannot do without.  No key."""
    if dead := control.supervisor.dead:
        return PlainTextResponse(f"not running: {', '.join(dead)}", 503)
    return PlainTextResponse("ok")


@router.get("/readyz", operation_id="getReadyz", is_open=True, response_class=PlainTextResponse)
async def readyz(control: TheControl) -> Response:
    """For a readiness probe: the database takes what is written and new sessions are taken.  No key.

    A second line says so where sessions have no jail.
    """
    if control.sessions.is_draining:
        return PlainTextResponse("draining", 503)
    if control.peers.is_drained:
        return PlainTextResponse("drained: this host takes no more sessions", 503)
    async with control.registry.database.write() as connection:
        await connection.execute(text("select 1"))
    is_jailed = control.settings.jail is not JailMode.OFF
    return PlainTextResponse("ok" if is_jailed else "ok\nno jail: programs of sessions are not kept in")


@router.get("/metrics", operation_id="getMetrics", response_class=PlainTextResponse, responses=problems(Forbidden))
async def metrics(control: TheControl, _: TheAdmin) -> Response:
    """Prometheus metrics; an admin's key."""
    return exposition(control.metrics)
