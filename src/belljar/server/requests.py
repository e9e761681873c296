"""The outermost layer of a request: its id, headers by name, one log line and one measurement, and the 500."""

import re
import secrets
import time
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from belljar import logs
from belljar.logs import log
from belljar.problems import ClientGone, InternalError, Problem
from belljar.server.answers import SAFE_HEADERS, answer
from belljar.server.telemetry.spans import GatheredSpans, Span, current_span, span_for


class RequestHeaders(Headers):
    """As Starlette's, which goes through the list for each name."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(raw=scope["headers"])
        # The first of several, as there.
        self._first: dict[bytes, bytes] = dict(reversed(scope["headers"]))

    def __getitem__(self, name: str) -> str:
        return self._first[name.lower().encode("latin-1")].decode("latin-1")

    def __contains__(self, name: Any) -> bool:
        return name.lower().encode("latin-1") in self._first

    def get(self, name: str, default: Any = None) -> Any:
        value = self._first.get(name.lower().encode("latin-1"))
        return default if value is None else value.decode("latin-1")


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


# A caller's own id is kept when it is one: nothing that could forge a log line or fill one.
_SAFE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


_SAFE_HEADERS = [(name.encode(), value.encode()) for name, value in SAFE_HEADERS.items()]


class Requests:
    def __init__(self, app: ASGIApp, metrics: RequestMetrics, spans: GatheredSpans | None = None) -> None:
        self._app = app
        self._metrics = metrics
        self._spans = spans

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        # A copy: what the guard notes about one request must not reach the next.
        scope["state"] = {**scope.get("state", {})}
        headers = RequestHeaders(scope)
        request_id = _request_id(headers)
        parent, is_exported = headers.get("traceparent"), self._spans is not None
        span = span_for(parent, is_exported=is_exported) if parent is not None or is_exported else None
        traced_as = current_span.set(span)
        outcome = _Outcome(send, request_id)
        scope["state"]["request_id"] = request_id
        began = time.perf_counter()
        logged_as = logs.request_id.set(request_id)
        self._metrics.begins()
        try:
            await self._app(scope, receive, outcome.send)
        except Problem as problem:
            await outcome.refuse(problem, scope, receive)
        except (ClientDisconnect, ClientDisconnected):
            # Of a client that sends no more, and of one that reads no more: an end like others, and nobody to tell.
            outcome.status = outcome.status or ClientGone.status
        except Exception:
            log.exception("http.failed", method=scope.get("method", "WEBSOCKET"), route=_route(scope))
            await outcome.refuse(internal_error(request_id), scope, receive)
        finally:
            took = time.perf_counter() - began
            self._report(scope, outcome, took)
            if span is not None and self._spans is not None:
                self._spans.add(_ended(span, scope, outcome.status, took, request_id))
            current_span.reset(traced_as)
            logs.request_id.reset(logged_as)

    def _report(self, scope: Scope, outcome: "_Outcome", took: float) -> None:
        method, route = scope.get("method", "WEBSOCKET"), _route(scope)
        self._metrics.ended(method, route, outcome.status, took)
        # Whose request it was, where somebody further in found out.
        about = scope["state"].get("log", {})
        log.info(
            "http.request",
            method=method,
            route=route,
            status=outcome.status,
            duration_ms=round(took * 1000, 2),
            **about,
        )


class _Outcome:
    """What was sent of an answer so far."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.status = 0
        self.is_complete = False

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self.status = message["status"]
            others = [header for header in message.get("headers", ()) if header[0] != b"x-request-id"]
            said = {name for name, _ in others}
            safe = [header for header in _SAFE_HEADERS if header[0] not in said]
            message["headers"] = [*others, *safe, (b"x-request-id", self._request_id.encode())]
        elif message["type"] == "websocket.accept":
            self.status = 101
        elif message["type"].endswith("http.response.body"):
            self.is_complete = not message.get("more_body", False)
        await self._send(message)

    async def refuse(self, problem: Problem, scope: Scope, receive: Receive) -> None:
        """Answer with `problem` if nothing was sent yet; otherwise end what was begun in a way the client notices."""
        if self.is_complete:
            return
        if self.status == 0:
            await answer(problem, scope, receive, self.send)
        elif self.status == 101:
            await self._send({"type": "websocket.close", "code": 1011, "reason": problem.title})
        else:
            raise ConnectionAbortedError("the answer was cut short") from problem


def _ended(span: Span, scope: Scope, status: int, took: float, request_id: str) -> Span:
    """Nothing that a caller wrote is in it, but for the ids."""
    method, route = scope.get("method", "WEBSOCKET"), _route(scope)
    span.ended = time.time_ns()
    span.began = span.ended - round(took * 1e9)
    span.name = f"{method} {route}"
    span.is_error = status >= 500
    span.attributes |= {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    span.attributes["belljar.request_id"] = request_id
    if (operation := getattr(scope.get("route"), "operation_id", None)) is not None:
        span.attributes["belljar.operation"] = str(operation)
    return span


def _request_id(headers: Headers) -> str:
    given = headers.get("x-request-id", "")
    return given if _SAFE_ID.fullmatch(given) else secrets.token_hex(8)


def internal_error(request_id: str) -> InternalError:
    return InternalError("Something went wrong here; the server's log has it under this id.", request_id=request_id)


def _route(scope: Scope) -> str:
    """The path's template, so that ids and what people typed into paths stay out of logs and metrics."""
    route: object = scope.get("route")
    # Without the kinds of its parameters, which are of no interest to who reads a log.
    return getattr(route, "path_format", None) or getattr(route, "path", None) or "unmatched"
