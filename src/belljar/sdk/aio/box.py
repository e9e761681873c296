"""One box in namespaces: `control`, `egress`, `files` and the rest."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter

from belljar.sdk.aio.browser import AsyncBrowser
from belljar.sdk.aio.desktop import AsyncDesktop
from belljar.sdk.aio.events import AsyncEvents
from belljar.sdk.aio.http import AsyncDownload, AsyncHttp
from belljar.sdk.aio.io import blocking
from belljar.sdk.aio.live import AsyncLive
from belljar.sdk.aio.playwright import AsyncPlaywrightLink
from belljar.sdk.aio.processes import AsyncProcesses
from belljar.sdk.embedded import Address
from belljar.sdk.encoding import ControlMoment, Decision, body, ms
from belljar.wire.control import Control as ControlState
from belljar.wire.files import FsAction, FsEntry, FsMoved, FsStat, FsUploadBatch, FsWrite
from belljar.wire.isolation import EgressConnection, EgressLog, EgressPolicy, EgressSuggestion, Health


class AsyncControl:
    """The lease, as an agent has it.  What a person holds it can ask for and wait for, not take."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def show(self) -> ControlState:
        """Who holds it, until when, and who asked for it."""
        return await self._http.get("/v1/control", ControlState)

    async def wait_for(self, until: ControlMoment, *, timeout: float = 60) -> ControlState:
        """Return when a `person` holds it, or it is `free` of people; as it is then, after `timeout` seconds."""
        asked = body(until=until, timeout=ms(timeout))
        return await self._http.get("/v1/control", ControlState, asked, timeout=timeout)

    async def take(self, *, timeout: float = 0) -> ControlState:
        """Have it now, or within `timeout` seconds, once a person is done with it."""
        return await self._move("take", wait=timeout)

    async def request(self) -> ControlState:
        """Have it if it is free; otherwise its holder is asked."""
        return await self._move("request")

    async def renew(self) -> ControlState:
        """Still here: a holder that is silent loses it."""
        return await self._move("renew")

    async def release(self, *, force: bool = False) -> ControlState:
        """Give it back; with `force`, the operator ends anyone's."""
        return await self._move("release", force=force)

    async def give(self, to: str) -> ControlState:
        """Hand it to a viewer, by its id."""
        return await self._move("give", to=to)

    async def ask(self, question: str | None) -> ControlState:
        """Show whoever watches what a person is needed for, until one gave control back; None takes it back."""
        return await self._move("ask", question=question)

    @asynccontextmanager
    async def held(self, *, timeout: float = 0) -> AsyncIterator[ControlState]:
        """Hold it for a block."""
        state = await self.take(timeout=timeout)
        try:
            yield state
        finally:
            await self.release()

    async def _move(self, action: str, *, wait: float = 0, **given: object) -> ControlState:
        asked = body(action=action, timeout=ms(wait), **given)
        return await self._http.post("/v1/control", ControlState, asked, timeout=wait)


class AsyncEgress:
    """The network policy, enforced outside the browser."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def policy(self) -> EgressPolicy:
        """The policy in force."""
        return await self._http.get("/v1/egress/policy", EgressPolicy)

    async def set_policy(self, policy: str, *, allow: Sequence[str] = ()) -> EgressPolicy:
        """Replace it: a name, or rules; only the operator's token may loosen it."""
        return await self._http.put("/v1/egress/policy", EgressPolicy, body(policy=policy, allow=list(allow)))

    async def restrict(self, *, deny: Sequence[str] = (), only: Sequence[str] = ()) -> EgressPolicy:
        """Refuse further hosts, or all but some, for as long as the box runs; whoever drives it may."""
        return await self._http.post("/v1/egress/restrict", EgressPolicy, body(deny=list(deny), only=list(only)))

    async def loosen(self, *, allow: Sequence[str] = (), learn: bool | None = None) -> EgressPolicy:
        """Allow further hosts, or have the policy learn, for as long as the box runs; the operator's token may."""
        return await self._http.post("/v1/egress/loosen", EgressPolicy, body(allow=list(allow), learn=learn))

    async def log(self, *, decision: Decision | None = None) -> EgressLog:
        """The newest connections and refusals, oldest first."""
        return await self._http.get("/v1/egress/log", EgressLog, body(decision=decision))

    async def follow_log(self, *, decision: Decision | None = None) -> AsyncGenerator[EgressConnection, None]:
        """Connections as they are decided, and again when they end."""
        asked = body(decision=decision, follow=True)
        async for connection in self._http.events("/v1/egress/log", EgressConnection, asked):
            yield connection

    async def suggestion(self) -> EgressSuggestion:
        """The smallest policy that would have allowed what was allowed so far."""
        return await self._http.get("/v1/egress/suggestion", EgressSuggestion)


_CHUNK = 1 << 20
_OCTETS = {"Content-Type": "application/octet-stream"}
_TAR = {"Content-Type": "application/x-tar"}
# Named here: inside the class `list` is something else.
Entries = list[FsEntry]
_ENTRIES = TypeAdapter(Entries)

# What can be sent: bytes, text, or a file of this machine, which is streamed.
Sendable = bytes | str | PathLike[str]


class AsyncFiles:
    """The home, uploads, downloads and `/workspace` of the box.  Paths are its programs' own, or from their home."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(self, path: str | None = None) -> Entries:
        """What is in a directory, by name."""
        return _ENTRIES.validate_json(await self._http.fetch("/v1/fs/entries", body(path=path)))

    async def stat(self, path: str) -> FsStat:
        """What a path names; of a symbolic link, the link itself."""
        return await self._http.get("/v1/fs/stat", FsStat, body(path=path))

    async def read(self, path: str) -> bytes:
        """A file, whole."""
        return await self._http.fetch("/v1/fs/file", body(path=path))

    @asynccontextmanager
    async def open(self, path: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[AsyncDownload]:
        """A file, streamed, or its bytes from `start` up to `end`, which is left out."""
        last = "" if end is None else str(end - 1)
        headers = {"Range": f"bytes={start}-{last}"} if start or end is not None else None
        async with self._http.stream("/v1/fs/file", body(path=path), headers=headers) as file:
            yield file

    async def download(self, path: str, to: str | PathLike[str]) -> Path:
        """Copy a file of the box to this machine."""
        async with self.open(path) as file:
            return await file.save(to)

    async def write(self, path: str, data: Sendable) -> FsWrite:
        """Write a file, with the directories on the way: text, bytes, or a file of this machine given as a `Path`."""
        sent = await self._http.request(
            "PUT", "/v1/fs/file", query=body(path=path), content=_content(data), headers=_OCTETS
        )
        return FsWrite.model_validate_json(sent.content)

    async def mkdir(self, path: str) -> FsAction:
        """Make a directory, with those on the way; one that is there already is fine."""
        return await self._http.post("/v1/fs/mkdir", FsAction, query=body(path=path))

    async def move(self, from_: str, to: str, *, overwrite: bool = False) -> FsMoved:
        """Move or rename; what is there already is replaced only with `overwrite`."""
        return await self._http.post("/v1/fs/move", FsMoved, body(from_=from_, to=to, overwrite=overwrite))

    async def delete(self, path: str, *, recursive: bool = False) -> FsAction:
        """Delete a file or an empty directory; with `recursive` everything in it, too."""
        return await self._http.delete("/v1/fs/entry", FsAction, body(path=path, recursive=recursive))

    async def unpack(self, archive: Sendable, path: str | None = None) -> FsUploadBatch:
        """Unpack a tar archive, not compressed, into a directory of the box."""
        sent = await self._http.request(
            "POST", "/v1/fs/upload-batch", query=body(path=path), content=_content(archive), headers=_TAR
        )
        return FsUploadBatch.model_validate_json(sent.content)


def _content(data: Sendable) -> bytes | AsyncIterator[bytes]:
    if isinstance(data, str):
        return data.encode()
    return data if isinstance(data, bytes) else _chunks(Path(data))


async def _chunks(path: Path) -> AsyncIterator[bytes]:
    file: BinaryIO = await blocking(lambda: path.open("rb"))
    with file:
        while chunk := await blocking(lambda: file.read(_CHUNK)):
            yield chunk


class AsyncBox:
    """A box, wherever it is."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http
        self._playwright = AsyncPlaywrightLink(http)
        self.browser = AsyncBrowser(http, None, self._playwright)
        self.desktop = AsyncDesktop(http)
        self.processes = AsyncProcesses(http)
        self.files = AsyncFiles(http)
        self.egress = AsyncEgress(http)
        self.control = AsyncControl(http)
        self.live = AsyncLive(http)
        self.events = AsyncEvents(http)

    async def address(self) -> Address:
        """Where the box is and the token that opens it; an embedded box is started now, if it was not yet."""
        return await self._http.address()

    async def health(self) -> Health:
        """Whether it is well, since when, and how it is confined."""
        return await self._http.get("/v1/health", Health)

    async def metrics(self) -> str:
        """Prometheus' text."""
        return await self._http.text("/metrics")

    async def close(self) -> None:
        """Drop every connection; an embedded box ends."""
        await self._playwright.close()
        await self._http.close()
