"""Recordings: start, stop, list, delete; one at a time for callers, and one of the session."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from belljar.box.desktop.recording.catalogue import Catalogue, Note, now
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
from belljar.tasks import background
from belljar.wire.desktop import Recording, RecordingList, RecordingSource, RecordingStatus
from belljar.wire.record import EventKind

SLOWEST, FASTEST = 1, 60


class Slot(Enum):
    """Who wants a film: there may be one for each."""

    CALLER = auto()
    SESSION = auto()


@dataclass(frozen=True)
class Subject:
    """What is filmed: `make` a film of it in a worker, at a path, of so many bytes at most; and what a note says."""

    make: Callable[[Worker, str, int | None], Film]
    about: Mapping[str, Any]


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
        self.workers = {slot: Workers(processes) for slot in Slot}
        self.catalogue = Catalogue(folder)
        self._most_bytes = most_bytes
        self._bus = bus
        # The screen as it is encoded for viewers, where there can be any.
        self.video: SharedVideo | None = None
        self._films: dict[Slot, _Current] = {}
        self._turn = anyio.Lock()
        # Called when the display is about to stop, or the server.
        self.before_finish: list[Callable[[], Awaitable[None]]] = []

    @property
    def is_recording(self) -> bool:
        """For a caller; the session's own film goes on by itself where it must be begun anew."""
        return Slot.CALLER in self._films

    def of_display(self, fps: int) -> Subject:
        """Raises `Conflict` where there is none."""
        fps = max(SLOWEST, min(FASTEST, fps))
        if self._display.mode is None:
            raise Conflict(self._why_none().detail)
        size = self._display.resolution
        area = Area(0, 0, size.width, size.height)

        def make(worker: Worker, path: str, room: int | None) -> Film:
            return ScreenFilm(worker, path, area, fps, self._display.connection, room, self.video)

        return Subject(make, {"fps": fps, "width": area.width, "height": area.height})

    def of_pictures(self, source: PictureSource, fps: int, tab_id: str | None) -> Subject:
        fps = max(SLOWEST, min(FASTEST_PICTURES, fps))
        about = {"source": RecordingSource.TAB, "tab_id": tab_id, "width": source.width, "height": source.height}
        return Subject(lambda worker, path, room: PictureFilm(worker, path, source, fps, room), about | {"fps": fps})

    async def start(self, fps: int) -> Recording:
        """Film the display."""
        async with self._turn:
            return await self._start(self.of_display(fps), Slot.CALLER)

    async def start_pictures(self, source: PictureSource, fps: int, tab_id: str | None) -> Recording:
        """Film a tab: pictures that `source` gives."""
        async with self._turn:
            return await self._start(self.of_pictures(source, fps, tab_id), Slot.CALLER)

    async def start_for_session(self, subject: Subject) -> Recording:
        async with self._turn:
            return await self._start(subject, Slot.SESSION)

    async def _start(self, subject: Subject, slot: Slot) -> Recording:
        if (active := self._films.get(slot)) is not None:
            raise Conflict(f"a recording is active already: {active.note.id}")
        try:
            worker = await self.workers[slot].get()
        except StreamError as error:
            raise Conflict("the encoder could not be started") from error
        room = await self.room()
        about = {**subject.about, "process_id": worker.process.id}
        try:
            note = await anyio.to_thread.run_sync(lambda: self.catalogue.new(**about))
        except OSError as error:
            raise DiskFull() from error
        film = subject.make(worker, str(self.catalogue.film(note.id)), room)
        self._films[slot] = current = _Current(note, film, slot)
        self._tasks.start_soon(self._run, current, name=f"recording {note.id}")
        log.info("recording.started", id=note.id, fps=note.fps, source=note.source)
        shape = {"fps": note.fps, "width": note.width, "height": note.height, "kind": note.source}
        self.tell("started", note, shape)
        return await self.get(note.id)

    async def room(self) -> int | None:
        """Bytes that one more film may have, None for any number.  Raises `DiskFull`."""
        if self._most_bytes is None:
            return None
        taken = sum(film.bytes for film in await anyio.to_thread.run_sync(self.catalogue.describe_all))
        if taken >= self._most_bytes:
            raise DiskFull()
        return self._most_bytes - taken

    async def stop(self, slot: Slot = Slot.CALLER) -> Recording:
        """Finish the film; returns when it is whole."""
        current = self._films.get(slot)
        if current is None:
            raise Conflict("no recording is active")
        current.film.stop()
        await current.done.wait()
        return await self.get(current.note.id)

    async def ended(self, slot: Slot) -> str | None:
        """Wait for the end of the film, if there is one; why it failed, where it did."""
        current = self._films.get(slot)
        if current is None:
            return None
        await current.done.wait()
        return current.film.error

    async def finish(self) -> None:
        """The display is about to stop: complete what is being recorded."""
        for finish in self.before_finish:
            await finish()
        for slot in tuple(self._films):
            await self.stop(slot)

    async def close(self) -> None:
        await self.finish()
        for workers in self.workers.values():
            workers.close()

    async def list(self) -> RecordingList:
        return RecordingList(recordings=await anyio.to_thread.run_sync(self.catalogue.describe_all))

    async def get(self, id: str) -> Recording:
        note = await self._note(id)
        return await anyio.to_thread.run_sync(lambda: self.catalogue.describe(note))

    async def film(self, id: str) -> Path:
        """The file to download; while it is being recorded, the part that there is."""
        return self.catalogue.film((await self._note(id)).id)

    async def delete(self, id: str) -> None:
        note = await self._note(id)
        if any(current.note.id == id for current in self._films.values()):
            raise Conflict(f"recording {id} is active: stop it first")
        await anyio.to_thread.run_sync(lambda: self.catalogue.delete(note))

    async def _note(self, id: str) -> Note:
        note = await anyio.to_thread.run_sync(lambda: self.catalogue.get(id))
        if note is None:
            raise NotFound("desktop_recording", id[:100])
        return note

    async def _run(self, current: "_Current") -> None:
        off = chapters_of(current.film, self._bus)
        try:
            async with background(lambda: self._keep_times(current), name="film times"):
                await current.film.run()
        finally:
            off()
            with anyio.CancelScope(shield=True):
                await self._settle(current)
        await self.workers[current.slot].end_when_idle()

    async def _keep_times(self, current: "_Current") -> None:
        """Write down when the film began and stood still as soon as that is known: the server may be killed."""
        kept = current.note

        async def keep() -> None:
            nonlocal kept
            kept = self.timed(current)
            self._tell_times(current)
            await anyio.to_thread.run_sync(self.catalogue.keep, kept)

        while True:
            await current.film.timed.until(lambda: self.timed(current) != kept)
            await keep()

    def timed(self, current: "_Current") -> Note:
        return replace(current.note, **self.times(current.film))

    def times(self, film: Film) -> dict[str, Any]:
        """What a note says of them."""
        gaps = tuple(
            {
                "reason": gap.reason,
                "from": self._moment(gap.began),
                "to": None if gap.ended is None else self._moment(gap.ended),
            }
            for gap in film.gaps
        )
        return {"first_frame": None if film.began is None else self._moment(film.began), "gaps": gaps}

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
            self.tell(name, current.note, data, mono=self._bus.clock.at_monotonic(at))
        current.times_told = len(times)

    def tell(self, name: str, note: Note, data: dict[str, Any], mono: int | None = None) -> None:
        self._bus.tell(EventKind.FILM, name, tab=note.tab_id, data={"recordingId": note.id, **data}, mono=mono)

    async def _settle(self, current: "_Current") -> None:
        film = current.film
        ended = replace(
            self.timed(current),
            status=RecordingStatus.FAILED if film.error else RecordingStatus.COMPLETED,
            ended_at=now(),
            duration_ms=round(film.duration * 1000),
            error=film.error,
        )
        await anyio.to_thread.run_sync(lambda: self.catalogue.keep(ended))
        log.info("recording.ended", id=ended.id, status=ended.status, error=film.error)
        self._tell_times(current)
        self.tell("ended", ended, {"status": ended.status, "durationMs": ended.duration_ms, "error": ended.error})
        del self._films[current.slot]
        current.done.set()


def chapters_of(film: Film, bus: Bus) -> Callable[[], None]:
    """Have marks begin chapters from now on.  Returns how to stop."""

    def hear(event: Happening) -> None:
        if isinstance(event.data, Mapping):
            film.mark(str(event.data.get("mark", "")), (event.mono + bus.clock.origin.mono) / 1e6)

    return bus.listen(hear, (EventKind.MARK,))


class _Current:
    def __init__(self, note: Note, film: Film, slot: Slot) -> None:
        self.note = note
        self.film = film
        self.slot = slot
        self.done = anyio.Event()
        # How many of the film's times the record has.
        self.times_told = 0
