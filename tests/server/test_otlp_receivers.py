"""Receivers of spans that are slow, endless, rude or somewhere else: they lose spans, and nothing else notices."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from belljar.server.telemetry.export import NotTaken, Receiver
from belljar.server.telemetry.spans import BATCH, MAX_WAITING, GatheredSpans, Span
from tests.otlp import running_collector
from tests.plane.plane import until
from tests.servers import running_box

pytestmark = pytest.mark.anyio

Peer = Callable[[socket.socket], None]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def read_request(peer: socket.socket) -> bytes:
    """All of it: head and body."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += peer.recv(65536)
    head, _, body = got.partition(b"\r\n\r\n")
    [length] = [int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    while len(body) < length:
        body += peer.recv(65536)
    return got


def answering(content: bytes) -> Peer:
    def peer(line: socket.socket) -> None:
        read_request(line)
        line.sendall(content)

    return peer


def flooding(beginning: bytes, piece: bytes) -> Peer:
    """Never ends by itself."""

    def peer(line: socket.socket) -> None:
        read_request(line)
        line.sendall(beginning)
        while True:
            line.sendall(piece)

    return peer


def dripping(line: socket.socket) -> None:
    """A letter at a time of a head that goes on and on, each sooner than anybody would give up on it."""
    line.sendall(b"HTTP/1.1 ")
    line.settimeout(0.2)
    while True:
        try:
            if not line.recv(65536):
                return
        except TimeoutError:
            line.sendall(b"1")


def resetting(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@contextmanager
def running_peer(*peers: Peer) -> Iterator[tuple[str, list[int]]]:
    """Its address, and whom it met: each connection is treated by the next of `peers`, the last of them again."""
    met: list[int] = []

    def treat(line: socket.socket, peer: Peer) -> None:
        with line:
            try:
                peer(line)
            except OSError:
                """The other side went away."""

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            met.append(len(met))
            threading.Thread(target=treat, args=(line, peers[min(len(met), len(peers)) - 1]), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", met
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize(
    ("peer", "is_worth_another"),
    [
        pytest.param(resetting, True, id="resets"),
        pytest.param(answering(b""), True, id="says nothing"),
        pytest.param(answering(b"SSH-2.0-OpenSSH_9\r\n"), True, id="is no HTTP"),
        pytest.param(answering(b"HTTP/1.1 9999 What\r\n\r\n"), True, id="no status"),
        pytest.param(answering(b"HTTP/1.1 200"), True, id="half a line"),
        pytest.param(answering(b"HTTP/1.1 500 No\r\n\r\n"), False, id="fails"),
        pytest.param(answering(b"HTTP/1.1 401 No\r\n\r\n"), False, id="refuses"),
        pytest.param(answering(b"HTTP/1.1 503 Later\r\nRetry-After: 999999999\r\n\r\n"), True, id="is busy"),
        pytest.param(flooding(b"HTTP/1.1 ", b"2" * 65536), True, id="an endless line"),
        pytest.param(flooding(b"HTTP/1.1 100 Continue\r\n", b"a: b\r\n" * 9999), True, id="endless lines"),
        pytest.param(flooding(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 999), True, id="endless answers before one"),
        pytest.param(flooding(b"\0" * 65536, b"\0" * 65536), True, id="zeroes"),
    ],
)
async def test_what_is_no_answer_is_one_failed_try(peer: Peer, is_worth_another: bool) -> None:
    with running_peer(peer) as (url, met):
        with pytest.raises(NotTaken) as refused:
            await Receiver(url, {}).post(b"{}")
        assert refused.value.is_worth_another is is_worth_another
        assert len(met) == 1 and "127.0.0.1" not in str(refused.value)


@pytest.mark.parametrize(
    "peer",
    [
        answering(OK),
        answering(b"HTTP/1.0 202 \r\n\r\n"),
        answering(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + OK),
        flooding(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536),
    ],
    ids=["plainly", "briefly", "after others", "without an end"],
)
async def test_what_is_taken_is_taken_however_it_is_said(peer: Peer) -> None:
    with running_peer(peer) as (url, met):
        await Receiver(url, {}).post(b"{}")
        assert len(met) == 1


async def test_nobody_is_sent_elsewhere_with_the_headers() -> None:
    with (
        running_collector() as elsewhere,
        running_peer(answering(b"HTTP/1.1 307 There\r\nLocation: %b/v1/traces\r\n\r\n" % elsewhere.url.encode())) as (
            url,
            met,
        ),
    ):
        with pytest.raises(NotTaken, match="307"):
            await Receiver(url, {"Authorization": "Bearer mine"}).post(b"{}")
        assert len(met) == 1 and not elsewhere.headers and not elsewhere.spans


async def test_a_connection_is_for_one_batch_whatever_the_operators_headers_say() -> None:
    got: list[bytes] = []

    def peer(line: socket.socket) -> None:
        got.append(read_request(line))
        line.sendall(OK)

    with running_peer(peer) as (url, _):
        await Receiver(url + "/a/v1/traces", {"Authorization": "Bearer mine", "Connection": "keep-alive"}).post(b"{}")
    lines = got[0].split(b"\r\n")
    assert lines[0] == b"POST /a/v1/traces HTTP/1.1" and lines[-1] == b"{}"
    assert [line for line in lines if line.lower().startswith(b"connection")] == [b"Connection: close"]


def test_a_receiver_that_never_answers_keeps_neither_calls_nor_the_end_waiting() -> None:
    with running_peer(dripping) as (url, met), running_box("--otlp-endpoint", url, "--jail", "off") as box:
        with box.client() as http:
            for _ in range(3):
                assert http.post("/v1/processes/run", json={"command": "true"}).status_code == 200
            until(lambda: met, what="the first batch on its way")
            assert http.get("/v1/health").status_code == 200
        assert box.terminate() == 0


@pytest.mark.parametrize("peer", [resetting, flooding(b"", b"\0" * 65536)], ids=["resets", "floods"])
def test_a_box_sends_again_once_its_receiver_is_one(peer: Peer) -> None:
    with running_peer(peer, answering(OK)) as (url, met), running_box("--otlp-endpoint", url, "--jail", "off") as box:
        with box.client() as http:
            assert http.post("/v1/processes/run", json={"command": "true"}).status_code == 200
        until(lambda: len(met) >= 2, what="another try")
        assert box.terminate() == 0
        assert "telemetry.not_taken" not in box.log.read_text()


async def test_as_many_spans_wait_as_may() -> None:
    """The oldest go first, and are counted."""
    spans = GatheredSpans()
    for number in range(MAX_WAITING + 10):
        spans.add(Span("a" * 32, f"{number:016x}"))
    assert (len(spans), spans.lost) == (MAX_WAITING, 10)
    assert [int(one.span_id, 16) for one in spans.take()] == list(range(10, 10 + BATCH))
