"""Boxes that ended, as they are kept in a store: a log, films, a record as one archive, and last what there is of them.

INSTALLATION/boxes/BOX/log, record.tar, recordings/rec_1.mp4
INSTALLATION/ended/BOX        what is above, with sizes: a box without it was not written to its end
"""

import os
import re
import stat
import tarfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import msgspec

from belljar.plane.boxes.artifacts.object_store import PIECE, ObjectStore
from belljar.plane.boxes.launchers.base import Recording
from belljar.problems.plane import ArtifactsUnavailable
from belljar.safe_files import make_folders_beneath, open_beneath, open_plain, opened_folder

RECORD = "record.tar"
_FILM = re.compile(r"recordings/(rec_\d{1,9})\.mp4")
_BLOCK = 512
# Inventories that are remembered: every range of a film asks for its own.
_MOST_KNOWN = 256


class StoredFile(msgspec.Struct, frozen=True, rename="camel"):
    bytes: int
    # In seconds since 1970.
    written_at: float


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
        found = await self._store.get(self._ended(box_id))
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
        for name in await anyio.to_thread.run_sync(_plain_files, folder):
            if name == "log" or _FILM.fullmatch(name):
                about = await anyio.to_thread.run_sync(os.lstat, folder / name)
                files[name] = StoredFile(about.st_size, about.st_mtime)
                await self._store.put(self._path(box_id, name), file_pieces(folder / name), about.st_size)
                put += about.st_size
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
    """A record as we packed it, and nothing else that an archive might hold.  Blocks."""
    with tarfile.open(archive, "r:") as opened, opened_folder(folder) as top:
        for member in opened:
            source = opened.extractfile(member) if member.isreg() else None
            if source is None:
                continue
            make_folders_beneath(top, os.path.dirname(member.name))
            made = open_beneath(top, member.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(made, "wb") as target:
                while piece := source.read(PIECE):
                    target.write(piece)


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
    """The files of a record; None where there is none.  Names are ours, and short."""
    if not folder.is_dir():
        return None
    members = []
    for name in _plain_files(folder):
        about = os.lstat(folder / name)
        member = tarfile.TarInfo(name)
        member.size, member.mtime, member.mode = about.st_size, int(about.st_mtime), 0o600
        members.append(member)
    return members


def _plain_files(folder: Path) -> list[str]:
    return sorted(_walk(folder))


def _walk(folder: Path) -> Iterator[str]:
    for at, _, names in os.walk(folder):
        for name in names:
            path = Path(at) / name
            if stat.S_ISREG(os.lstat(path).st_mode):
                yield str(path.relative_to(folder))


def _padded(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
