"""Spans out, by OTLP over HTTP as JSON: gathered, sent each second, and lost rather than waited for."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from urllib.parse import urlsplit

import anyio
import msgspec

from belljar import __version__
from belljar.logs import log
from belljar.server.telemetry.spans import GatheredSpans, Span
from belljar.settings import ServerSettings
from belljar.tasks import background

# For a receiver to take a batch, from the first packet to its answer's head, however slowly it sends that.
_SEND_SECONDS = 10.0
# Pauses before another try at a receiver that is away.
_PAUSES = (1.0, 5.0)
# Of an answer only its status is read, which may come after others that are none yet: so many lines, so long.
_MOST_LINE = 1024
_MOST_LINES = 64
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r\n]")
_ERROR = 2
_AGAIN = frozenset({429, 502, 503, 504})


class NotTaken(Exception):
    """A few words, with nothing of the address or the answer in them."""

    def __init__(self, why: str, *, is_worth_another: bool) -> None:
        super().__init__(why)
        self.is_worth_another = is_worth_another


class Telemetry(GatheredSpans):
    def __init__(self, endpoint: str, headers: Mapping[str, str], service: str, about: Mapping[str, str]) -> None:
        """`about` is what is said of the process that the spans are of."""
        super().__init__()
        self._receiver = Receiver(endpoint, headers)
        self._resource = _resource(service, about)
        self._is_away = False

    def add_of_box(self, box_id: str, span: Span) -> None:
        """One that a box held.  Which box that is, we say."""
        span.box_id = box_id
        self.add(span)

    async def run(self) -> None:
        """Sends, until cancelled."""
        while True:
            await self.gathered()
            await self.send_all()

    async def send_all(self) -> None:
        while batch := self.take():
            body = msgspec.json.encode(self._document(batch))
            await self._send(body, len(batch))

    async def _send(self, body: bytes, count: int) -> None:
        failure = ""
        for pause in (0.0, *_PAUSES):
            await anyio.sleep(pause)
            try:
                await self._receiver.post(body)
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

    def _document(self, spans: Sequence[Span]) -> dict[str, object]:
        by_box: dict[str, list[Span]] = {}
        for span in spans:
            by_box.setdefault(span.box_id, []).append(span)
        return {"resourceSpans": [self._of_one(box_id, own) for box_id, own in by_box.items()]}

    def _of_one(self, box_id: str, spans: Iterable[Span]) -> dict[str, object]:
        resource = _resource("belljar-box", {"belljar.box": box_id}) if box_id else self._resource
        scope = {"scope": {"name": "belljar", "version": __version__}, "spans": [_told(span) for span in spans]}
        return {"resource": resource, "scopeSpans": [scope]}


class Receiver:
    """Whoever takes spans.  It is the operator's, and may be anything all the same: it can delay and refuse, no more.

    A connection for each batch, on the event loop: a thread that waits for its answer could not be ended.
    """

    def __init__(self, endpoint: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(endpoint)
        self._is_tls = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port or (443 if self._is_tls else 80)
        # As its specification has it: a base to which the signal's own path is added.
        path = parts.path.rstrip("/")
        path = path if path.endswith("/v1/traces") else f"{path}/v1/traces"
        own = {"Host": parts.netloc, "Content-Type": "application/json", "User-Agent": f"belljar/{__version__}"}
        said = {**headers, **own, "Connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        self._head = f"POST {path} HTTP/1.1\r\n{lines}"

    async def post(self, body: bytes) -> None:
        """Raises `NotTaken`.  An answer that sends us elsewhere is a refusal: the headers are for this address."""
        try:
            with anyio.fail_after(_SEND_SECONDS):
                status = await self._ask(body)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise NotTaken("no answer", is_worth_another=True) from error
        if not 200 <= status < 300:
            raise NotTaken(f"answered {status}", is_worth_another=status in _AGAIN)

    async def _ask(self, body: bytes) -> int:
        tls = await anyio.to_thread.run_sync(_tls) if self._is_tls else None
        reader, writer = await asyncio.open_connection(self._host, self._port, ssl=tls, limit=_MOST_LINE)
        try:
            writer.write(f"{self._head}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body)
            await writer.drain()
            return await _read_status(reader)
        finally:
            # Whatever else it has to say.
            writer.transport.abort()


async def _read_status(reader: asyncio.StreamReader) -> int:
    """Raises `ValueError` for what is no answer of HTTP."""
    is_first = True
    for _ in range(_MOST_LINES):
        line = await reader.readuntil(b"\n")
        if is_first:
            found = _STATUS.match(line)
            if found is None:
                raise ValueError("not HTTP")
            if (status := int(found[1])) >= 200:
                return status
        # After the empty line at its end comes the next answer.
        is_first = not line.strip()
    raise ValueError("no answer after so many lines")


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _resource(service: str, about: Mapping[str, str]) -> dict[str, object]:
    return {"attributes": _attributes({"service.name": service, "service.version": __version__, **about})}


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
