"""Records that are read from a store: copied to this host's disk while somebody reads them, and a little longer."""

import fcntl
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from belljar.logs import log
from belljar.plane import kernel
from belljar.plane.boxes.artifacts.stored_boxes import RECORD, Inventory, StoredBoxes, unpack
from belljar.plane.boxes.launchers.base import BoxRecord
from belljar.problems.plane import ArtifactsUnavailable
from belljar.safe_files import remove_folder

# Copies that nobody reads: so many, and so long.
_MOST_UNUSED, _UNUSED_SECONDS = 8, 600.0
# What must stay free of the disk beside a copy.
_LEAVES_FREE = 256 << 20


@dataclass
class _Copy:
    folder: Path
    readers: int = 0
    used_at: float = 0.0
    turn: anyio.Lock = field(default_factory=anyio.Lock)


class RecordCopies:
    """In a folder of this process; `clean` removes what others left that are gone."""

    def __init__(self, folder: Path, stored: StoredBoxes) -> None:
        self._all = folder
        self._own = folder / secrets.token_hex(8)
        self._stored = stored
        self._copies: dict[str, _Copy] = {}
        self._lock: int | None = None

    @asynccontextmanager
    async def reading(self, box_id: str, inventory: Inventory, *, films: bool) -> AsyncIterator[BoxRecord]:
        copy = self._copies.setdefault(box_id, _Copy(self._own / box_id))
        copy.readers += 1
        try:
            # Of several who want it one copies, and the others wait.
            async with copy.turn:
                await self._fetch(box_id, inventory, copy.folder, films=films)
            wanted = inventory.recordings() if films else []
            yield BoxRecord(copy.folder / "record", [copy.folder / f"{film.id}.mp4" for film in wanted])
        finally:
            copy.readers -= 1
            copy.used_at = time.monotonic()

    async def remove_unused(self) -> None:
        unused = sorted((one.used_at, id) for id, one in self._copies.items() if not one.readers)
        for number, (used_at, id) in enumerate(reversed(unused)):
            if number >= _MOST_UNUSED or time.monotonic() - used_at > _UNUSED_SECONDS:
                copy = self._copies.pop(id)
                # Out of the way at once: who wants it now begins anew.
                gone = copy.folder.with_name(f".{secrets.token_hex(8)}")
                with suppress(FileNotFoundError):
                    copy.folder.rename(gone)
                await anyio.to_thread.run_sync(remove_folder, gone)

    def clean(self) -> None:
        """Blocks."""
        for folder in self._all.iterdir() if self._all.is_dir() else ():
            if folder != self._own and (lock := _locked(folder)) is not None:
                remove_folder(folder)
                os.close(lock)

    def close(self) -> None:
        """Blocks."""
        remove_folder(self._own)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def _fetch(self, box_id: str, inventory: Inventory, folder: Path, *, films: bool) -> None:
        wanted = {} if (folder / "record").is_dir() else {RECORD: folder / RECORD}
        for film in inventory.recordings() if films else ():
            if not (folder / f"{film.id}.mp4").exists():
                wanted[f"recordings/{film.id}.mp4"] = folder / f"{film.id}.mp4"
        # An archive is there beside what is in it, for a moment.
        needed = 2 * sum(inventory.files[name].bytes for name in wanted) + _LEAVES_FREE
        if not wanted:
            return
        try:
            await anyio.to_thread.run_sync(self._make, folder)
            if kernel.free_disk(folder) < needed:
                raise ArtifactsUnavailable("There is no room on this host's disk to read the record.")
            for name, target in wanted.items():
                await self._bring(box_id, name, inventory.files[name].bytes, target)
        except OSError as error:
            log.warning("artifacts.not_copied", box_id=box_id, error=str(error))
            raise ArtifactsUnavailable("The record cannot be copied to this host's disk.") from error

    async def _bring(self, box_id: str, name: str, size: int, target: Path) -> None:
        """Whatever fails leaves nothing: a disk may be full."""
        draft = target.with_name(f".{target.name}")
        try:
            async with await anyio.open_file(draft, "wb") as file:
                async for piece in self._stored.read(box_id, name):
                    await file.write(piece)
            if draft.stat().st_size != size:
                raise ArtifactsUnavailable(f"The store of artifacts has not all of {name}.")
            await anyio.to_thread.run_sync(self._place, draft, target)
        finally:
            draft.unlink(missing_ok=True)

    def _make(self, folder: Path) -> None:
        if self._lock is None:
            self._own.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _locked(self._own)
        folder.mkdir(mode=0o700, exist_ok=True)

    def _place(self, draft: Path, target: Path) -> None:
        if target.name != RECORD:
            draft.rename(target)
            return
        whole = target.with_name(".record")
        remove_folder(whole)
        whole.mkdir(mode=0o700)
        try:
            unpack(draft, whole)
            whole.rename(target.with_name("record"))
        finally:
            remove_folder(whole)


def _locked(folder: Path) -> int | None:
    """A descriptor that keeps others off; None where another process has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
