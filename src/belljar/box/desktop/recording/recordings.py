"""Recordings: start, stop, list, delete, one at a time; and their catalogue on disk."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from belljar.box.desktop.recording.film import Film
from belljar.box.desktop.recording.picture_film import FASTEST_PICTURES, PictureFilm, PictureSource
from belljar.box.desktop.recording.shared import SharedVideo
from belljar.box.desktop.recording.take import ScreenFilm
from belljar.box.desktop.recording.worker import Worker, Workers
from belljar.box.display import Display
from belljar.box.display.x11.pixels import Area
from belljar.box.process import Processes
from belljar.box.record.bus import Bus, Happening
from belljar.logs import log
from belljar.problems import Conflict, NotFound, Problem, StreamError
from belljar.problems.box import DiskFull
from belljar.state import make_private_folder
from belljar.tasks import background
from belljar.wire.desktop import FilmMoment, Recording, RecordingGap, RecordingList, RecordingSource, RecordingStatus
from belljar.wire.record import EventKind

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
    source: str = RecordingSource.DISPLAY
    tab_id: str | None = None
    # As they are told.
    first_frame: dict[str, Any] | None = None
    gaps: tuple[dict[str, Any], ...] = ()

    @property
    def id(self) -> str:
        return f"rec_{self.number}"


class Catalogue:
    """Every recording in `folder`.  Methods touch the disk: call them in a worker thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._notes: dict[str, Note] | None = None
        self._last_number = 0

    def new(self, **about: Any) -> Note:
        """A recording that begins now; `about` it is what a note has."""
        notes = self._read()
        make_private_folder(self.folder)
        self._last_number += 1
        note = Note(self._last_number, RecordingStatus.RECORDING, now(), **about)
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
            first_frame=None if note.first_frame is None else FilmMoment.model_validate(note.first_frame),
            gaps=[RecordingGap.model_validate(gap) for gap in note.gaps] or None,
            duration_ms=note.duration_ms,
            width=note.width,
            height=note.height,
            fps=note.fps,
            source=RecordingSource(note.source),
            tab_id=note.tab_id,
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
                kept = {"status": RecordingStatus(fields["status"]), "gaps": tuple(fields.get("gaps", ()))}
                note = Note(**fields | kept)
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
        bus: Bus,
    ) -> None:
        """`most_bytes` is what all films together may take; `bus` hears of them, and has their clock."""
        self._display = display
        self._why_none = why_none
        self._tasks = tasks
        self._workers = Workers(processes)
        self._catalogue = Catalogue(folder)
        self._most_bytes = most_bytes
        self._bus = bus
        self._current: _Current | None = None
        # The screen as it is encoded for viewers, where there can be any.
        self.video: SharedVideo | None = None
        self._turn = anyio.Lock()

    @property
    def is_recording(self) -> bool:
        return self._current is not None

    async def start(self, fps: int) -> Recording:
        """Film the display."""
        fps = max(SLOWEST, min(FASTEST, fps))
        async with self._turn:
            if self._display.mode is None:
                raise Conflict(self._why_none().detail)
            size = self._display.resolution
            area = Area(0, 0, size.width, size.height)

            def make(worker: Worker, path: str, room: int | None) -> Film:
                return ScreenFilm(worker, path, area, fps, self._display.connection, room, self.video)

            return await self._start(make, fps=fps, width=area.width, height=area.height)

    async def start_pictures(self, source: PictureSource, fps: int, tab_id: str | None) -> Recording:
        """Film a tab: pictures that `source` gives."""
        fps = max(SLOWEST, min(FASTEST_PICTURES, fps))
        about = {"source": RecordingSource.TAB, "tab_id": tab_id, "width": source.width, "height": source.height}
        async with self._turn:
            return await self._start(
                lambda worker, path, room: PictureFilm(worker, path, source, fps, room), fps=fps, **about
            )

    async def _start(self, make: Callable[[Worker, str, int | None], Film], **about: Any) -> Recording:
        if self._current is not None:
            raise Conflict(f"a recording is active already: {self._current.note.id}")
        try:
            worker = await self._workers.get()
        except StreamError as error:
            raise Conflict("the encoder could not be started") from error
        room = await self._room()
        try:
            note = await anyio.to_thread.run_sync(lambda: self._catalogue.new(**about, process_id=worker.process.id))
        except OSError as error:
            raise DiskFull() from error
        film = make(worker, str(self._catalogue.film(note.id)), room)
        self._current = _Current(note, film, self._bus)
        self._tasks.start_soon(self._run, self._current, name=f"recording {note.id}")
        log.info("recording.started", id=note.id, fps=note.fps, source=note.source)
        shape = {"fps": note.fps, "width": note.width, "height": note.height, "kind": note.source}
        self._tell("started", note, shape)
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
        current.film.stop()
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
        off = self._bus.listen(current.hear)
        try:
            async with background(lambda: self._keep_times(current), name="film times"):
                await current.film.run()
        finally:
            off()
            with anyio.CancelScope(shield=True):
                await self._settle(current)
        await self._workers.end_when_idle()

    async def _keep_times(self, current: "_Current") -> None:
        """Write down when the film began and stood still as soon as that is known: the server may be killed."""
        kept = current.note

        async def keep() -> None:
            nonlocal kept
            kept = self._timed(current)
            self._tell_times(current)
            await anyio.to_thread.run_sync(self._catalogue.keep, kept)

        while True:
            await current.film.timed.until(lambda: self._timed(current) != kept)
            await keep()

    def _timed(self, current: "_Current") -> Note:
        gaps = tuple(
            {
                "reason": gap.reason,
                "from": self._moment(gap.began),
                "to": None if gap.ended is None else self._moment(gap.ended),
            }
            for gap in current.film.gaps
        )
        began = current.film.began
        return replace(current.note, first_frame=None if began is None else self._moment(began), gaps=gaps)

    def _moment(self, monotonic: float) -> dict[str, int]:
        mono = self._bus.clock.at_monotonic(monotonic)
        return {"t": self._bus.clock.origin.wall + mono, "mono": mono}

    def _tell_times(self, current: "_Current") -> None:
        """What of the film's times the record has not heard of."""
        film = current.film
        times: list[tuple[str, float, dict[str, Any]]] = []
        if film.began is not None:
            times.append(("first_frame", film.began, {}))
        for gap in film.gaps:
            times.append(("gap.begin", gap.began, {"reason": gap.reason}))
            if gap.ended is not None:
                times.append(("gap.end", gap.ended, {}))
        for name, at, data in times[current.times_told :]:
            self._tell(name, current.note, data, mono=self._bus.clock.at_monotonic(at))
        current.times_told = len(times)

    def _tell(self, name: str, note: Note, data: dict[str, Any], mono: int | None = None) -> None:
        self._bus.tell(EventKind.FILM, name, tab=note.tab_id, data={"recordingId": note.id, **data}, mono=mono)

    async def _settle(self, current: "_Current") -> None:
        film = current.film
        ended = replace(
            self._timed(current),
            status=RecordingStatus.FAILED if film.error else RecordingStatus.COMPLETED,
            ended_at=now(),
            duration_ms=round(film.duration * 1000),
            error=film.error,
        )
        await anyio.to_thread.run_sync(lambda: self._catalogue.keep(ended))
        log.info("recording.ended", id=ended.id, status=ended.status, error=film.error)
        self._tell_times(current)
        self._tell("ended", ended, {"status": ended.status, "durationMs": ended.duration_ms, "error": ended.error})
        self._current = None
        current.done.set()


class _Current:
    def __init__(self, note: Note, film: Film, bus: Bus) -> None:
        self._origin = bus.clock.origin.mono
        self.note = note
        self.film = film
        self.done = anyio.Event()
        # How many of the film's times the record has.
        self.times_told = 0

    def hear(self, event: Happening) -> None:
        """A mark begins a chapter."""
        if event.kind == EventKind.MARK and isinstance(event.data, Mapping):
            self.film.mark(str(event.data.get("mark", "")), (event.mono + self._origin) / 1e6)
