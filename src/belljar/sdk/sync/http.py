# Made from aio/http.py by scripts/make_sync_sdk.py: change it there.
"""What namespaces ask of a server: requests answered by models, streams, events, WebSockets; whoever carries them."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from belljar.sdk.address import Address
from belljar.sdk.errors import NotBelljar, Unreachable
from belljar.sdk.sync.downloads import Download
from belljar.sdk.sync.io import Socket
from belljar.wire.base import Model

M = TypeVar("M", bound=Model)

_NO_SOCKET = "An application in this process has no socket to connect to."


class Answer(Protocol):
    """An answer, read whole."""

    @property
    def url(self) -> Any: ...

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
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        content: Any = None,
        files: Any = None,
        data: Mapping[str, Any] | None = None,
    ) -> Answer:
        """The answer, read whole; problems are raised.  `content` and `files` are sent once, whatever happens."""

    def get(
        self, path: str, answer: type[M], query: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> M:
        return _model(answer, self.request("GET", path, query=query, timeout=timeout))

    def post(
        self,
        path: str,
        answer: type[M],
        body: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> M:
        sent = self.request("POST", path, body=body, query=query, timeout=timeout, headers=headers)
        return _model(answer, sent)

    def put(self, path: str, answer: type[M], body: Mapping[str, Any]) -> M:
        return _model(answer, self.request("PUT", path, body=body))

    def patch(self, path: str, answer: type[M], body: Mapping[str, Any]) -> M:
        return _model(answer, self.request("PATCH", path, body=body))

    def delete(
        self, path: str, answer: type[M], query: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> M:
        """`Ok` also stands for an answer without a body."""
        sent = self.request("DELETE", path, query=query, timeout=timeout)
        return _model(answer, sent) if sent.content else answer()

    def fetch(self, path: str, query: Mapping[str, Any] | None = None, *, timeout: float | None = None) -> bytes:
        return (self.request("GET", path, query=query, timeout=timeout)).content

    def text(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        return (self.request("GET", path, query=query)).content.decode()

    def stream(
        self, path: str, query: Mapping[str, Any] | None = None, *, headers: Mapping[str, str] | None = None
    ) -> AbstractContextManager[Download]:
        """A long answer, taken piece by piece; the connection is given back with the end of the block."""
        raise Unreachable(_NO_SOCKET)

    def events(
        self, path: str, answer: type[M], query: Mapping[str, Any] | None = None, *, name: str | None = None
    ) -> Generator[M, None, None]:
        """Server-sent events for as long as the server has some; `name` alone, where given."""
        raise Unreachable(_NO_SOCKET)

    def websocket(
        self, path: str, query: Mapping[str, Any] | None = None, *, subprotocol: str | None = None
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
