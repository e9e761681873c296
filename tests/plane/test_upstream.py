"""The client that speaks to boxes, with boxes that behave and boxes that do not."""

import asyncio

import anyio
import pytest

from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Upstream, UpstreamClosed, UpstreamError
from tests.plane.strange_boxes import babbling, breaking_off, silent, strange_box, vanishing


async def get(address: Address) -> bytes:
    async with Upstream() as upstream:
        with anyio.fail_after(5):
            return (await upstream.request(address, "GET", "/", token="t")).body


async def test_a_box_that_is_not_there() -> None:
    with pytest.raises(UpstreamError):
        await get(Address(path="/nonexistent/box.sock"))


async def test_a_box_that_closes_without_a_word() -> None:
    async with strange_box(vanishing) as address:
        with pytest.raises(UpstreamClosed):
            await get(address)


async def test_a_box_that_speaks_something_else() -> None:
    async with strange_box(babbling) as address:
        with pytest.raises(UpstreamError):
            await get(address)


async def test_a_box_that_breaks_off() -> None:
    async with strange_box(breaking_off) as address:
        with pytest.raises(UpstreamError, match="cut short"):
            await get(address)


async def test_a_box_that_says_nothing_is_given_up_at_the_callers_deadline() -> None:
    async with strange_box(silent) as address, Upstream() as upstream:
        with pytest.raises(TimeoutError):
            with anyio.fail_after(0.2):
                await upstream.request(address, "GET", "/", token="t")


async def test_a_connection_is_used_again() -> None:
    taken = 0

    async def counting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        taken += 1
        while True:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            await reader.readuntil(b"\r\n\r\n")

    async with strange_box(counting) as address, Upstream() as upstream:
        for _ in range(5):
            assert (await upstream.request(address, "GET", "/", token="t")).body == b"ok"
    assert taken == 1


async def test_a_socket_whose_path_is_too_long_for_an_address() -> None:
    import os
    import shutil
    import tempfile

    async with strange_box(breaking_off) as address:
        assert address.path is not None
        with tempfile.TemporaryDirectory() as folder:
            deep = os.path.join(folder, "d" * 120)
            os.mkdir(deep)
            moved = shutil.move(address.path, deep + "/box.sock")
            with pytest.raises(UpstreamError, match="cut short"):
                await get(Address(path=moved))


async def exchanged(address: Address, upstream: Upstream, *pieces: bytes, is_whole: bool = True) -> bytes:
    """A request in pieces, and as much of the answer as there is when that is complete."""
    connection = await upstream.connect(address)
    try:
        connection.begin(pieces[0], is_whole=is_whole and len(pieces) == 1)
        for piece in pieces[1:]:
            await connection.write(piece, is_last=is_whole and piece is pieces[-1])
        with anyio.fail_after(5):
            await connection.read_head()
            return await connection.read()
    finally:
        upstream.give_back(address, connection)


@pytest.mark.parametrize(
    ("said", "is_whole", "kept"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", True, 1),
        (b"HTTP/1.1 405 Early\r\ncontent-length: 2\r\n\r\nok", False, 2),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok", True, 2),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil", True, 2),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokevil", True, 2),
    ],
)
async def test_a_connection_is_used_again_only_when_both_sides_were_done(
    said: bytes, is_whole: bool, kept: int
) -> None:
    taken = 0

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        taken += 1
        while True:
            writer.write(said)
            await reader.readuntil(b"\r\n\r\n")

    async with strange_box(answering) as address, Upstream() as upstream:
        for _ in range(2):
            assert await exchanged(address, upstream, b"POST / HTTP/1.1\r\n\r\n", is_whole=is_whole) == b"ok"
    assert taken == kept


async def test_what_a_box_says_unasked_ends_the_connection() -> None:
    taken = 0

    async def babbling_later(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        taken += 1
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        await writer.drain()
        await spoken.wait()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil")
        await reader.read()
        ended.set()

    async with strange_box(babbling_later) as address, Upstream() as upstream:
        spoken, ended = anyio.Event(), anyio.Event()
        spoken.set()
        for _ in range(2):
            assert await exchanged(address, upstream, b"GET / HTTP/1.1\r\n\r\n") == b"ok"
            with anyio.fail_after(5):
                await ended.wait()
            ended = anyio.Event()
    assert taken == 2
