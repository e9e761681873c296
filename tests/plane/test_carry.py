"""How one request is carried: piece by piece, no faster than it is taken, and not for ever."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from prometheus_client import CollectorRegistry
from starlette.types import Message, Scope

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Upstream
from belljar.plane.gateway.forward_http import BodyFraming, BrokenBody, Carrier
from belljar.plane.supervision import ControlMetrics
from belljar.problems.plane import BoxTimeout, BoxUnreachable
from tests.plane.strange_boxes import breaking_off, silent, strange_box, vanishing

MEGABYTE = 1024 * 1024
CHUNKED = [(b"transfer-encoding", b"chunked")]


@asynccontextmanager
async def carrying(address: Address) -> AsyncIterator[Callable[..., Awaitable[None]]]:
    async with Upstream() as upstream:
        carrier = Carrier(upstream, ControlMetrics(CollectorRegistry()), timeout=0.5)

        async def carry(
            receive: Callable[[], Awaitable[Message]],
            send: Callable[[Message], Awaitable[None]],
            headers: list[tuple[bytes, bytes]] | None = None,
        ) -> None:
            given = headers or []
            scope: Scope = {"type": "http", "method": "POST" if given else "GET", "headers": given}
            with anyio.fail_after(20):
                await carrier.carry_whole(scope, receive, send, address, b"/", [], lambda pairs: pairs)

        yield carry


async def nothing_more() -> Message:
    """A client that has said all and waits."""
    await anyio.sleep_forever()
    raise AssertionError("unreachable")


async def refused(_: Message) -> None:
    raise AssertionError("nothing should have been answered")


async def test_a_box_that_does_not_answer_in_time_is_a_504() -> None:
    async with strange_box(silent) as address, carrying(address) as carry:
        with pytest.raises(BoxTimeout) as raised:
            await carry(nothing_more, refused)
    assert raised.value.status == 504


async def test_a_box_that_goes_away_is_a_502_and_one_that_breaks_off_is_noticed() -> None:
    async with strange_box(vanishing) as address, carrying(address) as carry:
        with pytest.raises(BoxUnreachable):
            await carry(nothing_more, refused)
    seen: list[Message] = []

    async def see(message: Message) -> None:
        seen.append(message)

    async with strange_box(breaking_off) as address, carrying(address) as carry:
        with pytest.raises(ConnectionAbortedError):
            await carry(nothing_more, see)
    assert seen[0]["status"] == 200 and b"".join(m.get("body", b"") for m in seen) == b"only this"


async def test_a_box_is_not_drained_faster_than_its_reader_takes() -> None:
    poured = 0
    stuck = anyio.Event()

    async def pouring(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal poured
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (200 * MEGABYTE))
        for _ in range(200):
            writer.write(b"x" * MEGABYTE)
            try:
                async with asyncio.timeout(1):
                    await writer.drain()
            except TimeoutError:
                stuck.set()
                await writer.drain()
            poured += 1

    taken = 0

    async def slow(message: Message) -> None:
        nonlocal taken
        taken += len(message.get("body", b""))
        if taken and not stuck.is_set():
            await stuck.wait()
            # What lies between box and reader, in sockets and in us, is a few megabytes of the 200.
            assert poured < 8

    async with strange_box(pouring) as address, carrying(address) as carry:
        await carry(nothing_more, slow)
    assert taken == 200 * MEGABYTE


async def test_an_upload_reaches_the_box_piece_by_piece() -> None:
    arrived: list[bytes] = []
    news = anyio.Event()

    async def taking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal news
        while size := int(await reader.readline(), 16):
            arrived.append((await reader.readexactly(size + 2))[:-2])
            news.set()
            news = anyio.Event()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")

    pieces = iter([b"one", b"two", b"three", b""])
    given: list[bytes] = []

    async def receive() -> Message:
        """The next piece is only begun once the box has the last one."""
        while len(arrived) < len(given):
            await news.wait()
        piece = next(pieces, None)
        if piece is None:
            return await nothing_more()
        given.extend([piece] if piece else [])
        return {"type": "http.request", "body": piece, "more_body": bool(piece)}

    answered: list[int] = []

    async def send(message: Message) -> None:
        answered.append(message.get("status", 0))

    async with strange_box(taking) as address, carrying(address) as carry:
        await carry(receive, send, CHUNKED)
    assert arrived == [b"one", b"two", b"three"] and answered[0] == 200


@pytest.mark.parametrize("pieces", [[b"abcd"], [b"ab", b"cd"]], ids=["whole", "still coming"])
async def test_a_kept_connection_that_is_too_old_costs_nobody_an_answer(pieces: list[bytes]) -> None:
    """The box closes it just when the next request goes out; of a body that comes by pieces there is no second go."""

    async def answering_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(4)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        await reader.read(1)

    answered: list[int] = []

    async def send(message: Message) -> None:
        if "status" in message:
            answered.append(message["status"])

    async with strange_box(answering_once) as address, carrying(address) as carry:
        for sent in ([b"abcd"], pieces):
            left = list(sent)

            async def receive(left: list[bytes] = left) -> Message:
                if not left:
                    return await nothing_more()
                return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

            await carry(receive, send, [(b"content-length", b"4")])
    assert answered == [200, 200]


def test_a_body_is_framed_by_us_and_by_what_really_comes() -> None:
    sized = BodyFraming(5, is_chunked=False)
    assert sized.headers == [(b"content-length", b"5")] and sized.is_expected
    assert sized.frame({"body": b"abc", "more_body": True}) == (b"abc", False)
    assert sized.frame({"body": b"de", "more_body": False}) == (b"de", True)
    chunked = BodyFraming(None, is_chunked=True)
    assert chunked.headers == [(b"transfer-encoding", b"chunked")]
    assert chunked.frame({"body": b"abc", "more_body": True}) == (b"3\r\nabc\r\n", False)
    assert chunked.frame({"body": b"", "more_body": True}) == (b"", False)
    assert chunked.frame({"body": b"", "more_body": False}) == (b"0\r\n\r\n", True)
    none = BodyFraming(None, is_chunked=False)
    assert none.headers == [] and not none.is_expected
    assert none.frame({"type": "http.request"}) == (b"", True)


@pytest.mark.parametrize(("length", "body"), [(3, b"abcd"), (5, b"abcd"), (None, b"a"), (0, b"a")])
def test_a_body_that_is_not_as_long_as_it_says_is_not_sent(length: int | None, body: bytes) -> None:
    with pytest.raises(BrokenBody):
        BodyFraming(length, is_chunked=False).frame({"body": body, "more_body": False})
