"""The short way to an endpoint and FastAPI's own: whoever asks must not be able to tell them apart."""

import json
from typing import Annotated, Any

import pytest
from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from belljar.asgi.application import ShortWay, make_application
from belljar.asgi.routing import JsonRoute
from belljar.problems import Conflict, Forbidden

router = APIRouter(route_class=JsonRoute)


class Thing(BaseModel):
    name: str
    size: Annotated[int, Field(ge=0, alias="howBig")] = 1
    note: str | None = None


class Filter(BaseModel):
    first: int = 0
    words: list[str] = []


async def _agent(connection: HTTPConnection) -> str:
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


class Stated:
    """What the layers around an application put into its scope."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "state": {"request_id": "r"}}, receive, send)


JSON = {"content-type": "application/json"}
REQUESTS: list[tuple[str, str, dict[str, str], bytes]] = [
    ("POST", "/things", JSON, b'{"name": "a", "howBig": 3, "unknown": [1]}'),
    ("POST", "/things", {"content-type": "Application/JSON; charset=utf-8"}, b'{"name": "a"}'),
    ("POST", "/things", {"content-type": "application/vnd.x+json"}, b'{"name": "a"}'),
    ("POST", "/things", JSON | {"x-stranger": "1"}, b'{"name": 3}'),
    ("POST", "/things", JSON, b'{"name": 3, "howBig": -1}'),
    ("POST", "/things", JSON, b"{}"),
    ("POST", "/things", JSON, b"null"),
    ("POST", "/things", JSON, b"[]"),
    ("POST", "/things", JSON, b""),
    ("POST", "/things", JSON, b'{"name": '),
    ("POST", "/things", JSON, b"\xff\xfe\xff"),
    ("POST", "/things", JSON, b"[" * 100 + b"]" * 100),
    ("POST", "/things", {"content-type": "text/plain"}, b'{"name": "a"}'),
    ("POST", "/things", {}, b'{"name": "a"}'),
    ("POST", "/things", {}, b""),
    ("POST", "/things/short", JSON, b'{"name": "a"}'),
    ("POST", "/optional", {}, b""),
    ("POST", "/optional", JSON, b""),
    ("POST", "/optional", JSON, b"null"),
    ("POST", "/optional", JSON, b'{"name": "a"}'),
    ("POST", "/optional", {}, b'{"name": "a"}'),
    ("GET", "/things/7", {}, b""),
    ("GET", "/things/all", {}, b""),
    ("GET", "/things/seven", {}, b""),
    ("GET", "/things/7/", {}, b""),
    ("PUT", "/things/7", {}, b""),
    ("GET", "/nowhere", {}, b""),
    ("GET", "/search?what=it", {}, b""),
    ("GET", "/search?what=it&limit=3&tag=a&tag=b", {"last-event-id": "9"}, b""),
    ("GET", "/search?what=i&limit=many", {}, b""),
    ("GET", "/search", {}, b""),
    ("GET", "/filtered?first=2&words=a&words=b", {}, b""),
    ("GET", "/filtered?first=none", {}, b""),
    ("DELETE", "/things/free", {}, b""),
    ("DELETE", "/things/held", {}, b""),
    ("GET", "/raw", {}, b""),
    ("GET", "/plain", {}, b""),
]


@pytest.fixture(scope="module")
def app() -> FastAPI:
    return make_application("test", "box", [router])


@pytest.mark.parametrize(("method", "path", "headers", "body"), REQUESTS)
def test_both_ways_give_the_same_answer(
    app: FastAPI, method: str, path: str, headers: dict[str, str], body: bytes
) -> None:
    answers = []
    for way in (app, ShortWay(app)):
        client = TestClient(Stated(way))
        answer = client.request(method, path, headers=headers, content=body)
        if not answer.content:
            # FastAPI names the type of a body that is not there.
            answer.headers.pop("content-type", None)
        answers.append((answer.status_code, dict(answer.headers), answer.content))
    assert answers[0] == answers[1]


def test_every_endpoint_here_has_a_short_way(app: FastAPI) -> None:
    assert all(route.handle_shortly for route in app.routes if isinstance(route, JsonRoute))


def test_an_answer_of_the_wrong_type_is_a_fault_and_tells_nothing() -> None:
    router = APIRouter(route_class=JsonRoute)

    @router.get("/wrong")
    async def wrong() -> Thing:
        return {"name": ["secret"]}  # type: ignore[return-value]  # the fault

    app = ShortWay(make_application("test", "box", [router]))
    with pytest.raises(TypeError) as raised:
        TestClient(Stated(app)).get("/wrong")
    assert "secret" not in json.dumps(str(raised.value))


def test_the_written_document_is_served(app: FastAPI) -> None:
    answer = TestClient(Stated(ShortWay(app))).get("/openapi.json")
    assert answer.json()["info"]["title"] == "Belljar box"
