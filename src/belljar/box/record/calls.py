"""Calls of the API, told as they begin and end: who asked for what, and what came of it.

A call begins when its body is in, so that its arguments stand with it; they are read in the writer's thread.
"""

from collections.abc import Callable, Mapping
from typing import Protocol
from urllib.parse import parse_qsl

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.box.record.bus import Bus, doing
from belljar.record.redaction import Typed
from belljar.record.segments import Actor
from belljar.server.inprocess import VIA, VIEWER_NAME
from belljar.server.router import Route
from belljar.tokens import CONTROL_PLANE, Caller, Role
from belljar.wire.record import ActorKind, ActorVia, EventKind

# Of a larger body only the size is told.
MAX_BODY_BYTES = 64 * 1024
# A problem's document is shorter.
_MAX_PROBLEM_BYTES = 16 * 1024
# Names that a caller brings are no longer than this in the record.
_MAX_ID = 64


class Viewers(Protocol):
    def viewer_of(self, scope: Scope) -> str | None:
        """The name of the viewer whose own tools a request comes from."""


class RecordCalls:
    """A layer inside of the guard: who calls is known, and what it refuses never was a call."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = scope.get("route")
        is_call = scope["type"] == "http" and isinstance(route, Route) and scope["state"].get("caller") is not None
        if not is_call:
            await self._app(scope, receive, send)
            return
        assert isinstance(route, Route)
        box = scope["state"]["box"]
        bus: Bus = box.record.bus
        actor = actor_of(scope, box.lease)
        with doing(actor):
            if not bus.wants(EventKind.CALL) or not _is_told(route, scope):
                await self._app(scope, receive, send)
                return
            call = _Call(bus, route, scope, actor, receive, send)
            try:
                await self._app(scope, call.receive, call.send)
            except BaseException:
                call.end(500 if call.status == 0 else call.status)
                raise
            call.end(call.status)


def _is_told(route: Route, scope: Scope) -> bool:
    """Asking how a box is, over and over, is nothing that anybody did; nor is a control plane's own asking."""
    caller: Caller = scope["state"]["caller"]
    return route.facts.counts and caller.id != CONTROL_PLANE


def actor_of(scope: Scope, viewers: Viewers) -> Actor:
    """Who asks.  A person is who brings a connected viewer's key, or asks over the live socket.

    Everybody else is an agent, as for control, the operator's token included: a box of its own has no other.  An
    operator is who does what only that token may.
    """
    caller: Caller = scope["state"]["caller"]
    via = scope.get(VIA, ActorVia.REST)
    name = scope.get(VIEWER_NAME) or viewers.viewer_of(scope)
    if name is not None:
        return Actor(ActorKind.VIEWER, via, name[:_MAX_ID])
    if caller.id == CONTROL_PLANE:
        return Actor(ActorKind.SYSTEM, via, caller.id)
    is_operators = caller.role is Role.OPERATOR and scope["route"].facts.is_operators
    return Actor(ActorKind.OPERATOR if is_operators else ActorKind.AGENT, via, caller.id[:_MAX_ID])


class _Arguments(msgspec.Struct, gc=False):
    """What a call was asked with; made in the writer's thread."""

    route: Route
    query: bytes
    in_path: Mapping[str, str]
    body: bytes
    size: int

    def __call__(self) -> Mapping[str, object]:
        told = _arguments(self.query, self.in_path, self.body, self.size)
        typed = self.route.facts.typed
        return {name: Typed(value) if name in typed else value for name, value in told.items()}


class _Result(msgspec.Struct, gc=False):
    """What came of a call; made in the writer's thread."""

    status: int
    took: int
    problem: bytes

    def __call__(self) -> Mapping[str, object]:
        told = {"status": self.status, "ms": round(self.took / 1000, 3)}
        return {**told, **_problem_of(self.problem)} if self.problem else told


class _Call:
    """One that is told.  Every request pays for what is done here, so that is little: what can wait, waits."""

    __slots__ = (
        "_actor",
        "_began",
        "_body",
        "_bus",
        "_problem",
        "_receive",
        "_route",
        "_scope",
        "_send",
        "_size",
        "status",
    )

    def __init__(self, bus: Bus, route: Route, scope: Scope, actor: Actor, receive: Receive, send: Send) -> None:
        self._bus = bus
        self._route = route
        self._scope = scope
        self._actor = actor
        self._receive = receive
        self._send = send
        self._began = 0
        self._body: list[bytes] = []
        self._size = 0
        self._problem = b""
        self.status = 0
        if route.signature.body is None:
            self._begin()

    async def receive(self) -> Message:
        message = await self._receive()
        if not self._began and message["type"] == "http.request":
            piece = message.get("body", b"")
            self._size += len(piece)
            if self._size <= MAX_BODY_BYTES:
                self._body.append(piece)
            else:
                self._body.clear()
            if not message.get("more_body", False):
                self._begin()
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif self.status >= 400 and len(self._problem) < _MAX_PROBLEM_BYTES:
            self._problem += message.get("body", b"")
        await self._send(message)

    def end(self, status: int) -> None:
        """Refused before its body was read, it began only to end."""
        if not self._began:
            self._begin()
        now = self._bus.clock.now()
        self._tell(".end", now, _Result(status, now - self._began, self._problem), len(self._problem))

    def _begin(self) -> None:
        self._began = self._bus.clock.now() or 1
        scope, size, pieces = self._scope, self._size, self._body
        body = pieces[0] if len(pieces) == 1 else b"".join(pieces) if size <= MAX_BODY_BYTES else b""
        self._body = []
        query = scope["query_string"]
        told = _Arguments(self._route, query, scope.get("path_params") or {}, body, size)
        self._tell(".begin", self._began, told, len(body) + len(query))

    def _tell(self, moment: str, now: int, data: Callable[[], Mapping[str, object]], held: int) -> None:
        name = (self._route.operation_id or "") + moment
        self._bus.tell(EventKind.CALL, name, actor=self._actor, data=data, mono=now, held_bytes=held)


def _arguments(query: bytes, in_path: Mapping[str, str], body: bytes, size: int) -> Mapping[str, object]:
    told: dict[str, object] = {}
    if query:
        told.update(parse_qsl(query[:8192].decode("latin-1"), keep_blank_values=True, max_num_fields=None))
    told.update(in_path)
    if body:
        given = _decoded(body)
        if isinstance(given, dict):
            told.update(given)
        else:
            told["bodyBytes"] = size
    elif size:
        told["bodyBytes"] = size
    return told


def _problem_of(body: bytes) -> Mapping[str, object]:
    problem = _decoded(body)
    if not isinstance(problem, dict):
        return {}
    # The sentence may name what a page shows; the code is ours.
    return {"code": problem.get("code"), "detail": problem.get("detail")}


def _decoded(body: bytes) -> object:
    """None for what is no JSON; what is not UTF-8 is an error of its own to the decoder."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
