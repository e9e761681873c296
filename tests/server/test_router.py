"""Endpoints by their signatures: what they are given, and what is said of requests that do not fit."""

import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from belljar.problems import Conflict, Forbidden
from belljar.server.application import Application, make_application
from belljar.server.openapi import describe
from belljar.server.router import Router, json_of
from belljar.server.signature import Depends, Header, Query

router = Router()


class Thing(BaseModel):
    name: str
    size: Annotated[int, Field(ge=0, alias="howBig")] = 1
    note: str | None = None


class Filter(BaseModel):
    first: int = 0
    words: list[str] = []


def _agent(connection: HTTPConnection) -> str:
    return connection.headers.get("user-agent", "")


def _known(connection: HTTPConnection) -> str:
    if "x-stranger" in connection.headers:
        raise Forbidden("not you")
    return "friend"


@router.post("/things")
async def make(body: Thing, agent: Annotated[str, Depends(_agent)], who: Annotated[str, Depends(_known)]) -> Thing:
    return body


@router.post("/things/short", response_model_exclude_none=True, status_code=201)
async def make_without_none(body: Thing) -> Thing:
    return body


@router.post("/optional")
async def optional(body: Thing | None = None) -> dict[str, bool]:
    return {"given": body is not None}


@router.get("/things/{id}")
async def get(id: int, request: Request) -> dict[str, Any]:
    return {"id": id, "method": request.method}


@router.get("/things/all")
async def never_reached() -> None:
    """`/things/{id}` stands before it."""


@router.get("/search")
async def search(
    what: Annotated[str, Query(min_length=2)],
    limit: int = 10,
    tag: Annotated[list[str] | None, Query()] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> dict[str, Any]:
    return {"what": what, "limit": limit, "tag": tag, "last": last_event_id}


@router.get("/filtered")
async def filtered(query: Annotated[Filter, Query()]) -> Filter:
    return query


@router.delete("/things/{id}", status_code=204)
async def delete(id: str) -> None:
    if id == "held":
        raise Conflict("somebody holds it")


@router.get("/raw")
async def raw() -> Response:
    return Response(b"\x00\x01", media_type="image/x-test", headers={"x-made": "by hand"})


@router.get("/plain", response_class=PlainTextResponse)
async def plain() -> str:
    return "only words"


@router.get("/cookie", response_model=Thing)
async def cookie() -> Response:
    response = json_of(Thing(name="a"), 202)
    response.set_cookie("taste", "sweet")
    return response


class Stated:
    """What the layers around an application put into its scope."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "state": {"request_id": "r"}}, receive, send)


JSON = {"content-type": "application/json"}
NO_NUMBER = "Input should be a valid integer, unable to parse string as an integer"
NO_JSON = "Send the body as JSON with the header Content-Type: application/json."
UNREADABLE = (
    "The request body is not JSON that can be read: nested too deeply, not UTF-8, or with a number of thousands of "
    "digits."
)
# A problem is its code and its detail.
ANSWERS: list[tuple[str, str, dict[str, str], bytes, int, str | tuple[str, str]]] = [
    (
        "POST",
        "/things",
        JSON,
        b'{"name": "a", "howBig": 3, "unknown": [1]}',
        200,
        '{"name":"a","howBig":3,"note":null}',
    ),
    (
        "POST",
        "/things",
        {"content-type": "Application/JSON; charset=utf-8"},
        b'{"name": "a"}',
        200,
        '{"name":"a","howBig":1,"note":null}',
    ),
    (
        "POST",
        "/things",
        {"content-type": "application/vnd.x+json"},
        b'{"name": "a"}',
        200,
        '{"name":"a","howBig":1,"note":null}',
    ),
    ("POST", "/things", JSON | {"x-stranger": "1"}, b'{"name": 3}', 403, ("forbidden", "not you")),
    (
        "POST",
        "/things",
        JSON,
        b'{"name": 3, "howBig": -1}',
        422,
        (
            "validation_failed",
            "name: Input should be a valid string; howBig: Input should be greater than or equal to 0",
        ),
    ),
    ("POST", "/things", JSON, b"{}", 422, ("validation_failed", "name: Field required")),
    (
        "POST",
        "/things",
        JSON,
        b"null",
        422,
        ("validation_failed", "body: Input should be a valid dictionary or object to extract fields from"),
    ),
    (
        "POST",
        "/things",
        JSON,
        b"[]",
        422,
        ("validation_failed", "body: Input should be a valid dictionary or object to extract fields from"),
    ),
    ("POST", "/things", JSON, b"", 422, ("validation_failed", "body: Field required")),
    (
        "POST",
        "/things",
        JSON,
        b'{"name": ',
        400,
        ("invalid_request", "The request body is not valid JSON: Expecting value at position 9."),
    ),
    (
        "POST",
        "/things",
        JSON,
        b"\xff\xfe\xff",
        400,
        (
            "invalid_request",
            UNREADABLE,
        ),
    ),
    (
        "POST",
        "/things",
        JSON,
        b"[" * 100 + b"]" * 100,
        400,
        (
            "invalid_request",
            UNREADABLE,
        ),
    ),
    (
        "POST",
        "/things",
        {"content-type": "text/plain"},
        b'{"name": "a"}',
        415,
        ("unsupported_media_type", NO_JSON),
    ),
    (
        "POST",
        "/things",
        {},
        b'{"name": "a"}',
        415,
        ("unsupported_media_type", NO_JSON),
    ),
    (
        "POST",
        "/things",
        {},
        b"",
        415,
        ("unsupported_media_type", NO_JSON),
    ),
    ("POST", "/things/short", JSON, b'{"name": "a"}', 201, '{"name":"a","howBig":1}'),
    ("POST", "/optional", {}, b"", 200, '{"given":false}'),
    ("POST", "/optional", JSON, b"", 200, '{"given":false}'),
    ("POST", "/optional", JSON, b"null", 200, '{"given":false}'),
    ("POST", "/optional", JSON, b'{"name": "a"}', 200, '{"given":true}'),
    (
        "POST",
        "/optional",
        {},
        b'{"name": "a"}',
        415,
        ("unsupported_media_type", NO_JSON),
    ),
    ("GET", "/things/7", {}, b"", 200, '{"id":7,"method":"GET"}'),
    (
        "GET",
        "/things/all",
        {},
        b"",
        400,
        ("invalid_request", f"id: {NO_NUMBER}"),
    ),
    (
        "GET",
        "/things/seven",
        {},
        b"",
        400,
        ("invalid_request", f"id: {NO_NUMBER}"),
    ),
    ("GET", "/things/7/", {}, b"", 404, ("invalid_request", "endpoint not found")),
    (
        "PUT",
        "/things/7",
        {},
        b"",
        405,
        ("method_not_allowed", "This endpoint does not take PUT; it takes DELETE, GET."),
    ),
    ("GET", "/nowhere", {}, b"", 404, ("invalid_request", "endpoint not found")),
    ("GET", "/search?what=it", {}, b"", 200, '{"what":"it","limit":10,"tag":null,"last":null}'),
    (
        "GET",
        "/search?what=it&limit=3&tag=a&tag=b",
        {"last-event-id": "9"},
        b"",
        200,
        '{"what":"it","limit":3,"tag":["a","b"],"last":"9"}',
    ),
    (
        "GET",
        "/search?what=i&limit=many",
        {},
        b"",
        400,
        (
            "invalid_request",
            f"what: String should have at least 2 characters; limit: {NO_NUMBER}",
        ),
    ),
    ("GET", "/search", {}, b"", 400, ("invalid_request", "what: Field required")),
    ("GET", "/filtered?first=2&words=a&words=b", {}, b"", 200, '{"first":2,"words":["a","b"]}'),
    (
        "GET",
        "/filtered?first=none",
        {},
        b"",
        400,
        ("invalid_request", f"first: {NO_NUMBER}"),
    ),
    ("DELETE", "/things/free", {}, b"", 204, ""),
    ("DELETE", "/things/held", {}, b"", 409, ("conflict", "conflict: somebody holds it")),
    ("GET", "/raw", {}, b"", 200, "\x00\x01"),
    ("GET", "/plain", {}, b"", 200, "only words"),
]


@pytest.fixture(scope="module")
def app() -> Application:
    return make_application("box", [router])


@pytest.mark.parametrize(("method", "path", "headers", "body", "status", "said"), ANSWERS)
def test_each_request_gets_its_answer(
    app: Application,
    method: str,
    path: str,
    headers: dict[str, str],
    body: bytes,
    status: int,
    said: str | tuple[str, str],
) -> None:
    answer = TestClient(Stated(app)).request(method, path, headers=headers, content=body)
    assert answer.status_code == status
    if isinstance(said, str):
        assert answer.text == said
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        assert (answer.json()["code"], answer.json()["detail"]) == said


def test_what_does_not_fit_is_listed_without_what_was_sent(app: Application) -> None:
    answer = TestClient(Stated(app)).get("/search?what=i&limit=many")
    assert answer.json()["errors"] == [
        {
            "in": "query",
            "field": "what",
            "message": "String should have at least 2 characters",
            "type": "string_too_short",
        },
        {
            "in": "query",
            "field": "limit",
            "message": "Input should be a valid integer, unable to parse string as an integer",
            "type": "int_parsing",
        },
    ]


def test_a_method_that_is_not_taken_is_told_which_are(app: Application) -> None:
    answer = TestClient(Stated(app)).put("/things/7")
    assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, GET")


def test_a_head_and_a_body_of_ones_own(app: Application) -> None:
    answer = TestClient(Stated(app)).get("/raw")
    assert (answer.headers["content-type"], answer.headers["x-made"]) == ("image/x-test", "by hand")
    made = TestClient(Stated(app)).get("/cookie")
    assert (made.status_code, made.json()["name"], made.cookies["taste"]) == (202, "a", "sweet")


def test_an_answer_of_the_wrong_type_is_a_fault_and_tells_nothing() -> None:
    router = Router()

    @router.get("/wrong")
    async def wrong() -> Thing:
        return {"name": ["secret"]}  # type: ignore[return-value]  # the fault

    with pytest.raises(TypeError) as raised:
        TestClient(Stated(make_application("box", [router]))).get("/wrong")
    assert "secret" not in json.dumps(str(raised.value))


def test_two_bodies_are_a_fault_of_the_endpoint() -> None:
    router = Router()

    @router.post("/two")
    async def two(one: Thing, other: Filter) -> None: ...

    # Found by whoever writes the document of all endpoints, if nobody calls it before.
    with pytest.raises(AssertionError):
        describe("Title", router.routes)


def test_the_written_document_is_served(app: Application) -> None:
    answer = TestClient(Stated(app)).get("/openapi.json")
    assert answer.json()["info"]["title"] == "Belljar box"
