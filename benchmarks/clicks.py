"""Contenders that click a button again and again, each in a Chromium of its own, on the same page."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import ByteStream

from belljar.box.browser.page.navigation import navigate
from belljar.logs import set_up_logs
from belljar.wire.browser.common import WaitUntil
from belljar.wire.browser.lifecycle import StartRequest
from benchmarks.harness import Action, SetUp, Unavailable
from benchmarks.npm_tools import CHROMIUM, installed, mcp_server
from tests.box.browser.conftest import running_browser
from tests.servers import RunningBox, running_box
from tests.site import running_site

SELECTOR = "#button"


def raw_cdp(page: str) -> SetUp:
    """The least that a click can be: ask where it is, then move, press and release, each awaited, nothing checked."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        set_up_logs("console", "warning")
        with running_site() as site:
            async with running_browser() as browser:
                await browser.start(StartRequest(headless=True))
                tab = await browser.page()
                await navigate(tab, site.url(page), WaitUntil.LOAD)

                async def action() -> None:
                    box = await tab.main.evaluate(
                        f"(() => {{ const b = document.querySelector('{SELECTOR}').getBoundingClientRect();"
                        " return [b.x + b.width / 2, b.y + b.height / 2] })()",
                        tuple[float, float],
                    )
                    where: dict[str, Any] = {"x": box[0], "y": box[1]}
                    press = {**where, "button": "left", "clickCount": 1}
                    await tab.session.send("Input.dispatchMouseEvent", type="mouseMoved", **where)
                    await tab.session.send("Input.dispatchMouseEvent", type="mousePressed", **press)
                    await tab.session.send("Input.dispatchMouseEvent", type="mouseReleased", **press)

                yield action

    return set_up


def over_http(page: str) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with running_site() as site, running_box("--egress", "open", "--log-level", "warning") as box:
            line = Line(box)
            await line.ask("/v1/browser/start", {"headless": True})
            await line.ask("/v1/browser/navigate", {"url": site.url(page)})
            yield lambda: line.ask("/v1/browser/click", {"selector": SELECTOR})
            await line.close()

    return set_up


class Line:
    """A kept connection and a plain socket: an HTTP client's own milliseconds are not the server's."""

    def __init__(self, box: RunningBox) -> None:
        self._box = box
        self._stream: ByteStream | None = None

    async def ask(self, path: str, body: object) -> bytes:
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._box.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        try:
            answer = await self._exchange(head.encode() + content)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            # The server ended a connection that lay idle while others were set up.
            await self.close()
            answer = await self._exchange(head.encode() + content)
        assert answer.startswith(b"HTTP/1.1 200"), answer
        return answer

    async def _exchange(self, request: bytes) -> bytes:
        if self._stream is None:
            self._stream = await anyio.connect_tcp("127.0.0.1", self._box.port)
        await self._stream.send(request)
        answer = b""
        while not answer.endswith(b"}"):
            answer += await self._stream.receive()
        return answer

    async def close(self) -> None:
        if self._stream is not None:
            await self._stream.aclose()
            self._stream = None


def playwright_python(page: str) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        try:
            from playwright.async_api import async_playwright
        except ImportError as error:
            raise Unavailable("playwright is not installed") from error
        with running_site() as site:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                tab = await browser.new_page()
                await tab.goto(site.url(page))
                yield lambda: tab.click(SELECTOR)
                await browser.close()

    return set_up


def playwright_mcp(page: str) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        program = await installed("playwright-mcp")
        options = ["--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM]
        with running_site() as site:
            async with mcp_server(str(program), *options) as server:
                await server.tool("browser_navigate", url=site.url(page))
                snapshot = await server.tool("browser_snapshot")
                found = re.search(r"button.*?\[ref=(\w+)\]", snapshot)
                if found is None:
                    raise Unavailable("no ref in the snapshot of @playwright/mcp")
                ref = found.group(1)
                yield lambda: server.tool("browser_click", element="button", target=ref, ref=ref)

    return set_up


def agent_browser(page: str) -> SetUp:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        program = await installed("agent-browser")
        env = {
            "AGENT_BROWSER_EXECUTABLE_PATH": CHROMIUM,
            "AGENT_BROWSER_ARGS": "--no-sandbox",
            "AGENT_BROWSER_SESSION": f"belljar-bench-{page.replace('/', '-').replace('.', '-')}",
        }
        with running_site() as site:
            async with mcp_server(str(program), "mcp", env=env) as server:
                names = [tool["name"] for tool in (await server.ask("tools/list", {}))["tools"]]
                prefix = next((name.removesuffix("open") for name in names if name.endswith("open")), None)
                if prefix is None:
                    raise Unavailable(f"agent-browser has no tool to open a page among {', '.join(names)}")
                await server.tool(f"{prefix}open", url=site.url(page))
                yield lambda: server.tool(f"{prefix}click", selector=SELECTOR)
                await server.tool(f"{prefix}close")

    return set_up
