"""Tools from npm as contenders: installed on first use, spoken to as MCP servers over their standard input."""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import anyio

from benchmarks.harness import Unavailable

FOLDER = Path(__file__).parent / "npm"
CHROMIUM = "/usr/bin/chromium"


async def installed(program: str) -> Path:
    """The program of a package in `benchmarks/npm`.  Raises `Unavailable` where npm cannot bring it."""
    path = FOLDER / "node_modules" / ".bin" / program
    if not path.exists():
        if shutil.which("npm") is None:
            raise Unavailable("npm is not installed")
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
        with anyio.move_on_after(180):
            await anyio.run_process(command, cwd=FOLDER, check=False)
    if not path.exists():
        raise Unavailable(f"npm did not bring {program}")
    return path


class McpServer:
    """One server process; a call is answered before the next is sent."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = count(1)

    async def tool(self, name: str, **arguments: Any) -> str:
        """Call a tool; the text it answers with.  Raises `RuntimeError` for an error."""
        answer = await self.ask("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(str(part.get("text", "")) for part in answer["content"])
        if answer.get("isError"):
            raise RuntimeError(text)
        return text

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        number = next(self._numbers)
        self.tell(method, params, number)
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(str(message["error"]))
                return message["result"]
        raise RuntimeError("the MCP server ended")

    def tell(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")


@asynccontextmanager
async def mcp_server(*command: str, env: dict[str, str] | None = None) -> AsyncIterator[McpServer]:
    process = await asyncio.create_subprocess_exec(  # noqa: TID251  # the contender's process, not one of the box
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
        # They leave notes of what they did where they run.
        cwd=tempfile.gettempdir(),
        limit=1 << 24,
    )
    try:
        server = McpServer(process)
        with anyio.fail_after(30):
            client = {"name": "belljar-benchmarks", "version": "1"}
            start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
            await server.ask("initialize", start)
            server.tell("notifications/initialized", {})
        yield server
    finally:
        assert process.stdin is not None
        process.stdin.close()
        with anyio.move_on_after(10, shield=True) as scope:
            await process.wait()
        if scope.cancelled_caught:
            process.kill()
            await process.wait()
