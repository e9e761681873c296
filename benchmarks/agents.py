"""MCP servers that drive a browser, doing the same task: each with its own tools, in the way its makers mean it.

A step is over when its tool's answers have told what the step brought about.  Where the answer to an act does not say,
the tool is asked to look, as an agent would have to; where it is not there yet, to wait for it and look again.
"""

import re
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks.harness import Unavailable
from benchmarks.npm_tools import CHROMIUM, McpServer, installed, mcp_server

Call = tuple[str, dict[str, Any]]


@dataclass
class Tally:
    """What one run of the task cost."""

    calls: int = 0
    characters: int = 0
    seconds: list[float] = field(default_factory=list)


class Tool(ABC):
    """One MCP server; subclasses say which of its tools does what."""

    # Where a control's ref stands in what the tool says: `{}` is its role and name.
    ref = ""

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self.tally = Tally()
        self._told = ""

    async def do(self, call: Call, expected: str) -> None:
        """One step: act, and look until `expected` was told."""
        told = await self._call(*call)
        if expected not in told:
            told += await self._call(*self.look())
        if expected not in told:
            await self._call(*self.wait(expected))
            told += await self._call(*self.look())
        if expected not in told:
            raise RuntimeError(f"{type(self).__name__}: {expected!r} was not told by {call[0]}:\n{told[:3000]}")

    async def _call(self, name: str, arguments: dict[str, Any]) -> str:
        told = await self._server.tool(name, **arguments)
        self.tally.calls += 1
        self.tally.characters += len(told)
        self._told += "\n" + told
        return told

    def find(self, role: str, name: str) -> str:
        """The newest ref of a control that the tool told of."""
        pattern = self.ref.replace("ROLE", role).replace("NAME", re.escape(name))
        found = re.findall(pattern, self._told)
        if not found:
            raise RuntimeError(f"{type(self).__name__} told of no {role} {name}")
        return str(found[-1])

    async def begin(self) -> None:
        self.tally, self._told = Tally(), ""

    @abstractmethod
    def open(self, url: str) -> Call: ...

    @abstractmethod
    def look(self) -> Call: ...

    @abstractmethod
    def wait(self, text: str) -> Call: ...

    @abstractmethod
    def type(self, name: str, text: str, role: str = "textbox") -> Call: ...

    @abstractmethod
    def click(self, role: str, name: str) -> Call: ...

    @abstractmethod
    def fill(self, values: dict[str, str]) -> list[Call]: ...

    @abstractmethod
    def select(self, name: str, value: str) -> Call: ...

    def check(self, name: str) -> Call:
        return self.click("checkbox", name)

    @abstractmethod
    def read(self) -> Call: ...

    @abstractmethod
    def picture(self) -> Call: ...


class Belljar(Tool):
    ref = r'ROLE "NAME" \[(\w+)\]'

    def open(self, url: str) -> Call:
        return "navigate", {"url": url}

    def look(self) -> Call:
        return "snapshot", {}

    def wait(self, text: str) -> Call:
        return "wait", {"text": text}

    def type(self, name: str, text: str, role: str = "textbox") -> Call:
        return "type", {"target": self.find(role, name), "text": text}

    def click(self, role: str, name: str) -> Call:
        return "click", {"target": self.find(role, name)}

    def fill(self, values: dict[str, str]) -> list[Call]:
        fields = [{"target": self.find("textbox", name), "value": value} for name, value in values.items()]
        return [("fill", {"fields": fields})]

    def select(self, name: str, value: str) -> Call:
        return "select", {"target": self.find("combobox", name), "values": [value]}

    def read(self) -> Call:
        return "read", {}

    def picture(self) -> Call:
        return "screenshot", {}


class PlaywrightMcp(Tool):
    ref = r'ROLE "NAME"[^\n]*?\[ref=(\w+)\]'

    def open(self, url: str) -> Call:
        return "browser_navigate", {"url": url}

    def look(self) -> Call:
        return "browser_snapshot", {}

    def wait(self, text: str) -> Call:
        return "browser_wait_for", {"text": text}

    def type(self, name: str, text: str, role: str = "textbox") -> Call:
        return "browser_type", {"element": name, "target": self.find(role, name), "text": text}

    def click(self, role: str, name: str) -> Call:
        return "browser_click", {"element": name, "target": self.find(role, name)}

    def fill(self, values: dict[str, str]) -> list[Call]:
        fields = [
            {"name": name, "element": name, "type": "textbox", "target": self.find("textbox", name), "value": value}
            for name, value in values.items()
        ]
        return [("browser_fill_form", {"fields": fields})]

    def select(self, name: str, value: str) -> Call:
        return "browser_select_option", {"element": name, "target": self.find("combobox", name), "values": [value]}

    def read(self) -> Call:
        # It has no tool for a page's text.
        return "browser_evaluate", {"function": "() => document.body.innerText"}

    def picture(self) -> Call:
        return "browser_take_screenshot", {"type": "jpeg", "scale": "css"}


class AgentBrowser(Tool):
    ref = r'ROLE "NAME"[^\n]*?\[[^\]\n]*ref=(\w+)'

    def open(self, url: str) -> Call:
        return "agent_browser_open", {"url": url}

    def look(self) -> Call:
        # By default it leaves out what the page says; as a delta, it begins with three times the characters.
        return "agent_browser_snapshot", {"compact": False, "interactive": False}

    def wait(self, text: str) -> Call:
        return "agent_browser_wait_for_text", {"text": text}

    def type(self, name: str, text: str, role: str = "textbox") -> Call:
        return "agent_browser_fill", {"selector": "@" + self.find(role, name), "text": text}

    def click(self, role: str, name: str) -> Call:
        return "agent_browser_click", {"selector": "@" + self.find(role, name)}

    def fill(self, values: dict[str, str]) -> list[Call]:
        return [self.type(name, value) for name, value in values.items()]

    def select(self, name: str, value: str) -> Call:
        return "agent_browser_select", {"selector": "@" + self.find("combobox", name), "values": [value]}

    def check(self, name: str) -> Call:
        return "agent_browser_check", {"selector": "@" + self.find("checkbox", name)}

    def read(self) -> Call:
        return "agent_browser_read", {}

    def picture(self) -> Call:
        return "agent_browser_screenshot", {"format": "jpeg"}


class ChromeDevtools(Tool):
    ref = r'uid=(\w+) ROLE "NAME"'
    page = 1

    def open(self, url: str) -> Call:
        return "navigate_page", {"pageId": self.page, "type": "url", "url": url}

    def look(self) -> Call:
        return "take_snapshot", {"pageId": self.page}

    def wait(self, text: str) -> Call:
        return "wait_for", {"pageId": self.page, "text": [text]}

    def type(self, name: str, text: str, role: str = "textbox") -> Call:
        return "fill", self._on(role, name) | {"value": text}

    def click(self, role: str, name: str) -> Call:
        return "click", self._on(role, name)

    def fill(self, values: dict[str, str]) -> list[Call]:
        elements = [{"uid": self.find("textbox", name), "value": value} for name, value in values.items()]
        return [("fill_form", {"pageId": self.page, "elements": elements, "includeSnapshot": True})]

    def select(self, name: str, value: str) -> Call:
        return "fill", self._on("combobox", name) | {"value": value}

    def read(self) -> Call:
        # It has no tool for a page's text.
        return "evaluate_script", {"pageId": self.page, "function": "() => document.body.innerText"}

    def picture(self) -> Call:
        return "take_screenshot", {"pageId": self.page, "format": "jpeg"}

    def _on(self, role: str, name: str) -> dict[str, Any]:
        return {"pageId": self.page, "uid": self.find(role, name), "includeSnapshot": True}


async def task(tool: Tool, shop: str, timed: Callable[[Awaitable[None]], Awaitable[None]]) -> None:
    """Ten steps: find something in a shop of 300 controls, order it, read the terms, take a picture."""
    await timed(tool.do(tool.open(shop), "The cart is empty"))
    await timed(tool.do(tool.look(), "Add Plum cake No. 2"))
    await timed(tool.do(tool.type("Search", "plum cake no. 42", role="searchbox"), "1 found"))
    await timed(tool.do(tool.click("button", "Add Plum cake No. 42"), "In the cart: Plum cake No. 42"))
    await timed(tool.do(tool.click("link", "Checkout"), "Place order"))
    await timed(_all(tool, tool.fill({"Name": "Ann", "Street": "Elm 1", "Town": "Ulm"}), "Elm 1"))
    await timed(tool.do(tool.select("Shipping", "Pigeon"), "Shipping by Pigeon"))
    await timed(tool.do(tool.check("I agree to the terms"), "Terms accepted"))
    await timed(tool.do(tool.click("button", "Place order"), "Thank you, Ann of Ulm: Pigeon is on its way"))
    await timed(_all(tool, [tool.read(), tool.picture()], ""))


async def _all(tool: Tool, calls: list[Call], expected: str) -> None:
    for call in calls[:-1]:
        await tool.do(call, "")
    await tool.do(calls[-1], expected)


@asynccontextmanager
async def belljar() -> AsyncIterator[Tool]:
    with tempfile.TemporaryDirectory(prefix="belljar-bench-", ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "belljar", "mcp", "--egress", "open", "--jail", "off", "--state-dir", folder]
        async with mcp_server(*command) as server:
            yield Belljar(server)


@asynccontextmanager
async def playwright_mcp() -> AsyncIterator[Tool]:
    program = await installed("playwright-mcp")
    with tempfile.TemporaryDirectory() as folder:
        options = ["--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM, "--output-dir", folder]
        async with mcp_server(str(program), *options) as server:
            yield PlaywrightMcp(server)


@asynccontextmanager
async def agent_browser() -> AsyncIterator[Tool]:
    program = await installed("agent-browser")
    env = {
        "AGENT_BROWSER_EXECUTABLE_PATH": CHROMIUM,
        "AGENT_BROWSER_ARGS": "--no-sandbox",
        "AGENT_BROWSER_SESSION": "belljar-bench-agents",
    }
    async with mcp_server(str(program), "mcp", env=env) as server:
        try:
            yield AgentBrowser(server)
        finally:
            # Its daemon outlives the server otherwise.
            await server.tool("agent_browser_close")


@asynccontextmanager
async def chrome_devtools() -> AsyncIterator[Tool]:
    program = await installed("chrome-devtools-mcp")
    options = ["--headless", "--isolated", "--executablePath", CHROMIUM, "--chromeArg=--no-sandbox"]
    async with mcp_server(str(program), *options) as server:
        try:
            await server.tool("list_pages")
        except RuntimeError as error:
            raise Unavailable(f"chrome-devtools-mcp does not start: {error}") from error
        yield ChromeDevtools(server)
