"""Recordings: start, stop, list, delete, one at a time; and their catalogue on disk."""

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from belljar.box.desktop.recording.take import Take
from belljar.box.desktop.recording.worker import Workers
from belljar.box.display import Display
from belljar.box.display.x11.pixels import Area
from belljar.box.process import Processes
from belljar.logs import log
from belljar.problems import Conflict, NotFound, Problem, StreamError
from belljar.problems.box import DiskFull
from belljar.state import make_private_folder
from belljar.wire.desktop import Recording, RecordingList, RecordingStatus

_NAME = re.compile(r"rec_(\d+)")


@dataclass(frozen=True)
class Note:
    """What is known of a recording beside its film."""

    number: int
    status: RecordingStatus
    started_at: str
    fps: int
    width: int
    height: int
    ended_at: str | None = None
    duration_ms: int | None = None
    error: str | None = None
    process_id: str | None = None

    @property
    def id(self) -> str:
        return f"rec_{self.number}"


class Catalogue:
    """Every recording in `folder`.  Methods touch the disk: call them in a worker thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._notes: dict[str, Note] | None = None
        self._last_number = 0

    def new(self, *, fps: int, width: int, height: int, process_id: str) -> Note:
        notes = self._read()
        make_private_folder(self.folder)
        self._last_number += 1
        note = Note(self._last_number, RecordingStatus.RECORDING, now(), fps, width, height, process_id=process_id)
        self.film(note.id).touch(mode=0o600)
        self.keep(note)
        return notes[note.id]

    def keep(self, note: Note) -> None:
        """Write a note down, whole or not at all.  Where the disk is full it is kept in memory."""
        self._read()[note.id] = note
        file = self.folder / f"{note.id}.json"
        part = file.with_suffix(".json.part")
        try:
            part.write_text(json.dumps(asdict(note)))
            os.replace(part, file)
        except OSError:
            part.unlink(missing_ok=True)

    def get(self, id: str) -> Note | None:
        return self._read().get(id)

    def describe_all(self) -> list[Recording]:
        return [self.describe(note) for note in sorted(self._read().values(), key=lambda note: note.number)]

    def delete(self, note: Note) -> None:
        for file in (self.film(note.id), self.folder / f"{note.id}.json"):
            file.unlink(missing_ok=True)
        self._read().pop(note.id, None)

    def film(self, id: str) -> Path:
        return self.folder / f"{id}.mp4"

    def describe(self, note: Note) -> Recording:
        film = self.film(note.id)
        return Recording(
            id=note.id,
            status=note.status,
            process_id=note.process_id,
            file_name=film.name,
            bytes=film.stat().st_size if film.exists() else 0,
            started_at=note.started_at,
            ended_at=note.ended_at,
            duration_ms=note.duration_ms,
            width=note.width,
            height=note.height,
            fps=note.fps,
            error=note.error,
        )

    def _read(self) -> dict[str, Note]:
        if self._notes is None:
            self._notes = {note.id: note for note in self._notes_on_disk()}
            films = [int(found[1]) for path in self._files() if (found := _NAME.match(path.name))]
            self._last_number = max(films, default=0)
        return self._notes

    def _notes_on_disk(self) -> Iterator[Note]:
        for file in self._files():
            if file.suffix != ".json":
                continue
            try:
                fields = json.loads(file.read_text())
                note = Note(**fields | {"status": RecordingStatus(fields["status"])})
            except (OSError, ValueError, TypeError, KeyError):
                continue
            yield _after_restart(note, self.film(note.id))

    def _files(self) -> list[Path]:
        return list(self.folder.iterdir()) if self.folder.is_dir() else []


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _after_restart(note: Note, film: Path) -> Note:
    """A recording that was running when the server was killed has ended; its film plays up to that moment."""
    if note.status is not RecordingStatus.RECORDING:
        return note
    ended = datetime.fromtimestamp(film.stat().st_mtime, UTC) if film.exists() else None
    return replace(
        note,
        status=RecordingStatus.FAILED,
        ended_at=ended.isoformat(timespec="microseconds") if ended else None,
        error="the server ended while it was recording",
    )


SLOWEST, FASTEST = 1, 60


class Recordings:
    """`why_none` says why there is no display to film."""

    def __init__(
        self,
        processes: Processes,
        display: Display,
        folder: Path,
        tasks: TaskGroup,
        why_none: Callable[[], Problem],
        most_bytes: int | None,
    ) -> None:
        """`most_bytes` is what all films together may take."""
        self._display = display
        self._why_none = why_none
        self._tasks = tasks
        self._workers = Workers(processes)
        self._catalogue = Catalogue(folder)
        self._most_bytes = most_bytes
        self._current: _Current | None = None
        self._turn = anyio.Lock()

    @property
    def is_recording(self) -> bool:
        return self._current is not None

    async def start(self, fps: int) -> Recording:
        fps = max(SLOWEST, min(FASTEST, fps))
        async with self._turn:
            if self._current is not None:
                raise Conflict(f"a recording is active already: {self._current.note.id}")
            if self._display.mode is None:
                raise Conflict(self._why_none().detail)
            size = self._display.resolution
            area = Area(0, 0, size.width, size.height)
            try:
                worker = await self._workers.get()
            except StreamError as error:
                raise Conflict("the encoder could not be started") from error
            room = await self._room()
            picture = {"width": area.width, "height": area.height}
            try:
                note = await anyio.to_thread.run_sync(
                    lambda: self._catalogue.new(fps=fps, **picture, process_id=worker.process.id)
                )
            except OSError as error:
                raise DiskFull() from error
            path = str(self._catalogue.film(note.id))
            take = Take(worker, path, area, fps, self._display.connection, room)
            self._current = _Current(note, take)
            self._tasks.start_soon(self._run, self._current, name=f"recording {note.id}")
            log.info("recording.started", id=note.id, fps=fps)
            return await self.get(note.id)

    async def _room(self) -> int | None:
        """Bytes that one more film may have, None for any number.  Raises `DiskFull`."""
        if self._most_bytes is None:
            return None
        taken = sum(film.bytes for film in await anyio.to_thread.run_sync(self._catalogue.describe_all))
        if taken >= self._most_bytes:
            raise DiskFull()
        return self._most_bytes - taken

    async def stop(self) -> Recording:
        """Finish the film; returns when it is whole."""
        current = self._current
        if current is None:
            raise Conflict("no recording is active")
        current.take.stop()
        await current.done.wait()
        return await self.get(current.note.id)

    async def finish(self) -> None:
        """The display is about to stop: complete what is being recorded."""
        if self._current is not None:
            await self.stop()

    async def close(self) -> None:
        await self.finish()
        self._workers.close()

    async def list(self) -> RecordingList:
        return RecordingList(recordings=await anyio.to_thread.run_sync(self._catalogue.describe_all))

    async def get(self, id: str) -> Recording:
        note = await self._note(id)
        return await anyio.to_thread.run_sync(lambda: self._catalogue.describe(note))

    async def film(self, id: str) -> Path:
        """The file to download; while it is being recorded, the part that there is."""
        return self._catalogue.film((await self._note(id)).id)

    async def delete(self, id: str) -> None:
        note = await self._note(id)
        if self._current is not None and self._current.note.id == id:
            raise Conflict(f"recording {id} is active: stop it first")
        await anyio.to_thread.run_sync(lambda: self._catalogue.delete(note))

    async def _note(self, id: str) -> Note:
        note = await anyio.to_thread.run_sync(lambda: self._catalogue.get(id))
        if note is None:
            raise NotFound("desktop_recording", id[:100])
        return note

    async def _run(self, current: "_Current") -> None:
        try:
            await current.take.run()
        finally:
            with anyio.CancelScope(shield=True):
                await self._settle(current)
        await self._workers.end_when_idle()

    async def _settle(self, current: "_Current") -> None:
        take = current.take
        ended = replace(
            current.note,
            status=RecordingStatus.FAILED if take.error else RecordingStatus.COMPLETED,
            ended_at=now(),
            duration_ms=round(take.duration * 1000),
            error=take.error,
        )
        await anyio.to_thread.run_sync(lambda: self._catalogue.keep(ended))
        log.info("recording.ended", id=ended.id, status=ended.status, error=take.error)
        self._current = None
        current.done.set()


class _Current:
    def __init__(self, note: Note, take: Take) -> None:
        self.note = note
        self.take = take
        self.done = anyio.Event()
