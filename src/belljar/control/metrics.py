"""Prometheus metrics of the control plane."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from belljar.wire.sessions import EndReason, SessionState

_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)


class ControlMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._sessions = Gauge("belljar_sessions", "Sessions that are not over", ["state"], registry=registry)
        self._create = Histogram(
            "belljar_session_create_seconds", "From asked for to running", registry=registry, buckets=_BUCKETS
        )
        self._ended = Counter("belljar_sessions_ended", "Sessions that ended", ["reason"], registry=registry)
        self._reaped = Counter("belljar_reaped", "What the reaper ended", ["reason"], registry=registry)
        self._pool = Counter("belljar_pool_takes", "Sessions served by a warm box", ["outcome"], registry=registry)
        self._warm = Gauge("belljar_pool_warm", "Boxes that wait for a session", registry=registry)
        self._bytes = Counter("belljar_gateway_bytes", "Bytes carried", ["direction"], registry=registry)
        self.bytes_in = self._bytes.labels("in")
        self.bytes_out = self._bytes.labels("out")

    def created(self, seconds: float) -> None:
        self._create.observe(seconds)

    def ended(self, reason: EndReason) -> None:
        self._ended.labels(reason).inc()

    def reaped(self, reason: str) -> None:
        self._reaped.labels(reason).inc()

    def took(self, *, was_warm: bool) -> None:
        self._pool.labels("hit" if was_warm else "miss").inc()

    def watch_pool(self, warm: Callable[[], int]) -> None:
        self._warm.set_function(warm)

    def seen(self, by_state: dict[SessionState, int]) -> None:
        for state in SessionState:
            self._sessions.labels(state).set(by_state.get(state, 0))
