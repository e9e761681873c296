"""Pictures of a record, as an answer: each is named by what is in it, and never changes."""

import re
from pathlib import Path

import anyio
from starlette.responses import FileResponse

from belljar.problems import NotFound
from belljar.record.selection import PICTURES

_NAME = re.compile(r"[0-9a-f]{64}")
_HEADERS = {"Cache-Control": "private, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


async def picture_response(record: Path, sha256: str) -> FileResponse:
    """Raises `NotFound`."""
    path = record / PICTURES / f"{sha256}.jpg"
    if not _NAME.fullmatch(sha256) or not await anyio.to_thread.run_sync(path.is_file):
        raise NotFound("picture", sha256[:64])
    return FileResponse(path, media_type="image/jpeg", headers=_HEADERS)
