"""Segments of a record: append-only files of one event a line, each line bound to all before it.

A folder has `segment-<first seq>.jsonl` files.  The first line of each is its header; both it and every event end with
`chain`: 32 hexadecimal digits of SHA-256 over the chain before it and the line without its own.  A box that starts
begins a new one, and goes on counting where the last left off.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import msgspec

from belljar.safe_files import open_plain
from belljar.state import make_private_folder

# How long a segment may get before another is begun: what is too much or too old goes by whole segments.
SEGMENT_BYTES = 4 << 20
NO_CHAIN = "0" * 32
VERSION = 1

# More than the longest event.
_TAIL_BYTES = 64 * 1024
_MOST_LINE = 1 << 20

_NAME = re.compile(r"segment-(\d{12})\.jsonl")
_CHAIN_BYTES = len(b',"chain":""}') + 32


class Actor(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    kind: str
    via: str = "none"
    id: str | None = None


class Event(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """One event as it stands on disk, without its chain; the model of the API is `wire.record.RecordEvent`."""

    seq: int
    t: int
    mono: int
    kind: str
    name: str
    actor: Actor
    request_id: str | None = None
    tab_id: str | None = None
    data: dict[str, Any] = {}
    trace_id: str | None = None


class Origin(msgspec.Struct, frozen=True):
    """When a box's clock began: microseconds since 1970, and the monotonic clock's then."""

    wall: int
    mono: int


class Header(msgspec.Struct):
    segment: int
    first: int
    previous: str
    origin: Origin
    box: str
    version: int = VERSION


class Place(msgspec.Struct, gc=False):
    """Where a line belongs, read without the rest of it."""

    seq: int
    t: int
    chain: str = ""


_encode = msgspec.json.Encoder().encode
_read_place = msgspec.json.Decoder(Place).decode
_read_header = msgspec.json.Decoder(Header).decode


def chained(previous: str, body: bytes) -> tuple[bytes, str]:
    """A line of a JSON object, with its chain, and that chain."""
    chain = hashlib.sha256(previous.encode() + body).hexdigest()[:32]
    return b'%b,"chain":"%b"}\n' % (body[:-1], chain.encode()), chain


def unchained(line: bytes) -> tuple[bytes, str]:
    """The object that a line was made of, and the chain that it claims."""
    line = line.rstrip(b"\n")
    return line[:-_CHAIN_BYTES] + b"}", line[-34:-2].decode("ascii", "replace")


@dataclass(frozen=True)
class Segment:
    path: Path
    first: int

    @property
    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            # Retention took it meanwhile.
            return 0

    def first_time(self) -> int | None:
        """When its first event happened; None where it has none, or is gone."""
        try:
            with open_plain(self.path) as file:
                _line(file)
                return _read_place(_line(file)).t
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeError):
            return None

    def header(self) -> Header | None:
        """None for a file that was cut off before its header was whole."""
        try:
            with open_plain(self.path) as file:
                return _read_header(file.readline(1 << 16))
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeError):
            return None


def segments(folder: Path) -> list[Segment]:
    """Those in the folder, oldest first."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = [Segment(folder / name, int(match[1])) for name in names if (match := _NAME.fullmatch(name))]
    return sorted(found, key=lambda one: one.first)


class SegmentWriter:
    """The one that appends.  Nothing is counted as written that could not be: `OSError` leaves all as it was."""

    def __init__(self, folder: Path, origin: Origin, box: str, *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._folder = folder
        self._origin = origin
        self._box = box
        self._segment_bytes = segment_bytes
        self._file: int | None = None
        self._size = 0
        self.seq, self.chain = _last(folder)

    def write(self, events: Iterable[Event]) -> None:
        """Number the events and append them; nobody else's turn comes between."""
        seq, chain = self.seq, self.chain
        lines: list[bytes] = []
        if self._file is None or self._size >= self._segment_bytes:
            self.close()
            header = Header(1, seq + 1, chain, self._origin, self._box)
            line, chain = chained(chain, _encode(header))
            lines.append(line)
        for event in events:
            seq += 1
            event.seq = seq
            line, chain = chained(chain, _encode(event))
            lines.append(line)
        content = b"".join(lines)
        if self._file is None:
            make_private_folder(self._folder)
            path = self._folder / f"segment-{self.seq + 1:012}.jsonl"
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            self._size = 0
        try:
            _write_whole(self._file, content)
        except OSError:
            self._take_back()
            raise
        self._size += len(content)
        self.seq, self.chain = seq, chain

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _take_back(self) -> None:
        """Half of what could not be written whole; a file without anything in it goes, with its number."""
        assert self._file is not None
        os.ftruncate(self._file, self._size)
        os.lseek(self._file, self._size, os.SEEK_SET)
        if self._size == 0:
            self.close()
            (self._folder / f"segment-{self.seq + 1:012}.jsonl").unlink(missing_ok=True)


def _write_whole(file: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]


def _last(folder: Path) -> tuple[int, str]:
    """The last number and chain in a folder.  What a killed box left half written is cut off; empty files go."""
    for segment in reversed(segments(folder)):
        content = segment.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(segment.path, len(whole))
        if not whole:
            segment.path.unlink()
            continue
        header, *events = whole.splitlines(keepends=True)
        for line in reversed(events):
            if place := _place(line):
                return place.seq, place.chain
        return segment.first - 1, unchained(header)[1]
    return 0, NO_CHAIN


class Reader:
    """Lines of a folder's segments in order, from a number or a time on.  Only what is needed is read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def oldest(self) -> int:
        """The first number that is still there; 0 where nothing is."""
        found = segments(self._folder)
        return found[0].first if found else 0

    def newest(self) -> int:
        """The last number that is whole on disk; 0 where nothing is."""
        for segment in reversed(segments(self._folder)):
            try:
                with open_plain(segment.path) as file:
                    file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
                    lines = file.read(_TAIL_BYTES).splitlines(keepends=True)
            except FileNotFoundError:
                continue
            return next((place.seq for line in reversed(lines) if (place := _place(line))), segment.first - 1)
        return 0

    def lines(self, since: int = 0, from_: int | None = None) -> Iterator[bytes]:
        """Events after the number `since` and from the time `from_` on, each with its line's end.

        A file that retention takes meanwhile is passed over, and half a line at the end of the last is not given.
        """
        found = segments(self._folder)
        following = [*(one.first for one in found[1:]), sys.maxsize]
        wanted = [segment for segment, after in zip(found, following, strict=False) if after > since + 1]
        if from_ is not None:
            wanted = _from_time(wanted, from_)
        for index, segment in enumerate(wanted):
            try:
                file = open_plain(segment.path)
            except FileNotFoundError:
                continue
            with file:
                if index == 0:
                    _seek(file, lambda place: place.seq > since and (from_ is None or place.t >= from_))
                else:
                    _line(file)
                for line in iter(partial(_line, file), b""):
                    if not line.endswith(b"\n"):
                        break
                    yield line


def _from_time(found: list[Segment], from_: int) -> list[Segment]:
    """Those that can have events of that time or later: from the last one on that began before it."""
    for index in range(len(found) - 1, -1, -1):
        began = found[index].first_time()
        if began is not None and began < from_:
            return found[index:]
    return found


def _seek(file: Any, is_wanted: Callable[[Place], bool]) -> None:
    """Go to the first line that is wanted, by halves: those after it are, and those before it are not."""
    header = _line(file)
    low, high = len(header), os.fstat(file.fileno()).st_size
    # The line that begins at or after `low` may be the one; no line that begins before `low` is.
    while high - low > 4096:
        middle = (low + high) // 2
        file.seek(middle)
        _line(file)
        at = file.tell()
        place = _place(_line(file))
        if at >= high or place is None or is_wanted(place):
            high = middle
        else:
            low = at
    file.seek(low)
    while True:
        at = file.tell()
        place = _place(_line(file))
        if place is None or is_wanted(place):
            file.seek(at)
            return


def _line(file: IO[bytes]) -> bytes:
    """The next; one that is longer than any of ours comes without its end."""
    return file.readline(_MOST_LINE)


def _place(line: bytes) -> Place | None:
    try:
        return _read_place(line) if line.endswith(b"\n") else None
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
