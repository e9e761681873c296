"""The last minutes of a film, in a ring on disk: pieces of a fragmented MP4, a file each, of which the oldest go.

A folder has `init.mp4`, `piece-<when>.m4s` for each fragment, which begins with a picture that needs no other, and
`film.json`: what is known of the film.  Joined they are a film that plays.  Imports nothing of ours: the encoder writes
here, and whoever finds what a killed box left joins it.
"""

import errno
import json
import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

# Below the folder of films.
FOLDER = "ring"
# Of all pieces together, at most.
MAX_BYTES = 64 << 20
_INIT, _ABOUT = "init.mp4", "film.json"
_PIECE = re.compile(r"piece-(\d{20})\.m4s")
_FILM = re.compile(r"rec_(\d{1,9})\.(?:mp4|json)")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class RingWriter:
    """What a muxer of fragmented MP4 writes to, as to a file."""

    def __init__(self, folder: str, seconds: float, max_bytes: int = MAX_BYTES) -> None:
        self._folder = Path(folder)
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._waiting = bytearray()
        self._head = b""
        self._init = b""
        self._timescale = 0
        # When each piece begins, and its size; oldest first.
        self._pieces: list[tuple[int, int]] = []
        self.bytes = 0
        clear(self._folder)

    def write(self, data: bytes) -> int:
        """Raises `OSError` where a disk is full."""
        self._waiting += data
        while len(self._waiting) >= 8:
            size = int.from_bytes(self._waiting[:4], "big")
            if size < 8:
                raise ValueError("not a box of MP4")
            if len(self._waiting) < size:
                break
            box = bytes(self._waiting[:size])
            del self._waiting[:size]
            self._take(box)
        return len(data)

    def _take(self, box: bytes) -> None:
        match box[4:8]:
            case b"ftyp":
                self._init = box
            case b"moov":
                self._timescale = _timescale(box)
                _write(self._folder / _INIT, self._init + box)
            case b"moof":
                self._head = box
            case b"mdat" if self._head:
                head, self._head = self._head, b""
                self._add(_time(head), head + box)

    def _add(self, at: int, piece: bytes) -> None:
        self._pieces.append((at, len(piece)))
        self.bytes += len(piece)
        oldest = at - round(self._seconds * self._timescale)
        while len(self._pieces) > 1 and (self._pieces[1][0] <= oldest or self.bytes > self._max_bytes):
            first, size = self._pieces.pop(0)
            self.bytes -= size
            _path(self._folder, first).unlink(missing_ok=True)
        _write(_path(self._folder, at), piece)


@dataclass(frozen=True)
class Joined:
    """When it begins and ends, in seconds after the film's first picture."""

    began: float
    ended: float


def note(folder: Path, about: dict[str, Any]) -> None:
    """What is known of the film, should nobody be there to tell at its end."""
    with suppress(OSError):
        _write(folder / _ABOUT, json.dumps(about).encode())


def clear(folder: Path) -> None:
    """An empty ring, readable by its owner alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in folder.iterdir():
        if file.name != _ABOUT:
            file.unlink(missing_ok=True)


def remove(folder: Path) -> None:
    if folder.is_dir():
        for file in folder.iterdir():
            file.unlink(missing_ok=True)
        folder.rmdir()


def join(folder: Path, film: Path) -> Joined | None:
    """Put the pieces together as `film`; None where there is none.  On a full disk the oldest are given up for it."""
    while found := sorted(_pieces(folder)):
        try:
            return _join(folder, [at for at, _ in found], film)
        except FileNotFoundError:
            return None
        except OSError as error:
            film.unlink(missing_ok=True)
            if error.errno not in _FULL:
                raise
            for _, path in found[: max(1, len(found) // 4)]:
                path.unlink(missing_ok=True)
    return None


def recover(films: Path) -> str | None:
    """Make a film of what a killed box left in the ring below `films`; its id, where there was something."""
    folder = films / FOLDER
    if not folder.is_dir():
        return None
    number = 1 + max((int(found[1]) for file in films.iterdir() if (found := _FILM.fullmatch(file.name))), default=0)
    film = films / f"rec_{number}.mp4"
    try:
        joined = join(folder, film)
        if joined is None:
            return None
        # Whoever killed the box may have written it.
        with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
            about = json.loads(_read(folder / _ABOUT))
            about = about_joined(about, joined) | {
                "number": number,
                "status": "failed",
                "error": "the box was killed: this is what was kept of its last minutes",
            }
            _write(films / f"rec_{number}.json", json.dumps(about).encode())
        return film.stem
    except (ValueError, struct.error, ArithmeticError) as error:
        film.unlink(missing_ok=True)
        raise ValueError("these are no pieces of a film") from error
    finally:
        remove(folder)


def about_joined(about: dict[str, Any], joined: Joined) -> dict[str, Any]:
    """A note of a whole film, made one of the part of it that was kept."""
    later = round(joined.began * 1e6)
    first = about.get("first_frame")
    if first is not None:
        first = {name: value + later for name, value in first.items()}
    return about | {"first_frame": first, "duration_ms": round((joined.ended - joined.began) * 1000)}


def _join(folder: Path, times: list[int], film: Path) -> Joined:
    init = _read(folder / _INIT)
    timescale, ended = _timescale(init), times[0]
    descriptor = os.open(film, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(init)
        for number, at in enumerate(times, 1):
            ended = at + _append(out, _read(_path(folder, at)), number, times[0])
            if out.tell() > 2 * MAX_BYTES:
                raise ValueError("more than a ring can have")
    return Joined(times[0] / timescale, ended / timescale)


def _append(out: BinaryIO, piece: bytes, number: int, first: int) -> int:
    """Write a piece at its place in the joined film; how long it is."""
    moof = bytearray(piece[: int.from_bytes(piece[:4], "big")])
    lasts, usual = 0, 0
    for kind, start, end in _boxes(moof, 8, len(moof)):
        if kind == b"mfhd":
            struct.pack_into(">I", moof, start + 4, number)
        elif kind == b"traf":
            for inner, at, until in _boxes(moof, start, end):
                if inner == b"tfdt":
                    form = ">Q" if moof[at] else ">I"
                    (time,) = struct.unpack_from(form, moof, at + 4)
                    struct.pack_into(form, moof, at + 4, time - first)
                elif inner == b"tfhd":
                    usual = _usual_duration(bytes(moof[at:until]))
                elif inner == b"trun":
                    lasts += _duration(bytes(moof[at:until]), usual)
    out.write(moof)
    out.write(memoryview(piece)[len(moof) :])
    return lasts


def _usual_duration(tfhd: bytes) -> int:
    """Of a picture that has none of its own."""
    flags = int.from_bytes(tfhd[1:4], "big")
    at = 8 + 8 * bool(flags & 0x1) + 4 * bool(flags & 0x2)
    return int.from_bytes(tfhd[at : at + 4], "big") if flags & 0x8 else 0


def _duration(trun: bytes, usual: int) -> int:
    """Of all pictures in it."""
    flags, count = int.from_bytes(trun[1:4], "big"), int.from_bytes(trun[4:8], "big")
    if not flags & 0x100:
        return count * usual
    place = 8 + 4 * bool(flags & 0x1) + 4 * bool(flags & 0x4)
    size = 4 * (flags >> 8 & 0xF).bit_count()
    # As many as there are, whatever it says.
    count = min(count, max(0, len(trun) - place) // size)
    return sum(int.from_bytes(trun[place + size * n : place + size * n + 4], "big") for n in range(count))


def _boxes(data: bytes | bytearray, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The boxes in a part of `data`: kind, and where their content begins and ends."""
    while start + 8 <= end:
        size = int.from_bytes(data[start : start + 4], "big")
        if size < 8 or start + size > end:
            return
        yield bytes(data[start + 4 : start + 8]), start + 8, start + size
        start += size


def _find(data: bytes, *path: bytes) -> tuple[int, int]:
    start, end = 0, len(data)
    for wanted in path:
        for kind, inner, until in _boxes(data, start, end):
            if kind == wanted:
                start, end = inner, until
                break
        else:
            raise ValueError(f"no box {wanted!r}")
    return start, end


def _timescale(moov: bytes) -> int:
    start, _ = _find(moov, b"moov", b"trak", b"mdia", b"mdhd")
    at = start + (20 if moov[start] else 12)
    return int.from_bytes(moov[at : at + 4], "big")


def _time(moof: bytes) -> int:
    start, _ = _find(moof, b"moof", b"traf", b"tfdt")
    (time,) = struct.unpack_from(">Q" if moof[start] else ">I", moof, start + 4)
    return int(time)


def _pieces(folder: Path) -> Iterator[tuple[int, Path]]:
    for file in folder.iterdir() if folder.is_dir() else ():
        if found := _PIECE.fullmatch(file.name):
            yield int(found[1]), file


def _path(folder: Path, at: int) -> Path:
    return folder / f"piece-{at:020}.m4s"


def _read(path: Path) -> bytes:
    """No more than a ring may have: a file with a hole may say that it has a terabyte."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
