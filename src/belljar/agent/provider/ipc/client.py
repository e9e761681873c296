"""The agent's side: the seven methods over the socket, with taint on what comes from pages."""

from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import anyio

from belljar.agent.provider.ipc.lines import MAX_ANSWER_BYTES, Lines, Tainted, from_wire
from belljar.agent.provider.ipc.server import SOCKET_FILE, TOKEN_FILE
from belljar.agent.provider.types import ERRORS, BrowserConfig, BrowserSession, ElementRef, PageSnapshot, ProviderError


class ProviderClient:
    """Commands one after the other; made by `connect`."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._turn = anyio.Lock()
        self._number = 0

    async def launch(self, config: BrowserConfig | None = None) -> BrowserSession:
        return BrowserSession((await self._call("launch", config=asdict(config or BrowserConfig())))["id"])

    async def navigate(self, session: str, url: str) -> None:
        await self._call("navigate", session=session, url=url)

    async def snapshot(self, session: str) -> Tainted[PageSnapshot]:
        told = await self._call("snapshot", session=session)
        content = told["content"]
        refs = tuple(ElementRef(**ref) for ref in content["refs"])
        return from_wire(told, PageSnapshot(content["title"], content["url"], content["text"], refs))

    async def click(self, session: str, ref: int) -> None:
        await self._call("click", session=session, ref=ref)

    async def type(self, session: str, ref: int, text: str) -> None:
        await self._call("type", session=session, ref=ref, text=text)

    async def screenshot(self, session: str) -> Tainted[bytes]:
        told = await self._call("screenshot", session=session)
        return from_wire(told, b64decode(told["content"]["png"]))

    async def close(self, session: str) -> None:
        await self._call("close", session=session)

    async def greet(self, token: str) -> None:
        await self._exchange({"token": token})

    async def _call(self, method: str, **params: Any) -> Any:
        return await self._exchange({"method": method, "params": params})

    async def _exchange(self, request: dict[str, object]) -> object:
        async with self._turn:
            self._number += 1
            await self._lines.send({"id": self._number, **request})
            answer = await self._lines.receive()
        if answer is None:
            raise ProviderError("The host closed the connection.")
        if "error" in answer:
            told = answer["error"]
            raise ERRORS.get(told["code"], ProviderError)(told["message"])
        return answer["result"]


@asynccontextmanager
async def connect(folder: Path, token: str | None = None) -> AsyncIterator[ProviderClient]:
    """Connect to the host's `folder`; its token is read there unless given.  Sessions left open end with the block.

    Raises `Unauthorized` for a wrong token, and `ProviderError` where nobody serves.
    """
    try:
        shown = token if token is not None else (folder / TOKEN_FILE).read_text()
        opened = await anyio.connect_unix(folder / SOCKET_FILE)
    except OSError as error:
        raise ProviderError(f"No provider serves in {folder}: {error.strerror or error}.") from error
    async with opened as stream:
        client = ProviderClient(Lines(stream, MAX_ANSWER_BYTES))
        await client.greet(shown)
        yield client
