"""A host on loopback that sends much or little, and clients that ask it directly and through the egress proxy."""

import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio

from belljar.box.browser.page.navigation import navigate
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.lifecycle import StartRequest
from benchmarks.harness import Action, SetUp
from tests.box.browser.conftest import running_browser
from tests.egress.running import running_proxy

# A process of its own: what it costs must not be counted to either side's client.
_HOST = r"""
import socket, threading
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-store\r\nContent-Length: %d\r\n\r\n"
piece = bytes(1 << 20)
def serve(client):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client:
        data = b""
        while more := client.recv(65536):
            data += more
            while b"\r\n\r\n" in data:
                head, _, data = data.partition(b"\r\n\r\n")
                last = head.split()[1].rpartition(b"/")[2]
                size = int(last) if last.isdigit() else 0
                client.sendall(HEAD % size)
                left = size
                while left:
                    left -= client.send(piece[: min(left, len(piece))])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"""


@contextmanager
def host() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", _HOST], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


def asking(size: int, by: str) -> SetUp:
    """One request after the other on one connection: `direct`, by `http`, or through a `tunnel`."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with host() as port:
            async with running_proxy("open") as proxy:
                sock = socket.create_connection(("127.0.0.1", port if by == "direct" else proxy.port))
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                buffer = memoryview(bytearray(1 << 20))
                if by == "tunnel":
                    sock.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % port)
                    assert b" 200 " in await anyio.to_thread.run_sync(sock.recv, 65536)
                url = b"http://127.0.0.1:%d/%d" % (port, size) if by == "http" else b"/%d" % size
                request = b"GET %b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (url, port)

                def ask() -> None:
                    sock.sendall(request)
                    count = sock.recv_into(buffer)
                    head = bytes(buffer[:count]).partition(b"\r\n\r\n")
                    left = size - len(head[2])
                    while left:
                        left -= sock.recv_into(buffer)

                with sock:
                    yield lambda: anyio.to_thread.run_sync(ask)

    return set_up


def in_a_page(size: int, *, is_proxied: bool) -> SetUp:
    """A page of a headless Chromium fetches it, from its own host; as pages load what they show."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with host() as port:
            async with (
                running_proxy("open") as proxy,
                running_browser(proxy_port=proxy.port * is_proxied or None) as it,
            ):
                await it.start(StartRequest(headless=True))
                tab = await it.page()
                await navigate(tab, f"http://127.0.0.1:{port}/1", WaitUntil.LOAD)
                script = f"fetch('/{size}').then(async r => {{ const b = r.body.getReader(); let n = 0, p;"
                script += " while (!(p = await b.read()).done) n += p.value.length; return n })"
                assert await tab.main.evaluate(script) == size

                async def action() -> None:
                    await tab.main.evaluate(script)

                yield action

    return set_up
