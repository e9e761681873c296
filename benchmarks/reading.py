"""Contenders that look at the same page again and again, each in a Chromium of its own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import ByteStream

from belljar.box.browser.page.page import Page
from belljar.logs import set_up_logs
from belljar.wire.browser.lifecycle import StartRequest
from benchmarks.controls import controls_page
from benchmarks.harness import Action, SetUp
from tests.box.browser.conftest import running_browser
from tests.servers import RunningBox, running_box

_FILL = "(html) => { document.open(); document.write(html); document.close() }"


def in_process(look: Callable[[Page], Awaitable[object]]) -> SetUp:
    """`look` at the page with 300 controls, without a server in between."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        set_up_logs("console", "warning")
        async with running_browser() as browser:
            await browser.start(StartRequest(headless=True))
            page = await browser.page()
            await page.main.call(_FILL, controls_page())
            yield lambda: look(page)

    return set_up


def over_http(path: str, seen: Callable[[bytes], None] = lambda body: None) -> SetUp:
    """GET `path` of a box whose active tab shows the page with 300 controls; `seen` is given each body."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_box("--egress", "open", "--log-level", "warning") as box, box.client() as client:
            client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
            script = f"({_FILL})({controls_page()!r})"
            client.post("/v1/browser/execute", json={"expression": script}).raise_for_status()
            line = Line(box)

            async def action() -> None:
                seen(await line.get(path))

            yield action
            await line.close()

    return set_up


class Line:
    """A kept connection and a plain socket: an HTTP client's own milliseconds are not the server's."""

    def __init__(self, box: RunningBox) -> None:
        self._box = box
        self._stream: ByteStream | None = None

    async def get(self, path: str) -> bytes:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._box.token}\r\n\r\n".encode()
        try:
            return await self._exchange(request)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            # The server ended a connection that lay idle while others were set up.
            await self.close()
            return await self._exchange(request)

    async def _exchange(self, request: bytes) -> bytes:
        if self._stream is None:
            self._stream = await anyio.connect_tcp("127.0.0.1", self._box.port)
        await self._stream.send(request)
        answer = bytearray()
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += await self._stream.receive()
        head = bytes(answer[:end]).lower()
        assert head.startswith(b"http/1.1 200"), head
        size = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        while len(answer) < end + 4 + size:
            answer += await self._stream.receive(1 << 20)
        return bytes(answer[end + 4 :])

    async def close(self) -> None:
        if self._stream is not None:
            await self._stream.aclose()
            self._stream = None
