"""The last minutes of what a session shows, in a ring on disk, and how they become a film."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import anyio

from belljar.box.desktop.recording.catalogue import Note, now, timestamp
from belljar.box.desktop.recording.film import Film
from belljar.box.desktop.recording.recordings import Recordings, Slot, Subject, chapters_of
from belljar.box.record.bus import Bus
from belljar.logs import log
from belljar.problems import Conflict, StreamError
from belljar.problems.box import DiskFull
from belljar.record import film_ring
from belljar.tasks import background
from belljar.wire.desktop import Recording, RecordingStatus

# The encoder copies the film once to give it its index.
_INDEX_SECONDS = 30.0


class RingFilm:
    """One ring; filmed into by one film after another, of which it has the last.

    `keep` makes a recording of it, and ends that film: whoever films begins another.
    """

    def __init__(self, recordings: Recordings, bus: Bus, seconds: float) -> None:
        self._recordings = recordings
        self._bus = bus
        self._seconds = seconds
        self._folder: Path = recordings.catalogue.folder / film_ring.FOLDER
        self._film: Film | None = None
        self._about: dict[str, Any] = {}
        self._done = anyio.Event()
        # Nobody films into a ring of which a film is being made.
        self._turn = anyio.Lock()

    async def film(self, subject: Subject) -> str | None:
        """Until the subject is gone, or `stop`; why it failed, where it did.  Raises `Conflict`."""
        async with self._turn:
            try:
                worker = await self._recordings.workers[Slot.SESSION].get()
            except StreamError as error:
                raise Conflict("the encoder could not be started") from error
            film = subject.make(worker, str(self._folder), None)
            film.ring_seconds = self._seconds
            # A beginning that is not written yet is read with the catalogue: what a killed server left goes first.
            await self._recordings.list()
            self._about = {**subject.about, "process_id": worker.process.id, "started_at": now()}
            self._film, self._done = film, anyio.Event()
        off = chapters_of(film, self._bus)
        try:
            async with background(lambda: self._note_beginning(film), name="beginning of a ring"):
                await film.run()
        finally:
            off()
            self._done.set()
        return film.error

    def stop(self) -> None:
        if self._film is not None:
            self._film.stop()

    async def end(self) -> None:
        """As `stop`; returns when what was filmed is in the ring."""
        async with self._ended():
            pass

    async def keep(self) -> Recording | None:
        """A recording of what is in the ring; None where nothing is.  Raises `DiskFull`."""
        async with self._ended() as film:
            if film is None or film.began is None:
                return None
            await self._recordings.room()
            catalogue = self._recordings.catalogue
            try:
                note = await anyio.to_thread.run_sync(lambda: catalogue.new(**self._about_new()))
            except OSError as error:
                raise DiskFull() from error
            path = catalogue.film(note.id)
            try:
                joined = await anyio.to_thread.run_sync(film_ring.join, self._folder, path)
            except (OSError, ValueError) as error:
                log.warning("recording.not_kept", error=type(error).__name__)
                joined = None
            if joined is None:
                await anyio.to_thread.run_sync(catalogue.delete, note)
                raise DiskFull()
            note = replace(note, **film_ring.about_joined(self._recordings.times(film), joined))
            note = replace(note, gaps=_gaps_since(note), status=RecordingStatus.COMPLETED, ended_at=now())
            if note.first_frame is not None:
                note = replace(note, started_at=timestamp(note.first_frame["t"] / 1e6))
            await self._index(path, film.chapters(joined.began), joined)
            await anyio.to_thread.run_sync(catalogue.keep, note)
            await anyio.to_thread.run_sync(film_ring.clear, self._folder)
            self._film = None
        self._tell(note)
        return await self._recordings.get(note.id)

    async def remove(self) -> None:
        """End it; nothing is left."""
        async with self._ended():
            self._film = None
            await anyio.to_thread.run_sync(film_ring.remove, self._folder)

    @asynccontextmanager
    async def _ended(self) -> AsyncIterator[Film | None]:
        """The last film, which has ended; no other begins while the block lasts."""
        async with self._turn:
            if self._film is not None:
                self._film.stop()
                await self._done.wait()
            yield self._film

    async def _note_beginning(self, film: Film) -> None:
        await film.timed.until(lambda: film.began is not None)
        whole = Note(0, RecordingStatus.RECORDING, **self._about, **self._recordings.times(film))
        await anyio.to_thread.run_sync(film_ring.note, self._folder, asdict(whole))
        await anyio.sleep_forever()

    def _about_new(self) -> dict[str, Any]:
        return {name: value for name, value in self._about.items() if name != "started_at"}

    async def _index(self, path: Path, chapters: list[dict[str, object]], joined: film_ring.Joined) -> None:
        """Give it chapters, and its index in front.  Without an encoder it plays as it is."""
        milliseconds = round((joined.ended - joined.began) * 1000)
        with anyio.move_on_after(_INDEX_SECONDS):
            try:
                worker = await self._recordings.workers[Slot.SESSION].get()
            except StreamError:
                return
            await worker.index(str(path), milliseconds, chapters)

    def _tell(self, note: Note) -> None:
        log.info("recording.kept", id=note.id, duration_ms=note.duration_ms)
        shape = {"fps": note.fps, "width": note.width, "height": note.height, "kind": note.source}
        self._recordings.tell("started", note, shape)
        if note.first_frame is not None:
            self._recordings.tell("first_frame", note, {}, mono=note.first_frame["mono"])
        for gap in note.gaps:
            self._recordings.tell("gap.begin", note, {"reason": gap["reason"]}, mono=gap["from"]["mono"])
            if gap["to"] is not None:
                self._recordings.tell("gap.end", note, {}, mono=gap["to"]["mono"])
        ended = {"status": note.status, "durationMs": note.duration_ms}
        self._recordings.tell("ended", note, ended)


def _gaps_since(note: Note) -> tuple[dict[str, Any], ...]:
    """Those that the kept part shows."""
    began = 0 if note.first_frame is None else note.first_frame["mono"]
    return tuple(gap for gap in note.gaps if gap["to"] is None or gap["to"]["mono"] > began)
