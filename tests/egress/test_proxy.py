"""The proxy as programs meet it: real clients, real hosts, on loopback."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator

import anyio
import httpx2 as httpx
import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from belljar.egress.channel import EgressGone
from belljar.egress.policy.file import BadPolicy, suggest
from belljar.egress.proxy.gate import Record
from tests.egress.running import RunningProxy, Victim, running_proxy, tell_in_chunks, victim
from tests.egress.upstreams import http_upstream, socks_upstream

PATIENCE = 20


@pytest.fixture
def host() -> Iterator[Victim]:
    with victim(host="127.0.0.1") as seen:
        yield seen


@pytest.fixture
async def proxy() -> AsyncIterator[RunningProxy]:
    async with running_proxy("open") as running:
        yield running


@pytest.fixture
async def client(proxy: RunningProxy) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as running:
        yield running


async def speak(port: int, data: bytes, *, size: int = 65536, until: bytes | None = None) -> bytes:
    with anyio.fail_after(PATIENCE):
        async with await anyio.connect_tcp("127.0.0.1", port) as stream:
            await stream.send(data)
            answer = b""
            try:
                while len(answer) < size and not (until and until in answer):
                    answer += await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass
            return answer


@pytest.fixture
def echo() -> Iterator[int]:
    with victim(host="127.0.0.1", answer=tell_in_chunks) as seen:
        yield seen.port


async def settled(proxy: RunningProxy) -> list[Record]:
    """The log, once every connection in it has ended."""
    with anyio.fail_after(PATIENCE), proxy.egress.log.watch() as records:
        while any(record.duration is None for record in proxy.egress.log):
            await records.receive()
    return list(proxy.egress.log)


async def test_requests_to_one_host_share_a_connection(proxy: RunningProxy, host: Victim) -> None:
    async with httpx.AsyncClient(proxy=proxy.url) as client:
        for _ in range(5):
            assert (await client.get(f"http://127.0.0.1:{host.port}/")).status_code == 200
    assert len(host.reached) == 1
    (record,) = await settled(proxy)
    assert (record.requests, record.decision, record.rule, record.address) == (
        5,
        "allow",
        "allow * to any",
        "127.0.0.1",
    )
    assert record.bytes_sent > 0 < record.bytes_received


async def test_chunked_bodies_go_both_ways_and_the_connection_lives_on(client: httpx.AsyncClient, echo: int) -> None:
    async def body() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * 1000

    for _ in range(3):
        answer = await client.post(f"http://127.0.0.1:{echo}/path?q=1", content=body())
        assert answer.text.startswith("POST /path?q=1 HTTP/1.1|5")
        assert answer.text.endswith("a" * 70_000 + "z")


async def test_a_large_body_arrives_whole(proxy: RunningProxy) -> None:
    size = 64 * 1024 * 1024

    async def serve_much(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(size // 65536):
            writer.write(bytes(range(256)) * 256)
            await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve_much, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as client:
            async with client.stream("GET", f"http://127.0.0.1:{port}/") as answer:
                got = [len(piece) async for piece in answer.aiter_bytes()]
    assert sum(got) == size


async def test_web_sockets_pass_by_connect_and_by_upgrade(proxy: RunningProxy) -> None:
    async def echo(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(message)

    async with serve(echo, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}/", proxy=proxy.url) as ws:
            await ws.send("by connect")
            assert await ws.recv() == "by connect"
        key = (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            + "A" * 22
            + "=="
        )
        get = f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n{key}\r\n\r\n"
        # A masked text frame with an empty mask, "hi"; the answer's head, then the same unmasked.
        answer = await speak(proxy.port, get.encode() + b"\x81\x82\0\0\0\0hi", until=b"\x81\x02hi")
        assert b"101 Switching Protocols" in answer and b"\x81\x02hi" in answer


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET https://127.0.0.1/ HTTP/1.1\r\n\r\n", 501),
        ("GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n", 501),
        ("PRI * HTTP/2.0\r\n\r\n", 505),
        ("GET http://127.0.0.1:0/ HTTP/1.1\r\n\r\n", 400),
        ("GET http://a b/ HTTP/1.1\r\n\r\n", 400),
        ("GET http:///x HTTP/1.1\r\n\r\n", 400),
        ("CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n", 400),
        ("CONNECT 127.0.0.1: HTTP/1.1\r\n\r\n", 400),
        ("CONNECT http://127.0.0.1:80 HTTP/1.1\r\n\r\n", 400),
        ("GET http://127.0.0.1:1/ HTTP/1.1\r\nBad Header: 1\r\n\r\n", 400),
        ("GET http://127.0.0.1:1/ HTTP/1.1\r\n folded: 1\r\n\r\n", 400),
        ("POST http://127.0.0.1:1/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400),
        ("POST http://127.0.0.1:1/ HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", 400),
        ("POST http://127.0.0.1:1/ HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST http://127.0.0.1:1/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
        ("GET http://127.0.0.1:1/ HTTP/1.1\r\nX: " + "y" * 70_000 + "\r\n\r\n", 431),
        ("GET http://127.0.0.1:1/ HTTP/1.1\r\n" + "X: 1\r\n" * 201 + "\r\n", 431),
        ("GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n", 502),
        ("CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n", 502),
    ],
)
async def test_what_cannot_be_carried_is_answered(proxy: RunningProxy, request_text: str, status: int) -> None:
    answer = await speak(proxy.port, request_text.encode())
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


async def test_the_host_is_the_one_that_was_checked(proxy: RunningProxy) -> None:
    seen: list[bytes] = []

    async def look(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\nX-Belljar-Egress: denied\r\nConnection: close\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(look, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        headers = "Host: other.example\r\nProxy-Authorization: Basic abc\r\nConnection: X-Secret\r\nX-Secret: 1"
        request = f"GET http://u:p@127.0.0.1:{port}/a?b#c HTTP/1.1\r\n{headers}\r\n\r\n"
        answer = await speak(proxy.port, request.encode(), size=20)
    assert answer.startswith(b"HTTP/1.1 204") and b"X-Belljar-Egress" not in answer
    assert seen[0].startswith(f"GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode())
    assert b"other.example" not in seen[0] and b"Proxy-Auth" not in seen[0] and b"X-Secret" not in seen[0]


@pytest.mark.parametrize("command", [2, 3])
async def test_socks_cannot_listen_nor_send_datagrams(proxy: RunningProxy, command: int) -> None:
    ask = b"\x05\x01\x00" + bytes((5, command, 0, 1, 127, 0, 0, 1, 0, 80))
    assert (await speak(proxy.port, ask))[:4] == b"\x05\x00\x05\x07"


async def test_a_denial_is_a_page_a_person_understands(host: Victim) -> None:
    async with running_proxy("public") as proxy, httpx.AsyncClient(proxy=proxy.url) as client:
        answer = await client.get(f"http://127.0.0.1:{host.port}/")
        assert answer.status_code == 403
        note = f'denied; host="127.0.0.1"; port={host.port}; rule="loopback"; reason="127.0.0.1 is not on the public'
        assert answer.headers["x-belljar-egress"].startswith(note)
        assert f"--allow 127.0.0.1:{host.port}" in answer.text
        record = proxy.egress.log.last_denial("127.0.0.1", host.port, since=0)
        assert record is not None and record.rule == "loopback"
    assert host.reached == []


async def test_tightening_cuts_open_connections(proxy: RunningProxy, host: Victim) -> None:
    with anyio.fail_after(PATIENCE):
        async with await anyio.connect_tcp("127.0.0.1", proxy.port) as stream:
            await stream.send(f"CONNECT 127.0.0.1:{host.port} HTTP/1.1\r\n\r\n".encode())
            assert b"200" in await stream.receive()
            await stream.send(b"GET / HTTP/1.1\r\n\r\n")
            assert b"secret" in await stream.receive()
            await proxy.egress.set_policy("public")
            with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await stream.receive()
    (record,) = await settled(proxy)
    assert record.reason == "the policy was changed"
    assert b"403" in await speak(proxy.port, f"CONNECT 127.0.0.1:{host.port} HTTP/1.1\r\n\r\n".encode())


async def test_a_bad_policy_changes_nothing(proxy: RunningProxy, client: httpx.AsyncClient, host: Victim) -> None:
    with pytest.raises(BadPolicy) as caught:
        await proxy.egress.set_policy("deny *\nallow nonsense!")
    assert caught.value.line == 2
    assert (await client.get(f"http://127.0.0.1:{host.port}/")).status_code == 200


async def test_the_box_own_localhost_comes_first_then_the_hosts(host: Victim) -> None:
    """The dialler stands for the starter in the jail: it hands out a socket, or says that nothing listens."""
    inside, other = socket.socketpair()
    dialled: list[int] = []

    async def dial(port: int) -> socket.socket:
        dialled.append(port)
        if port == host.port:
            raise ConnectionRefusedError(111, "refused")
        return inside.dup()

    with inside, other:
        other.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ninside")
        async with running_proxy("none", allow=(f"localhost:{host.port}",), dial=dial) as proxy:
            async with httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as client:
                assert (await client.get("http://localhost:3999/")).text == "inside"
                assert "secret" in (await client.get(f"http://localhost:{host.port}/")).text
                assert (await client.get("http://203.0.113.1:3999/")).status_code == 403
            addresses = [record.address for record in await settled(proxy)]
    assert dialled == [3999, host.port]
    assert addresses == ["box", "127.0.0.1", "203.0.113.1"]


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
async def test_a_socks_upstream_gets_names_unresolved_and_one_identity(host: Victim, scheme: str) -> None:
    with socks_upstream(host.port) as upstream:
        policy = f"upstream tor {scheme}://127.0.0.1:{upstream.port}\nallow * via tor"
        async with running_proxy(policy, identity="session-7") as proxy:
            async with httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as client:
                assert "secret" in (await client.get("http://nowhere.example/")).text
                assert "secret" in (await client.get("http://abcdef.onion/")).text
            tunnel = b"CONNECT nowhere.example:443 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: close\r\n\r\n"
            assert b"secret" in await speak(proxy.port, tunnel, size=100)
    assert upstream.asked == [("nowhere.example", 80), ("abcdef.onion", 80), ("nowhere.example", 443)]
    assert set(upstream.credentials) == {"session-7:belljar"}


async def test_an_http_upstream_gets_the_credentials_and_the_host_does_not(host: Victim) -> None:
    with http_upstream(host.port) as upstream:
        policy = f"upstream corp http://us%40er:pass@127.0.0.1:{upstream.port}\nallow *.example via corp"
        async with running_proxy(policy) as proxy, httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as client:
            assert "secret" in (await client.get("http://nowhere.example/")).text
            tunnel = b"CONNECT nowhere.example:443 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: close\r\n\r\n"
            assert b"secret" in await speak(proxy.port, tunnel, size=100)
            assert (await client.get("http://other.test/")).status_code == 403
            assert {record.upstream for record in proxy.egress.log if record.decision == "allow"} == {"corp"}
    assert upstream.asked == [("nowhere.example", 80), ("nowhere.example", 443)]
    assert set(upstream.credentials) == {"Basic dXNAZXI6cGFzcw=="}


async def test_a_connection_may_not_move_more_than_its_limit(echo: int) -> None:
    async with running_proxy("limit connection 10K\nuse open") as proxy:
        answer = await speak(proxy.port, f"GET http://127.0.0.1:{echo}/ HTTP/1.1\r\n\r\n".encode(), size=1 << 20)
        assert len(answer) < 70_000
        (record,) = await settled(proxy)
        assert record.reason == "over the size limit of a connection"


async def test_more_connections_than_allowed_are_closed(host: Victim) -> None:
    async with running_proxy("limit connections 1\nuse open") as proxy:
        async with await anyio.connect_tcp("127.0.0.1", proxy.port) as first:
            await first.send(f"CONNECT 127.0.0.1:{host.port} HTTP/1.1\r\n\r\n".encode())
            assert b"200" in await first.receive()
            assert await speak(proxy.port, b"GET / HTTP/1.1\r\n\r\n") == b""


async def test_learn_mode_records_and_the_suggestion_allows_it(host: Victim) -> None:
    async with running_proxy("allow localhost\nlearn") as proxy:
        async with httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as client:
            await client.get(f"http://localhost:{host.port}/")
        policy = suggest(await settled(proxy))
        assert policy == f"allow localhost port {host.port} scheme http\n"
        await proxy.egress.set_policy(policy)
        async with httpx.AsyncClient(proxy=proxy.url, timeout=PATIENCE) as client:
            assert (await client.get(f"http://localhost:{host.port}/")).status_code == 200


async def test_a_client_that_leaves_ends_its_connection(proxy: RunningProxy) -> None:
    left = anyio.Event()

    async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        left.set()
        writer.close()

    async with await asyncio.start_server(never_answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        stream = await anyio.connect_tcp("127.0.0.1", proxy.port)
        await stream.send(f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode())
        with anyio.fail_after(PATIENCE), proxy.egress.log.watch() as records:
            if not list(proxy.egress.log):
                await records.receive()
        await stream.aclose()
        with anyio.fail_after(PATIENCE):
            await left.wait()


async def test_no_descriptor_is_left_behind(proxy: RunningProxy, host: Victim) -> None:
    def count() -> int:
        return len(os.listdir(f"/proc/{proxy.process.pid}/fd"))

    before = count()
    for _ in range(30):
        await speak(
            proxy.port, f"GET http://127.0.0.1:{host.port}/ HTTP/1.1\r\nConnection: close\r\n\r\n".encode(), size=50
        )
        await speak(proxy.port, b"GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")
    await settled(proxy)
    assert count() <= before + 2


async def test_the_proxy_ends_with_its_box_and_the_box_hears_of_its_end(proxy: RunningProxy) -> None:
    proxy.process.kill()
    with anyio.fail_after(PATIENCE), pytest.raises(EgressGone):
        while True:
            await proxy.egress.set_policy("none")
