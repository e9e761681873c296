"""A container engine, Docker's or Podman's, asked over its Unix socket: the dozen calls that a launcher needs."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import msgspec
from httpx2 import AsyncClient, AsyncHTTPTransport, HTTPError, Response, Timeout

# The newest version of the API whose answers we have read; an older engine is asked in its own.
_NEWEST = (1, 47)
# What every engine since 2020 knows, with one-shot statistics; Docker 29 has nothing below 1.44.
_OLDEST = (1, 40)
_TIMEOUT = Timeout(30.0, connect=5.0)
_MOST_ANSWER = 16 << 20


class EngineError(Exception):
    """The engine refused; `status` is HTTP's."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class EngineAway(Exception):
    """The engine cannot be reached, or does not answer: nothing is known of what it keeps."""


class State(msgspec.Struct, rename="pascal"):
    running: bool = False
    exit_code: int = 0
    oom_killed: bool = msgspec.field(default=False, name="OOMKilled")
    error: str = ""


class Container(msgspec.Struct, rename="pascal"):
    """What `inspect` says of one."""

    id: str
    state: State


class Listed(msgspec.Struct, rename="pascal"):
    id: str
    labels: dict[str, str] = {}


class _Component(msgspec.Struct, rename="pascal"):
    name: str = ""


class _Version(msgspec.Struct, rename="pascal"):
    version: str
    api_version: str
    components: list[_Component] = []


class _Made(msgspec.Struct, rename="pascal"):
    id: str


class _Refusal(msgspec.Struct):
    message: str = ""


class _Pids(msgspec.Struct):
    current: int = 0


class _Memory(msgspec.Struct):
    usage: int = 0
    stats: dict[str, int] = {}


class _CpuUsage(msgspec.Struct):
    total_usage: int = 0


class _Cpu(msgspec.Struct):
    cpu_usage: _CpuUsage = msgspec.field(default_factory=_CpuUsage)


class Usage(msgspec.Struct):
    """What `stats` says; in nanoseconds and bytes."""

    pids_stats: _Pids = msgspec.field(default_factory=_Pids)
    memory_stats: _Memory = msgspec.field(default_factory=_Memory)
    cpu_stats: _Cpu = msgspec.field(default_factory=_Cpu)

    @property
    def memory(self) -> int:
        """Without pages of files that could be dropped, by their names in either version of control groups."""
        stats = self.memory_stats.stats
        return max(0, self.memory_stats.usage - stats.get("total_inactive_file", stats.get("inactive_file", 0)))


class _Actor(msgspec.Struct, rename="pascal"):
    attributes: dict[str, str] = {}


class Event(msgspec.Struct):
    """One line of what the engine tells: what happened to which container."""

    action: str = msgspec.field(default="", name="Action")
    id: str = ""
    actor: _Actor = msgspec.field(default_factory=_Actor, name="Actor")


class Engine:
    """Opened by `open_engine`.  Every call raises `EngineError` or `EngineAway`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._prefix = ""
        # Podman speaks Docker's language, but for a few words: known once a version was agreed on.
        self.is_podman = False

    async def negotiate(self) -> str:
        """Agree on a version of the API, the newest that both know; the engine's own version, for people."""
        about = msgspec.json.decode(await self._call("GET", "/version"), type=_Version)
        theirs = tuple(int(part) for part in about.api_version.split("."))
        if theirs < _OLDEST:
            raise EngineError(400, f"the engine {about.version} is too old: its API is {about.api_version}")
        self._prefix = "/v{}.{}".format(*min(theirs, _NEWEST))
        self.is_podman = any(one.name.startswith("Podman") for one in about.components)
        return about.version

    async def has_image(self, name: str) -> bool:
        return await self._found("GET", f"/images/{name}/json") is not None

    async def create(self, name: str, about: Mapping[str, object]) -> str:
        """A container, not started; its id."""
        body = await self._call("POST", "/containers/create", params={"name": name}, content=json.dumps(about))
        return msgspec.json.decode(body, type=_Made).id

    async def start(self, id: str) -> None:
        await self._call("POST", f"/containers/{id}/start")

    async def kill(self, id: str, signal: Literal["TERM", "KILL"]) -> None:
        """Not running any more, or gone, is fine."""
        try:
            await self._found("POST", f"/containers/{id}/kill", params={"signal": signal})
        except EngineError as error:
            if error.status != 409:
                raise

    async def remove(self, id: str) -> None:
        """With what runs in it and its volumes; gone already is fine."""
        try:
            await self._found("DELETE", f"/containers/{id}", params={"force": "true", "v": "true"})
        except EngineError as error:
            # Somebody else is removing it: whoever asks again finds it gone.
            if error.status != 409:
                raise

    async def inspect(self, id: str) -> Container | None:
        body = await self._found("GET", f"/containers/{id}/json")
        return None if body is None else msgspec.json.decode(body, type=Container)

    async def list(self, label: str) -> Sequence[Listed]:
        filters = json.dumps({"label": [label]})
        body = await self._call("GET", "/containers/json", params={"all": "true", "filters": filters})
        return msgspec.json.decode(body, type=list[Listed])

    async def usage(self, id: str) -> Usage | None:
        body = await self._found("GET", f"/containers/{id}/stats", params={"stream": "false", "one-shot": "true"})
        return None if body is None else msgspec.json.decode(body, type=Usage)

    @asynccontextmanager
    async def events(self, label: str) -> AsyncIterator[AsyncIterator[Event]]:
        """What happens to containers with this label from now on, until the engine is away: `EngineAway` then."""
        # In Docker's words and in Podman's: neither minds the other's.
        ends = ["die", "destroy", "died", "remove"]
        filters = json.dumps({"type": ["container"], "label": [label], "event": ends})
        forever = Timeout(None, connect=5.0)
        try:
            async with self._client.stream(
                "GET", f"{self._prefix}/events", params={"filters": filters}, timeout=forever
            ) as answer:
                if answer.status_code != 200:
                    raise EngineError(answer.status_code, "the engine tells no events")
                yield _decoded(answer)
        except HTTPError as error:
            raise EngineAway(str(error)) from error

    async def _found(self, method: str, path: str, params: Mapping[str, str] | None = None) -> bytes | None:
        """None for what is not there."""
        try:
            return await self._call(method, path, params=params)
        except EngineError as error:
            if error.status == 404:
                return None
            raise

    async def _call(
        self, method: str, path: str, params: Mapping[str, str] | None = None, content: str | None = None
    ) -> bytes:
        headers = {"Content-Type": "application/json"} if content is not None else {}
        try:
            answer = await self._client.request(
                method, self._prefix + path, params=params, content=content, headers=headers
            )
        except HTTPError as error:
            raise EngineAway(f"{type(error).__name__}: {error}") from error
        if answer.status_code >= 400:
            raise EngineError(answer.status_code, _message(answer))
        if len(answer.content) > _MOST_ANSWER:
            raise EngineAway("the engine said too much")
        return answer.content


async def _decoded(answer: Response) -> AsyncIterator[Event]:
    async for line in answer.aiter_lines():
        if line:
            yield msgspec.json.decode(line, type=Event)


def _message(answer: Response) -> str:
    try:
        return msgspec.json.decode(answer.content, type=_Refusal).message or str(answer.status_code)
    except msgspec.MsgspecError:
        return f"{answer.status_code}"


@asynccontextmanager
async def open_engine(socket: Path) -> AsyncIterator[Engine]:
    """Raises `EngineAway` where nobody listens, and `EngineError` for one that is too old."""
    transport = AsyncHTTPTransport(uds=str(socket))
    async with AsyncClient(transport=transport, base_url="http://engine", timeout=_TIMEOUT) as client:
        engine = Engine(client)
        await engine.negotiate()
        yield engine
