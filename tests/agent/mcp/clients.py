"""The official MCP client, connected, and what it heard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

SECONDS = 60


@dataclass(frozen=True)
class Heard:
    text: str
    is_error: bool
    content: list[Any]

    @property
    def ours(self) -> str:
        """What stands outside of the boundary."""
        lines, inside = [], False
        for line in self.text.split("\n"):
            if line.startswith("<untrusted "):
                inside = True
            elif line.startswith("</untrusted "):
                inside = False
            elif not inside:
                lines.append(line)
        return "\n".join(lines)


class Agent:
    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, /, **arguments: Any) -> Heard:
        result = await self.client.call_tool(name, arguments, read_timeout_seconds=SECONDS)
        assert isinstance(result, CallToolResult)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        return Heard(text, result.is_error, list(result.content))

    async def ok(self, name: str, /, **arguments: Any) -> str:
        """The text of an answer that is no error."""
        heard = await self.call(name, **arguments)
        assert not heard.is_error, heard.text
        return heard.text


@asynccontextmanager
async def connected(url: str, token: str, *, mode: str = "auto") -> AsyncIterator[Agent]:
    """Over streamable HTTP."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(headers=headers, timeout=SECONDS) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            yield Agent(client)
