"""The record as it is: its lines one after another, or an archive of everything that proves and shows it."""

import os
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from belljar.record.segments import Event, Reader, segments
from belljar.record.signing import HEADS, KEY, PublicKey
from belljar.safe_files import open_plain

_PIECE = 256 * 1024
_read_event = msgspec.json.Decoder(Event).decode


@dataclass(frozen=True)
class RecordSource:
    """Where a record is."""

    folder: Path
    films: tuple[Path, ...] = ()
    # Instead of the box's own word for it: certified by its installation.
    key: PublicKey | None = None

    def lines(self) -> Iterator[bytes]:
        return Reader(self.folder).lines()

    def events(self) -> Iterator[Event]:
        """A line that somebody has changed so that it is no event is passed over: `verify` tells."""
        for line in self.lines():
            with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
                yield _read_event(line)


def jsonl(source: RecordSource) -> Iterator[bytes]:
    """Events as they stand on disk, a few hundred at a time."""
    pieces: list[bytes] = []
    size = 0
    for line in source.lines():
        pieces.append(line)
        size += len(line)
        if size >= _PIECE:
            yield b"".join(pieces)
            pieces, size = [], 0
    if pieces:
        yield b"".join(pieces)


def zip_archive(source: RecordSource) -> Iterator[bytes]:
    """`record/` with segments, heads, key and pictures, and `films/`: what `belljar events verify` reads.

    Heads come before segments: what is written meanwhile is then unsigned at worst, and never missed.
    """
    stream = ZipStream()
    record = source.folder
    if (record / HEADS).is_file():
        yield from stream.file(f"record/{HEADS}", record / HEADS)
    if source.key is not None:
        yield from stream.content(f"record/{KEY}", msgspec.json.encode(source.key))
    elif (record / KEY).is_file():
        yield from stream.file(f"record/{KEY}", record / KEY)
    for segment in segments(record):
        yield from stream.file(f"record/{segment.path.name}", segment.path)
    pictures = record / "pictures"
    for picture in sorted(pictures.glob("*.jpg")):
        yield from stream.file(f"record/pictures/{picture.name}", picture, is_packed=True)
    for film in source.films:
        yield from stream.file(f"films/{film.name}", film, is_packed=True)
    yield from stream.end()


class ZipStream:
    """A zip archive that goes out as it is made."""

    def __init__(self) -> None:
        self._out = _Outlet()
        self._archive = zipfile.ZipFile(self._out, "w")

    def content(self, name: str, content: bytes) -> Iterator[bytes]:
        return self.pieces(name, (content,))

    def file(self, name: str, path: Path, *, is_packed: bool = False) -> Iterator[bytes]:
        """As far as it is there now: one that grows meanwhile is cut, one that is gone is left out."""
        try:
            file = open_plain(path)
        except OSError:
            return
        with file:
            yield from self.pieces(name, _read(file.read, os.fstat(file.fileno()).st_size), is_packed=is_packed)

    def pieces(self, name: str, pieces: Iterable[bytes], *, is_packed: bool = False) -> Iterator[bytes]:
        """`is_packed` is for what would not get smaller."""
        info = zipfile.ZipInfo(name, time.gmtime()[:6])
        info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        # By how much a file grows nobody knows before it is read.
        with self._archive.open(info, "w", force_zip64=True) as entry:
            for piece in pieces:
                entry.write(piece)
                if len(self._out.buffer) >= _PIECE:
                    yield self._out.take()
        yield self._out.take()

    def end(self) -> Iterator[bytes]:
        self._archive.close()
        yield self._out.take()


def _read(read: Callable[[int], bytes], size: int) -> Iterator[bytes]:
    while size > 0 and (piece := read(min(_PIECE, size))):
        size -= len(piece)
        yield piece


class _Outlet:
    """What `zipfile` writes to: it cannot go back, and is emptied as it fills."""

    def __init__(self) -> None:
        self.buffer = bytearray()

    def write(self, data: bytes, /) -> int:
        self.buffer += data
        return len(data)

    def flush(self) -> None:
        """What is in it goes out when it is taken."""

    def close(self) -> None:
        """There is nothing to close."""

    def take(self) -> bytes:
        taken = bytes(self.buffer)
        self.buffer.clear()
        return taken
