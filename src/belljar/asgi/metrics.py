"""Prometheus metrics that both servers have."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class RequestMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._count = Counter(
            "belljar_http_requests", "Requests by outcome", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "belljar_http_request_seconds",
            "Time from first byte in to last byte out",
            ["route"],
            registry=registry,
            buckets=_BUCKETS,
        )
        self._in_flight = Gauge("belljar_http_in_flight", "Requests being answered now", registry=registry)

    def begins(self) -> None:
        self._in_flight.inc()

    def ended(self, method: str, route: str, status: int, seconds: float) -> None:
        self._in_flight.dec()
        self._count.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)


def exposition(registry: CollectorRegistry) -> Response:
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
