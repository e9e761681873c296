"""The API of a server elsewhere, over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2 as httpx

from belljar.agent.mcp.api import Body, Json, Query, Reply, Unreachable, checked, encoded

# Longer than any call may take: the server has deadlines of its own and says what it was waiting for.
_SECONDS = 620.0


class Remote:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def call(self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None) -> Reply:
        request = encoded(path, body, query)
        url = str(self._client.base_url).rstrip("/") + request.target
        try:
            answer = await self._client.request(method, url, content=request.content, headers=request.headers)
        except httpx.HTTPError as error:
            raise Unreachable(f"{self._client.base_url} cannot be reached: {error or type(error).__name__}.") from error
        media_type = answer.headers.get("content-type", "").partition(";")[0]
        return checked(Reply(answer.status_code, media_type, answer.content))


@asynccontextmanager
async def open_remote(url: str, token: str) -> AsyncIterator[Remote]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    timeout = httpx.Timeout(_SECONDS, connect=10)
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, trust_env=False) as client:
        yield Remote(client)
