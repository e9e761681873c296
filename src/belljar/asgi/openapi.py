"""The OpenAPI document: FastAPI's, with our errors in place of its own."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from belljar.asgi.guard import PROBES
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


def problems(*classes: type[Problem]) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: the problems it can answer with beside those any route can."""
    by_status: dict[int, list[type[Problem]]] = {}
    for one in classes:
        by_status.setdefault(one.status, []).append(one)
    return {status: _response(tuple(found)) for status, found in by_status.items()}


class SchemaOf(dict[str, Any]):
    """For a route's `openapi_extra`: the schema of a model, made with the document and not with every start."""

    def __init__(self, model: type[BaseModel]) -> None:
        super().__init__()
        self._model = model

    def fill(self) -> None:
        self.update(self._model.model_json_schema(by_alias=True, ref_template="#/components/schemas/{model}"))


def describe(app: FastAPI, anywhere: Sequence[type[Problem]] = ()) -> None:
    """Make `app.openapi()` give the document with every operation's errors, `anywhere` among them."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            for route in app.routes:
                _fill(getattr(route, "openapi_extra", None))
            document = get_openapi(title=app.title, version=app.version, routes=app.routes)
            for path, operation in _operations(document):
                _mend(path, operation)
                for one in anywhere:
                    _add(operation["responses"], one)
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            schemas.pop("HTTPValidationError", None)
            schemas.pop("ValidationError", None)
            schemas["Problem"] = _PROBLEM_SCHEMA
            document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            document["security"] = [{"token": []}]
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the way FastAPI documents


def _fill(extra: object) -> None:
    if isinstance(extra, SchemaOf):
        extra.fill()
    elif isinstance(extra, dict):
        for inner in extra.values():
            _fill(inner)


def add_operations(document: dict[str, Any], path: str, operations: dict[str, Any]) -> None:
    """Describe a mount, whose routes FastAPI does not know."""
    document["paths"][path] = operations
    for operation in operations.values():
        _mend(path, operation)


def written_document(name: str) -> bytes:
    """What `belljar openapi` wrote, as the wheel has it, or the checkout that this runs from.

    Made anew it would hold up the server for a second and leave it 20 MB larger; `make check` says when it is stale.
    """
    package = Path(__file__).parents[1]
    beside = package / "openapi" / f"{name}.json"
    return (beside if beside.exists() else package.parents[1] / "openapi" / f"{name}.json").read_bytes()


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield path, operation


def _mend(path: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    if path in PROBES:
        operation["security"] = []
        return
    usual: list[type[Problem]] = [InvalidRequest, TokenInvalid, InternalError]
    if "requestBody" in operation:
        usual += [BodyTooLarge, UnsupportedMediaType, ValidationFailed]
    for one in usual:
        responses.setdefault(str(one.status), _response((one,)))


def _add(responses: dict[str, Any], problem: type[Problem]) -> None:
    """Beside others of its status, where there are some."""
    also = _response((problem,))
    known = responses.get(str(problem.status), {"content": {}})
    if CONTENT_TYPE not in known["content"]:
        responses[str(problem.status)] = also
        return
    content = known["content"][CONTENT_TYPE]
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
