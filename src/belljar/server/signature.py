"""Signatures of endpoints, read once: what each takes of path, query, headers, body and the server's parts.

A parameter named in the path is of the path; a `Request`, `WebSocket` or `HTTPConnection` is the request itself; what
is marked with `Depends` is made of it; a model without a mark is the JSON body; all else is of the query, or with
`Header` of the headers.
"""

import inspect
import json
import types
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from starlette.datastructures import Headers, QueryParams
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from belljar.limits import TooDeep, check_json_depth, is_shallow
from belljar.problems import ClientGone, InvalidRequest, Problem, UnsupportedMediaType, ValidationFailed

Where = Literal["path", "query", "header"]
Arguments = dict[str, object]
# Models and adapters are compiled when they are first used: hardly any start uses most of them.
WHEN_USED = ConfigDict(defer_build=True)


class Query:
    """Marks a parameter of the query, with what is said of it as of a field of a model; of a model, all its fields."""

    where: Where = "query"

    def __init__(self, **about: Any) -> None:
        self.about = about


class Header(Query):
    """Marks a header; `last_event_id` is `Last-Event-Id`."""

    where: Where = "header"


class Depends:
    """Marks what a function makes of the connection."""

    def __init__(self, make: Callable[[HTTPConnection], object]) -> None:
        self.make = make


class FromState(Depends):
    """Marks what lies in the state of every request under a name: the server's parts, the caller."""

    def __init__(self, name: str) -> None:
        super().__init__(lambda connection: connection.scope["state"][name])


class InvalidArguments(Exception):
    """What was sent is not what an endpoint takes: errors as Pydantic lists them, each `loc` beginning with where."""

    def __init__(self, errors: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        self.errors = errors

    def problem(self) -> Problem:
        """What was sent is not repeated: it may hold a password."""
        first = self.errors[0]
        if first["type"] == "json_invalid":
            return InvalidRequest(
                f"The request body is not valid JSON: {first['ctx']['error']} at position {first['loc'][1]}."
            )
        listed = [
            {
                "in": str(error["loc"][0]),
                "field": ".".join(map(str, error["loc"][1:])),
                "message": error["msg"],
                "type": error["type"],
            }
            for error in self.errors
        ]
        sentence = "; ".join(f"{error['field'] or error['in']}: {error['message']}" for error in listed[:5])
        if any(error["in"] == "body" for error in listed):
            return ValidationFailed(sentence, errors=listed)
        return InvalidRequest(sentence, errors=listed)


@dataclass(frozen=True)
class Parameter:
    """One parameter of path, query or headers."""

    name: str
    where: Where
    # As it is called there.
    alias: str
    # With everything that is said of it.
    annotation: object
    default: object = inspect.Parameter.empty

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def model(self) -> type[BaseModel] | None:
        """Whose fields are the parameters, where it stands for several."""
        base = _without_marks(self.annotation)
        return base if _is_model(base) else None


@dataclass(frozen=True)
class BodyParameter:
    name: str
    annotation: Any
    default: object

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty


class JsonRequest(Request):
    """A request whose JSON is bounded in depth."""

    async def body(self) -> bytes:
        """As Starlette's, which makes a stream of it: hardly any body of ours comes in two pieces."""
        if not hasattr(self, "_body"):
            chunks: list[bytes] = []
            is_more = True
            while is_more:
                message = await self.receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                chunks.append(message.get("body", b""))
                is_more = message.get("more_body", False)
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> object:
        if not hasattr(self, "_json"):
            try:
                value = await super().json()
                check_json_depth(value)
            except json.JSONDecodeError:
                raise
            except (RecursionError, TooDeep, ValueError) as error:
                raise InvalidRequest(
                    "The request body is not JSON that can be read: nested too deeply, not UTF-8, or with a number of "
                    "thousands of digits."
                ) from error
            self._json = value
        return self._json


def check_content_type(request: Request, *, is_required: bool) -> None:
    given = request.headers.get("content-type", "")
    if given == "application/json":
        return
    content_type = given.partition(";")[0].strip().lower()
    kind, _, subtype = content_type.partition("/")
    if kind == "application" and (subtype == "json" or subtype.endswith("+json")):
        return
    if not content_type and not is_required and not _has_body(request):
        return
    raise UnsupportedMediaType("Send the body as JSON with the header Content-Type: application/json.")


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


class Signature:
    """Of one endpoint at one path."""

    def __init__(self, endpoint: Callable[..., object], in_path: Sequence[str]) -> None:
        self.parameters: list[Parameter] = []
        self.body: BodyParameter | None = None
        self._whole: list[str] = []
        self._made: list[tuple[str, Callable[[HTTPConnection], object]]] = []
        for name, parameter in inspect.signature(endpoint).parameters.items():
            self._sort(name, parameter, in_path)
        self._takers = [*self._takers_of("path"), *self._takers_of("query"), *self._takers_of("header")]
        self._read_body = None if self.body is None else _body_reader(self.body)

    def of(self, where: Where) -> list[Parameter]:
        return [one for one in self.parameters if one.where == where]

    async def arguments(self, request: JsonRequest) -> Arguments:
        """Raises problems, and `InvalidArguments`.  The body is read before anything else is looked at."""
        if self._read_body is None:
            return self.arguments_of(request)
        body, errors = await self._read_body(request)
        arguments = self.arguments_of(request, errors)
        assert self.body is not None, "what reads a body has one"
        arguments[self.body.name] = body
        return arguments

    def arguments_of(self, connection: HTTPConnection, errors: Sequence[Any] = ()) -> Arguments:
        """All but the body; `errors` are what is known to be wrong with that."""
        arguments: Arguments = dict.fromkeys(self._whole, connection)
        for name, make in self._made:
            arguments[name] = make(connection)
        found = [error for take in self._takers for error in take(connection, arguments)]
        if found or errors:
            raise InvalidArguments([*found, *errors])
        return arguments

    def _sort(self, name: str, parameter: inspect.Parameter, in_path: Sequence[str]) -> None:
        annotation, default = parameter.annotation, parameter.default
        mark = next((one for one in _marks(annotation) if isinstance(one, (Query, Depends))), None)
        base = _without_marks(annotation)
        if inspect.isclass(base) and issubclass(base, HTTPConnection):
            self._whole.append(name)
        elif isinstance(mark, Depends):
            self._made.append((name, mark.make))
        elif name in in_path:
            self.parameters.append(Parameter(name, "path", name, annotation))
        elif mark is not None:
            self.parameters.append(_marked(name, mark, annotation, default))
        elif _is_model(base) or _is_optional_model(base):
            assert self.body is None, f"one body, not also {name}"
            self.body = BodyParameter(name, annotation, default)
        else:
            self.parameters.append(Parameter(name, "query", name, annotation, default))

    def _takers_of(self, where: Where) -> Iterator[Callable[[HTTPConnection, Arguments], list[Any]]]:
        parameters = self.of(where)
        if where == "path" and all(one.annotation is str for one in parameters):
            if parameters:
                yield lambda connection, arguments: arguments.update(connection.path_params) or []
            return
        for one in parameters:
            if one.model is not None:
                yield _model_taker(one, one.model)
        single = [one for one in parameters if one.model is None]
        if single:
            yield _taker(where, single)


def _marked(name: str, mark: Query, annotation: object, default: object) -> Parameter:
    usual = name.replace("_", "-") if mark.where == "header" else name
    alias = mark.about.get("alias", usual)
    about = {key: value for key, value in mark.about.items() if key != "alias"}
    said = Annotated[_without_queries(annotation), Field(**about)] if about else _without_queries(annotation)
    return Parameter(name, mark.where, alias, said, default)


def _taker(where: Where, parameters: Sequence[Parameter]) -> Callable[[HTTPConnection, Arguments], list[object]]:
    """Checks all of them at once."""
    fields: dict[str, Any] = {}
    for one in parameters:
        default = ... if one.is_required else one.default
        fields[one.name] = (one.annotation, Field(default, alias=one.alias))
    model = create_model(f"{where.title()}Parameters", __config__=WHEN_USED, **fields)
    names = [(one.alias, _is_sequence(one.annotation)) for one in parameters]

    def take(connection: HTTPConnection, arguments: Arguments) -> list[object]:
        given = _given(connection, where)
        try:
            checked = model.model_validate(_picked(given, names))
        except ValidationError as error:
            return _placed(error, where)
        arguments.update((one.name, getattr(checked, one.name)) for one in parameters)
        return []

    return take


def _model_taker(parameter: Parameter, model: type[BaseModel]) -> Callable[[HTTPConnection, Arguments], list[object]]:
    names = [(info.alias or name, _is_sequence(info.annotation)) for name, info in model.model_fields.items()]
    known = {alias for alias, _ in names}

    def take(connection: HTTPConnection, arguments: Arguments) -> list[object]:
        given = _given(connection, parameter.where)
        unknown = [(name, False) for name in given if name not in known]
        try:
            arguments[parameter.name] = model.model_validate(_picked(given, [*names, *unknown]))
        except ValidationError as error:
            return _placed(error, parameter.where)
        return []

    return take


def _given(connection: HTTPConnection, where: Where) -> Mapping[str, object]:
    if where == "path":
        return connection.path_params
    return connection.query_params if where == "query" else connection.headers


def _picked(given: Mapping[str, object], names: Sequence[tuple[str, bool]]) -> dict[str, object]:
    picked: dict[str, object] = {}
    for name, is_sequence in names:
        if name not in given:
            continue
        is_several = is_sequence and isinstance(given, (QueryParams, Headers))
        picked[name] = given.getlist(name) if is_several else given[name]  # type: ignore[attr-defined]  # both have it
    return picked


def _placed(error: ValidationError, where: str) -> list[object]:
    found = error.errors(include_url=False, include_input=False)
    return [{**one, "loc": (where, *one["loc"])} for one in found]


_Read = Callable[[JsonRequest], Awaitable[tuple[object, list[object]]]]


def _body_reader(body: BodyParameter) -> _Read:
    """The body as its parameter has it, and what is wrong with it."""
    at_once = body.annotation if _is_model(body.annotation) else None
    adapter: TypeAdapter[object] = TypeAdapter(body.annotation, config=None if at_once else WHEN_USED)

    async def read(request: JsonRequest) -> tuple[object, list[object]]:
        check_content_type(request, is_required=body.is_required)
        raw = await _bytes(request)
        if at_once is not None and is_shallow(raw):
            # Parsed and checked in one go.  What does not pass goes the longer way, which says what is wrong with it.
            with suppress(ValidationError):
                return at_once.model_validate_json(raw), []
        if not raw:
            missing = {"type": "missing", "loc": ("body",), "msg": "Field required"}
            return (None, [missing]) if body.is_required else (body.default, [])
        try:
            return adapter.validate_python(await request.json(), from_attributes=True), []
        except json.JSONDecodeError as error:
            where = {"type": "json_invalid", "loc": ("body", error.pos), "ctx": {"error": error.msg}}
            raise InvalidArguments([where]) from error
        except ValidationError as error:
            return None, _placed(error, "body")

    return read


async def _bytes(request: JsonRequest) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:
        raise ClientGone("the client hung up before its request was read") from None


def _marks(annotation: Any) -> tuple[Any, ...]:
    return annotation.__metadata__ if get_origin(annotation) is Annotated else ()


def _without_marks(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _without_queries(annotation: object) -> object:
    """Without what is ours, with what is Pydantic's."""
    kept = [one for one in _marks(annotation) if not isinstance(one, Query)]
    base = _without_marks(annotation)
    return Annotated[(base, *kept)] if kept else base


def _is_model(annotation: object) -> bool:
    return inspect.isclass(annotation) and issubclass(annotation, BaseModel)


def _is_optional_model(annotation: object) -> bool:
    return get_origin(annotation) in (Union, types.UnionType) and any(map(_is_model, get_args(annotation)))


def _is_sequence(annotation: object) -> bool:
    base = _without_marks(annotation)
    if get_origin(base) in (Union, types.UnionType):
        return any(_is_sequence(one) for one in get_args(base))
    return get_origin(base) in (list, tuple, set)
