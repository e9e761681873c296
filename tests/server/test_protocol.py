"""Heads that come in time or not at all, answers that wait for no body, and how many connections one address has."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import product
from pathlib import Path

import httpx2 as httpx
import pytest
from websockets.sync.client import connect

from belljar.problems import TooManyConnections
from belljar.server.connections import Connections, counted_as, forwarded_address
from tests.servers import PATIENCE, RunningBox, running_box

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def impatient() -> Iterator[RunningBox]:
    with running_box("--head-timeout", "1") as box:
        yield box


def connected(box: RunningBox) -> socket.socket:
    return socket.create_connection(("127.0.0.1", box.port), timeout=PATIENCE)


def answer(connection: socket.socket) -> tuple[bytes, bytes]:
    """Head and body of the next answer; nothing when the server has closed."""
    said = b""
    while b"\r\n\r\n" not in said:
        chunk = connection.recv(65536)
        if not chunk:
            return said, b""
        said += chunk
    head, _, body = said.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return head, body


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(65536) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("begun", [b"", b"\r\n", b"GET", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: b"])
def test_a_head_that_does_not_come_ends_the_connection(impatient: RunningBox, begun: bytes) -> None:
    with closing(connected(impatient)) as connection:
        connection.sendall(begun)
        assert is_closed(connection)


def test_a_head_that_comes_by_the_byte_ends_the_connection(impatient: RunningBox) -> None:
    """Each byte buys no time of its own."""
    with closing(connected(impatient)) as connection:
        with pytest.raises(OSError):
            for _ in range(200):
                connection.sendall(b"a")
                time.sleep(0.1)


@pytest.mark.parametrize("begun", [b"GET /healthz HTTP/1.1\r\nHost: ", b"\r\n"])
def test_the_second_request_of_a_connection_has_no_more_time(impatient: RunningBox, begun: bytes) -> None:
    with closing(connected(impatient)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer(connection)[1] == b"ok"
        connection.sendall(begun)
        assert is_closed(connection)


def test_a_second_request_that_has_begun_has_the_time_of_a_head(box: RunningBox) -> None:
    """Not the five seconds after which a connection that nobody uses is closed."""
    with closing(connected(box)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHo")
        assert answer(connection)[1] == b"ok"
        time.sleep(6)
        connection.sendall(b"st: localhost\r\n\r\n")
        assert answer(connection)[1] == b"ok"


def test_a_head_that_comes_together_with_a_long_body_is_not_taken_for_long(box: RunningBox) -> None:
    body = json.dumps({"command": "true"}).encode().ljust(80_000)
    head = f"Host: localhost\r\nAuthorization: Bearer {box.token}\r\nContent-Type: application/json\r\n"
    request = f"POST /v1/processes/run HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    with closing(connected(box)) as connection:
        # Held, so that it reads everything at once.
        box.process.send_signal(signal.SIGSTOP)
        try:
            connection.sendall(request + b"GET /healthz HTTP/1.1\r\nHo")
        finally:
            box.process.send_signal(signal.SIGCONT)
        assert json.loads(answer(connection)[1])["exitCode"] == 0
        connection.sendall(b"st: localhost\r\n\r\n")
        assert answer(connection)[1] == b"ok"


def test_a_head_over_a_unix_socket_has_no_more_time(tmp_path: Path) -> None:
    path = tmp_path / "box.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        number = listener.fileno()
        flags = ("--socket", f"fd:{number}", "--head-timeout", "1")
        with running_box(*flags, pass_fds=(number,)), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(path))
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: ")
            assert is_closed(connection)


def test_what_comes_after_the_head_takes_its_time(impatient: RunningBox) -> None:
    """A body, an answer and a socket may each take longer than a head."""
    with closing(connected(impatient)) as connection:
        body = json.dumps({"command": "sleep", "args": ["1.2"]}).encode()
        head = f"Host: localhost\r\nAuthorization: Bearer {impatient.token}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"POST /v1/processes/run HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode())
        # Longer than a head may take: it is the passing of time that must do nothing.
        time.sleep(1.2)
        connection.sendall(body)
        assert json.loads(answer(connection)[1])["exitCode"] == 0
    url = impatient.url.replace("http", "ws") + "/v1/live"
    with connect(url, additional_headers=impatient.headers, proxy=None) as live:
        time.sleep(1.5)
        live.send('{"type": "ping", "t": 1}')
        assert any('"pong"' in str(live.recv(PATIENCE)) for _ in range(10))


@pytest.fixture(scope="module")
def hasty() -> Iterator[RunningBox]:
    with running_box("--body-timeout", "1") as box:
        yield box


PATHS = ("/v1/processes/run", "/v1/fs/file?path=late.bin", "/v1/fs/upload-batch", "/mcp")
FRAMINGS = ("Content-Length: 1000", "Transfer-Encoding: chunked")


@pytest.mark.parametrize("begun", [b"", b'5\r\n{"com'], ids=["nothing", "something"])
def test_a_body_that_stops_coming_is_refused(hasty: RunningBox, begun: bytes) -> None:
    with ExitStack() as stack:
        # All of them at once: each takes all the time that a body may.
        opened = {}
        for path, framing in product(PATHS, FRAMINGS):
            method = "PUT" if "fs/file" in path else "POST"
            kind = "application/x-tar" if "batch" in path else "application/json"
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {hasty.token}\r\n"
            more = f"Accept: application/json, text/event-stream\r\nContent-Type: {kind}\r\n{framing}\r\n\r\n"
            opened[path, framing] = connection = stack.enter_context(closing(connected(hasty)))
            connection.sendall((head + more).encode() + begun)
        for which, connection in opened.items():
            said, body = answer(connection)
            assert said.startswith(b"HTTP/1.1 408 "), (which, said)
            assert b"content-type: application/problem+json" in said.lower()
            assert json.loads(body)["code"] == "body_timeout"
            assert is_closed(connection)


def test_a_body_that_comes_slowly_is_taken(hasty: RunningBox) -> None:
    pieces = [b'{"command"', b': "echo", ', b'"args": [', b'"slow"', b"]}"]
    with closing(connected(hasty)) as connection:
        head = f"Host: localhost\r\nAuthorization: Bearer {hasty.token}\r\nContent-Type: application/json\r\n"
        length = sum(map(len, pieces))
        connection.sendall(f"POST /v1/processes/run HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n".encode())
        for piece in pieces:
            # Together longer than a pause may be: it is the passing of time that must do nothing.
            time.sleep(0.3)
            connection.sendall(piece)
        assert json.loads(answer(connection)[1])["stdout"] == "slow\n"


@pytest.mark.parametrize(
    ("path", "is_known", "is_chunked", "status"),
    [
        ("/v1/processes", False, False, 401),
        ("/v1/processes", False, True, 401),
        ("/v1/processes", True, False, 413),
        ("/v1/processes", True, True, 413),
        ("/none", True, False, 413),
        ("/none", True, True, 404),
    ],
)
def test_a_refusal_does_not_read_the_body_to_its_end(
    box: RunningBox, path: str, is_known: bool, is_chunked: bool, status: int
) -> None:
    """The answer comes, and most of 100 megabytes cannot be sent."""
    token = f"Authorization: Bearer {box.token}\r\n" if is_known else ""
    framing = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {100 * MEGABYTE}"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{token}Content-Type: application/json\r\n{framing}\r\n\r\n"
    piece = b"x" * MEGABYTE
    sent = 0
    with closing(connected(box)) as connection:
        connection.sendall(head.encode())
        try:
            for _ in range(100):
                connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
                sent += 1
        except (BrokenPipeError, ConnectionResetError):
            pass
        said, _ = answer(connection)
    assert said.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"connection: close" in said
    assert sent < 40


def test_a_request_that_was_read_keeps_its_connection(box: RunningBox) -> None:
    with closing(connected(box)) as connection:
        for _ in range(3):
            connection.sendall(b"POST /v1/processes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
            assert answer(connection)[0].startswith(b"HTTP/1.1 401 ")


def test_what_is_no_request_does_not_take_the_answer_of_the_one_before(box: RunningBox) -> None:
    run = json.dumps({"command": "sleep", "args": ["0.3"]}).encode()
    head = f"Host: localhost\r\nAuthorization: Bearer {box.token}\r\nContent-Type: application/json\r\n"
    request = f"POST /v1/processes/run HTTP/1.1\r\n{head}Content-Length: {len(run)}\r\n\r\n".encode() + run
    with closing(connected(box)) as connection:
        connection.sendall(request + b"NOT HTTP\r\n\r\n" + request)
        assert json.loads(answer(connection)[1])["exitCode"] == 0
        assert is_closed(connection)


@pytest.mark.parametrize("path", ["/v1/health", "/v1/processes", "/none", "/v1/health?x=%2f", "/metrics"])
def test_no_answer_is_sniffed_or_kept(http: httpx.Client, path: str) -> None:
    for said in (http.get(path), http.get(path, headers={"Authorization": "Bearer wrong"})):
        assert said.headers.get_list("x-content-type-options") == ["nosniff"]
        assert said.headers.get_list("cache-control") == ["no-store"]


def test_what_the_parser_refuses_is_not_kept_either(box: RunningBox) -> None:
    with closing(connected(box)) as connection:
        connection.sendall(b"GET /a%2fb HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head, _ = answer(connection)
    assert b"400" in head and b"no-store" in head and b"nosniff" in head


def test_pages_say_for_themselves_how_long_they_are_kept(http: httpx.Client) -> None:
    assert http.get("/view/main.js").headers.get_list("cache-control") == ["no-cache"]


@pytest.mark.parametrize("body", ['{"timeout": %s}', "%s", "[-%s]", '{"command": "true", "args": [%s]}'])
def test_a_number_of_thousands_of_digits_is_a_bad_request(http: httpx.Client, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    refused = http.post("/v1/processes", content=(body % ("9" * 5000)).encode(), headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert "thousands of digits" in refused.json()["detail"]


def test_so_is_one_in_a_header_or_query(http: httpx.Client) -> None:
    digits = "9" * 5000
    for options in ({"headers": {"Belljar-Control-Wait": digits}}, {"params": {"controlWait": digits}}):
        assert http.post("/v1/browser/click", json={"selector": "a"}, **options).status_code == 400  # type: ignore[arg-type]
    started = http.post("/v1/processes", json={"command": "true"}).json()
    url = f"/v1/processes/{started['id']}/logs?follow=true"
    with http.stream("GET", url, headers={"Last-Event-ID": digits}) as logs:
        assert logs.status_code == 200


# How many connections one address may have.


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", None),
        ("127.8.9.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("", None),
    ],
)
def test_what_counts_as_one_address(address: str, name: str | None) -> None:
    assert counted_as(address) == name


def test_one_address_has_so_many_and_others_have_theirs() -> None:
    connections = Connections(2, ["192.0.2.9"])
    names = [connections.open("192.0.2.1"), connections.open("192.0.2.1")]
    with pytest.raises(TooManyConnections):
        connections.open("::ffff:192.0.2.1")
    assert connections.open("192.0.2.2") == "192.0.2.2"
    for free in ("192.0.2.9", "127.0.0.1", None):
        assert [connections.open(free) for _ in range(5)] == [None] * 5
    connections.close(names[0])
    names[0] = connections.open("192.0.2.1")
    for name in (*names, "192.0.2.2", None):
        connections.close(name)
    assert connections.addresses == 0
    assert Connections(0).open("192.0.2.1") is None


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ([], None),
        (["192.0.2.1"], "192.0.2.1"),
        # The client may say what it likes before what a proxy of ours has added.
        (["1.1.1.1, 192.0.2.1, 127.0.0.1"], "192.0.2.1"),
        (["1.1.1.1", "192.0.2.1"], "192.0.2.1"),
        (["127.0.0.1"], None),
        ([" , "], None),
    ],
)
def test_for_whom_a_proxy_asks(lines: list[str], address: str | None) -> None:
    from starlette.datastructures import Headers

    headers = Headers(raw=[(b"x-forwarded-for", line.encode()) for line in lines])
    assert forwarded_address(headers, frozenset({"127.0.0.1"})) == address


# An address that is not loopback's, in a network of its own.
_ADDRESS = "192.0.2.1"
_NETWORK = ("unshare", "--net", "sh", "-c", f'ip link set lo up && ip addr add {_ADDRESS}/32 dev lo && exec "$@"', "sh")
_CLIENT = """
import json, socket, sys
def connected():
    one = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=20)
    one.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    said = b""
    while b"\\r\\n\\r\\n" not in said:
        said += one.recv(65536)
    return one, said.split()[1].decode()
kept = [connected() for _ in range(3)]
refused, status = connected()
kept[0][0].close()
statuses = []
for _ in range(200):
    again, last = connected()
    if last == "200":
        break
print(json.dumps([[one[1] for one in kept], status, last]))
"""


@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"),
    reason="no network of one's own can be made here: NOT tested over a network",
)
def test_over_a_network_the_next_connection_of_an_address_is_refused() -> None:
    flags = ("--host", _ADDRESS, "--max-connections-per-address", "3", "--jail", "off", "--egress", "open")
    with running_box(*flags, inside=_NETWORK) as box:
        command = ["nsenter", f"--net=/proc/{box.process.pid}/ns/net", sys.executable, "-c", _CLIENT, _ADDRESS]
        done = subprocess.run([*command, str(box.port)], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout or "null") == [["200"] * 3, "429", "200"], done.stderr
