"""Requests to one server: safe retries, problems as exceptions, streams, events, WebSockets."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import urlencode

from httpx2 import Response, Timeout, TransportError
from pydantic import ValidationError
from websockets.exceptions import InvalidHandshake, InvalidStatus

from belljar.limits import MAX_WEBSOCKET_MESSAGE_BYTES
from belljar.sdk.aio.connection import CONNECT_SECONDS, AsyncConnection
from belljar.sdk.aio.downloads import AsyncDownload
from belljar.sdk.aio.io import Socket, connect, sleep, unix_connect
from belljar.sdk.encoding import spelled
from belljar.sdk.errors import NotBelljar, Unreachable, explained, rebuilt
from belljar.sdk.retries import ATTEMPTS, is_repeatable, may_repeat, pause_before, told_pause
from belljar.wire.base import Model

M = TypeVar("M", bound=Model)


class AsyncHttp(AsyncConnection):
    """Requests to one server, or to something behind it."""

    async def within(self, path: str, token: str | None) -> "AsyncHttp":
        """The same server's `path`, with another token: a session of a control plane."""
        address = (await self.address()).within(path, token)
        return AsyncHttp(
            address,
            timeout=self._timeout,
            headers=self._headers,
            control_wait=self._control_wait,
            transport=self._transport,
        )

    async def get(
        self, path: str, answer: type[M], query: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> M:
        return _model(answer, await self.request("GET", path, query=query, timeout=timeout))

    async def post(
        self,
        path: str,
        answer: type[M],
        body: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> M:
        sent = await self.request("POST", path, body=body, query=query, timeout=timeout, headers=headers)
        return _model(answer, sent)

    async def put(self, path: str, answer: type[M], body: Mapping[str, Any]) -> M:
        return _model(answer, await self.request("PUT", path, body=body))

    async def patch(self, path: str, answer: type[M], body: Mapping[str, Any]) -> M:
        return _model(answer, await self.request("PATCH", path, body=body))

    async def delete(
        self, path: str, answer: type[M], query: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> M:
        """`Ok` also stands for an answer without a body."""
        sent = await self.request("DELETE", path, query=query, timeout=timeout)
        return _model(answer, sent) if sent.content else answer()

    async def fetch(self, path: str, query: Mapping[str, Any] | None = None, *, timeout: float | None = None) -> bytes:
        return (await self.request("GET", path, query=query, timeout=timeout)).content

    async def text(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        return (await self.request("GET", path, query=query)).text

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        content: Any = None,
        files: Any = None,
        data: Mapping[str, Any] | None = None,
    ) -> Response:
        """The answer, read whole; problems are raised.  `content` and `files` are sent once, whatever happens."""
        options = {"json": body, "params": spelled(query), "headers": headers, "content": content}
        options |= {"files": files, "data": data, "timeout": self._deadline(timeout)}
        given = {name: value for name, value in options.items() if value is not None}
        can_resend = content is None and files is None
        can_repeat = is_repeatable(method, headers)
        attempt = 0
        while True:
            client = await self._opened()
            is_last = attempt + 1 >= ATTEMPTS
            try:
                response = await client.request(method, path, **given)
            except TransportError as error:
                if is_last or not may_repeat(error, can_resend=can_resend, is_repeatable=can_repeat):
                    raise await self._failed(error) from error
                pause = pause_before(attempt)
            else:
                told = told_pause(response.status_code, response.headers) if can_resend and not is_last else None
                if told is None:
                    return _checked(response)
                pause = told
            attempt += 1
            await sleep(pause)

    @asynccontextmanager
    async def stream(
        self, path: str, query: Mapping[str, Any] | None = None, *, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[AsyncDownload]:
        """A long answer, taken piece by piece; the connection is given back with the end of the block."""
        client = await self._opened()
        try:
            async with client.stream(
                "GET", path, params=spelled(query), headers=headers, timeout=self._deadline(None)
            ) as response:
                if response.status_code >= 400:
                    await response.aread()
                yield AsyncDownload(_checked(response))
        except TransportError as error:
            raise await self._failed(error) from error

    @asynccontextmanager
    async def websocket(
        self, path: str, query: Mapping[str, Any] | None = None, *, subprotocol: str | None = None
    ) -> AsyncIterator[Socket]:
        """A WebSocket for the length of a block.  A refusal is raised as the problem it is."""
        if self.is_in_process():
            raise Unreachable("An application in this process has no socket to connect to.")
        address = await self.address()
        url = address.websocket_url + path + (f"?{urlencode(spelled(query) or {})}" if query else "")
        options: dict[str, Any] = {
            "additional_headers": self._headers | address.headers,
            "subprotocols": [subprotocol] if subprotocol else None,
            "compression": None,
            "max_size": MAX_WEBSOCKET_MESSAGE_BYTES,
            "open_timeout": CONNECT_SECONDS,
            "proxy": None,
        }
        async with AsyncExitStack() as stack:
            try:
                opening = unix_connect(address.socket, url, **options) if address.socket else connect(url, **options)
                socket = await stack.enter_async_context(opening)
            except InvalidStatus as error:
                raise _refusal(error) from error
            except (OSError, InvalidHandshake) as error:
                raise Unreachable(f"Cannot reach {address.url}: {error}") from error
            yield socket

    async def events(
        self, path: str, answer: type[M], query: Mapping[str, Any] | None = None, *, name: str | None = None
    ) -> AsyncGenerator[M, None]:
        """Server-sent events for as long as the server has some; `name` alone, where given.

        A connection that breaks is opened again where the last event came from, as often as a request would be.
        """
        seen: str | None = None
        failures = 0
        while True:
            try:
                client = await self._opened()
                headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": seen} if seen else {})
                # Quiet for long is normal: a server says something every 15 seconds, if only a comment.
                deadline = Timeout(60.0, connect=CONNECT_SECONDS)
                async with client.stream(
                    "GET", path, params=spelled(query), headers=headers, timeout=deadline
                ) as response:
                    if response.status_code >= 400:
                        await response.aread()
                    _checked(response)
                    async for kind, id, data in _events(response):
                        seen, failures = id or seen, 0
                        if name is None or kind == name:
                            yield answer.model_validate_json(data)
                return
            except TransportError as error:
                failures += 1
                if failures >= ATTEMPTS:
                    raise await self._failed(error) from error
            await sleep(pause_before(failures))


def _checked(response: Response) -> Response:
    if response.status_code < 400:
        return response
    try:
        told = response.json()
    except ValueError:
        told = None
    if not isinstance(told, dict) or "code" not in told:
        told = {"detail": _strange(response)}
    problem = rebuilt(response.status_code, told, response.headers)
    has_token = "authorization" in response.request.headers
    raise explained(problem, _where(response), has_token=has_token, sent=_sent(response))


def _sent(response: Response) -> dict[str, Any]:
    """The parameters of the request that this answers."""
    asked = response.request
    sent: dict[str, Any] = dict(asked.url.params)
    if asked.headers.get("content-type") == "application/json":
        body = json.loads(asked.content)
        sent |= body if isinstance(body, dict) else {}
    return sent


def _refusal(error: InvalidStatus) -> Exception:
    """What the server said instead of opening a WebSocket."""
    try:
        told = json.loads(error.response.body or b"")
    except ValueError:
        told = None
    return rebuilt(error.response.status_code, told, dict(error.response.headers.raw_items()))


def _model(answer: type[M], response: Response) -> M:
    try:
        return answer.model_validate_json(response.content)
    except ValidationError as error:
        raise NotBelljar(_strange(response)) from error


def _strange(response: Response) -> str:
    told = f"{_where(response)} answered {response.status_code}, but not as Belljar does"
    return f"{told}: is this a box's or control plane's address?"


def _where(response: Response) -> str:
    return str(response.request.url.copy_with(query=None))


async def _events(response: Response) -> AsyncIterator[tuple[str, str, str]]:
    """Name, id and data of each event."""
    name, id, data = "message", "", list[str]()
    async for line in response.aiter_lines():
        if not line:
            if data:
                yield name, id, "\n".join(data)
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "id":
            id = value
        elif field == "data":
            data.append(value)
