"""Spans out, by OTLP over HTTP as JSON: gathered, sent each second in a thread, and lost rather than waited for."""

import http.client
import ssl
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import anyio
import msgspec

from belljar import __version__
from belljar.logs import log
from belljar.server.telemetry.tracing import Span
from belljar.settings import ServerSettings
from belljar.tasks import Signal, background

# Spans that may wait; the oldest go first.
MAX_WAITING = 4096
_BATCH = 512
_GATHER_SECONDS = 1.0
_SEND_SECONDS = 10.0
# Pauses before another try at a receiver that is away.
_PAUSES = (1.0, 5.0)
_ERROR = 2
_AGAIN = frozenset({429, 502, 503, 504})


class NotTaken(Exception):
    """A few words, with nothing of the address or the answer in them."""

    def __init__(self, why: str, *, is_worth_another: bool) -> None:
        super().__init__(why)
        self.is_worth_another = is_worth_another


class Telemetry:
    def __init__(self, endpoint: str, headers: Mapping[str, str], service: str, about: Mapping[str, str]) -> None:
        """`about` is what is said of the process that the spans are of."""
        parts = urlsplit(endpoint)
        self._is_tls = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port
        # As its specification has it: a base to which the signal's own path is added.
        path = parts.path.rstrip("/")
        self._path = path if path.endswith("/v1/traces") else f"{path}/v1/traces"
        self._headers = {**headers, "Content-Type": "application/json", "User-Agent": f"belljar/{__version__}"}
        self._resource = {"attributes": _attributes({"service.name": service, "service.version": __version__, **about})}
        self._waiting: deque[Span] = deque()
        self._arrived = Signal()
        self.lost = 0
        self._is_away = False

    def add(self, span: Span) -> None:
        """Takes a microsecond; what its caller does not want kept is not sent."""
        if not span.is_sampled:
            return
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft()
            self.lost += 1
        self._waiting.append(span)
        self._arrived.fire()

    async def run(self) -> None:
        """Sends, until cancelled."""
        while True:
            await self._arrived.until(lambda: bool(self._waiting))
            await anyio.sleep(_GATHER_SECONDS)
            await self.send_all()

    async def send_all(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            body = msgspec.json.encode(self._document(batch))
            await self._send(body, len(batch))

    async def _send(self, body: bytes, count: int) -> None:
        failure = ""
        for pause in (0.0, *_PAUSES):
            await anyio.sleep(pause)
            try:
                await anyio.to_thread.run_sync(self._post, body, abandon_on_cancel=True)
            except NotTaken as error:
                failure = str(error)
                if error.is_worth_another and not self._is_away:
                    continue
                break
            if self._is_away:
                log.info("telemetry.taken_again", lost=self.lost)
            self._is_away = False
            return
        self.lost += count
        if not self._is_away:
            log.warning("telemetry.not_taken", reason=failure)
        self._is_away = True

    def _post(self, body: bytes) -> None:
        """Raises `NotTaken`.  Blocks."""
        if self._is_tls:
            context = ssl.create_default_context()
            line: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=_SEND_SECONDS, context=context
            )
        else:
            line = http.client.HTTPConnection(self._host, self._port, timeout=_SEND_SECONDS)
        try:
            line.request("POST", self._path, body, self._headers)
            status = line.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise NotTaken("no answer", is_worth_another=True) from error
        finally:
            line.close()
        if not 200 <= status < 300:
            raise NotTaken(f"answered {status}", is_worth_another=status in _AGAIN)

    def _document(self, spans: Sequence[Span]) -> dict[str, object]:
        scope = {"scope": {"name": "belljar", "version": __version__}, "spans": [_told(span) for span in spans]}
        return {"resourceSpans": [{"resource": self._resource, "scopeSpans": [scope]}]}


def _told(span: Span) -> dict[str, object]:
    told: dict[str, object] = {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name,
        "kind": int(span.kind),
        "startTimeUnixNano": str(span.began),
        "endTimeUnixNano": str(span.ended),
        "attributes": _attributes(span.attributes),
        "status": {"code": _ERROR} if span.is_error else {},
    }
    if span.parent_id is not None:
        told["parentSpanId"] = span.parent_id
    if span.link is not None:
        told["links"] = [{"traceId": span.link[0], "spanId": span.link[1]}]
    return told


def _attributes(values: Mapping[str, str | int]) -> list[dict[str, object]]:
    return [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in values.items()
    ]


def make_telemetry(settings: ServerSettings, service: str, about: Mapping[str, str]) -> Telemetry | None:
    if settings.otlp_endpoint is None:
        return None
    return Telemetry(settings.otlp_endpoint, settings.otlp_headers, service, about)


@asynccontextmanager
async def exporting(telemetry: Telemetry | None) -> AsyncIterator[None]:
    """Sends spans as long as the block lasts; what is left is tried once."""
    if telemetry is None:
        yield
        return
    try:
        async with background(telemetry.run, name="telemetry"):
            yield
    finally:
        with anyio.move_on_after(3, shield=True):
            await telemetry.send_all()
