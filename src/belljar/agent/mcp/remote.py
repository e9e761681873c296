"""The API of a server elsewhere, through the SDK's own connection: its deadlines, its safe retries."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from belljar.agent.mcp.api import Body, Json, Query, Refused, Reply, Unreachable
from belljar.problems import Problem
from belljar.sdk import errors
from belljar.sdk.address import Address
from belljar.sdk.aio.http import AsyncHttp

# Longer than any call may take: the server has deadlines of its own and says what it was waiting for.
_SECONDS = 620.0


class Remote:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def call(self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None) -> Reply:
        query = {name: value for name, value in (query or {}).items() if value is not None}
        try:
            if isinstance(body, Body):
                headers = {"Content-Type": body.media_type}
                answer = await self._http.request(method, path, content=body.content, query=query, headers=headers)
            else:
                answer = await self._http.request(method, path, body=body, query=query)
        except Problem as problem:
            raise Refused(problem.status, problem.body()) from problem
        except (errors.Unreachable, errors.NoAnswer) as error:
            raise Unreachable(str(error)) from error
        media_type = answer.headers.get("content-type", "").partition(";")[0]
        return Reply(answer.status_code, media_type, answer.content)


@asynccontextmanager
async def open_remote(url: str, token: str) -> AsyncIterator[Remote]:
    """Raises `ValueError` for what is no address."""
    http = AsyncHttp(Address.of(url, token or None), timeout=_SECONDS, headers={})
    try:
        yield Remote(http)
    finally:
        await http.close()
