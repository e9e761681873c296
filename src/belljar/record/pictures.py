"""Pictures of a record, as an answer: each is named by what is in it, and never changes."""

import re
from pathlib import Path

import anyio
from starlette.responses import Response

from belljar.problems import NotFound
from belljar.record.selection import PICTURES
from belljar.safe_files import open_plain

_NAME = re.compile(r"[0-9a-f]{64}")
# Far more than a picture of a screen has.
_MOST_BYTES = 32 << 20
_HEADERS = {"Cache-Control": "private, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


async def picture_response(record: Path, sha256: str) -> Response:
    """Raises `NotFound`."""
    path = record / PICTURES / f"{sha256}.jpg"
    if not _NAME.fullmatch(sha256):
        raise NotFound("picture", sha256[:64])
    try:
        content = await anyio.to_thread.run_sync(_read, path)
    except FileNotFoundError:
        raise NotFound("picture", sha256[:64]) from None
    return Response(content, media_type="image/jpeg", headers=_HEADERS)


def _read(path: Path) -> bytes:
    with open_plain(path) as file:
        return file.read(_MOST_BYTES)
