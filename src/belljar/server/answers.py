"""Answers that are no JSON of a route's: problems, files, and work that ends when its client leaves."""

import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.utils import formatdate
from functools import partial
from typing import IO
from urllib.parse import quote

import anyio
import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.problems import CONTENT_TYPE, ClientGone, Problem
from belljar.problems.box import RangeNotSatisfiable
from belljar.tasks import the_only_one

# What every answer says unless it says otherwise: it is what it says it is, and nobody keeps it.
SAFE_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


def problem_bytes(problem: Problem) -> bytes:
    return msgspec.json.encode(problem.body())


class ProblemResponse(Response):
    """A problem document with the headers its problem asks for."""

    media_type = CONTENT_TYPE

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem_bytes(problem), problem.status, dict(problem.headers))


async def answer(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send `problem` where nothing has been sent yet.

    Starlette sends it in place of a WebSocket's handshake too: every server we run under offers the
    `websocket.http.response` extension.
    """
    await ProblemResponse(problem)(scope, receive, send)


class AnswerRefusals:
    """Answers a request with the problem that is raised for it, where nothing has been sent yet.

    For inside the layer that names other origins in its answers: a page of such an origin could not read a refusal that
    is made outside of it, and would take a token that is no longer good for a network that is away.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Problem as problem:
            if has_begun:
                raise
            await answer(problem, scope, receive, send)


PIECE = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclass(frozen=True)
class Artifact:
    """Bytes that are kept somewhere, as whoever asks for them is told of them."""

    name: str
    size: int
    # In seconds since 1970.
    written_at: float
    media_type: str
    tag: str = ""


def file_response(request: Request, file: IO[bytes], name: str) -> StreamingResponse:
    """The bytes of a regular file, which is closed in the end; raises `RangeNotSatisfiable`.

    Its length is what it has now: one that grows meanwhile is cut, one that shrinks breaks the answer off.
    """
    found = os.fstat(file.fileno())
    tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}-{found.st_ino:x}"'
    about = Artifact(name, found.st_size, found.st_mtime, "application/octet-stream", tag)
    try:
        return artifact_response(request, about, partial(_pieces, file))
    except RangeNotSatisfiable:
        file.close()
        raise


def artifact_response(
    request: Request, about: Artifact, read: Callable[[int, int], AsyncIterator[bytes]]
) -> StreamingResponse:
    """What `read` gives from a first byte up to another; raises `RangeNotSatisfiable`."""
    tag = about.tag or f'"{round(about.written_at * 1000):x}-{about.size:x}"'
    span = _asked_range(request.headers, about.size, tag)
    start, end = span or (0, about.size)
    headers = {
        "Content-Length": str(end - start),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(about.name, safe='')}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        "Accept-Ranges": "bytes",
        "Last-Modified": formatdate(about.written_at, usegmt=True),
        "ETag": tag,
    }
    if span is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{about.size}"
    status = 200 if span is None else 206
    return StreamingResponse(read(start, end), status_code=status, media_type=about.media_type, headers=headers)


async def _pieces(file: IO[bytes], start: int, end: int) -> AsyncIterator[bytes]:
    async with anyio.wrap_file(file) as opened:
        await opened.seek(start)
        while start < end and (piece := await opened.read(min(PIECE, end - start))):
            start += len(piece)
            yield piece


def _asked_range(headers: Mapping[str, str], size: int, tag: str) -> tuple[int, int] | None:
    """First and behind-the-last byte; None for the whole file, as for several ranges or one of an older file."""
    match = _RANGE.fullmatch(headers.get("range", "").replace(" ", ""))
    if match is None or match[0] == "bytes=-" or headers.get("if-range", tag) != tag:
        return None
    first, last = match[1], match[2]
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < start:
            return None
    if start >= end:
        raise RangeNotSatisfiable(size)
    return start, end


@asynccontextmanager
async def until_gone(request: Request) -> AsyncIterator[None]:
    """Cancel the block when the client hangs up, and raise `ClientGone`.  The body must have been read."""
    is_gone = False
    try:
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                nonlocal is_gone
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                is_gone = True
                tasks.cancel_scope.cancel()

            tasks.start_soon(watch, name="client watch")
            yield
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
    if is_gone:
        raise ClientGone("the client hung up before it was answered")
