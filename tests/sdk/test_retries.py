"""What is sent again, what is not: decided by tables, and seen by servers that misbehave."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

import anyio
import pytest
from httpx2 import ConnectError, ConnectTimeout, ReadError, ReadTimeout, RemoteProtocolError, RequestError

from belljar import AsyncBelljar, Belljar
from belljar.problems.box import RateLimited
from belljar.sdk.errors import NoAnswer, NotBelljar, UnknownProblem, Unreachable, rebuilt
from belljar.sdk.retries import is_repeatable, may_repeat, told_pause


@pytest.mark.parametrize(
    ("method", "headers", "error", "can_resend", "expected"),
    [
        ("GET", {}, ReadError(""), True, True),
        ("PUT", {}, RemoteProtocolError(""), True, True),
        ("POST", {}, ReadError(""), True, False),
        ("POST", {"Idempotency-Key": "k"}, ReadError(""), True, True),
        ("DELETE", {}, ReadError(""), True, False),
        ("PATCH", {}, RemoteProtocolError(""), True, False),
        ("GET", {}, ReadTimeout(""), True, False),
        ("POST", {}, ConnectError(""), True, True),
        ("POST", {}, ConnectTimeout(""), True, True),
        ("POST", {}, ConnectError(""), False, False),
        ("PUT", {}, ReadError(""), False, False),
    ],
)
def test_what_may_have_arrived_is_repeated_only_if_twice_is_once(
    method: str, headers: dict[str, str], error: RequestError, can_resend: bool, expected: bool
) -> None:
    told = may_repeat(error, can_resend=can_resend, is_repeatable=is_repeatable(method, headers))
    assert told is expected


@pytest.mark.parametrize(
    ("status", "retry_after", "expected"),
    [(429, "2", 2.0), (429, "0", 0.0), (429, "3600", None), (429, "soon", None), (429, "", None), (503, "1", None)],
)
def test_the_server_says_when_to_come_back(status: int, retry_after: str, expected: float | None) -> None:
    assert told_pause(status, {"retry-after": retry_after}) == expected


def answer(status: str, body: str, kind: str = "application/json", **headers: str) -> bytes:
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}connection: close"
    return f"{head}\r\n\r\n{body}".encode()


HEALTHY = answer("200 OK", '{"status": "ok", "version": "1", "uptimeSeconds": 1}')
BUSY = answer(
    "429 Too Many Requests",
    '{"type": "urn:belljar:error:rate_limited", "title": "Rate Limited", "status": 429, "detail": "slow down",'
    ' "code": "rate_limited", "retryAfterMs": 0}',
    "application/problem+json",
    retry_after="0",
)


@asynccontextmanager
async def misbehaving_server(say: Callable[[int, str], bytes | None]) -> AsyncIterator[tuple[str, list[str]]]:
    """Answers a request with what `say` makes of its number and head; None hangs up.  Gives its address, and heads."""
    heads: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        heads.append(head)
        if (said := say(len(heads), head)) is not None:
            writer.write(said)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", heads


async def test_a_read_whose_connection_broke_is_sent_again() -> None:
    async with misbehaving_server(lambda number, head: HEALTHY if number == 3 else None) as (url, heads):
        async with AsyncBelljar(url) as jar:
            assert (await jar.health()).status == "ok"
    assert len(heads) == 3


async def test_an_action_whose_connection_broke_is_not() -> None:
    async with misbehaving_server(lambda number, head: None) as (url, heads):
        async with AsyncBelljar(url) as jar:
            with pytest.raises(Unreachable):
                await jar.browser.click("#pay")
    assert len(heads) == 1


async def test_what_was_refused_for_now_is_tried_again_and_then_raised() -> None:
    async with misbehaving_server(lambda number, head: BUSY if number < 3 else answer("200 OK", '{"ok": true}')) as (
        url,
        heads,
    ):
        async with AsyncBelljar(url) as jar:
            assert (await jar.browser.click("#pay")).ok
    assert len(heads) == 3
    async with misbehaving_server(lambda number, head: BUSY) as (url, heads):
        async with AsyncBelljar(url) as jar:
            with pytest.raises(RateLimited, match="slow down"):
                await jar.browser.click("#pay")
    assert len(heads) == 3


async def test_a_stream_of_events_goes_on_where_it_broke() -> None:
    def event(number: int) -> bytes:
        body = f'{{"sequence": {number}, "stream": "stdout", "timestampMs": 1, "data": ""}}'
        sent = f"event: log\nid: {number}\ndata: {body}\n\n".encode()
        # Says more than it sends: the connection breaks in the middle.
        return b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n" + sent

    async with misbehaving_server(lambda number, head: event(number)) as (url, heads):
        async with AsyncBelljar(url) as jar, aclosing(jar.processes.follow_logs("proc_1")) as entries:
            assert [(await anext(entries)).sequence for _ in range(3)] == [1, 2, 3]
    sent = [head.lower().partition("last-event-id: ")[2][:1] for head in heads]
    assert sent == ["", "1", "2"]


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, AsyncBelljar(url, timeout=0.2) as jar:
        with anyio.fail_after(10), pytest.raises(NoAnswer):
            await jar.browser.click("#pay")


def test_what_is_no_problem_of_ours_is_raised_all_the_same() -> None:
    newer = rebuilt(418, {"code": "is_teapot", "title": "Teapot", "detail": "short", "spoutLength": 3}, {})
    assert isinstance(newer, UnknownProblem)
    assert (newer.status, newer.code, newer.detail, newer.members) == (418, "is_teapot", "short", {"spout_length": 3})
    assert rebuilt(502, None, {}).status == 502


@pytest.mark.parametrize("status", ["200 OK", "301 Moved Permanently", "404 Not Found"])
async def test_a_server_that_is_none_of_ours_is_told_from_one_that_is(status: str) -> None:
    async with misbehaving_server(lambda number, head: answer(status, '{"detail": "hello"}')) as (url, _):
        async with AsyncBelljar(url) as jar:
            with pytest.raises((NotBelljar, UnknownProblem), match=f"{url}/v1/health answered .* not as Belljar does"):
                await jar.health()
            with pytest.raises((Unreachable, UnknownProblem)):
                async with jar.live.connect():
                    raise AssertionError("connected")
        with Belljar(url) as blocking, pytest.raises((Unreachable, UnknownProblem)):
            await anyio.to_thread.run_sync(blocking.live.connect().__enter__)


@pytest.mark.parametrize("address", ["localhost:2468", "127.0.0.1", "ws://localhost"])
def test_an_address_without_its_scheme_is_told_at_once(address: str) -> None:
    with pytest.raises(ValueError, match=f"'{address}' is not the address of a server"):
        Belljar(address)
