"""What a FastAPI application of ours does with bad requests: one kind of problem for each."""

import warnings
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketState

from belljar.asgi.answers import ProblemResponse, answer
from belljar.asgi.bodies import JsonRequest, check_content_type
from belljar.asgi.endpoints import Handler, short_way
from belljar.asgi.requests import internal_error
from belljar.problems import (
    InvalidRequest,
    MethodNotAllowed,
    Problem,
    UnknownPath,
    ValidationFailed,
)

# FastAPI silences this while it builds its fields; our models are built when first used, and would warn then.
warnings.filterwarnings("ignore", category=UnsupportedFieldAttributeWarning)


class JsonRoute(APIRoute):
    """A route that refuses a body of another content type with 415 before reading it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # None where only FastAPI's own way leads to the endpoint.
        self.handle_shortly = short_way(self)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        takes_json = self.body_field is not None and not _takes_form(self)
        is_required = takes_json and self.body_field is not None and self.body_field.field_info.is_required()

        async def checked(request: Request) -> Response:
            if takes_json:
                check_content_type(request, is_required=is_required)
            return await handle(JsonRequest(request.scope, request.receive))

        return checked


async def answer_shortly(handle: Handler, request: JsonRequest) -> None:
    """As FastAPI would with our handlers; what is no problem is left to `Requests`, which logs it."""
    try:
        response = await handle(request)
    except Problem as problem:
        response = ProblemResponse(problem)
    except RequestValidationError as error:
        response = ProblemResponse(_validation_problem(error.errors()))
    await response(request.scope, request.receive, request._send)


def add_problem_handlers(app: FastAPI) -> None:
    app.router.default = _unknown_path
    app.add_exception_handler(Problem, _problem)  # type: ignore[arg-type]  # one handler for requests and WebSockets
    app.add_exception_handler(RequestValidationError, _validation_failed)
    app.add_exception_handler(HTTPException, _http_exception)
    # Starlette's own 500 is plain text.  It raises the exception again once this is sent, for `Requests` to log.
    app.add_exception_handler(Exception, _fault)


def _takes_form(route: APIRoute) -> bool:
    return any(parameter.field_info.__class__.__name__ in ("Form", "File") for parameter in route.dependant.body_params)


async def _problem(connection: HTTPConnection, error: Exception) -> Response | None:
    """Before a WebSocket is accepted a problem is an HTTP answer; after, it is the last message and a close code."""
    assert isinstance(error, Problem)
    if isinstance(connection, WebSocket) and connection.application_state is not WebSocketState.CONNECTING:
        await connection.send_json({"type": "problem", "problem": error.body()})
        await connection.close(1008 if error.status < 500 else 1011, error.code)
        return None
    return ProblemResponse(error)


async def _validation_failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return ProblemResponse(_validation_problem(error.errors()))


def _validation_problem(errors: Sequence[Any]) -> Problem:
    """What was sent is not repeated: it may hold a password."""
    first = errors[0]
    if first["type"] == "json_invalid":
        return InvalidRequest(
            f"The request body is not valid JSON: {first['ctx']['error']} at position {first['loc'][1]}."
        )
    listed = [
        {"in": str(e["loc"][0]), "field": _field(e["loc"]), "message": e["msg"], "type": e["type"]} for e in errors
    ]
    sentence = "; ".join(f"{e['field'] or e['in']}: {e['message']}" for e in listed[:5])
    if any(e["in"] == "body" for e in listed):
        return ValidationFailed(sentence, errors=listed)
    return InvalidRequest(sentence, errors=listed)


def _field(location: Sequence[int | str]) -> str:
    return ".".join(str(step) for step in location[1:])


async def _fault(request: Request, error: Exception) -> Response:
    return ProblemResponse(internal_error(request.state.request_id))


async def _unknown_path(scope: Scope, receive: Receive, send: Send) -> None:
    await answer(UnknownPath("endpoint not found"), scope, receive, send)


async def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    # FastAPI turns whatever is raised while a body is read into a 400 of its own.
    if isinstance(error.__cause__, Problem):
        return ProblemResponse(error.__cause__)
    match error.status_code:
        case 404:
            return ProblemResponse(UnknownPath("endpoint not found"))
        case 405:
            allowed = (error.headers or {}).get("Allow", "")
            detail = f"This endpoint does not take {request.method}" + (f"; it takes {allowed}." if allowed else ".")
            return ProblemResponse(MethodNotAllowed(detail, headers={"Allow": allowed}))
        case _:
            return ProblemResponse(InvalidRequest("The request could not be read."))
