"""A file as an answer: streamed, a part of it where one is asked for, and never run as ours."""

import os
import re
from collections.abc import AsyncIterator, Mapping
from email.utils import formatdate
from typing import IO
from urllib.parse import quote

import anyio
from starlette.requests import Request
from starlette.responses import StreamingResponse

from belljar.problems.files import RangeNotSatisfiable

PIECE = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def file_response(request: Request, file: IO[bytes], name: str) -> StreamingResponse:
    """The bytes of a regular file, which is closed in the end; raises `RangeNotSatisfiable`.

    Its length is what it has now: one that grows meanwhile is cut, one that shrinks breaks the answer off.
    """
    about = os.fstat(file.fileno())
    tag = f'"{about.st_mtime_ns:x}-{about.st_size:x}-{about.st_ino:x}"'
    try:
        span = _asked_range(request.headers, about.st_size, tag)
    except RangeNotSatisfiable:
        file.close()
        raise
    start, end = span or (0, about.st_size)
    headers = {
        "Content-Length": str(end - start),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        "Accept-Ranges": "bytes",
        "Last-Modified": formatdate(about.st_mtime, usegmt=True),
        "ETag": tag,
    }
    if span is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{about.st_size}"
    return StreamingResponse(
        _pieces(file, start, end),
        status_code=200 if span is None else 206,
        media_type="application/octet-stream",
        headers=headers,
    )


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
