"""Who is let in, as clients see it."""

import json
import socket
from contextlib import closing

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from belljar.server.guard import is_loopback
from tests.servers import PATIENCE, RunningBox, running_box


def problem(response: httpx.Response, status: int, code: str) -> dict[str, object]:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, object] = response.json()
    assert (body["status"], body["code"]) == (status, code)
    assert body["title"] and body["detail"]
    return body


@pytest.mark.parametrize(
    "authorization",
    [None, "Bearer", "Bearer wrong", "Basic dG9rZW4=", "token-for-tests", "Bearer token-for-test", "Bearer tokén"],
)
def test_without_the_right_token_nothing_is_told(box: RunningBox, authorization: str | None) -> None:
    headers = {} if authorization is None else {b"Authorization": authorization.encode()}
    for path in ("/v1/health", "/metrics", "/openapi.json", "/no/such/path"):
        response = httpx.get(box.url + path, headers=headers)
        problem(response, 401, "token_invalid")
        assert response.headers["www-authenticate"].startswith("Bearer")


def test_the_scheme_is_not_case_sensitive(box: RunningBox) -> None:
    assert httpx.get(box.url + "/v1/health", headers={"Authorization": f"bearer {box.token}"}).json()["status"] == "ok"


def test_a_token_in_the_query_opens_event_streams_only(box: RunningBox) -> None:
    assert httpx.get(f"{box.url}/v1/health?access_token={box.token}").status_code == 401
    for name in ("token", "access_token"):
        stream = httpx.get(f"{box.url}/v1/health?{name}={box.token}", headers={"Accept": "text/event-stream"})
        assert stream.status_code == 200


def test_probes_need_no_token_and_tell_nothing_else(box: RunningBox) -> None:
    for path in ("/healthz", "/readyz"):
        response = httpx.get(box.url + path)
        assert (response.status_code, response.text) == (200, "ok")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:2468", "127.0.0.1.evil.example", "", "[::ffff", "10.0.0.1"]
)
def test_a_loopback_server_refuses_a_foreign_host(box: RunningBox, host: str) -> None:
    problem(httpx.get(box.url + "/healthz", headers={"Host": host}), 403, "foreign_host")


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "127.0.0.1", "127.8.9.1:80", "[::1]:2468", "app.localhost"]
)
def test_a_loopback_server_answers_for_loopback(box: RunningBox, host: str) -> None:
    assert httpx.get(box.url + "/healthz", headers={"Host": host}).status_code == 200


def test_two_hosts_in_one_request_are_refused(box: RunningBox) -> None:
    head, body = exchange(
        box, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    )
    assert b" 400 " in head
    assert json.loads(body)["code"] == "invalid_request"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1"])
def test_a_page_of_another_origin_is_refused(box: RunningBox, origin: str) -> None:
    with box.client() as client:
        problem(client.get("/v1/health", headers={"Origin": origin}), 403, "foreign_origin")
        problem(client.post("/v1/health", headers={"Origin": origin}), 403, "foreign_origin")


def test_a_page_of_the_servers_own_origin_is_let_in(http: httpx.Client, box: RunningBox) -> None:
    assert http.get("/v1/health", headers={"Origin": box.url}).status_code == 200


def test_a_websocket_is_refused_with_a_problem_before_it_opens(box: RunningBox) -> None:
    address = box.url.replace("http", "ws") + "/v1/nothing"
    for options, status, code in (
        ({}, 401, "token_invalid"),
        ({"additional_headers": box.headers}, 404, "invalid_request"),
        ({"additional_headers": box.headers, "origin": "https://evil.example"}, 403, "foreign_origin"),
        ({"subprotocols": ["belljar", f"belljar.bearer.{box.token}"]}, 404, "invalid_request"),
    ):
        with pytest.raises(InvalidStatus) as refused, connect(address, open_timeout=PATIENCE, **options):
            pass
        assert refused.value.response.status_code == status
        assert refused.value.response.headers["content-type"] == "application/problem+json"
        assert json.loads(refused.value.response.body or b"")["code"] == code


def test_configured_hosts_and_origins_are_let_in() -> None:
    with running_box("--allowed-host", "box.example", "--cors-origin", "https://app.example") as box:
        assert httpx.get(box.url + "/healthz", headers={"Host": "box.example"}).status_code == 200
        preflight = httpx.options(
            box.url + "/v1/health", headers={"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
        )
        assert preflight.headers["access-control-allow-origin"] == "https://app.example"
        with box.client() as client:
            answer = client.get("/v1/health", headers={"Origin": "https://app.example"})
            assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")
            problem(client.get("/v1/health", headers={"Origin": "https://evil.example"}), 403, "foreign_origin")


def test_without_cors_no_origin_is_allowed(http: httpx.Client, box: RunningBox) -> None:
    answer = http.get("/v1/health", headers={"Origin": box.url})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_body_over_the_limit_is_refused_before_it_is_sent(box: RunningBox) -> None:
    request = (
        f"POST /v1/health HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {box.token}\r\n"
        "Content-Type: application/json\r\nContent-Length: 20000000\r\nConnection: close\r\n\r\n"
    )
    head, body = exchange(box, request.encode())
    assert b" 413 " in head
    assert json.loads(body)["maxBodyBytes"] == 10 * 1024 * 1024


def test_headers_over_the_limit_are_refused_whether_they_end_or_not(box: RunningBox) -> None:
    for request in (
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000,
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ):
        head, body = exchange(box, request)
        assert b" 431 " in head
        assert json.loads(body)["code"] == "headers_too_large"


def test_what_is_not_http_is_answered_with_a_problem(box: RunningBox) -> None:
    head, body = exchange(box, b"\x16\x03\x01 hello\r\n\r\n")
    assert b" 400 " in head
    assert json.loads(body)["code"] == "invalid_request"


def exchange(box: RunningBox, request: bytes) -> tuple[bytes, bytes]:
    """Head and body of the answer to bytes sent as they are."""
    with closing(socket.create_connection(("127.0.0.1", box.port), timeout=PATIENCE)) as connection:
        try:
            connection.sendall(request)
        except OSError:
            pass  # refused in the middle: the answer is what counts
        answer = b""
        while b"\r\n\r\n" not in answer or not answer.endswith(b"}"):
            chunk = connection.recv(65536)
            if not chunk:
                break
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("0.0.0.0", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_what_counts_as_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
