"""`files`: those of the box."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter

from belljar.sdk.aio.downloads import AsyncDownload
from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.aio.io import blocking
from belljar.sdk.encoding import body
from belljar.wire.files import FsAction, FsEntry, FsMoved, FsStat, FsUploadBatch, FsWrite

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
