"""One port for many peers: whose a packet is, by UDP and TCP, and that nobody else is heard or answered."""

import hmac
import os
import random
import socket
import struct
import time
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from aioice import stun

from belljar.ice import (
    Credentials,
    Packet,
    SharedPort,
    Source,
    Transport,
    TurnServers,
    bind_port,
    host_to_bind,
    is_reachable,
    is_request,
    is_signed,
    is_turn_url,
    name_in,
    open_port,
    pack,
    unpack,
)

ANN, BOB = Credentials.new("b-0a1b"), Credentials.new("b-ffff")


def request(name: str, password: str) -> bytes:
    """A check, as a browser sends it: made by somebody else's code."""
    made = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
    made.attributes["USERNAME"] = f"{name}:abcd"
    made.attributes["PRIORITY"] = 1
    made.add_message_integrity(password.encode())
    return bytes(made)


class Heard:
    def __init__(self) -> None:
        self.packets: list[tuple[bytes, Source]] = []

    def __call__(self, data: bytes, source: Source) -> None:
        self.packets.append((data, source))


@asynccontextmanager
async def shared() -> AsyncIterator[tuple[SharedPort, int]]:
    sockets = bind_port("127.0.0.1", 0, has_tcp=True)
    number = sockets.number
    async with open_port(sockets, sockets.candidates(["127.0.0.1"])) as port:
        yield port, number


async def until(is_true: Callable[[], object]) -> None:
    end = time.monotonic() + 5
    while not is_true():
        assert time.monotonic() < end
        await anyio.sleep(0.005)


def framed(packet: bytes) -> bytes:
    return struct.pack(">H", len(packet)) + packet


def test_a_request_says_for_whom_it_is_and_whether_they_know_each_other() -> None:
    made = request(ANN.name, ANN.password)
    assert is_request(made) and name_in(made) == ANN.name
    assert is_signed(made, ANN.password.encode()) and not is_signed(made, BOB.password.encode())
    # Every byte that is covered counts.
    for at in range(len(made) - 8):
        changed = bytearray(made)
        changed[at] ^= 1
        assert not (is_request(bytes(changed)) and is_signed(bytes(changed), ANN.password.encode())), at


def test_no_bytes_at_all_are_taken_for_a_signed_request() -> None:
    chance = random.Random(17)
    made = request(ANN.name, ANN.password)
    for _ in range(20_000):
        odd = bytearray(made[: chance.randrange(len(made) + 1)])
        for _ in range(chance.randrange(1, 6)):
            if odd:
                odd[chance.randrange(len(odd))] = chance.randrange(256)
        data = bytes(odd) + chance.randbytes(chance.randrange(8))
        if data[: len(made) - 8] != made[: len(made) - 8]:
            assert not (is_request(data) and is_signed(data, ANN.password.encode()))
        name_in(data)


def test_packets_come_out_of_a_message_as_they_went_in() -> None:
    chance = random.Random(5)
    hosts = ("127.0.0.1", "203.0.113.9", "2001:db8::1")
    sent = [
        Packet(ANN.name, Source(Transport(n % 2), chance.choice(hosts), n), chance.randbytes(chance.randrange(1400)))
        for n in range(300)
    ]
    messages = list(pack(sent))
    assert len(messages) > 1 and max(map(len, messages)) <= 60_000
    assert [packet for message in messages for packet in unpack(message)] == sent
    for cut in range(1, 60):
        with pytest.raises(ValueError):
            list(unpack(messages[0][:-cut]))
    for _ in range(5000):
        try:
            list(unpack(chance.randbytes(chance.randrange(60))))
        except ValueError:
            pass


@pytest.mark.parametrize(
    ("addresses", "host"),
    [
        (("127.0.0.1",), "127.0.0.1"),
        (("::1",), "::1"),
        (("203.0.113.9",), "0.0.0.0"),
        (("203.0.113.9", "2001:db8::1"), "::"),
        (("2001:db8::1",), "::"),
        (("127.0.0.1", "::1"), "::"),
    ],
)
def test_a_port_listens_no_wider_than_its_addresses_need(addresses: tuple[str, ...], host: str) -> None:
    assert host_to_bind(addresses) == host


@pytest.mark.parametrize(
    "address", ["", "0.0.0.0", "::", "ff02::1", "224.0.0.1", "fe80::1", "a.test", "1.2.3", "1::2::3"]
)
def test_an_address_that_nobody_can_be_reached_under_is_none(address: str) -> None:
    assert not is_reachable(address)
    assert is_reachable("203.0.113.9") and is_reachable("2001:db8::1") and is_reachable("::1")


@pytest.mark.parametrize(("bound", "hosts"), [("::", ("127.0.0.1", "::1")), ("::1", ("::1",))])
async def test_both_versions_of_ip_come_by_one_port(bound: str, hosts: tuple[str, ...]) -> None:
    sockets = bind_port(bound, 0, has_tcp=True)
    number = sockets.number
    async with open_port(sockets, sockets.candidates(hosts)) as port:
        ann = Heard()
        port.join(ANN.name, ANN.password, ann)
        for host in hosts:
            async with await anyio.create_connected_udp_socket(host, number) as viewer:
                await viewer.send(request(ANN.name, ANN.password))
                await until(lambda: ann.packets)
                source = ann.packets.pop()[1]
                assert (source.transport, source.host) == (Transport.UDP, host)
                port.send(ANN.name, b"picture", source)
                assert await viewer.receive() == b"picture"
            async with await anyio.connect_tcp(host, number) as line:
                await line.send(framed(request(ANN.name, ANN.password)))
                await until(lambda: ann.packets)
                source = ann.packets.pop()[1]
                assert (source.transport, source.host) == (Transport.TCP, host)
                port.send(ANN.name, b"picture", source)
                assert await line.receive() == framed(b"picture")


async def test_a_packet_is_for_whom_its_source_has_named_and_nobody_else_gets_an_answer() -> None:
    async with shared() as (port, number):
        ann, bob = Heard(), Heard()
        port.join(ANN.name, ANN.password, ann)
        port.join(BOB.name, BOB.password, bob)
        with pytest.raises(ValueError):
            port.join(ANN.name, BOB.password, bob)
        async with (
            await anyio.create_connected_udp_socket("127.0.0.1", number) as viewer,
            await anyio.create_connected_udp_socket("127.0.0.1", number) as stranger,
        ):
            for odd in (b"", b"\x16\xfe\xfd", os.urandom(200), request(ANN.name, BOB.password), request("b0a1b/", "")):
                await stranger.send(odd)
            hello = request(ANN.name, ANN.password)
            await viewer.send(hello)
            await viewer.send(b"\x80 rtp")
            await until(lambda: len(ann.packets) == 2)
            source = ann.packets[0][1]
            assert [data for data, _ in ann.packets] == [hello, b"\x80 rtp"] and not bob.packets
            port.send(ANN.name, b"picture", source)
            assert await viewer.receive() == b"picture"
            # Neither to somebody else's source, nor to one that nobody came from.
            here = stranger.extra(anyio.abc.SocketAttribute.local_port)
            port.send(BOB.name, b"picture", source)
            port.send(ANN.name, b"picture", Source(Transport.UDP, "127.0.0.1", here))
            # The same source for another peer: it moves.
            await viewer.send(request(BOB.name, BOB.password))
            await viewer.send(b"\x80 more")
            await until(lambda: len(bob.packets) == 2)
            port.leave(BOB.name)
            await viewer.send(b"\x80 after")
            refused = port.refused
            # So many may wait for a box: what they may take together is bounded by what one may.
            await viewer.send(request(ANN.name, ANN.password))
            await until(lambda: len(ann.packets) == 3)
            await viewer.send(b"\x80" * 60_000)
            await until(lambda: port.refused == refused + 1)
            ann.packets.pop()
            with anyio.move_on_after(0.2):
                assert not await stranger.receive()
            assert len(ann.packets) == 2 and port.refused >= 5
        port.leave(ANN.name)
        assert port.is_empty


async def test_by_tcp_a_connection_says_first_whose_it_is() -> None:
    async with shared() as (port, number):
        ann = Heard()
        port.join(ANN.name, ANN.password, ann)
        hello = request(ANN.name, ANN.password)
        async with await anyio.connect_tcp("127.0.0.1", number) as viewer:
            # In pieces of one byte, and two packets in one piece.
            for byte in framed(hello):
                await viewer.send(bytes([byte]))
            await viewer.send(framed(b"\x80 one") + framed(b"") + framed(b"\x80 two"))
            await until(lambda: len(ann.packets) == 4)
            assert [data for data, _ in ann.packets] == [hello, b"\x80 one", b"", b"\x80 two"]
            assert ann.packets[0][1].transport is Transport.TCP
            port.send(ANN.name, b"picture", ann.packets[0][1])
            assert await viewer.receive() == framed(b"picture")
            port.leave(ANN.name)
            with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await viewer.receive()
        await until(lambda: not len(port.lines))
        assert port.is_empty


# With names: those made of what is sent would differ from one run to the next, and from one worker to another.
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(framed(b"\x80 rtp"), id="media"),
        pytest.param(framed(request(ANN.name, "no")), id="a wrong password"),
        pytest.param(b"\xff\xff" + bytes(100), id="too long a packet"),
        pytest.param(b"GET / HTTP/1.1\r\n", id="HTTP"),
        pytest.param(b"\0\0", id="an empty packet"),
    ],
)
async def test_a_connection_that_says_something_else_is_cut(first: bytes) -> None:
    async with shared() as (port, number):
        port.join(ANN.name, ANN.password, Heard())
        async with await anyio.connect_tcp("127.0.0.1", number) as stranger:
            await stranger.send(first)
            with anyio.fail_after(3), pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await stranger.receive()


async def test_a_crowd_that_says_nothing_does_not_keep_others_out_for_long() -> None:
    async with shared() as (port, number):
        ann = Heard()
        port.join(ANN.name, ANN.password, ann)
        crowd = [socket.create_connection(("127.0.0.1", number)) for _ in range(100)]
        try:
            await until(lambda: len(port.lines) == 16)
            with anyio.fail_after(15):
                while not ann.packets:
                    with socket.socket() as viewer:
                        viewer.setblocking(False)
                        try:
                            await anyio.to_thread.run_sync(viewer.connect, ("127.0.0.1", number))
                        except BlockingIOError:
                            pass
                        await anyio.sleep(0.05)
                        try:
                            viewer.send(framed(request(ANN.name, ANN.password)))
                        except OSError:
                            continue
                        await anyio.sleep(0.2)
        finally:
            for one in crowd:
                one.close()


async def test_who_does_not_read_loses_packets_and_holds_nobody_up() -> None:
    async with shared() as (port, number):
        ann, bob = Heard(), Heard()
        port.join(ANN.name, ANN.password, ann)
        port.join(BOB.name, BOB.password, bob)
        async with (
            await anyio.connect_tcp("127.0.0.1", number) as slow,
            await anyio.create_connected_udp_socket("127.0.0.1", number) as quick,
        ):
            await slow.send(framed(request(ANN.name, ANN.password)))
            await quick.send(request(BOB.name, BOB.password))
            await until(lambda: ann.packets and bob.packets)
            for _ in range(20_000):
                port.send(ANN.name, bytes(1200), ann.packets[0][1])
            port.send(BOB.name, b"picture", bob.packets[0][1])
            with anyio.fail_after(2):
                assert await quick.receive() == b"picture"
            # What does come is whole packets.
            read, came = b"", 0
            with anyio.move_on_after(1):
                while True:
                    read += await slow.receive(1 << 16)
            while len(read) >= 1202:
                assert read[:2] == struct.pack(">H", 1200)
                read, came = read[1202:], came + 1
            assert not read and 50 < came < 10_000


def test_turn_credentials_are_the_convention_s() -> None:
    servers = TurnServers(("turn:127.0.0.1:3478",), "secret", 600).for_viewer("v1", now=1_000)
    [server] = servers
    assert server["username"] == "1600:v1"
    digest = hmac.digest(b"secret", b"1600:v1", "sha1")
    assert b64decode(server["credential"]) == digest
    assert TurnServers((), "", 600).for_viewer("v1") == []
    assert is_turn_url("turns:t.example:5349?transport=tcp")
    for odd in ("stun:a", "turn:", "turn:a b", "turn:a?transport=sctp", "http://a", "turn:a@b", "turn:a/b"):
        assert not is_turn_url(odd)
