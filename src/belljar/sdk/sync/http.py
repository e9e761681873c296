# Made from aio/http.py by scripts/make_sync_sdk.py: change it there.
"""Requests of the namespaces: answered by models, streams, events, WebSockets; downloads piece by piece."""

import os
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager
from email.message import Message
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import unquote

from httpx2 import Response
from pydantic import ValidationError

from belljar.sdk.embedded import Address
from belljar.sdk.errors import NotBelljar, Unreachable
from belljar.sdk.sync.io import Socket, blocking
from belljar.wire.base import Model

# What is written at once.
_CHUNK = 1 << 20


class Download:
    """A file on its way here.  Iterate over its bytes, `save` it or `read` it whole; once."""

    def __init__(self, response: Response) -> None:
        self._response = response

    @property
    def size(self) -> int | None:
        """Bytes, where the server knows."""
        length = self._response.headers.get("content-length")
        return int(length) if length else None

    @property
    def content_type(self) -> str:
        """What the server says it is."""
        return str(self._response.headers.get("content-type", ""))

    @property
    def name(self) -> str | None:
        """What the server calls it: a suggestion of a page, perhaps.  It never has a folder in it."""
        header = Message()
        header["content-disposition"] = self._response.headers.get("content-disposition", "")
        name = header.get_filename()
        return os.path.basename(unquote(name).replace("\\", "/")) or None if name else None

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.iter_bytes()

    def read(self) -> bytes:
        """All of it."""
        return self._response.read()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to `path`, which is replaced once all of it is there."""
        target = Path(path)
        draft = target.with_name(f".{target.name}.part")
        file = blocking(lambda: draft.open("wb"))
        try:
            with file:
                for chunk in self._response.iter_bytes(_CHUNK):
                    blocking(lambda chunk=chunk: file.write(chunk))  # type: ignore[misc]
            blocking(lambda: os.replace(draft, target))
        finally:
            draft.unlink(missing_ok=True)
        return target


M = TypeVar("M", bound=Model)

_NO_SOCKET = "An application in this process has no socket to connect to."


class Answer(Protocol):
    """An answer, read whole."""

    @property
    def url(self) -> object: ...

    @property
    def status_code(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def content(self) -> bytes: ...


class Http(ABC):
    """Requests to one server, or to something behind it.

    `Connection` carries them over sockets; `belljar.sdk.inprocess` to an application in this process, which has
    no streams and no sockets.
    """

    @abstractmethod
    def request(
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
        """The answer, read whole; problems are raised.  `content` and `files` are sent once, whatever happens."""

    def get(
        self, path: str, answer: type[M], query: Mapping[str, object] | None = None, *, timeout: float | None = None
    ) -> M:
        return _model(answer, self.request("GET", path, query=query, timeout=timeout))

    def post(
        self,
        path: str,
        answer: type[M],
        body: Mapping[str, object] | None = None,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> M:
        sent = self.request("POST", path, body=body, query=query, timeout=timeout, headers=headers)
        return _model(answer, sent)

    def put(self, path: str, answer: type[M], body: Mapping[str, object]) -> M:
        return _model(answer, self.request("PUT", path, body=body))

    def patch(self, path: str, answer: type[M], body: Mapping[str, object]) -> M:
        return _model(answer, self.request("PATCH", path, body=body))

    def delete(
        self, path: str, answer: type[M], query: Mapping[str, object] | None = None, *, timeout: float | None = None
    ) -> M:
        """`Ok` also stands for an answer without a body."""
        sent = self.request("DELETE", path, query=query, timeout=timeout)
        return _model(answer, sent) if sent.content else answer()

    def fetch(self, path: str, query: Mapping[str, object] | None = None, *, timeout: float | None = None) -> bytes:
        return (self.request("GET", path, query=query, timeout=timeout)).content

    def text(self, path: str, query: Mapping[str, object] | None = None) -> str:
        return (self.request("GET", path, query=query)).content.decode()

    def stream(
        self, path: str, query: Mapping[str, object] | None = None, *, headers: Mapping[str, str] | None = None
    ) -> AbstractContextManager[Download]:
        """A long answer, taken piece by piece; the connection is given back with the end of the block."""
        raise Unreachable(_NO_SOCKET)

    def events(
        self, path: str, answer: type[M], query: Mapping[str, object] | None = None, *, name: str | None = None
    ) -> Generator[M, None, None]:
        """Server-sent events for as long as the server has some; `name` alone, where given."""
        raise Unreachable(_NO_SOCKET)

    def websocket(
        self, path: str, query: Mapping[str, object] | None = None, *, subprotocol: str | None = None
    ) -> AbstractContextManager[Socket]:
        """A WebSocket for the length of a block.  A refusal is raised as the problem it is."""
        raise Unreachable(_NO_SOCKET)

    def address(self) -> Address:
        """Where the server is; an embedded box is started now, if it was not yet."""
        raise Unreachable(_NO_SOCKET)

    def url_for_ports(self) -> str:
        """An address for programs that know ports only."""
        raise Unreachable(_NO_SOCKET)

    def within(self, path: str, token: str | None) -> "Http":
        """The same server's `path`, with another token: a session of a control plane."""
        raise Unreachable(_NO_SOCKET)

    def close(self) -> None:
        """Drop what was opened on the way there; nothing was, unless a subclass says so."""
        return


def _model(answer: type[M], got: Answer) -> M:
    try:
        return answer.model_validate_json(got.content)
    except ValidationError as error:
        raise NotBelljar(strange(got)) from error


def strange(got: Answer) -> str:
    """What to say of an answer that no server of ours gives."""
    told = f"{where(got)} answered {got.status_code}, but not as Belljar does"
    return f"{told}: is this a box's or control plane's address?"


def where(got: Answer) -> str:
    """The address that was asked."""
    return str(got.url).partition("?")[0]
