# Made from aio/box.py by scripts/make_sync_sdk.py: change it there.
"""One box in namespaces: `control`, `egress`, `files` and the rest."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter

from belljar.sdk.embedded import Address
from belljar.sdk.encoding import ControlMoment, Decision, body, ms
from belljar.sdk.sync.browser import Browser
from belljar.sdk.sync.desktop import Desktop
from belljar.sdk.sync.events import Events
from belljar.sdk.sync.http import Download, Http
from belljar.sdk.sync.io import blocking
from belljar.sdk.sync.live import Live
from belljar.sdk.sync.playwright import PlaywrightLink
from belljar.sdk.sync.processes import Processes
from belljar.wire.control import Control as ControlState
from belljar.wire.files import FsAction, FsEntry, FsMoved, FsStat, FsUploadBatch, FsWrite
from belljar.wire.isolation import EgressConnection, EgressLog, EgressPolicy, EgressSuggestion, Health


class Control:
    """The lease, as an agent has it.  What a person holds it can ask for and wait for, not take."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def show(self) -> ControlState:
        """Who holds it, until when, and who asked for it."""
        return self._http.get("/v1/control", ControlState)

    def wait_for(self, until: ControlMoment, *, timeout: float = 60) -> ControlState:
        """Return when a `person` holds it, or it is `free` of people; as it is then, after `timeout` seconds."""
        asked = body(until=until, timeout=ms(timeout))
        return self._http.get("/v1/control", ControlState, asked, timeout=timeout)

    def take(self, *, timeout: float = 0) -> ControlState:
        """Have it now, or within `timeout` seconds, once a person is done with it."""
        return self._move("take", wait=timeout)

    def request(self) -> ControlState:
        """Have it if it is free; otherwise its holder is asked."""
        return self._move("request")

    def renew(self) -> ControlState:
        """Still here: a holder that is silent loses it."""
        return self._move("renew")

    def release(self, *, force: bool = False) -> ControlState:
        """Give it back; with `force`, the operator ends anyone's."""
        return self._move("release", force=force)

    def give(self, to: str) -> ControlState:
        """Hand it to a viewer, by its id."""
        return self._move("give", to=to)

    def ask(self, question: str | None) -> ControlState:
        """Show whoever watches what a person is needed for, until one gave control back; None takes it back."""
        return self._move("ask", question=question)

    @contextmanager
    def held(self, *, timeout: float = 0) -> Iterator[ControlState]:
        """Hold it for a block."""
        state = self.take(timeout=timeout)
        try:
            yield state
        finally:
            self.release()

    def _move(self, action: str, *, wait: float = 0, **given: object) -> ControlState:
        asked = body(action=action, timeout=ms(wait), **given)
        return self._http.post("/v1/control", ControlState, asked, timeout=wait)


class Egress:
    """The network policy, enforced outside the browser."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def policy(self) -> EgressPolicy:
        """The policy in force."""
        return self._http.get("/v1/egress/policy", EgressPolicy)

    def set_policy(self, policy: str, *, allow: Sequence[str] = ()) -> EgressPolicy:
        """Replace it: a name, or rules; only the operator's token may loosen it."""
        return self._http.put("/v1/egress/policy", EgressPolicy, body(policy=policy, allow=list(allow)))

    def restrict(self, *, deny: Sequence[str] = (), only: Sequence[str] = ()) -> EgressPolicy:
        """Refuse further hosts, or all but some, for as long as the box runs; whoever drives it may."""
        return self._http.post("/v1/egress/restrict", EgressPolicy, body(deny=list(deny), only=list(only)))

    def loosen(self, *, allow: Sequence[str] = (), learn: bool | None = None) -> EgressPolicy:
        """Allow further hosts, or have the policy learn, for as long as the box runs; the operator's token may."""
        return self._http.post("/v1/egress/loosen", EgressPolicy, body(allow=list(allow), learn=learn))

    def log(self, *, decision: Decision | None = None) -> EgressLog:
        """The newest connections and refusals, oldest first."""
        return self._http.get("/v1/egress/log", EgressLog, body(decision=decision))

    def follow_log(self, *, decision: Decision | None = None) -> Generator[EgressConnection, None, None]:
        """Connections as they are decided, and again when they end."""
        asked = body(decision=decision, follow=True)
        yield from self._http.events("/v1/egress/log", EgressConnection, asked)

    def suggestion(self) -> EgressSuggestion:
        """The smallest policy that would have allowed what was allowed so far."""
        return self._http.get("/v1/egress/suggestion", EgressSuggestion)


_CHUNK = 1 << 20
_OCTETS = {"Content-Type": "application/octet-stream"}
_TAR = {"Content-Type": "application/x-tar"}
# Named here: inside the class `list` is something else.
Entries = list[FsEntry]
_ENTRIES = TypeAdapter(Entries)

# What can be sent: bytes, text, or a file of this machine, which is streamed.
Sendable = bytes | str | PathLike[str]


class Files:
    """The home, uploads, downloads and `/workspace` of the box.  Paths are its programs' own, or from their home."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, path: str | None = None) -> Entries:
        """What is in a directory, by name."""
        return _ENTRIES.validate_json(self._http.fetch("/v1/fs/entries", body(path=path)))

    def stat(self, path: str) -> FsStat:
        """What a path names; of a symbolic link, the link itself."""
        return self._http.get("/v1/fs/stat", FsStat, body(path=path))

    def read(self, path: str) -> bytes:
        """A file, whole."""
        return self._http.fetch("/v1/fs/file", body(path=path))

    @contextmanager
    def open(self, path: str, *, start: int = 0, end: int | None = None) -> Iterator[Download]:
        """A file, streamed, or its bytes from `start` up to `end`, which is left out."""
        last = "" if end is None else str(end - 1)
        headers = {"Range": f"bytes={start}-{last}"} if start or end is not None else None
        with self._http.stream("/v1/fs/file", body(path=path), headers=headers) as file:
            yield file

    def download(self, path: str, to: str | PathLike[str]) -> Path:
        """Copy a file of the box to this machine."""
        with self.open(path) as file:
            return file.save(to)

    def write(self, path: str, data: Sendable) -> FsWrite:
        """Write a file, with the directories on the way: text, bytes, or a file of this machine given as a `Path`."""
        sent = self._http.request("PUT", "/v1/fs/file", query=body(path=path), content=_content(data), headers=_OCTETS)
        return FsWrite.model_validate_json(sent.content)

    def mkdir(self, path: str) -> FsAction:
        """Make a directory, with those on the way; one that is there already is fine."""
        return self._http.post("/v1/fs/mkdir", FsAction, query=body(path=path))

    def move(self, from_: str, to: str, *, overwrite: bool = False) -> FsMoved:
        """Move or rename; what is there already is replaced only with `overwrite`."""
        return self._http.post("/v1/fs/move", FsMoved, body(from_=from_, to=to, overwrite=overwrite))

    def delete(self, path: str, *, recursive: bool = False) -> FsAction:
        """Delete a file or an empty directory; with `recursive` everything in it, too."""
        return self._http.delete("/v1/fs/entry", FsAction, body(path=path, recursive=recursive))

    def unpack(self, archive: Sendable, path: str | None = None) -> FsUploadBatch:
        """Unpack a tar archive, not compressed, into a directory of the box."""
        sent = self._http.request(
            "POST", "/v1/fs/upload-batch", query=body(path=path), content=_content(archive), headers=_TAR
        )
        return FsUploadBatch.model_validate_json(sent.content)


def _content(data: Sendable) -> bytes | Iterator[bytes]:
    if isinstance(data, str):
        return data.encode()
    return data if isinstance(data, bytes) else _chunks(Path(data))


def _chunks(path: Path) -> Iterator[bytes]:
    file: BinaryIO = blocking(lambda: path.open("rb"))
    with file:
        while chunk := blocking(lambda: file.read(_CHUNK)):
            yield chunk


class Box:
    """A box, wherever it is."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._playwright = PlaywrightLink(http)
        self.browser = Browser(http, None, self._playwright)
        self.desktop = Desktop(http)
        self.processes = Processes(http)
        self.files = Files(http)
        self.egress = Egress(http)
        self.control = Control(http)
        self.live = Live(http)
        self.events = Events(http)

    def address(self) -> Address:
        """Where the box is and the token that opens it; an embedded box is started now, if it was not yet."""
        return self._http.address()

    def health(self) -> Health:
        """Whether it is well, since when, and how it is confined."""
        return self._http.get("/v1/health", Health)

    def metrics(self) -> str:
        """Prometheus' text."""
        return self._http.text("/metrics")

    def close(self) -> None:
        """Drop every connection; an embedded box ends."""
        self._playwright.close()
        self._http.close()
