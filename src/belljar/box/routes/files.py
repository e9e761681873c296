"""The box's files: read, written, listed, moved, unpacked; and `/api/download/{path}` of the workspace."""

import errno
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO, Annotated

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.box.files.places import Place, clean_relative
from belljar.box.parts import Box, TheBox
from belljar.box.sandbox.jail.bubblewrap import WORKSPACE
from belljar.problems import BodyTooLarge, InvalidRequest, NotFound, StreamError
from belljar.problems.box import DiskFull, PathDenied, RangeNotSatisfiable
from belljar.server.answers import file_response
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.wire.files import FsAction, FsEntry, FsMove, FsMoved, FsStat, FsUploadBatch, FsWrite

router = Router(prefix="/v1/fs", tags=["files"], acts=False)
# Bytes gathered before a thread is asked to write them.
PIECE = 1 << 20
_TAR = "application/x-tar"

ThePath = Annotated[
    str, Query(description="As programs in the box see it; relative to their home.", examples=["notes/today.txt"])
]
AnyPath = Annotated[str | None, Query(description="As programs in the box see it; their home where left out.")]


def _body(kind: str, description: str) -> dict[str, object]:
    content = {kind: {"schema": {"type": "string", "format": "binary"}}}
    return {"requestBody": {"required": True, "description": description, "content": content}}


@router.get(
    "/entries",
    operation_id="listFsEntries",
    tells=Kind.FILES,
    response_model_exclude_none=True,
    responses=problems(PathDenied),
)
async def list_entries(box: TheBox, path: AnyPath = None) -> list[FsEntry]:
    """What is in a directory, by name."""
    return await anyio.to_thread.run_sync(box.files.list, box.files.find(path))


@router.get(
    "/stat", operation_id="statFs", tells=Kind.FILES, response_model_exclude_none=True, responses=problems(PathDenied)
)
async def stat(box: TheBox, path: ThePath) -> FsStat:
    """What a path names; of a symbolic link, the link itself."""
    return await anyio.to_thread.run_sync(box.files.stat, box.files.find(path))


@router.get(
    "/file",
    operation_id="readFsFile",
    tells=Kind.FILES,
    takes_files=True,
    response_class=Response,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file."},
        206: {"content": {"application/octet-stream": {}}, "description": "The bytes that `Range` asked for."},
        **problems(PathDenied, RangeNotSatisfiable),
    },
)
async def read_file(request: Request, box: TheBox, path: ThePath) -> StreamingResponse:
    """A regular file, streamed; a part of it with `Range`."""
    place = box.files.find(path)
    file = await anyio.to_thread.run_sync(box.files.open, place)
    return file_response(request, file, place.name)


@router.put(
    "/file",
    operation_id="writeFsFile",
    takes_files=True,
    responses=problems(PathDenied, BodyTooLarge, StreamError, DiskFull),
    openapi_extra=_body("application/octet-stream", "The file's bytes."),
)
async def write_file(request: Request, box: TheBox, path: ThePath) -> FsWrite:
    """Write a file, with the directories on the way.  It is there whole or not at all."""
    place = box.files.find(path)
    async with _being_written(box, place) as file:
        size = await _receive(request, file)
    return FsWrite(path=place.path, bytes_written=size)


@router.delete("/entry", operation_id="deleteFsEntry", responses=problems(PathDenied, StreamError))
async def delete_entry(box: TheBox, path: ThePath, recursive: Annotated[bool | None, Query()] = None) -> FsAction:
    """Delete a file or an empty directory; with `recursive` a directory and everything in it."""
    place = box.files.find(path)
    await anyio.to_thread.run_sync(lambda: box.files.delete(place, is_recursive=bool(recursive)))
    return FsAction(path=place.path)


@router.post("/mkdir", operation_id="mkdirFs", responses=problems(PathDenied, StreamError, DiskFull))
async def make_directory(box: TheBox, path: ThePath) -> FsAction:
    """Make a directory, with those on the way; one that is there already is fine."""
    place = box.files.find(path)
    await anyio.to_thread.run_sync(box.files.make_folder, place)
    return FsAction(path=place.path)


@router.post("/move", operation_id="moveFs", responses=problems(PathDenied, StreamError, DiskFull))
async def move(body: FsMove, box: TheBox) -> FsMoved:
    """Move or rename; what is there already is replaced only with `overwrite`."""
    source, target = box.files.find(body.from_), box.files.find(body.to)
    await anyio.to_thread.run_sync(lambda: box.files.move(source, target, overwrite=bool(body.overwrite)))
    return FsMoved(from_=source.path, to=target.path)


@router.post(
    "/upload-batch",
    operation_id="uploadFsBatch",
    takes_files=True,
    responses=problems(PathDenied, BodyTooLarge, StreamError, DiskFull),
    openapi_extra=_body(_TAR, "A tar archive, not compressed."),
)
async def upload_batch(request: Request, box: TheBox, path: AnyPath = None) -> FsUploadBatch:
    """Unpack a tar archive into a directory, which is made where it is missing."""
    # On first use: tar and what it unpacks with are nothing that an idle server needs.
    from belljar.box.files.archives import unpack

    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _TAR:
        raise InvalidRequest(f"content-type must be {_TAR}")
    place = box.files.find(path)
    with tempfile.TemporaryFile() as archive:
        await _receive(request, archive)
        archive.seek(0)
        paths, is_cut = await anyio.to_thread.run_sync(unpack, box.files, archive, place)
    return FsUploadBatch(paths=paths, truncated=is_cut)


@asynccontextmanager
async def _being_written(box: Box, place: Place) -> AsyncIterator[IO[bytes]]:
    """`Files.written` from async code: what it does on the disk happens in threads, the end even when cancelled."""
    writing = box.files.written(place)
    file = await anyio.to_thread.run_sync(writing.__enter__)
    try:
        yield file
    except BaseException as error:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(writing.__exit__, type(error), error, error.__traceback__)
        raise
    with anyio.CancelScope(shield=True):
        await anyio.to_thread.run_sync(writing.__exit__, None, None, None)


async def _receive(request: Request, file: IO[bytes]) -> int:
    """Write the body as it comes; returns how long it was."""
    gathered, size = bytearray(), 0
    async for chunk in request.stream():
        gathered += chunk
        size += len(chunk)
        if len(gathered) >= PIECE:
            await _write(file, gathered)
            gathered = bytearray()
    await _write(file, gathered)
    return size


async def _write(file: IO[bytes], data: bytearray) -> None:
    try:
        await anyio.to_thread.run_sync(file.write, data)
        await anyio.to_thread.run_sync(file.flush)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise DiskFull() from error


workspace_router = Router(prefix="/api", tags=["files"], acts=False)


@workspace_router.get(
    "/download/{path:path}",
    operation_id="downloadWorkspaceFile",
    tells=Kind.FILES,
    response_class=Response,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file, as an attachment."},
        206: {"content": {"application/octet-stream": {}}, "description": "The bytes that `Range` asked for."},
        **problems(NotFound, PathDenied, RangeNotSatisfiable),
    },
)
async def download(path: str, request: Request, box: TheBox) -> StreamingResponse:
    """A file of the workspace and of nowhere else; symbolic links are not followed."""
    place = box.files.find(f"{WORKSPACE}/{clean_relative(path)}")
    try:
        file = await anyio.to_thread.run_sync(box.files.open, place)
    except InvalidRequest as error:
        raise NotFound("file", path) from error
    return file_response(request, file, place.name)
