"""Boxes that ended, as they are kept in a store: a log, films, a record as one archive, and last what there is of them.

INSTALLATION/boxes/BOX/log, record.tar, recordings/rec_1.mp4
INSTALLATION/ended/BOX        what is above, with sizes: a box without it was not written to its end
"""

import os
import re
import tarfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import anyio
import msgspec

from belljar.logs import log
from belljar.plane.boxes.artifacts.object_store import PIECE, ObjectStore
from belljar.plane.boxes.launchers.base import Recording
from belljar.problems.plane import ArtifactsUnavailable
from belljar.safe_files import make_folders_beneath, open_beneath, open_plain, opened_folder

RECORD = "record.tar"
_FILM = re.compile(r"recordings/(rec_\d{1,9})\.mp4")
# What a box leaves has such names, in its folders and one below; whatever else is there nobody of ours wrote.
_OURS = re.compile(r"([a-z]{1,40}/)?[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_MOST_FILES = 100_000
_BLOCK = 512
# What a header of an archive has room for: bytes of a file, and seconds.
_LARGEST, _LATEST = 8**11 - 1, 8**11 - 1
_MOST_INVENTORY = 4 << 20
# Inventories that are remembered: every range of a film asks for its own.
_MOST_KNOWN = 256


class StoredFile(msgspec.Struct, frozen=True, rename="camel"):
    bytes: Annotated[int, msgspec.Meta(ge=0, le=1 << 50)]
    # In seconds since 1970.
    written_at: Annotated[float, msgspec.Meta(ge=0, le=_LATEST)]


class Inventory(msgspec.Struct, frozen=True):
    """What there is of a box, by path."""

    files: dict[str, StoredFile]

    def recordings(self) -> list[Recording]:
        found = [(match[1], file) for path, file in self.files.items() if (match := _FILM.fullmatch(path))]
        films = [Recording(id, file.bytes, file.written_at) for id, file in found]
        return sorted(films, key=lambda film: int(film.id[4:]))


class StoredBoxes:
    def __init__(self, store: ObjectStore, installation: str) -> None:
        self._store = store
        self._top = installation
        self._known: dict[str, Inventory] = {}

    async def find(self, box_id: str) -> Inventory | None:
        if (known := self._known.get(box_id)) is not None:
            return known
        found = await self._store.get(self._ended(box_id), _MOST_INVENTORY)
        if found is None:
            return None
        try:
            inventory = msgspec.json.decode(found, type=Inventory)
        except msgspec.MsgspecError:
            raise ArtifactsUnavailable(
                f"The store of artifacts has no inventory of {box_id} that can be read."
            ) from None
        while len(self._known) >= _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[box_id] = inventory
        return inventory

    async def read(self, box_id: str, name: str, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        inventory = await self.find(box_id)
        if inventory is None or (file := inventory.files.get(name)) is None:
            return
        last = file.bytes if end is None else min(end, file.bytes)
        async for piece in self._store.read(self._path(box_id, name), start, last):
            yield piece

    async def put(self, folder: Path) -> int:
        """Of a box's folder of what was kept, which nobody else changes; how many bytes that were."""
        box_id = folder.name
        self._known.pop(box_id, None)
        before = await self.find(box_id)
        files = {} if before is None else dict(before.files)
        put = 0
        for found in await anyio.to_thread.run_sync(_plain_files, folder):
            if found.name == "log" or _FILM.fullmatch(found.name):
                files[found.name] = StoredFile(found.size, found.written_at)
                await self._store.put(self._path(box_id, found.name), file_pieces(folder / found.name), found.size)
                put += found.size
        if (members := await anyio.to_thread.run_sync(_members, folder / "record")) is not None:
            size = sum(_BLOCK + _padded(one.size) for one in members) + 2 * _BLOCK
            files[RECORD] = StoredFile(size, max((float(one.mtime) for one in members), default=0.0))
            await self._store.put(self._path(box_id, RECORD), _tar_pieces(folder / "record", members), size)
            put += size
        told = msgspec.json.encode(Inventory(files))
        await self._store.put(self._ended(box_id), _only(told), len(told))
        self._known.pop(box_id, None)
        return put

    async def forget(self, before: float) -> int:
        """What was written before then; how many boxes that were."""
        ended = {path.rpartition("/")[2]: at async for path, at in self._store.objects(f"{self._top}/ended")}
        gone = 0
        for box_id in await self._store.names(f"{self._top}/boxes"):
            # One whose writer ended before it did has none.
            if (at := ended.pop(box_id, None)) is None or at < before:
                paths = [one async for one in self._store.objects(f"{self._top}/boxes/{box_id}")]
                if all(at < before for _, at in paths):
                    await self._store.remove([path for path, _ in paths])
                    # Last, so that a box is found until all of it is gone.
                    if at is not None:
                        await self._store.remove([self._ended(box_id)])
                    self._known.pop(box_id, None)
                    gone += 1
        if empty := [self._ended(box_id) for box_id, at in ended.items() if at < before]:
            await self._store.remove(empty)
        return gone

    def _path(self, box_id: str, name: str) -> str:
        return f"{self._top}/boxes/{box_id}/{name}"

    def _ended(self, box_id: str) -> str:
        return f"{self._top}/ended/{box_id}"


async def file_pieces(path: Path) -> AsyncIterator[bytes]:
    async with anyio.wrap_file(await anyio.to_thread.run_sync(open_plain, path)) as file:
        while piece := await file.read(PIECE):
            yield piece


def unpack(archive: Path, folder: Path) -> None:
    """A record as we packed it.  Raises `ArtifactsUnavailable` for any other archive, and OSError.  Blocks.

    It is read by its blocks: nothing of it is larger than its file, and there is nothing but files in it.
    """
    with archive.open("rb") as packed, opened_folder(folder) as top:
        while (header := packed.read(_BLOCK)) != bytes(_BLOCK):
            name, size = _read_header(header)
            make_folders_beneath(top, os.path.dirname(name))
            with os.fdopen(open_beneath(top, name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
                left = size
                while piece := packed.read(min(left, PIECE)):
                    target.write(piece)
                    left -= len(piece)
            if left:
                raise _unreadable()
            packed.seek(_padded(size) - size, os.SEEK_CUR)


def _read_header(header: bytes) -> tuple[str, int]:
    try:
        member = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
    except (tarfile.TarError, ValueError):
        raise _unreadable() from None
    if member.type != tarfile.REGTYPE or member.size < 0 or not _OURS.fullmatch(member.name):
        raise _unreadable()
    return member.name, member.size


def _unreadable() -> ArtifactsUnavailable:
    return ArtifactsUnavailable("The store of artifacts has no record that can be read.")


async def _only(piece: bytes) -> AsyncIterator[bytes]:
    yield piece


async def _tar_pieces(folder: Path, members: list[tarfile.TarInfo]) -> AsyncIterator[bytes]:
    for member in members:
        yield member.tobuf(tarfile.USTAR_FORMAT)
        written = 0
        async for piece in file_pieces(folder / member.name):
            written += len(piece)
            yield piece
        if written != member.size:
            raise OSError(f"{member.name} changed while it was read")
        yield bytes(_padded(written) - written)
    yield bytes(2 * _BLOCK)


def _members(folder: Path) -> list[tarfile.TarInfo] | None:
    """The files of a record; None where there is none."""
    if not folder.is_dir():
        return None
    members = []
    for found in _plain_files(folder):
        if found.size <= _LARGEST:
            member = tarfile.TarInfo(found.name)
            member.size, member.mtime, member.mode = found.size, int(found.written_at), 0o600
            members.append(member)
    return members


@dataclass(frozen=True, order=True)
class _Found:
    name: str
    size: int
    written_at: float


def _plain_files(folder: Path) -> list[_Found]:
    """What a box leaves in a folder and in those below it; what something hostile in it might have left is left out.

    A file with holes is as large as it likes on no disk at all, and would be uploaded in that size.
    """
    found = []
    for name in islice(_names(folder), _MOST_FILES):
        try:
            with open_plain(folder / name) as file:
                about = os.fstat(file.fileno())
                is_whole = not about.st_size or os.lseek(file.fileno(), 0, os.SEEK_HOLE) == about.st_size
        except FileNotFoundError:
            continue
        if is_whole:
            found.append(_Found(name, about.st_size, min(max(about.st_mtime, 0.0), _LATEST)))
        else:
            log.warning("artifacts.odd_file", box=folder.name, name=name, bytes=about.st_size)
    return sorted(found)


def _names(folder: Path) -> Iterator[str]:
    """Its own files first."""
    below = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                below.append(entry.name)
            elif _OURS.fullmatch(entry.name):
                yield entry.name
    for name in below:
        with os.scandir(folder / name) as entries:
            for entry in entries:
                if _OURS.fullmatch(path := f"{name}/{entry.name}"):
                    yield path


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
