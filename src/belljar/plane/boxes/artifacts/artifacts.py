"""What sessions left, for whoever asks: from their box's launcher, or from a store that ended ones are moved to.

A session's end waits for no store: what it left is on this host's disk first, and goes there in its own time.
"""

import fcntl
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import anyio

from belljar.logs import log
from belljar.plane.boxes.artifacts.object_store import ObjectStore
from belljar.plane.boxes.artifacts.record_copies import RecordCopies
from belljar.plane.boxes.artifacts.stored_boxes import RECORD, StoredBoxes
from belljar.plane.boxes.launchers.base import BoxRecord, Launcher, Recording
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import ControlMetrics
from belljar.problems.plane import ArtifactsUnavailable, DatabaseUnavailable
from belljar.safe_files import remove_folder

_LOOK_SECONDS = 2.0
_MOST_PAUSE = 60.0
_FORGET_EVERY = 300.0
_DAY = 86_400.0
# At our own end, for what the last sessions left.
_LAST_SECONDS = 15.0


class SessionArtifacts:
    def __init__(self, launcher: Launcher, state_dir: Path, stored: StoredBoxes | None = None) -> None:
        self._launcher = launcher
        self._boxes = state_dir / "boxes"
        self._kept = (state_dir / "kept").resolve()
        self._stored = stored
        self.copies = None if stored is None else RecordCopies(state_dir / "fetched", stored)

    async def is_stored(self, box_id: str) -> bool:
        """Whether it can be had without the host that the box was on."""
        if self._stored is None:
            return False
        try:
            return await self._stored.find(box_id) is not None
        except ArtifactsUnavailable:
            return False

    async def log(self, box_id: str) -> AsyncIterator[bytes]:
        is_here = False
        async for piece in self._launcher.log(box_id):
            is_here = True
            yield piece
        if not is_here and self._is_asked(box_id) and self._stored is not None:
            async for piece in self._stored.read(box_id, "log"):
                yield piece

    async def recordings(self, box_id: str) -> Sequence[Recording]:
        found = await self._launcher.recordings(box_id)
        if found or self._stored is None or not self._is_asked(box_id):
            return found
        inventory = await self._stored.find(box_id)
        return [] if inventory is None else inventory.recordings()

    async def recording(self, box_id: str, id: str, start: int, end: int) -> AsyncIterator[bytes]:
        is_here = False
        async for piece in self._launcher.recording(box_id, id, start, end):
            is_here = True
            yield piece
        if not is_here and self._stored is not None:
            async for piece in self._stored.read(box_id, f"recordings/{id}.mp4", start, end):
                yield piece

    @asynccontextmanager
    async def record(self, box_id: str, *, films: bool = False) -> AsyncIterator[BoxRecord | None]:
        """As the launcher's; of one in a store a copy, its films only if they are asked for."""
        with _held(self._kept / box_id):
            async with self._launcher.record(box_id) as found:
                if found is not None or self._stored is None or not self._is_asked(box_id):
                    yield found
                    return
        inventory = await self._stored.find(box_id)
        if inventory is None or RECORD not in inventory.files or self.copies is None:
            yield None
            return
        async with self.copies.reading(box_id, inventory, films=films) as copy:
            yield copy

    def _is_asked(self, box_id: str) -> bool:
        """Whether a store may have it: not of a box that runs here."""
        return not (self._boxes / box_id).exists()


class Uploads:
    """Moves what ended sessions left from this host's disk to the store; what fails stays, and is tried again."""

    def __init__(
        self,
        settings: PlaneSettings,
        stored: StoredBoxes,
        copies: RecordCopies,
        live_boxes: Callable[[], Awaitable[Collection[str]]],
        metrics: ControlMetrics,
    ) -> None:
        self._boxes = settings.state_dir / "boxes"
        self._kept = (settings.state_dir / "kept").resolve()
        self._retain = settings.retain * _DAY
        self._stored = stored
        self._copies = copies
        self._live_boxes = live_boxes
        self._metrics = metrics
        self._forget_at = 0.0
        # Uploaded, and still there because somebody reads it.
        self._done: set[str] = set()
        self._failures: dict[str, int] = {}
        # For checks and metrics: how many wait, since when (0 for none), and what went wrong last.
        self.waiting = 0
        self.waiting_since = 0.0
        self.trouble = ""
        metrics.watch_uploads(lambda: self.waiting, lambda: time.time() - self.waiting_since if self.waiting else 0.0)

    async def keep_uploading(self) -> None:
        """Runs as long as the control plane."""
        await anyio.to_thread.run_sync(self._copies.clean)
        pause = _LOOK_SECONDS
        while True:
            is_well = await self.look()
            pause = _LOOK_SECONDS if is_well else min(pause * 2, _MOST_PAUSE)
            await anyio.sleep(pause)

    async def look(self) -> bool:
        """One round; whether the store took all that it was given."""
        try:
            live = await self._live_boxes()
        except DatabaseUnavailable:
            return True
        await self._copies.remove_unused()
        # Of several control planes with one state folder one does it.
        with _turn(self._kept.parent / "uploads.lock") as is_ours:
            return not is_ours or await self._move(live)

    async def _move(self, live: Collection[str]) -> bool:
        folders = await anyio.to_thread.run_sync(self._find, live)
        self._note(folders)
        try:
            for folder in folders:
                if folder.name not in self._done:
                    await self._upload(folder)
                if await anyio.to_thread.run_sync(_removed, folder):
                    self._done.discard(folder.name)
            if time.monotonic() >= self._forget_at:
                if gone := await self._stored.forget(time.time() - self._retain):
                    log.info("artifacts.forgotten", boxes=gone)
                self._forget_at = time.monotonic() + _FORGET_EVERY
        except (ArtifactsUnavailable, OSError) as error:
            self.trouble = str(error)
            self._metrics.uploaded("failed")
            log.warning("artifacts.not_uploaded", waiting=len(folders), error=str(error))
            self._note(await anyio.to_thread.run_sync(self._find, live))
            return False
        self.trouble = ""
        self._note(())
        return True

    async def _upload(self, folder: Path) -> None:
        began = time.monotonic()
        self._failures[folder.name] = self._failures.get(folder.name, 0) + 1
        size = await self._stored.put(folder)
        del self._failures[folder.name]
        self._done.add(folder.name)
        self._metrics.uploaded("ok", size)
        log.info("artifacts.uploaded", box_id=folder.name, bytes=size, seconds=round(time.monotonic() - began, 2))

    def _find(self, live: Collection[str]) -> list[Path]:
        """What nobody adds to any more: what never worked last, so that it is in nobody's way.  Blocks."""
        found = []
        for folder in self._kept.iterdir() if self._kept.is_dir() else ():
            is_over = folder.name not in live and not (self._boxes / folder.name).exists()
            if is_over and not folder.name.startswith("."):
                # What is too old to be kept may be removed meanwhile.
                with suppress(FileNotFoundError):
                    found.append((self._failures.get(folder.name, 0), folder.stat().st_mtime, folder))
        return [folder for _, _, folder in sorted(found)]

    def _note(self, folders: Sequence[Path]) -> None:
        self.waiting = len(folders)
        self.waiting_since = min((folder.stat().st_mtime for folder in folders if folder.exists()), default=0.0)


@asynccontextmanager
async def open_artifacts(
    settings: PlaneSettings,
    installation: str,
    launcher: Launcher,
    live_boxes: Callable[[], Awaitable[Collection[str]]],
    metrics: ControlMetrics,
) -> AsyncIterator[tuple[SessionArtifacts, Uploads | None]]:
    """For as long as the block; at its end what is left is uploaded, if that does not take long."""
    if settings.artifacts is None:
        yield SessionArtifacts(launcher, settings.state_dir), None
        return
    store = ObjectStore(settings.artifacts, settings.artifacts_endpoint, settings.artifacts_region)
    stored = StoredBoxes(store, installation)
    artifacts = SessionArtifacts(launcher, settings.state_dir, stored)
    assert artifacts.copies is not None
    uploads = Uploads(settings, stored, artifacts.copies, live_boxes, metrics)
    try:
        yield artifacts, uploads
    finally:
        with anyio.move_on_after(_LAST_SECONDS, shield=True):
            await uploads.look()
        artifacts.copies.close()


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """It is not removed meanwhile."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        yield
        return
    try:
        # Who cannot have it comes while it is being removed, when the store has it.
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _removed(folder: Path) -> bool:
    """Whether nobody read it.  Blocks."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        # Out of the way at once: who comes now finds nothing here, and asks the store.
        gone = folder.with_name(f".{folder.name}")
        folder.rename(gone)
        remove_folder(gone)
        return True
    finally:
        os.close(descriptor)


@contextmanager
def _turn(path: Path) -> Iterator[bool]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = True
    except BlockingIOError:
        is_ours = False
    try:
        yield is_ours
    finally:
        os.close(descriptor)
