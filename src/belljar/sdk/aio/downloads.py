"""Files too long to hold in memory, taken piece by piece."""

import os
from collections.abc import AsyncIterator
from email.message import Message
from pathlib import Path
from urllib.parse import unquote

from httpx2 import Response

from belljar.sdk.aio.io import blocking

# What is written at once.
_CHUNK = 1 << 20


class AsyncDownload:
    """A file on its way here.  Iterate over its bytes, `save` it or `read` it whole; once."""

    def __init__(self, response: Response) -> None:
        self._response = response

    @property
    def size(self) -> int | None:
        """Bytes, where the server knows."""
        length = self._response.headers.get("content-length")
        return int(length) if length else None

    @property
    def content_type(self) -> str:
        """What the server says it is."""
        return str(self._response.headers.get("content-type", ""))

    @property
    def name(self) -> str | None:
        """What the server calls it: a suggestion of a page, perhaps.  It never has a folder in it."""
        header = Message()
        header["content-disposition"] = self._response.headers.get("content-disposition", "")
        name = header.get_filename()
        return os.path.basename(unquote(name).replace("\\", "/")) or None if name else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.aiter_bytes():
            yield chunk

    async def read(self) -> bytes:
        """All of it."""
        return await self._response.aread()

    async def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to `path`, which is replaced once all of it is there."""
        target = Path(path)
        draft = target.with_name(f".{target.name}.part")
        file = await blocking(lambda: draft.open("wb"))
        try:
            with file:
                async for chunk in self._response.aiter_bytes(_CHUNK):
                    await blocking(lambda chunk=chunk: file.write(chunk))  # type: ignore[misc]
            await blocking(lambda: os.replace(draft, target))
        finally:
            draft.unlink(missing_ok=True)
        return target
