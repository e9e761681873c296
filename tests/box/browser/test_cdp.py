"""The CDP connection: its framing over a real pipe, and its promises when Chromium goes away."""

import asyncio
import json
import os
import random
from collections.abc import AsyncIterator, Iterator
from typing import ClassVar

import anyio
import msgspec
import pytest

from belljar.box.browser.cdp import CdpClosed, CdpError, Connection, TargetGone, events, open_connection, replies
from belljar.box.browser.cdp.events import Event
from belljar.box.browser.cdp.messages import UnexpectedReply, decode_as
from belljar.box.browser.cdp.replies import Evaluation, Part
from belljar.box.browser.page.page import Page


class Counted(Event):
    method: ClassVar[str] = "A.b"
    n: int


class Flagged(Part):
    fine: bool


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
        connection.browser.on(Counted, lambda event: seen.append(event.n))
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
    def take(event: Counted) -> None:
        if event.n == 0:
            raise KeyError
        seen.append(event.n)

    failed: list[object] = []
    seen: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: failed.append(context["exception"]))
    async with open_connection(*peer.ours) as connection:
        connection.browser.on(Counted, take)
        messages = (
            b'{"method":"A.b","params":{"n":1}}',
            b'{"method":"A.b","params":{"n":0}}',
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
            {"id": 3, "result": {"n": 1}},
            {"id": heard[0]["id"], "result": {}},
        )
        assert (await connection.browser.send_as(Counted, "A.three")).n == 1
        await first
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
        peer.say({"id": 2, "result": {"fine": True}})
        assert (await connection.browser.send_as(Flagged, "A.next")).fine
    peer.hang_up()


ODD = (
    '{"id":1,"result":{"fine":"yes"}}',
    '{"id":1,"result":{}}',
    '{"id":1,"result":[]}',
    '{"id":1,"result":null}',
    '{"id":1}',
    '{"id":1,"error":"no"}',
    '{"id":1,"error":{"code":"x","message":[]}}',
    '{"id":1,"result":{"fine":}}',
    '{"id":1,"method":7}',
    '{"id":1,"result":' + "[" * 5000 + "]" * 5000 + "}",
)


@pytest.mark.parametrize("answer", ODD, ids=lambda answer: str(answer)[:40])
async def test_an_answer_of_another_shape_is_an_error_of_its_call_alone(peer: Peer, answer: str) -> None:
    async with open_connection(*peer.ours) as connection:
        os.write(peer.write, answer.encode() + b"\0")
        with (
            pytest.raises(UnexpectedReply, match=r"^A\.odd: Chromium's answer was not understood"),
            anyio.fail_after(5),
        ):
            await connection.browser.send_as(Flagged, "A.odd")
        peer.say({"id": 2, "result": {"fine": True}})
        assert (await connection.browser.send_as(Flagged, "A.next")).fine
        assert not connection.calls
    peer.hang_up()


async def test_an_event_of_another_shape_is_left_out(peer: Peer) -> None:
    async with open_connection(*peer.ours) as connection:
        seen: list[int] = []
        connection.browser.on(Counted, lambda event: seen.append(event.n))
        odd: list[object] = [{}, {"n": "1"}, {"n": None}, [], "text", 5, None]
        peer.say(*({"method": "A.b", "params": params} for params in odd), {"method": "A.b"}, {"method": ["A.b"]})
        peer.say({"method": "A.b", "params": {"n": 7, "new": [{}]}}, {"id": 1, "result": {"fine": True}})
        assert (await connection.browser.send_as(Flagged, "A.next")).fine
        assert seen == [7]
    peer.hang_up()


def odd_values(chance: random.Random) -> Iterator[object]:
    """JSON without end, of any shape, with the names that CDP has."""
    names = ["frame", "result", "value", "frameId", "request", "headers", "id", "type", "entries", "childFrames", "x"]
    leaves: list[object] = [None, True, -1, 1.5, 2**70, 1e300, "", "text", "\ud83d\ude00", [], {}]

    def value(depth: int) -> object:
        kind = chance.random()
        if depth > 4 or kind < 0.4:
            return chance.choice(leaves)
        if kind < 0.6:
            return [value(depth + 1) for _ in range(chance.randrange(4))]
        return {chance.choice(names): value(depth + 1) for _ in range(chance.randrange(6))}

    while True:
        yield value(0)


def test_whatever_chromium_says_is_decoded_or_refused_as_unexpected() -> None:
    kinds = [
        kind
        for module in (events, replies)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Part)
    ]
    assert len(kinds) > 80
    values = odd_values(random.Random(15))
    for _ in range(300):
        raw = msgspec.Raw(json.dumps(next(values)).encode())
        for kind in kinds:
            try:
                found = decode_as(kind, "A.b", raw)
            except UnexpectedReply as error:
                assert error.message.startswith("Chromium's answer was not understood")
            else:
                assert isinstance(found, kind)


async def test_what_a_script_returns_instead_of_what_it_should_is_an_error_of_that_call(page: Page) -> None:
    with pytest.raises(UnexpectedReply, match="Expected `str`, got `object`"):
        await page.main.evaluate("({})", str)
    with pytest.raises(UnexpectedReply, match="Expected `float`, got `null`"):
        await page.main.evaluate("[NaN]", tuple[float])
    assert await page.main.evaluate("1 + 1", int) == 2
    assert await page.main.evaluate("undefined") is None


async def test_what_is_nested_as_deeply_as_chromium_lets_it_is_no_hung_call(page: Page) -> None:
    script = "(() => { let deep = []; for (let n = 0; n < 900; n++) deep = [deep]; return deep })()"
    with pytest.raises(CdpError), anyio.fail_after(10):
        await page.session.send_as(Evaluation, "Runtime.evaluate", expression=script, returnByValue=True)
    assert await page.main.evaluate("1 + 1", int) == 2


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
