"""Routes: an endpoint, where it answers, and its facts.

The facts stand in the route's own decorator, and every layer reads them from the route that a request was found to be
for.  Unsaid means the strictest.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cached_property
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import compile_path
from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketState

from belljar.problems import Problem
from belljar.server.answers import ProblemResponse
from belljar.server.signature import WHEN_USED, InvalidArguments, JsonRequest, Signature
from belljar.tokens import Role
from belljar.wire.base import camel


class Kind(Enum):
    """What a route or an event of a box tells."""

    STATE = "how the box, its browser and its desktop are"
    PIXELS = "what the screen or a page looks like now"
    TEXT = "what can be read there: words, titles, tabs and their addresses, dialogs, windows"
    MARKUP = "what a page is made of: HTML, addresses of links, what is hidden, anything found by a selector"
    CONSOLE = "what a page's scripts log"
    HEADERS = "requests and responses, with their headers and bodies"
    STORAGE = "cookies, local storage and saved profiles"
    CLIPBOARD = "what was copied"
    FILES = "files, downloads and films"
    PROGRAMS = "processes, what they write, and what they tell a screen reader"
    EGRESS = "where the box connects to, and where it may"
    HISTORY = "what happened earlier, and crawls, whose pages nobody sees"
    CDP = "the way to everything"


# What the role `view` may be told: what a person before the screen could see.
VIEW_KINDS = frozenset({Kind.STATE, Kind.PIXELS, Kind.TEXT})


def may_be_told(role: Role, kind: Kind | None) -> bool:
    """Whether somebody in this role may be told what is of this kind; what nobody has placed is for those who drive."""
    return role >= Role.DRIVE or kind in VIEW_KINDS


@dataclass(frozen=True)
class Messages:
    """What goes over a WebSocket as text, as models: what a client may send, and what it is sent."""

    client: object
    server: object
    # What an event of the server's carries, by its name.
    events: Mapping[str, object] = field(default_factory=dict)
    subprotocols: tuple[str, ...] = ()


class Instead(StrEnum):
    """What a gateway answers in a box's place, since only it judges credentials there."""

    SIGN_IN = "sign_in"  # a person's ticket or token becomes a cookie
    LINK = "link"  # a link for a person
    NEKO_LOGIN = "neko_login"  # a token, for one of Neko's clients, which sends it as a password
    REFUSAL = "refusal"  # a session's owner makes its tokens elsewhere


@dataclass(frozen=True)
class AtGateway:
    """What the gateway of a control plane does with requests for this route of a box.

    It loads no routes of boxes, and reads this from a table that `make openapi` makes of them
    (`plane/gateway/box_routes.json`).
    """

    # For anybody: the viewer's page and its parts, which alone may act as pages of the control plane's origin.
    is_page: bool = False
    # For the control plane itself and nobody else.
    is_shut: bool = False
    # Which ticket may stand in its query, to open this socket or be told where that is.
    ticket: str = ""
    # A CDP client asks here for the address of the socket it will open next; it can set no header then.
    is_lookup: bool = False
    # As what the audit log has it.
    audited: str = ""
    # WebRTC peers come of this socket, by the control plane's port.
    brings_peers: bool = False
    instead: Instead | None = None


@dataclass(frozen=True)
class Facts:
    # For anybody, without a token: it tells nothing secret.
    is_open: bool = False
    # The least role, where it is not said by what a `GET` tells.
    needs: Role = Role.DRIVE
    tells: Kind | None = None
    # Whether it can change what a person works on, unless its method is a safe one: agents need control for it.
    acts: bool = True
    # Whether asking for it keeps a box or session from being idle, ...
    counts: bool = True
    # ... and if it is a WebSocket, whether every message does: otherwise it notes by itself which do.
    counts_messages: bool = True
    # For how many seconds after its caller's credential has ended it may still say so in words of its own.
    last_words: float = 0.0
    # Arguments that are typed or pasted somewhere, passwords among them: the record has them at no level.
    typed: tuple[str, ...] = ()
    # Whether its body may be as large as an upload.
    takes_files: bool = False
    # Whether it is for the operator alone, or means something else when the operator asks.
    is_operators: bool = False
    # Whether it can only be answered where the session's box is.
    is_on_its_host: bool = False
    # As which command of the live socket it can be run; where there are several, with which fields besides those given.
    live: str | Mapping[str, Mapping[str, object]] = ""
    gateway: AtGateway = AtGateway()
    # What its server-sent events carry, by their name; `*` where any name can come.
    events: Mapping[str, object] = field(default_factory=dict)
    # What goes over it, if it is a WebSocket.
    messages: Messages | None = None

    @property
    def live_commands(self) -> Mapping[str, Mapping[str, object]]:
        if isinstance(self.live, str):
            return {self.live: {}} if self.live else {}
        return self.live


STRICTEST = Facts()


def facts_of(scope: Scope) -> Facts:
    """Of the route that a request is for; where there is none, the strictest."""
    facts: Facts = getattr(scope.get("route"), "facts", STRICTEST)
    return facts


Endpoint = TypeVar("Endpoint", bound=Callable[..., Awaitable[object]])
# Stands for a method; no request can have one with a space.
WEBSOCKET = "a WebSocket"


class Route:
    """One endpoint at one path."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Awaitable[object]],
        methods: Sequence[str],
        *,
        # What a client's method is called that asks for it; the endpoint's name where it is left out.
        operation_id: str = "",
        status_code: int = 200,
        # What it answers with, where its signature does not say it.
        response_model: object = None,
        response_model_exclude_none: bool = False,
        response_class: type[Response] | None = None,
        # More answers than its own, by status, as OpenAPI has them.
        responses: Mapping[int | str, Mapping[str, object]] | None = None,
        tags: Sequence[str] = (),
        include_in_schema: bool = True,
        openapi_extra: Mapping[str, object] | None = None,
        **facts: Any,
    ) -> None:
        self.path, self.endpoint, self.methods = path, endpoint, tuple(methods)
        self.operation_id = operation_id or camel(endpoint.__name__)
        self.status_code = status_code
        self.response_class = response_class
        self.responses = responses or {}
        self.tags = tags
        self.include_in_schema = include_in_schema
        self.openapi_extra = openapi_extra or {}
        self.facts = Facts(**facts)
        self.is_fixed = "{" not in path
        self._response_model = response_model
        self._without_none = response_model_exclude_none

    # Worked out when first asked for: of the endpoints that a server has, most are never called.
    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], str, Mapping[str, object]]:
        return compile_path(self.path)

    @cached_property
    def path_format(self) -> str:
        """The path with the names of its parameters, without their kinds."""
        return self.path if self.is_fixed else self._compiled[1]

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.endpoint, () if self.is_fixed else tuple(self._compiled[2]))

    @cached_property
    def answers_with(self) -> Any:
        return _answer_type(self.endpoint, self._response_model)

    @cached_property
    def _answer(self) -> Callable[[object], Response]:
        return self._make_answer(without_none=self._without_none)

    def match(self, path: str) -> dict[str, str] | None:
        """What stands in the path's parameters; None where it is another."""
        if self.is_fixed:
            return {} if path == self.path else None
        found = self._compiled[0].match(path)
        return None if found is None else found.groupdict()

    async def respond(self, request: JsonRequest) -> Response:
        try:
            arguments = await self.signature.arguments(request)
            return self._answer(await self.endpoint(**arguments))
        except Problem as problem:
            return ProblemResponse(problem)
        except InvalidArguments as error:
            return ProblemResponse(error.problem())

    async def attend(self, socket: WebSocket) -> None:
        """Before a WebSocket is accepted a problem is an HTTP answer; after, it is the last message and a code."""
        try:
            try:
                await self.endpoint(**self.signature.arguments_of(socket))
            except InvalidArguments as error:
                raise error.problem() from error
        except Problem as problem:
            if socket.application_state is WebSocketState.CONNECTING:
                raise
            await socket.send_json({"type": "problem", "problem": problem.body()})
            await socket.close(1008 if problem.status < 500 else 1011, problem.code)

    def _make_answer(self, *, without_none: bool) -> Callable[[object], Response]:
        kind, status = self.answers_with, self.status_code
        if kind is None:
            return lambda result: result if isinstance(result, Response) else _nothing(status)
        if self.response_class is PlainTextResponse:
            return lambda result: result if isinstance(result, Response) else PlainTextResponse(result, status)
        adapter: TypeAdapter[object] = TypeAdapter(kind, config=None if _has_config(kind) else WHEN_USED)

        def answer(result: object) -> Response:
            if isinstance(result, Response):
                return result
            if type(result) is not kind:
                try:
                    result = adapter.validate_python(result, from_attributes=True)
                except ValueError:
                    raise TypeError(f"an endpoint's answer is not of its own type: {self.path}") from None
            return JsonBytes(adapter.dump_json(result, by_alias=True, exclude_none=without_none), status)

        return answer


class JsonBytes(Response):
    """JSON that is bytes already: nothing of it is left to find out."""

    def __init__(self, content: bytes, status: int = 200) -> None:
        self.body = content
        self.status_code = status
        self.background = None
        self.raw_headers = [
            (b"content-length", str(len(content)).encode()),
            (b"content-type", b"application/json"),
        ]


def json_of(model: BaseModel, status: int = 200, *, without_none: bool = False) -> Response:
    """For an endpoint whose answer is more than its model: a status, a cookie."""
    return JsonBytes(model.model_dump_json(by_alias=True, exclude_none=without_none).encode(), status)


class Router:
    """Routes of one subject.  What is said here holds for each of them that does not say otherwise."""

    def __init__(self, prefix: str = "", **usual: object) -> None:
        self._prefix = prefix
        self._usual = usual
        self.routes: list[Route] = []

    def add(self, path: str, endpoint: Callable[..., Awaitable[Any]], *methods: str, **about: Any) -> None:
        self.routes.append(Route(self._prefix + path, endpoint, methods, **{**self._usual, **about}))

    def route(self, path: str, *methods: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        def note(endpoint: Endpoint) -> Endpoint:
            self.add(path, endpoint, *methods, **about)
            return endpoint

        return note

    def get(self, path: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        return self.route(path, "GET", **about)

    def post(self, path: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        return self.route(path, "POST", **about)

    def put(self, path: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        return self.route(path, "PUT", **about)

    def patch(self, path: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        return self.route(path, "PATCH", **about)

    def delete(self, path: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        return self.route(path, "DELETE", **about)

    def websocket(self, path: str, **about: object) -> Callable[[Endpoint], Endpoint]:
        return self.route(path, WEBSOCKET, include_in_schema=False, **about)


def _nothing(status: int) -> Response:
    return Response(status_code=204) if status == HTTPStatus.NO_CONTENT else JSONResponse(None, status)


def _answer_type(endpoint: Callable[..., object], given: object) -> object:
    """None where it is nothing, or a response that is made already."""
    said = given if given is not None else inspect.signature(endpoint).return_annotation
    is_made = said is inspect.Signature.empty or (inspect.isclass(said) and issubclass(said, Response))
    return None if is_made else said


def _has_config(kind: object) -> bool:
    return hasattr(kind, "model_config") or hasattr(kind, "__pydantic_config__")
