"""Ids, logs, measurements and the last resort, on an application that misbehaves."""

import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from pydantic import BaseModel
from starlette.responses import StreamingResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from belljar import logs
from belljar.logs import set_up_logs
from belljar.problems import Conflict
from belljar.server.application import Application, make_application
from belljar.server.guard import Door, Guard
from belljar.server.requests import RequestMetrics, Requests
from belljar.server.router import Router
from belljar.tokens import Keys

SECRET = "the-page-said-this"


class Body(BaseModel):
    name: str
    size: int = 1


def misbehaving_app() -> Application:
    app = Router()

    @app.get("/broken/{name}")
    async def broken(name: str) -> None:
        raise RuntimeError(f"boom {SECRET}")

    @app.post("/body")
    async def body(body: Body) -> dict[str, object]:
        return {"name": body.name}

    @app.post("/optional")
    async def optional(body: Body | None = None) -> dict[str, object]:
        return {"given": body is not None}

    @app.get("/endless")
    async def endless() -> StreamingResponse:
        async def lines() -> AsyncIterator[bytes]:
            while True:
                yield b"again\n"

        return StreamingResponse(lines(), media_type="text/event-stream")

    @app.websocket("/refuse")
    async def refuse(socket: WebSocket) -> None:
        raise Conflict("not now")

    @app.websocket("/fall")
    async def fall(socket: WebSocket) -> None:
        await socket.accept()
        raise Conflict("not any more")

    return make_application("box", [app])


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def client(registry: CollectorRegistry) -> Iterator[TestClient]:
    guarded = Guard(misbehaving_app(), Door(Keys(None), None, (), max_body=1000))
    with TestClient(Requests(guarded, RequestMetrics(registry)), raise_server_exceptions=False) as client:
        yield client


@contextmanager
def logging_set_up() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        set_up_logs("json", "info")
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logs.reset()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_a_fault_of_ours_tells_the_caller_an_id_and_the_log_the_rest(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_set_up():
        response = client.get("/broken/thing", headers={"X-Request-Id": "abc-1"})
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["requestId"] == "abc-1" == response.headers["x-request-id"]
    assert SECRET not in response.text and "boom" not in response.text
    failed = next(line for line in lines(capsys) if line["event"] == "http.failed")
    assert (failed["request_id"], failed["level"]) == ("abc-1", "error")
    assert f"RuntimeError: boom {SECRET}" in failed["exception"]


def test_the_log_has_the_route_and_not_the_path(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    with logging_set_up():
        client.get("/broken/my-secret-name?token=my-secret-token")
    logged = lines(capsys)
    line = next(line for line in logged if line["event"] == "http.request")
    assert (line["method"], line["route"], line["status"]) == ("GET", "/broken/{name}", 500)
    assert line["duration_ms"] >= 0
    assert "my-secret" not in json.dumps(logged)


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, 'a"b', "línea"])
def test_an_id_that_could_forge_a_log_line_is_replaced(client: TestClient, given: str) -> None:
    used = client.get("/nowhere", headers={b"X-Request-Id": given.encode()}).headers["x-request-id"]
    assert used != given and len(used) == 16


def test_requests_are_counted_by_route_and_status(client: TestClient, registry: CollectorRegistry) -> None:
    client.post("/body", json={"name": "a"})
    client.post("/body", json={})
    text = generate_latest(registry).decode()
    assert 'belljar_http_requests_total{method="POST",route="/body",status="200"} 1.0' in text
    assert 'belljar_http_requests_total{method="POST",route="/body",status="422"} 1.0' in text
    assert "belljar_http_in_flight 0.0" in text


def test_wrong_fields_are_listed_without_what_was_sent(client: TestClient) -> None:
    response = client.post("/body", json={"size": SECRET})
    assert response.status_code == 422
    assert [(error["field"], error["in"]) for error in response.json()["errors"]] == [
        ("name", "body"),
        ("size", "body"),
    ]
    assert SECRET not in response.text


def test_a_streamed_body_is_cut_off_at_the_limit(client: TestClient) -> None:
    response = client.post("/body", content=iter([b"x" * 600] * 2), headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["maxBodyBytes"]) == (413, 1000)


def test_an_optional_body_may_be_left_out_but_not_be_something_else(client: TestClient) -> None:
    assert client.post("/optional").json() == {"given": False}
    assert client.post("/optional", json={"name": "a"}).json() == {"given": True}
    assert client.post("/optional", content=b"name=a").status_code == 415


def test_head_of_an_endless_stream_ends(client: TestClient) -> None:
    response = client.head("/endless")
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"].startswith("text/event-stream")


def test_a_problem_after_a_websocket_opened_is_the_last_message_and_a_close_code(client: TestClient) -> None:
    with client.websocket_connect("/fall") as socket:
        assert socket.receive_json()["problem"]["code"] == "conflict"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert (closed.value.code, closed.value.reason) == (1008, "conflict")


def test_libraries_log_in_our_format(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_set_up():
        logging.getLogger("a.library").warning("careful, %s", "all")
        logging.getLogger("a.library").warning("of %d", "the wrong kind")
    said = [(line["event"], line["level"]) for line in lines(capsys)]
    assert said == [("careful, all", "warning"), ("of %d", "warning")]
