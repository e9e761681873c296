# Made from aio/files.py by scripts/make_sync_sdk.py: change it there.
"""`files`: those of the box."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter

from belljar.sdk.encoding import body
from belljar.sdk.sync.downloads import Download
from belljar.sdk.sync.http import Http
from belljar.sdk.sync.io import blocking
from belljar.wire.files import FsAction, FsEntry, FsMoved, FsStat, FsUploadBatch, FsWrite

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
