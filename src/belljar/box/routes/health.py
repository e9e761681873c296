"""Whether the box is up, for callers, probes and Prometheus; and spans of its calls, for its control plane."""

import time
from datetime import UTC, datetime

import anyio
from starlette.responses import PlainTextResponse, Response

from belljar import __version__
from belljar.box.parts import TheBox, TheCaller
from belljar.box.sandbox.usage import container_usage
from belljar.problems import Forbidden, NotFound
from belljar.server.requests import exposition
from belljar.server.router import AtGateway, JsonBytes, Kind, Router
from belljar.server.telemetry.spans import write_spans
from belljar.tasks import background
from belljar.tokens import CONTROL_PLANE
from belljar.wire.isolation import Health

router = Router(tags=["health"], acts=False)


@router.get("/v1/health", operation_id="getHealth", tells=Kind.STATE, counts=False, response_model_exclude_none=True)
async def health(box: TheBox) -> Health:
    """Published clients wait for `status: "ok"` before their first call."""
    activity = box.tenancy.activity
    went = box.isolation.way_out.log
    return Health(
        version=__version__,
        uptime_seconds=round(time.time() - box.started_at, 3),
        last_activity=datetime.fromtimestamp(activity.last, UTC),
        open_streams=activity.open_streams,
        egress_bytes=went.sent + went.received,
        egress_sent=went.sent,
        egress_received=went.received,
        expires_at=None if (at := box.tenancy.expires_at) is None else datetime.fromtimestamp(at, UTC),
        isolation=box.isolation.current_report(),
        usage=container_usage() if box.settings.container_limits else None,
    )


@router.get(
    "/healthz",
    operation_id="getHealthz",
    tells=Kind.STATE,
    is_open=True,
    counts=False,
    response_class=PlainTextResponse,
)
async def healthz() -> str:
    """For a liveness probe: the process answers.  No token."""
    return "ok"


@router.get(
    "/readyz", operation_id="getReadyz", tells=Kind.STATE, is_open=True, counts=False, response_class=PlainTextResponse
)
async def readyz(box: TheBox) -> str:
    """For a readiness probe: requests are served, in a second line whether without a jail.  No token.

    Nothing listens before every part is up.
    """
    return "ok" if box.isolation.is_jailed else "ok\nno jail: programs are not kept in"


@router.get("/metrics", operation_id="getMetrics", tells=Kind.STATE, counts=False, response_class=PlainTextResponse)
async def metrics(box: TheBox) -> Response:
    """Prometheus metrics."""
    return exposition(box.metrics)


# How long an answer with spans is waited for: less than the control plane waits.
SPANS_SECONDS = 20.0


@router.post("/v1/spans", include_in_schema=False, is_operators=True, counts=False, gateway=AtGateway(is_shut=True))
async def take_spans(box: TheBox, caller: TheCaller) -> Response:
    """Spans of calls, once there are some: for the control plane that started the box, to send them on.

    They are gone then; an answer that does not arrive loses them.
    """
    if caller.id != CONTROL_PLANE:
        raise Forbidden("Spans are for the control plane that started this box.")
    spans = box.spans
    if spans is None:
        raise NotFound("spans", "of this box")
    with anyio.move_on_after(SPANS_SECONDS) as scope:

        async def end() -> None:
            await box.stopping.wait()
            scope.cancel()

        async with background(end, name="the server's stop"):
            await spans.gathered()
    return JsonBytes(write_spans(spans.take()))
