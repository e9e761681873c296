"""The client that speaks to boxes, with boxes that behave and boxes that do not."""

import asyncio

import anyio
import pytest

from belljar.control.launchers.base import Address
from belljar.control.upstream import Upstream, UpstreamClosed, UpstreamError
from tests.control.strange_boxes import babbling, breaking_off, silent, strange_box, vanishing


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
