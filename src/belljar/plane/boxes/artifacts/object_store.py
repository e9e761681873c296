"""An S3-compatible store: objects written and read in pieces of bounded size, every failure one kind of problem."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from belljar.problems.plane import ArtifactsUnavailable

if TYPE_CHECKING:
    from obstore.store import S3Store

# Of an object that is written or read: so much is in memory, twice while writing.
PIECE = 8 << 20
_CHUNK = 1 << 20
_CONNECT_SECONDS, _REQUEST_SECONDS, _RETRY_SECONDS, _RETRIES = 5, 60, 60, 3
# How a store says what is wrong: the rest of its answer may name accounts.
_CODE = re.compile(r"<Code>(\w{1,64})</Code>")
_STATUS = re.compile(r"status code: (\d{3})")


class ObjectStore:
    """Below `s3://bucket/prefix`.  Whatever fails is `ArtifactsUnavailable`; of what is not there, nothing is given."""

    def __init__(self, url: str, endpoint: str | None, region: str | None) -> None:
        # Half a second of imports that nobody needs who keeps files on disk.
        import obstore
        from obstore.exceptions import BaseError

        self._api: Any = obstore
        self._failures: tuple[type[Exception], ...] = (BaseError, OSError, ValueError)
        self._store = _open(url, endpoint, region)

    async def put(self, path: str, pieces: AsyncIterator[bytes], size: int) -> None:
        """All of it or nothing: an object is there once its last piece is."""
        source: Any = pieces
        if size <= PIECE:
            source = b"".join([piece async for piece in pieces])
        try:
            await self._api.put_async(self._store, path, source, chunk_size=PIECE, max_concurrency=2)
        except self._failures as error:
            raise _refusal(error) from None

    async def get(self, path: str, most: int) -> bytes | None:
        """Of an object that has no more bytes than that."""
        try:
            return await _body(await self._api.get_async(self._store, path), most)
        except self._failures as error:
            if _is_absent(error):
                return None
            raise _refusal(error) from None

    async def read(self, path: str, start: int, end: int) -> AsyncIterator[bytes]:
        """A request for each piece, so that neither side waits for a slow reader."""
        while start < end:
            last = min(end, start + PIECE)
            try:
                found = await self._api.get_async(self._store, path, options={"range": (start, last)})
                piece = await _body(found, last - start)
            except self._failures as error:
                if _is_absent(error):
                    return
                raise _refusal(error) from None
            if not piece:
                return
            start += len(piece)
            yield piece

    async def names(self, folder: str) -> list[str]:
        """Of the folders in a folder."""
        try:
            found = await self._api.list_with_delimiter_async(self._store, folder)
        except self._failures as error:
            raise _refusal(error) from None
        return [prefix.rstrip("/").rpartition("/")[2] for prefix in found["common_prefixes"]]

    async def objects(self, folder: str) -> AsyncIterator[tuple[str, float]]:
        """Every object below a folder, and when it was written."""
        try:
            async for chunk in self._api.list(self._store, f"{folder}/"):
                for one in chunk:
                    yield one["path"], one["last_modified"].timestamp()
        except self._failures as error:
            raise _refusal(error) from None

    async def remove(self, paths: Sequence[str]) -> None:
        try:
            await self._api.delete_async(self._store, list(paths))
        except self._failures as error:
            raise _refusal(error) from None


async def _body(found: Any, most: int) -> bytes:
    """What a store sends beyond what it was asked for is not waited for, nor held in memory."""
    taken = bytearray()
    async for piece in found.stream(min_chunk_size=_CHUNK):
        taken += bytes(piece)
        if len(taken) > most:
            raise ArtifactsUnavailable("The store of artifacts sends more than it was asked for.")
    return bytes(taken)


def _open(url: str, endpoint: str | None, region: str | None) -> "S3Store":
    """Credentials are read from `AWS_…`, as the library does."""
    from obstore.store import S3Store

    parts = urlsplit(url)
    told = {name: value for name, value in {"endpoint": endpoint, "region": region}.items() if value is not None}
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        client_options={
            "allow_http": (endpoint or "").startswith("http://"),
            "connect_timeout": timedelta(seconds=_CONNECT_SECONDS),
            "timeout": timedelta(seconds=_REQUEST_SECONDS),
        },
        retry_config={"max_retries": _RETRIES, "retry_timeout": timedelta(seconds=_RETRY_SECONDS)},
        **told,  # type: ignore[arg-type]
    )


def _is_absent(error: Exception) -> bool:
    return isinstance(error, FileNotFoundError) and "NoSuchBucket" not in str(error)


def _refusal(error: Exception) -> ArtifactsUnavailable:
    """In few words: the library's own have addresses and whole answers in them."""
    said = str(error)
    found = _CODE.search(said) or _STATUS.search(said)
    return ArtifactsUnavailable(f"The store of artifacts does not work: {found[1] if found else type(error).__name__}.")
