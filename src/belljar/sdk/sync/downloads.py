# Made from aio/downloads.py by scripts/make_sync_sdk.py: change it there.
"""Files too long to hold in memory, taken piece by piece."""

import os
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from urllib.parse import unquote

from httpx2 import Response

from belljar.sdk.sync.io import blocking

# What is written at once.
_CHUNK = 1 << 20


class Download:
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

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.iter_bytes()

    def read(self) -> bytes:
        """All of it."""
        return self._response.read()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to `path`, which is replaced once all of it is there."""
        target = Path(path)
        draft = target.with_name(f".{target.name}.part")
        file = blocking(lambda: draft.open("wb"))
        try:
            with file:
                for chunk in self._response.iter_bytes(_CHUNK):
                    blocking(lambda chunk=chunk: file.write(chunk))  # type: ignore[misc]
            blocking(lambda: os.replace(draft, target))
        finally:
            draft.unlink(missing_ok=True)
        return target
