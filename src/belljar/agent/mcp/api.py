"""The HTTP API as the tools use it: one narrow call, whoever carries it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

Json = dict[str, Any]
Query = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True)
class Reply:
    status: int
    media_type: str
    content: bytes

    def json(self) -> Json:
        value = msgspec.json.decode(self.content)
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True)
class Body:
    """A request body that is not JSON."""

    content: bytes
    media_type: str


class Refused(Exception):
    """The server answered with a problem."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(str(problem.get("detail", "")))
        self.status = status
        self.problem = problem

    @property
    def code(self) -> str:
        return str(self.problem.get("code", f"http_{self.status}"))

    @property
    def detail(self) -> str:
        return str(self.problem.get("detail", ""))


class Unreachable(Exception):
    """There was no answer; the message is a sentence for whoever runs the agent."""


class Api(Protocol):
    """Carries one request with the caller's own credential, and so with the caller's own rights.

    Raises `Refused` for an answer of 400 and above and `Unreachable` where none came.  Cancelling a call tells the
    server to stop as far as its transport can.
    """

    async def call(
        self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None
    ) -> Reply: ...


@dataclass(frozen=True)
class Below:
    """The same API below a path: a session's box behind a control plane."""

    api: Api
    prefix: str

    async def call(self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None) -> Reply:
        return await self.api.call(method, self.prefix + path, body, query)


def checked(reply: Reply) -> Reply:
    """The reply, unless it is a refusal."""
    if reply.status < 400:
        return reply
    try:
        problem = reply.json()
    except msgspec.DecodeError:
        problem = {}
    raise Refused(reply.status, problem)
