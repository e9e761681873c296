"""What `/metrics` says about the live view: the same figures as `/health`, read when they are asked for."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Gauge, Histogram

from belljar.wire.live import LiveHealth

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class LiveMetrics:
    def __init__(self, registry: CollectorRegistry, health: Callable[[], LiveHealth]) -> None:
        self._commands = Histogram(
            "belljar_live_command_seconds",
            "Commands of live viewers",
            ["method", "outcome"],
            registry=registry,
            buckets=_BUCKETS,
        )
        for name, text, read in (
            ("belljar_live_viewers", "Live viewers connected now", lambda h: h.viewers),
            ("belljar_live_fps", "Frames a second from the source, now", lambda h: h.fps),
            ("belljar_live_dropped_frames", "Frames that viewers were too slow for", lambda h: h.dropped_frames),
            ("belljar_browser_running", "Whether the browser runs", lambda h: int(h.browser_running)),
            (
                "belljar_live_last_frame_timestamp_seconds",
                "When the last frame came",
                lambda h: h.last_frame_at.timestamp() if h.last_frame_at else 0,
            ),
            (
                "belljar_live_last_command_timestamp_seconds",
                "When the last command of a viewer was done",
                lambda h: h.last_command_at.timestamp() if h.last_command_at else 0,
            ),
        ):
            Gauge(name, text, registry=registry).set_function(lambda read=read: float(read(health())))  # type: ignore[misc]

    def command(self, method: str, seconds: float, *, is_ok: bool) -> None:
        self._commands.labels(method, "ok" if is_ok else "problem").observe(seconds)
