"""The short way to an endpoint: how a request becomes its arguments and its result an answer, worked out once.

FastAPI works that out anew for each request, with exit stacks, caches and spans that hardly any endpoint of ours uses:
two tenths of a millisecond every time.  An endpoint that does use them (a form, a dependency that depends on something,
a response class of its own) keeps FastAPI's way.  What a caller sees is the same on both.
"""

import inspect
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from fastapi import Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError
from fastapi.params import Body
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from belljar.asgi.bodies import JsonRequest, check_content_type
from belljar.limits import is_shallow
from belljar.problems import ClientGone

Handler = Callable[[JsonRequest], Awaitable[Response]]
Arguments = dict[str, Any]
# Takes what it knows of out of a request, into the arguments; returns what was wrong.
Taker = Callable[[JsonRequest, Arguments], list[Any]]
Answerer = Callable[[Any], Response]


def short_way(route: APIRoute) -> Handler | None:
    """What answers a request to `route`; None where only FastAPI can."""
    answer = _answerer(route)
    if answer is None or not _is_simple(route):
        return None
    endpoint: Callable[..., Awaitable[Any]] = route.endpoint
    read_body, take_body = _body(route)
    depend = _dependencies(route.dependant)
    takers = _takers(route.dependant)

    async def handle(request: JsonRequest) -> Response:
        body = await read_body(request)
        arguments: Arguments = {}
        await depend(request, arguments)
        errors = [error for take in takers for error in take(request, arguments)]
        errors += take_body(body, arguments)
        if errors:
            raise RequestValidationError(errors)
        return answer(await endpoint(**arguments))

    return handle


def _is_simple(route: APIRoute) -> bool:
    dependant = route.dependant
    return (
        inspect.iscoroutinefunction(route.endpoint)
        and dependant.response_param_name is None
        and dependant.background_tasks_param_name is None
        and dependant.security_scopes_param_name is None
        and not dependant.cookie_params
        and all(map(_only_looks, dependant.dependencies))
        and _has_plain_body(route)
    )


def _only_looks(dependant: Dependant) -> bool:
    """A dependency that takes the connection, and nothing that would have to be found out first."""
    call = dependant.call
    if dependant.name is None:
        return False
    is_plain = (
        inspect.isfunction(call) and not inspect.isgeneratorfunction(call) and not inspect.isasyncgenfunction(call)
    )
    takes_connection = bool(dependant.http_connection_param_name or dependant.request_param_name)
    others = (
        dependant.dependencies,
        dependant.path_params,
        dependant.query_params,
        dependant.header_params,
        dependant.cookie_params,
        dependant.body_params,
        dependant.response_param_name,
        dependant.background_tasks_param_name,
    )
    return is_plain and takes_connection and not any(others)


def _dependencies(dependant: Dependant) -> Callable[[JsonRequest, Arguments], Awaitable[None]]:
    """Called in place: those of ours only look at the connection, where FastAPI would take a thread for a plain one."""
    plain: list[tuple[str, Callable[..., Any]]] = []
    awaited: list[tuple[str, Callable[..., Any]]] = []
    for one in dependant.dependencies:
        assert one.name and one.call, "a dependency among the parameters has a name and a function"
        (awaited if inspect.iscoroutinefunction(one.call) else plain).append((one.name, one.call))

    async def depend(request: JsonRequest, arguments: Arguments) -> None:
        for name, call in plain:
            arguments[name] = call(request)
        for name, call in awaited:
            arguments[name] = await call(request)

    return depend


def _takers(dependant: Dependant) -> list[Taker]:
    takers: list[Taker] = []
    whole = [name for name in (dependant.request_param_name, dependant.http_connection_param_name) if name]
    if whole:
        takers.append(lambda request, arguments: arguments.update(dict.fromkeys(whole, request)) or [])
    for fields, where in (
        (dependant.path_params, "path_params"),
        (dependant.query_params, "query_params"),
        (dependant.header_params, "headers"),
    ):
        if fields:
            takers.append(_parameters(fields, where))
    return takers


def _parameters(fields: list[Any], where: str) -> Taker:
    def take(request: JsonRequest, arguments: Arguments) -> list[Any]:
        values, errors = request_params_to_args(fields, getattr(request, where))
        arguments.update(values)
        return errors

    return take


def _has_plain_body(route: APIRoute) -> bool:
    fields = route.dependant.body_params
    if not fields:
        return True
    info = fields[0].field_info
    # A form is a kind of body to FastAPI.
    return len(fields) == 1 and type(info) is Body and not info.embed


def _body(
    route: APIRoute,
) -> tuple[Callable[[JsonRequest], Awaitable[Any]], Callable[[Any, Arguments], list[Any]]]:
    """How the body is read, and how it is checked: the first comes before anything else of the request is looked at."""
    if not route.dependant.body_params:
        return _no_body, lambda body, arguments: []
    field = route.dependant.body_params[0]
    is_required = field.field_info.is_required()

    model = field.field_info.annotation
    at_once = model if isinstance(model, type) and issubclass(model, BaseModel) else None

    async def read(request: JsonRequest) -> Any:
        check_content_type(request, is_required=is_required)
        if at_once is not None and is_shallow(body := await _bytes(request)):
            # Parsed and checked in one go.  What does not pass goes the longer way, which says what is wrong with it.
            with suppress(ValidationError):
                return at_once.model_validate_json(body)
        return await _json(request)

    def take(body: Any, arguments: Arguments) -> list[Any]:
        if at_once is not None and isinstance(body, at_once):
            arguments[field.name] = body
            return []
        if body is _ABSENT:
            if is_required:
                return [{"type": "missing", "loc": ("body",), "msg": "Field required", "input": None}]
            arguments[field.name] = field.get_default()
            return []
        arguments[field.name], errors = field.validate(body, loc=("body",))
        return errors

    return read, take


_ABSENT = object()


async def _no_body(request: JsonRequest) -> Any:
    return _ABSENT


async def _bytes(request: JsonRequest) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:
        raise ClientGone("the client hung up before its request was read") from None


async def _json(request: JsonRequest) -> Any:
    try:
        return await request.json() if await _bytes(request) else _ABSENT
    except json.JSONDecodeError as error:
        where = {"type": "json_invalid", "loc": ("body", error.pos), "ctx": {"error": error.msg}}
        raise RequestValidationError([where]) from error


class _Json(Response):
    """JSON that is bytes already: nothing of it is left to find out."""

    def __init__(self, content: bytes, status: int) -> None:
        self.body = content
        self.status_code = status
        self.background = None
        self.raw_headers = [
            (b"content-length", str(len(content)).encode()),
            (b"content-type", b"application/json"),
        ]


def _answerer(route: APIRoute) -> Answerer | None:
    field, status = route.response_field, route.status_code
    if field is None:
        nothing = partial(Response, status_code=204) if status == 204 else partial(JSONResponse, None, status or 200)
        return lambda result: result if isinstance(result, Response) else nothing()
    has_choice = route.response_model_include or route.response_model_exclude
    if has_choice or route.response_model_exclude_unset or route.response_model_exclude_defaults:
        return None
    if route.response_class is PlainTextResponse:
        return lambda result: result if isinstance(result, Response) else PlainTextResponse(result, status or 200)
    if not isinstance(route.response_class, DefaultPlaceholder):
        return None
    without_none = route.response_model_exclude_none

    def answer(result: Any) -> Response:
        if isinstance(result, Response):
            return result
        if type(result) is not field.field_info.annotation:
            result, errors = field.validate(result, loc=("response",))
            if errors:
                raise TypeError(f"an endpoint's answer is not of its own type: {route.path}")
        return _Json(field.serialize_json(result, exclude_none=without_none), status or 200)

    return answer
