"""The CDP connection: its framing over a real pipe, and its promises when Chromium goes away."""

import asyncio
import json
import os
from collections.abc import AsyncIterator

import anyio
import pytest

from belljar.box.browser.cdp import CdpClosed, CdpError, Connection, TargetGone, open_connection
from belljar.box.browser.page.page import Page


class Peer:
    """The other end of a pipe: what a Chromium would read and write."""

    def __init__(self) -> None:
        self.read, ours_write = os.pipe()
        ours_read, self.write = os.pipe()
        self.ours = (ours_read, ours_write)

    def say(self, *messages: object) -> None:
        os.write(self.write, b"".join(json.dumps(message).encode() + b"\0" for message in messages))

    def hear(self) -> list[dict[str, object]]:
        return [json.loads(part) for part in os.read(self.read, 1 << 20).split(b"\0") if part]

    def hang_up(self) -> None:
        os.close(self.write)
        os.close(self.read)


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    yield Peer()


async def test_a_message_may_arrive_in_any_pieces(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        seen: list[object] = []
        connection.browser.on("A.b", lambda params: seen.append(params["n"]))
        data = b"".join(b'{"method":"A.b","params":{"n":%d}}\0' % n for n in range(50))
        for start in range(0, len(data), 7):
            os.write(peer.write, data[start : start + 7])
            await anyio.lowlevel.checkpoint()
        with anyio.fail_after(5):
            while len(seen) < 50:
                await anyio.lowlevel.checkpoint()
        assert seen == list(range(50))
    peer.hang_up()


async def test_a_read_ends_at_a_calls_fence_so_that_it_is_known_what_nobody_got(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        first = connection.fence()
        connection.browser.tell("A.first")
        assert os.read(peer.read, 1 << 20) == b" "
        assert peer.hear() == [{"id": 1, "method": "A.first"}]
        connection.browser.tell("A.others")
        second = connection.fence()
        connection.browser.tell("A.second")
        third = connection.fence()
        connection.browser.tell("A.third")
        # The read that one who is being killed was at: also behind what others had sent it ends at the first fence.
        assert os.read(peer.read, 1 << 20).endswith(b'"A.others"}\0 ')
        closed = anyio.Event()
        connection.on_closed.append(closed.set)
        peer.hang_up()
        with anyio.fail_after(5):
            await closed.wait()
        assert [connection.was_read_since(fence) for fence in (first, second, third)] == [True, False, False]


async def test_what_a_living_reader_may_yet_read_counts_as_read(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        fence = connection.fence()
        connection.browser.tell("A.b")
        connection.close()
        assert connection.was_read_since(fence)
    peer.hang_up()


async def test_a_listener_that_fails_takes_no_message_from_others(peer: Peer) -> None:
    failed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: failed.append(context["exception"]))
    async with open_connection(*peer.ours) as connection:
        seen: list[object] = []
        connection.browser.on("A.b", lambda params: seen.append(params["n"]))
        messages = (
            b'{"method":"A.b","params":{"n":1}}',
            b'{"method":"A.b","params":{}}',
            b'{"method":"A.b","params":{"n":2}}',
        )
        os.write(peer.write, b"\0".join(messages) + b'\0{"method":"A.b",')
        with anyio.fail_after(5):
            while len(seen) < 2:
                await anyio.lowlevel.checkpoint()
        os.write(peer.write, b'"params":{"n":3}}\0')
        with anyio.fail_after(5):
            while len(seen) < 3:
                await anyio.lowlevel.checkpoint()
        assert seen == [1, 2, 3]
        assert [type(error) for error in failed] == [KeyError]
    asyncio.get_running_loop().set_exception_handler(None)
    peer.hang_up()


async def test_an_answer_finds_its_caller_and_a_refusal_is_raised(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        first, second = connection.browser.post("A.one", x=1), connection.browser.post("A.two")
        heard = peer.hear()
        assert [message["method"] for message in heard] == ["A.one", "A.two"]
        peer.say(
            {"id": heard[1]["id"], "error": {"code": -32000, "message": "no"}},
            {"id": heard[0]["id"], "result": {"a": 1}},
        )
        assert await first == {"a": 1}
        with pytest.raises(CdpError, match="no"):
            await second
    peer.hang_up()


async def test_the_end_of_the_connection_fails_every_waiter_at_once(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        waiting = [connection.browser.post("A.one") for _ in range(3)]
        peer.hang_up()
        for one in waiting:
            with pytest.raises(CdpClosed), anyio.fail_after(5):
                await one
        with pytest.raises(CdpClosed):
            await connection.browser.send("A.late")


async def test_a_cancelled_call_leaves_nothing_behind(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        with anyio.move_on_after(0.01):
            await connection.browser.send("A.slow")
        assert not connection.calls
        peer.say({"id": 1, "result": {}})
        call = connection.browser.post("A.next")
        peer.say({"id": 2, "result": {"fine": True}})
        assert await call == {"fine": True}
    peer.hang_up()


async def test_a_slow_reader_of_events_loses_the_oldest(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        with connection.browser.events("A.b", size=2) as events:
            peer.say(*({"method": "A.b", "params": {"n": n}} for n in range(5)))
            first = await anext(events)
            assert (first, events.dropped) == (("A.b", {"n": 3}), 3)
    peer.hang_up()


async def test_a_huge_message_goes_both_ways(page: Page) -> None:
    text = "x" * 5_000_000
    assert await page.main.call("(text) => text + text", text) == text + text


async def test_a_closed_tab_fails_its_waiters_at_once(page: Page) -> None:
    call = page.session.post("Runtime.evaluate", expression="new Promise(() => {})", awaitPromise=True)
    await page.session.connection.browser.send("Target.closeTarget", targetId=page.id)
    with pytest.raises((TargetGone, CdpError)), anyio.fail_after(5):
        await call
    connection: Connection = page.session.connection
    assert not connection.is_closed
