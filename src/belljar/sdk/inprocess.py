"""The asynchronous client's way to an application in this process: no socket, and nothing to try again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

from httpx2 import Request

from belljar.sdk.aio.http import Answer, AsyncHttp, strange
from belljar.sdk.embedded import Address
from belljar.sdk.encoding import spelled
from belljar.sdk.errors import rebuilt

Headers = list[tuple[bytes, bytes]]


class Reply(Protocol):
    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Sequence[tuple[bytes, bytes]]: ...

    @property
    def content(self) -> bytes: ...


class Application(Protocol):
    """What is called: it knows who calls, so that no header need say it."""

    async def call(self, method: str, path: str, *, query: str, headers: Headers, content: bytes) -> Reply: ...


@dataclass(frozen=True)
class _Got:
    url: str
    status_code: int
    headers: Mapping[str, str]
    content: bytes


class InProcessHttp(AsyncHttp):
    """Problems have the server's own words, which programs of ours pass on; deadlines are the server's own, too."""

    def __init__(self, application: Application, prefix: str = "") -> None:
        self._application = application
        self._prefix = prefix

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        content: Any = None,
        files: Any = None,
        data: Mapping[str, object] | None = None,
    ) -> Answer:
        media_type, sent = _encoded(body, content, files, data)
        said = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        if media_type:
            said.append((b"content-type", media_type.encode()))
        path = self._prefix + path
        asked = urlencode(spelled(query) or {}, doseq=True)
        reply = await self._application.call(method, path, query=asked, headers=said, content=sent)
        heard = {name.decode("latin-1"): value.decode("latin-1") for name, value in reply.headers}
        got = _Got(path, reply.status, heard, reply.content)
        if got.status_code >= 400:
            raise rebuilt(got.status_code, _problem(got), heard, reword=False)
        return got

    async def address(self) -> Address:
        """The name is for messages; nothing looks it up."""
        return Address("http://localhost" + self._prefix)

    async def within(self, path: str, token: str | None) -> "InProcessHttp":
        """The token is not used: whoever calls has rights already."""
        return InProcessHttp(self._application, self._prefix + path)


def _encoded(
    body: Mapping[str, object] | None, content: Any, files: Any, data: Mapping[str, object] | None
) -> tuple[str, bytes]:
    """The media type of what is sent, and its bytes."""
    if body is not None:
        return "application/json", json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    if files is not None:
        form = Request("POST", "http://localhost", files=files, data=dict(data or {}))
        return form.headers["content-type"], form.read()
    return "", content or b""


def _problem(got: Answer) -> Mapping[str, object]:
    try:
        told = json.loads(got.content)
    except ValueError:
        told = None
    return told if isinstance(told, dict) and "code" in told else {"detail": strange(got)}
