"""Logs, films and records of local boxes: in a box's folder while it lives, and kept apart after."""

import errno
import re
import stat
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio

from belljar.logs import log
from belljar.plane.boxes.launchers.base import BoxRecord, Recording
from belljar.record import film_ring
from belljar.safe_files import move_out, open_plain, opened_folder, remove_folder, remove_odd_files

# Where a box keeps its films, below its folder.
_RECORDINGS = "state/desktop/recordings"
_RECORD = "state/record"
# How long what a box had of the disk may take to be free again.
_SPACE_WITHIN = 2.0
_PIECE = 256 * 1024
# An id becomes a file's name, so it must look like one.
_RECORDING = re.compile(r"rec_\d{1,9}")


class Artifacts:
    def __init__(self, boxes: Path, kept: Path) -> None:
        # Below them no link is followed: boxes may have made it.
        self._boxes = boxes.resolve()
        self._kept = kept.resolve()

    def log(self, box_id: str) -> AsyncIterator[bytes]:
        return _pieces([self._boxes / box_id / "log", self._kept / box_id / "log"], 0, None)

    async def recordings(self, box_id: str) -> Sequence[Recording]:
        return await anyio.to_thread.run_sync(self._recordings, box_id)

    def recording(self, box_id: str, id: str, start: int, end: int) -> AsyncIterator[bytes]:
        known = self._folders(box_id) if _RECORDING.fullmatch(id) else ()
        return _pieces([folder / f"{id}.mp4" for folder in known], start, end)

    @asynccontextmanager
    async def record(self, box_id: str) -> AsyncIterator[BoxRecord | None]:
        """Where the files are: a box that ends meanwhile takes them along, and whoever reads on finds the end."""
        for folder in (self._boxes / box_id / _RECORD, self._kept / box_id / "record"):
            if folder.is_dir():
                yield BoxRecord(folder, await anyio.to_thread.run_sync(self._films, box_id))
                return
        yield None

    def _films(self, box_id: str) -> list[Path]:
        found = [film for folder in self._folders(box_id) if folder.is_dir() for film in folder.glob("rec_*.mp4")]
        return sorted(film for film in found if _RECORDING.fullmatch(film.stem) and not film.is_symlink())

    async def forget(self, before: float) -> None:
        await anyio.to_thread.run_sync(_remove_older, self._kept, before)

    def keep(self, folder: Path) -> None:
        """Of a box that is being removed.  Blocks."""
        kept = self._kept / folder.name
        for source in ("log", _RECORDINGS, _RECORD):
            if not _has_content(folder / source):
                continue
            name = Path(source).name
            try:
                _with_space(lambda: kept.mkdir(mode=0o700, parents=True, exist_ok=True))
                with opened_folder(folder) as top, opened_folder(kept) as target:
                    move_out(top, source, target, name)
                if (kept / name).is_dir():
                    with opened_folder(kept / name) as moved:
                        remove_odd_files(moved)
                film_ring.recover(kept / name)
            except (OSError, ValueError) as error:
                # The end of a session matters more than what is remembered of it.
                log.warning("box.nothing_kept", box_id=folder.name, what=name, error=str(error))

    def _folders(self, box_id: str) -> tuple[Path, Path]:
        return self._boxes / box_id / _RECORDINGS, self._kept / box_id / "recordings"

    def _recordings(self, box_id: str) -> list[Recording]:
        found: dict[str, Recording] = {}
        for folder in self._folders(box_id):
            for film in folder.glob("rec_*.mp4") if folder.is_dir() else ():
                with suppress(FileNotFoundError):
                    about = film.lstat()
                    if _RECORDING.fullmatch(film.stem) and stat.S_ISREG(about.st_mode):
                        found[film.stem] = Recording(film.stem, about.st_size, about.st_mtime)
        return sorted(found.values(), key=lambda film: int(film.id[4:]))


async def _pieces(places: Sequence[Path], start: int, end: int | None) -> AsyncIterator[bytes]:
    """Of the first that is there: a box that has just ended has taken it along."""
    for place in places:
        try:
            file = anyio.wrap_file(await anyio.to_thread.run_sync(open_plain, place))
        except FileNotFoundError:
            continue
        async with file:
            await file.seek(start)
            left = end - start if end is not None else None
            while left is None or left > 0:
                piece = await file.read(_PIECE if left is None else min(_PIECE, left))
                if not piece:
                    return
                left = None if left is None else left - len(piece)
                yield piece
        return


def _has_content(source: Path) -> bool:
    return source.is_file() or (source.is_dir() and any(source.iterdir()))


def _with_space(make: Callable[[], None]) -> None:
    """Do what needs a little of the disk; a disk of a box's own is given back a moment after its box ended."""
    deadline = time.monotonic() + _SPACE_WITHIN
    while True:
        try:
            make()
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _remove_older(folder: Path, before: float) -> None:
    """A folder's time is when something was last put into it: at its box's end."""
    for child in folder.iterdir() if folder.exists() else ():
        if child.stat().st_mtime < before:
            remove_folder(child)
