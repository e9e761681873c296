"""Whatever is wrong with a request, on whatever route, the answer is a problem document."""

import re
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
import pytest

from belljar.server.router import facts_of
from tests.described import paths, scope_of
from tests.servers import RunningBox

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    takes_json: bool
    needs_json: bool

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def address(self) -> str:
        return re.sub(r"\{[^}]+\}", "no-such-id", self.path)


def operations() -> list[Operation]:
    found = []
    for path, methods in paths().items():
        for method, operation in methods.items():
            body: dict[str, Any] = operation.get("requestBody", {})
            takes_json = "application/json" in body.get("content", {})
            found.append(Operation(method, path, takes_json, takes_json and body.get("required", False)))
    return found


OPERATIONS = operations()
WITH_JSON = [operation for operation in OPERATIONS if operation.takes_json]


def assert_problem(response: httpx.Response, status: int) -> None:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == status
    assert all(isinstance(body[member], str) and body[member] for member in ("type", "title", "detail", "code"))
    assert "Traceback" not in response.text and "/src/belljar" not in response.text


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_without_a_token_it_is_refused(box: RunningBox, operation: Operation) -> None:
    response = httpx.request(operation.method, box.url + operation.address)
    if operation.path in ("/healthz", "/readyz"):
        assert response.text == "ok"
    elif facts_of(scope_of(operation.path, method=operation.method.upper())).is_open:
        assert response.status_code != 401
    else:
        assert_problem(response, 401)


@pytest.mark.parametrize("path", sorted({operation.path for operation in OPERATIONS}))
def test_a_wrong_method_names_the_right_ones(http: httpx.Client, path: str) -> None:
    known = {operation.method for operation in OPERATIONS if operation.path == path}
    address = next(operation.address for operation in OPERATIONS if operation.path == path)
    wrong = next(method for method in METHODS if method not in known)
    response = http.request(wrong, address)
    assert_problem(response, 405)
    assert {method.lower() for method in response.headers["allow"].split(", ")} <= known | {"head"}


@pytest.mark.parametrize("operation", WITH_JSON, ids=str)
def test_a_body_that_is_not_json_is_refused(http: httpx.Client, operation: Operation) -> None:
    as_json = {"Content-Type": "application/json"}
    for body in (b"{", b"\xff\xfe", b"nonsense", b"[" * 100_000):
        assert_problem(http.request(operation.method, operation.address, content=body, headers=as_json), 400)
    as_text = {"Content-Type": "text/plain"}
    assert_problem(http.request(operation.method, operation.address, content=b"{}", headers=as_text), 415)
    if operation.needs_json:
        assert_problem(http.request(operation.method, operation.address), 415)


@pytest.mark.parametrize("operation", WITH_JSON, ids=str)
def test_json_of_the_wrong_shape_is_refused(http: httpx.Client, operation: Operation) -> None:
    bodies: tuple[object, ...] = ([], "text", 7)
    for body in bodies:
        assert_problem(http.request(operation.method, operation.address, json=body), 422)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_endpoint_says_what_it_is_for(operation: Operation) -> None:
    described = paths()[operation.path][operation.method]
    assert described.get("description"), "the route has no docstring"


def test_logs_and_metrics_name_routes_as_the_reference_does(http: httpx.Client) -> None:
    for operation in OPERATIONS:
        if operation.method == "get":
            with http.stream("GET", operation.address):
                pass
    named = set(re.findall(r'route="([^"]+)"', http.get("/metrics").text))
    assert named <= {operation.path for operation in OPERATIONS} | {"unmatched"}
    assert "/v1/desktop/screenshot" in named and "/v1/browser/screenshot" in named
