"""Tasks that run as long as the control plane: after a fault they carry on; and its metrics."""

from collections.abc import Awaitable, Callable

import anyio
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from belljar.logs import log
from belljar.problems.plane import DatabaseUnavailable
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
        self._webhooks = Counter(
            "belljar_webhook_attempts", "Webhooks that were sent, or could not be", ["outcome"], registry=registry
        )
        self._uploads = Counter(
            "belljar_artifact_uploads",
            "Ended boxes that were moved to the store, or could not be",
            ["outcome"],
            registry=registry,
        )
        self._uploaded_bytes = Counter("belljar_artifact_bytes", "Bytes moved to the store", registry=registry)
        self._waiting = Gauge(
            "belljar_artifacts_waiting", "Ended boxes whose artifacts are on this host", registry=registry
        )
        self._waiting_seconds = Gauge(
            "belljar_artifacts_waiting_seconds", "For how long the first of them has been", registry=registry
        )
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

    def sent_webhook(self, outcome: str) -> None:
        self._webhooks.labels(outcome).inc()

    def uploaded(self, outcome: str, size: int = 0) -> None:
        self._uploads.labels(outcome).inc()
        self._uploaded_bytes.inc(size)

    def watch_uploads(self, waiting: Callable[[], int], seconds: Callable[[], float]) -> None:
        self._waiting.set_function(waiting)
        self._waiting_seconds.set_function(seconds)

    def watch_pool(self, warm: Callable[[], int]) -> None:
        self._warm.set_function(warm)

    def seen(self, by_state: dict[SessionState, int]) -> None:
        for state in SessionState:
            self._sessions.labels(state).set(by_state.get(state, 0))


# Between a fault and the next try: doubled with each that follows at once.
_LEAST_PAUSE = 1.0
_MOST_PAUSE = 30.0
# A round of a loop that takes longer hangs: it is given up, and the next one may do better.
ROUND_SECONDS = 120.0


class Supervisor:
    def __init__(self) -> None:
        self._dead: dict[str, str] = {}

    @property
    def dead(self) -> list[str]:
        """The names of tasks that should run and do not."""
        return sorted(self._dead)

    async def keep_running(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """`run`, and again whenever it ends: it is meant not to."""
        pause = _LEAST_PAUSE
        while True:
            self._dead.pop(name, None)
            began = anyio.current_time()
            try:
                await run()
                self._dead[name] = "it ended"
                log.error("task.ended", task=name)
            except Exception as error:  # the top of a supervised loop
                self._dead[name] = type(error).__name__
                log.exception("task.failed", task=name)
            finally:
                # Whatever else ends it: nobody restarts it then.
                self._dead.setdefault(name, "it was cancelled")
            pause = min(pause * 2, _MOST_PAUSE) if anyio.current_time() - began < _MOST_PAUSE else _LEAST_PAUSE
            await anyio.sleep(pause)


async def repeat(name: str, look: Callable[[], Awaitable[None]], *, every: float) -> None:
    """One round after another.  One that fails is logged, and the next does it again; an outage has been logged by
    whoever noticed it, and would be with each round.
    """
    failures = 0
    while True:
        try:
            with anyio.fail_after(ROUND_SECONDS):
                await look()
            failures = 0
        except DatabaseUnavailable:
            failures = 0
        except Exception:  # the top of a supervised loop
            failures += 1
            log.exception(f"{name}.failed")
        await anyio.sleep(min(every * 2**failures, max(every, _MOST_PAUSE)))
