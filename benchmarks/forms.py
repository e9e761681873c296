"""Contenders that go to pages and fill in forms, each in a Chromium of its own, by the calls its makers mean for that.

`BELLJAR_OTHER=/path/to/a/worktree` adds the box of another commit (with its own `.venv`) to the run.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.clicks import Line
from benchmarks.harness import Action, Contender, Unavailable
from benchmarks.npm_tools import CHROMIUM, FOLDER, installed, mcp_server
from tests.servers import running_box

TEXT = "Twenty characters :)"
LARGE = (
    "<!doctype html><title>Large</title><style>li { color: #333 }</style><ul>"
    + "".join(f'<li id="i{n}"><a href="#{n}">Item {n}</a></li>' for n in range(1000))
    + "</ul>"
)
FORM = """<!doctype html><title>Form</title><form onsubmit="event.preventDefault(); said.textContent =
  [...new FormData(this).values()].join('|')"><input id="name" name="n"><input id="mail" name="m">
<input id="street" name="s"><input id="town" name="t">
<select id="by" name="b"><option>Post</option><option>Pigeon</option></select>
<input type="checkbox" id="terms" name="terms"><input type="radio" id="gift" name="gift">
<button id="go">Order</button></form>
<p id="said"></p>"""
FIELDS = {"#name": "Ann Example", "#mail": "ann@example.org", "#street": "Elm street 1", "#town": "Ulm"}


class Driver(ABC):
    """One browser, driven by one tool."""

    @abstractmethod
    async def navigate(self, url: str) -> None: ...

    @abstractmethod
    async def fill(self, selector: str, text: str) -> None: ...

    @abstractmethod
    async def click(self, selector: str) -> None: ...

    @abstractmethod
    async def select(self, selector: str, value: str) -> None: ...

    @abstractmethod
    async def text(self, selector: str) -> str: ...


SetUp = Callable[[], AbstractAsyncContextManager[Driver]]
Task = Callable[[Driver, str], AbstractAsyncContextManager[Action]]


def contenders(task: Task) -> list[Contender]:
    """Everyone, doing `task`."""
    drivers: dict[str, SetUp] = {
        "raw CDP, unchecked": raw_cdp,
        "belljar": lambda: belljar(sys.executable),
        "Playwright Python": playwright,
        "Puppeteer": puppeteer,
        "agent-browser's socket": agent_browser,
        "@playwright/mcp": playwright_mcp,
    }
    if other := os.environ.get("BELLJAR_OTHER"):
        drivers["belljar, the other commit"] = lambda: belljar(f"{other}/.venv/bin/python")
    return [Contender(name, _doing(task, driver)) for name, driver in drivers.items()]


def _doing(task: Task, driver: SetUp) -> Callable[[], AbstractAsyncContextManager[Action]]:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        with pages() as site:
            async with driver() as driven, task(driven, site) as action:
                yield action

    return set_up


@asynccontextmanager
async def filling(driver: Driver, site: str) -> AsyncIterator[Action]:
    """Replace what one field holds by twenty characters."""
    await driver.navigate(f"{site}/form")
    yield lambda: driver.fill("#name", TEXT)


@asynccontextmanager
async def navigating(driver: Driver, site: str) -> AsyncIterator[Action]:
    """Go to a page of two thousand elements."""
    numbers = count()
    yield lambda: driver.navigate(f"{site}/large?{next(numbers)}")


@asynccontextmanager
async def ordering(driver: Driver, site: str) -> AsyncIterator[Action]:
    """Ten calls: a page, four fields, a choice, two boxes, a button, and what the page said."""

    async def action() -> None:
        await driver.navigate(f"{site}/form")
        for selector, value in FIELDS.items():
            await driver.fill(selector, value)
        await driver.select("#by", "Pigeon")
        await driver.click("#terms")
        await driver.click("#gift")
        await driver.click("#go")
        said = await driver.text("#said")
        assert said == "|".join([*FIELDS.values(), "Pigeon", "on", "on"]), said

    yield action


@contextmanager
def pages() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found = {"/form": FORM, "/large": LARGE}.get(self.path.partition("?")[0])
            body = (found or "").encode()
            self.send_response(200 if found else 204)
            self.send_header("Content-Type", "text/html")
            self.send_header("Cache-Control", "no-store")
            if found:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class RawCdp(Driver):
    """The least there can be: one tab, the Page domain, a socket of Chromium's own, nothing checked or waited for."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.session: str | None = None

    async def ask(self, method: str, until: str | None = None, **params: Any) -> Any:
        """The answer; where `until` is given, once that event has come, too."""
        number = next(self._numbers)
        about = {"sessionId": self.session} if self.session else {}
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params, **about}))
        result = None
        while result is None or until is not None:
            message = json.loads(await self._socket.recv())
            if message.get("id") == number:
                result = message["result"]
            elif message.get("method") == until:
                until = None
        return result

    async def navigate(self, url: str) -> None:
        await self.ask("Page.navigate", until="Page.loadEventFired", url=url)

    async def fill(self, selector: str, text: str) -> None:
        await self._run(f"(() => {{ const e = document.querySelector('{selector}'); e.focus(); e.select() }})()")
        await self.ask("Input.insertText", text=text)

    async def click(self, selector: str) -> None:
        x, y = await self._run(
            f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2] })()"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button: dict[str, Any] = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            await self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    async def select(self, selector: str, value: str) -> None:
        await self._run(
            f"(() => {{ const e = document.querySelector('{selector}'); e.value = '{value}';"
            " e.dispatchEvent(new Event('change', { bubbles: true })) })()"
        )

    async def text(self, selector: str) -> str:
        return str(await self._run(f"document.querySelector('{selector}').textContent"))

    async def _run(self, expression: str) -> Any:
        reply = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return reply["result"].get("value")


@asynccontextmanager
async def raw_cdp() -> AsyncIterator[Driver]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
        )
        command = [CHROMIUM, *flags, "about:blank"]
        process = await asyncio.to_thread(subprocess.Popen, command, stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr is not None
            found = next(match[1] for line in process.stderr if (match := re.search(r"listening on (ws://\S+)", line)))
            threading.Thread(target=process.stderr.read, daemon=True).start()
            async with connect(found, max_size=None) as socket:
                driver = RawCdp(socket)
                targets = (await driver.ask("Target.getTargets"))["targetInfos"]
                page = next(one["targetId"] for one in targets if one["type"] == "page")
                attached = await driver.ask("Target.attachToTarget", targetId=page, flatten=True)
                driver.session = attached["sessionId"]
                await driver.ask("Page.enable")
                yield driver
        finally:
            process.kill()
            process.wait()


class Belljar(Driver):
    def __init__(self, line: Line, *, can_fill: bool) -> None:
        self._line = line
        self._can_fill = can_fill

    async def ask(self, path: str, **body: Any) -> Any:
        answer = await self._line.ask(f"/v1/browser/{path}", body)
        return json.loads(answer.partition(b"\r\n\r\n")[2])

    async def navigate(self, url: str) -> None:
        await self.ask("navigate", url=url)

    async def fill(self, selector: str, text: str) -> None:
        if self._can_fill:
            await self.ask("fill", selector=selector, value=text)
        else:
            await self.ask("type", selector=selector, text=text, clear=True)

    async def click(self, selector: str) -> None:
        await self.ask("click", selector=selector)

    async def select(self, selector: str, value: str) -> None:
        await self.ask("select", selector=selector, value=value)

    async def text(self, selector: str) -> str:
        done = await self.ask("execute", expression=f"document.querySelector('{selector}').textContent")
        return str(done["result"])


@asynccontextmanager
async def belljar(python: str) -> AsyncIterator[Driver]:
    with running_box("--log-level", "warning", python=python) as box:
        with box.client() as http:
            known = http.get("/openapi.json").json()["paths"]
        line = Line(box)
        driver = Belljar(line, can_fill="/v1/browser/fill" in known)
        await driver.ask("start", headless=True)
        yield driver
        await line.close()


class Playwright(Driver):
    def __init__(self, page: Any) -> None:
        self._page = page

    async def navigate(self, url: str) -> None:
        await self._page.goto(url)

    async def fill(self, selector: str, text: str) -> None:
        await self._page.fill(selector, text)

    async def click(self, selector: str) -> None:
        await self._page.click(selector)

    async def select(self, selector: str, value: str) -> None:
        await self._page.select_option(selector, value)

    async def text(self, selector: str) -> str:
        return str(await self._page.text_content(selector))


@asynccontextmanager
async def playwright() -> AsyncIterator[Driver]:
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise Unavailable("playwright is not installed") from error
    async with async_playwright() as running:
        browser = await running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Playwright(await browser.new_page())
        await browser.close()


class Lines(Driver):
    """Something that takes a JSON object a line and answers with one: `{action, …}`, `{success, data}`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, action: str, **body: Any) -> Any:
        self._writer.write(json.dumps({"id": "1", "action": action, **body}).encode() + b"\n")
        answer = json.loads(await self._reader.readline())
        assert answer.get("success"), answer
        return answer.get("data")

    async def navigate(self, url: str) -> None:
        await self.ask("navigate", url=url)

    async def fill(self, selector: str, text: str) -> None:
        await self.ask("fill", selector=selector, value=text)

    async def click(self, selector: str) -> None:
        await self.ask("click", selector=selector)

    async def select(self, selector: str, value: str) -> None:
        await self.ask("select", selector=selector, values=[value])

    async def text(self, selector: str) -> str:
        return str((await self.ask("gettext", selector=selector))["text"])


@asynccontextmanager
async def agent_browser() -> AsyncIterator[Driver]:
    """Its daemon's own Unix socket: what its command and its MCP server speak to."""
    program = await installed("agent-browser")
    with tempfile.TemporaryDirectory(prefix="belljar-bench-", ignore_cleanup_errors=True) as folder:
        env = os.environ | {
            "AGENT_BROWSER_EXECUTABLE_PATH": CHROMIUM,
            "AGENT_BROWSER_ARGS": "--no-sandbox",
            "AGENT_BROWSER_SESSION": "bench",
            "AGENT_BROWSER_SOCKET_DIR": folder,
        }

        async def run(*arguments: str) -> None:
            done = await asyncio.to_thread(subprocess.run, [str(program), *arguments], env=env, capture_output=True)
            if done.returncode:
                raise Unavailable(f"agent-browser {arguments[0]}: {done.stdout.decode()[-300:]}")

        await run("open", "about:blank")
        try:
            reader, writer = await asyncio.open_unix_connection(f"{folder}/bench.sock", limit=1 << 24)
            yield Lines(reader, writer)
            writer.close()
        finally:
            await run("close")


_PUPPETEER = """
import puppeteer from "puppeteer-core";
import { createInterface } from "node:readline";
const browser = await puppeteer.launch({ executablePath: process.argv[2], args: ["--no-sandbox"] });
const page = await browser.newPage();
const does = {
  navigate: ({ url }) => page.goto(url),
  fill: ({ selector, value }) => page.locator(selector).fill(value),
  click: ({ selector }) => page.locator(selector).click(),
  select: ({ selector, values }) => page.select(selector, ...values),
  gettext: async ({ selector }) => ({ text: await page.$eval(selector, (element) => element.textContent) }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answered = (data) => ({ success: true, data: data?.text ? data : null });
  const done = await does[asked.action](asked).then(answered, String);
  console.log(JSON.stringify(done));
}
await browser.close();
"""


@asynccontextmanager
async def puppeteer() -> AsyncIterator[Driver]:
    await installed("playwright-mcp")
    if not (FOLDER / "node_modules" / "puppeteer-core").exists():
        raise Unavailable("npm did not bring puppeteer-core")
    process = await asyncio.create_subprocess_exec(  # noqa: TID251  # the contender's process, not one of the box
        "node", "--input-type=module", "-e", _PUPPETEER, "-", CHROMIUM,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=FOLDER,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    try:
        yield Lines(process.stdout, process.stdin)
    finally:
        process.stdin.close()
        await process.wait()


class PlaywrightMcp(Driver):
    """By refs, as its makers mean it; the refs of the form are looked up once after each navigation."""

    def __init__(self, ask: Callable[..., Any]) -> None:
        self._ask = ask

    async def navigate(self, url: str) -> None:
        await self._ask("browser_navigate", url=url)

    async def fill(self, selector: str, text: str) -> None:
        await self._ask("browser_type", element=selector, target=selector, text=text)

    async def click(self, selector: str) -> None:
        await self._ask("browser_click", element=selector, target=selector)

    async def select(self, selector: str, value: str) -> None:
        await self._ask("browser_select_option", element=selector, target=selector, values=[value])

    async def text(self, selector: str) -> str:
        told = await self._ask("browser_evaluate", function=f"() => document.querySelector('{selector}').textContent")
        found = re.search(r'"([^"\n]*\|[^"\n]*)"', told)
        return found[1] if found else str(told)


@asynccontextmanager
async def playwright_mcp() -> AsyncIterator[Driver]:
    program: Path = await installed("playwright-mcp")
    options = ["--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM]
    async with mcp_server(str(program), *options) as server:
        yield PlaywrightMcp(server.tool)
