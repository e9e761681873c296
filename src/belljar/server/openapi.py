"""The OpenAPI document of routes: every operation with its problems, every schema under its own name."""

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic.warnings import UnsupportedFieldAttributeWarning
from pydantic_core import CoreSchema, core_schema

from belljar import __version__
from belljar.problems import (
    CONTENT_TYPE,
    BodyTooLarge,
    InternalError,
    InvalidRequest,
    Problem,
    TokenInvalid,
    UnsupportedMediaType,
    ValidationFailed,
)
from belljar.server.router import WEBSOCKET, Messages, Route
from belljar.server.signature import Parameter
from belljar.wire.schema_names import schema_name

_PLACE = "#/components/schemas/"
# In a schema while it is made: the class it is of, and the name that it shall have.
_CLASS, _NAME = "x-made-of", "x-made-as"


class SameName(TypeError):
    """Two schemas would have one name.  One that differs between requests and answers needs two models."""


class Schemas:
    """Schemas of many types, made together so that they share their definitions."""

    def __init__(self) -> None:
        self._wanted: list[tuple[int, JsonSchemaMode, CoreSchema]] = []
        self._made: dict[tuple[int, JsonSchemaMode], dict[str, object]] = {}
        self.definitions: dict[str, dict[str, object]] = {}

    def want(self, kind: Any, mode: JsonSchemaMode, name: str) -> Callable[[], dict[str, Any]]:
        """Gives the schema once all are made; one that is not a reference is titled after `name`."""
        number = len(self._wanted)
        with warnings.catch_warnings():
            # An alias, which is the parameter's and not its type's.
            warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
            self._wanted.append((number, mode, TypeAdapter(kind).core_schema))

        def made() -> dict[str, object]:
            schema = self._made[number, mode]
            title = {} if "$ref" in schema else {"title": schema.get("title", name.title().replace("_", " "))}
            return {**schema, **title}

        return made

    def make(self) -> None:
        made, definitions = _Generator(ref_template=_PLACE + "{model}").generate_definitions(self._wanted)
        names = {f"{_PLACE}{key}": schema[_NAME] for key, schema in definitions.items()}
        self._made = {key: _cleaned(schema, names) for key, schema in made.items()}
        classes: dict[str, str] = {}
        for schema in definitions.values():
            name, made_of = schema[_NAME], schema[_CLASS]
            cleaned = {**_cleaned(schema, names), "title": name}
            # Pydantic gives one of two classes that have the same name a definition for each direction, even where
            # both are alike.
            if name in classes and (classes[name] != made_of or self.definitions[name] != cleaned):
                raise SameName(f"{name} is the schema's name of {classes[name]} and of {made_of}")
            classes[name] = made_of
            self.definitions[name] = cleaned


class _Generator(GenerateJsonSchema):
    """Pydantic's, which would name a schema after its class, with the module where two classes have one name."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return super().model_schema(schema) | _marks(schema["cls"])

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        return super().enum_schema(schema) | _marks(schema["cls"])


def _marks(kind: type) -> JsonSchemaValue:
    return {_NAME: schema_name(kind), _CLASS: f"{kind.__module__}.{kind.__qualname__}"}


def _cleaned(value: Any, names: dict[str, str]) -> Any:
    """Without marks, references by their new names, and without nulls: a default of null says no more than that a
    field may be left out.
    """
    if isinstance(value, dict):
        return {
            key: _PLACE + names[inner] if key == "$ref" else _cleaned(inner, names)
            for key, inner in value.items()
            if inner is not None and key not in (_NAME, _CLASS)
        }
    if isinstance(value, list):
        return [_cleaned(inner, names) for inner in value]
    # A discriminator's mapping names schemas too, as plain text.
    return _PLACE + names[value] if isinstance(value, str) and value in names else value


_PROBLEM_SCHEMA = {
    "type": "object",
    "description": "RFC 9457. Further members depend on `code`: see docs/reference/problems.md.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
    },
    "additionalProperties": True,
}


def problems(*classes: type[Problem]) -> dict[int | str, dict[str, object]]:
    """For a route's `responses`: the problems it can answer with beside those any route can."""
    by_status: dict[int, list[type[Problem]]] = {}
    for one in classes:
        by_status.setdefault(one.status, []).append(one)
    return {status: _response(tuple(found)) for status, found in by_status.items()}


class SchemaOf(dict[str, object]):
    """For a route's `openapi_extra`: the schema of a model, made with the document and not with every start."""

    def __init__(self, model: type[BaseModel]) -> None:
        super().__init__()
        self.model = model


class SameOperation(ValueError):
    """Two operations have one id: a client made from the document would have one method for both."""


def describe(title: str, routes: Iterable[Route], anywhere: Sequence[type[Problem]] = ()) -> dict[str, object]:
    """The whole document; `anywhere` are problems that each of the endpoints can answer with."""
    schemas = Schemas()
    operations: list[tuple[str, str, _Operation]] = []
    sockets: list[_Socket] = []
    for route in routes:
        if WEBSOCKET in route.methods and route.facts.messages is not None:
            sockets.append(_Socket(route, route.facts.messages, schemas))
        elif route.include_in_schema:
            operations += [(route.path_format, method.lower(), _Operation(route, schemas)) for method in route.methods]
    schemas.make()
    _check_ids([described.id for _, _, described in operations])
    paths: dict[str, dict[str, object]] = {}
    for path, method, described in operations:
        operation = paths.setdefault(path, {})[method] = described.written()
        _mend(operation, is_probe=described.is_probe)
        for one in anywhere:
            _add(operation["responses"], one)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "paths": paths,
        "components": {
            "schemas": dict(sorted((schemas.definitions | {"Problem": _PROBLEM_SCHEMA}).items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
        # OpenAPI has no words for these.
        **({"x-websockets": {one.path: one.written() for one in sockets}} if sockets else {}),
    }


def _check_ids(ids: Sequence[str]) -> None:
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        raise SameOperation(f"operations share an id, give one an operation_id of its own: {', '.join(twice)}")


class _Socket:
    """One WebSocket in the document: what either side may send, as text, and what its events carry."""

    def __init__(self, route: Route, messages: Messages, schemas: Schemas) -> None:
        self._route = route
        self._messages = messages
        self._client = schemas.want(messages.client, "validation", "Client message")
        self._server = schemas.want(messages.server, "serialization", "Server message")
        self._events = _wanted_events(messages.events, schemas)

    @property
    def path(self) -> str:
        return self._route.path_format

    def written(self) -> dict[str, object]:
        about: dict[str, object] = {"operationId": self._route.operation_id}
        if self._route.endpoint.__doc__:
            about["description"] = inspect.cleandoc(self._route.endpoint.__doc__)
        if self._messages.subprotocols:
            about["subprotocols"] = list(self._messages.subprotocols)
        about |= {"clientMessages": self._client(), "serverMessages": self._server()}
        if self._events:
            about["events"] = {name: schema() for name, schema in self._events.items()}
        return about


def _wanted_events(events: Mapping[str, object], schemas: Schemas) -> dict[str, Callable[[], dict[str, object]]]:
    return {name: schemas.want(kind, "serialization", name) for name, kind in events.items()}


class _Operation:
    """One route in the document."""

    def __init__(self, route: Route, schemas: Schemas) -> None:
        self._route = route
        self._parameters = [
            (place, schemas.want(place.annotation, "validation", place.alias))
            for one in route.signature.parameters
            for place in _flat(one)
        ]
        body = route.signature.body
        self._body = None if body is None else schemas.want(body.annotation, "validation", body.name)
        answers_with = route.answers_with
        name = f"Response {route.operation_id}"
        self._answer = None if answers_with is None else schemas.want(answers_with, "serialization", name)
        self._events = _wanted_events(route.facts.events, schemas)
        self._extra = _wanted(route.openapi_extra, schemas)

    @property
    def id(self) -> str:
        return self._route.operation_id

    @property
    def is_probe(self) -> bool:
        """For anybody, and about nothing but whether the server is up."""
        return self._route.facts.is_open and self._route.methods == ("GET",)

    def written(self) -> dict[str, Any]:
        route = self._route
        operation: dict[str, object] = {"tags": list(route.tags)} if route.tags else {}
        operation["summary"] = route.endpoint.__name__.replace("_", " ").title()
        if route.endpoint.__doc__:
            operation["description"] = inspect.cleandoc(route.endpoint.__doc__)
        operation["operationId"] = self.id
        if self._parameters:
            operation["parameters"] = [_parameter(one, schema()) for one, schema in self._parameters]
        if self._body is not None and route.signature.body is not None:
            required = {"required": True} if route.signature.body.is_required else {}
            operation["requestBody"] = {**required, "content": {"application/json": {"schema": self._body()}}}
        operation["responses"] = self._responses()
        return _merged(operation, _made(self._extra))

    def _responses(self) -> dict[str, Any]:
        route = self._route
        own: dict[str, Any] = {"description": "Successful Response"}
        if route.status_code != HTTPStatus.NO_CONTENT:
            if route.response_class is None:
                own["content"] = {"application/json": {"schema": self._answer() if self._answer else {}}}
            elif route.response_class.media_type is not None:
                own["content"] = {route.response_class.media_type: {"schema": {"type": "string"}}}
        responses = {str(route.status_code): own}
        for status, more in route.responses.items():
            known = responses.get(str(status), {})
            described = more.get("description") or known.get("description") or HTTPStatus(int(status)).phrase
            responses[str(status)] = {**_merged(known, more), "description": described}
        if self._events:
            # Which event carries what; OpenAPI 3.1 can only say that it is text.
            events = {name: schema() for name, schema in self._events.items()}
            own = responses[str(route.status_code)]
            own.setdefault("content", {})["text/event-stream"] = {"schema": {"type": "string"}, "x-events": events}
        return responses


def _flat(parameter: Parameter) -> list[Parameter]:
    """Of a model, its fields."""
    if parameter.model is None:
        default = Field() if parameter.is_required else Field(default=parameter.default)
        return [replace(parameter, annotation=Annotated[parameter.annotation, default])]
    flat = []
    for name, info in parameter.model.model_fields.items():
        parts = info.asdict()
        said = (parts["annotation"], *parts["metadata"], Field(**parts["attributes"]))
        annotation = Annotated[said]  # type: ignore[valid-type]  # made here, not written
        default = inspect.Parameter.empty if info.is_required() else None
        flat.append(Parameter(name, parameter.where, info.alias or name, annotation, default))
    return flat


def _parameter(parameter: Parameter, schema: dict[str, object]) -> dict[str, object]:
    said = {"description": schema["description"]} if "description" in schema else {}
    return {
        "name": parameter.alias,
        "in": parameter.where,
        "required": parameter.is_required,
        "schema": schema,
        **said,
    }


def _merged(into: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """As `|`, and so for what both have."""
    merged = {**into, **more}
    for key in into.keys() & more.keys():
        if isinstance(into[key], Mapping) and isinstance(more[key], Mapping):
            merged[key] = _merged(into[key], more[key])
    return merged


def _wanted(extra: object, schemas: Schemas) -> object:
    """With what gives its schema once all are made, where a model stands."""
    if isinstance(extra, SchemaOf):
        return schemas.want(extra.model, "validation", extra.model.__name__)
    return {key: _wanted(inner, schemas) for key, inner in extra.items()} if isinstance(extra, Mapping) else extra


def _made(extra: Any) -> Any:
    if callable(extra):
        return extra()
    return {key: _made(inner) for key, inner in extra.items()} if isinstance(extra, dict) else extra


def add_operations(document: dict[str, Any], path: str, operations: dict[str, Any]) -> None:
    """Describe a mount, which has no routes."""
    document["paths"][path] = operations
    for operation in operations.values():
        _mend(operation)


def written_document(name: str) -> bytes:
    """What `belljar openapi` wrote, as the wheel has it, or the checkout that this runs from.

    Made anew it would hold up the server for a second and leave it 20 MB larger; `make check` says when it is stale.
    """
    package = Path(__file__).parents[1]
    beside = package / "openapi" / f"{name}.json"
    return (beside if beside.exists() else package.parents[1] / "openapi" / f"{name}.json").read_bytes()


def _mend(operation: dict[str, Any], *, is_probe: bool = False) -> None:
    responses = operation["responses"]
    if is_probe:
        operation["security"] = []
        return
    usual: list[type[Problem]] = [InvalidRequest, TokenInvalid, InternalError]
    if "requestBody" in operation:
        usual += [BodyTooLarge, UnsupportedMediaType]
    for one in usual:
        responses.setdefault(str(one.status), _response((one,)))
    if "requestBody" in operation:
        _add(responses, ValidationFailed)


def _add(responses: dict[str, Any], problem: type[Problem]) -> None:
    """Beside others of its status, where there are some."""
    also = _response((problem,))
    known = responses.get(str(problem.status), {"content": {}})
    if CONTENT_TYPE not in known["content"]:
        responses[str(problem.status)] = also
        return
    content = known["content"][CONTENT_TYPE]
    if problem.code in content["examples"]:
        return
    examples = {**content["examples"], **also["content"][CONTENT_TYPE]["examples"]}
    responses[str(problem.status)] = {
        "description": f"{known['description']}, {also['description']}",
        "content": {CONTENT_TYPE: {**content, "examples": examples}},
    }


@cache
def _response(classes: tuple[type[Problem], ...]) -> dict[str, Any]:
    """Of hundreds of routes many have the same."""
    examples = {
        one.code: {"value": {"type": one.type_uri(), "title": one.title, "status": one.status, "code": one.code}}
        for one in classes
    }
    return {
        "description": ", ".join(f"`{one.code}`" for one in classes),
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}},
    }
