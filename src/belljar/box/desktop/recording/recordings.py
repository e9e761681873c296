"""Recordings: start, stop, list, delete; one at a time."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from belljar.box.desktop.recording.catalogue import Catalogue, Note, now
from belljar.box.desktop.recording.take import Take
from belljar.box.desktop.recording.worker import Workers
from belljar.box.display import Display
from belljar.box.display.pixels import Area
from belljar.box.process import Processes
from belljar.logs import log
from belljar.problems import Conflict, NotFound, Problem, StreamError
from belljar.problems.files import DiskFull
from belljar.wire.desktop import Recording, RecordingList, RecordingStatus

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
