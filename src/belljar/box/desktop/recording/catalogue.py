"""The catalogue of recordings on disk: a film and a note for each."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from belljar.logs import log
from belljar.record import film_ring
from belljar.state import make_private_folder
from belljar.wire.desktop import FilmMoment, Recording, RecordingGap, RecordingSource, RecordingStatus

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
            if (film := self._recovered()) is not None:
                log.info("recording.recovered", id=film)
            self._notes = {note.id: note for note in self._notes_on_disk()}
            films = [int(found[1]) for path in self._files() if (found := _NAME.match(path.name))]
            self._last_number = max(films, default=0)
        return self._notes

    def _recovered(self) -> str | None:
        """What a killed server left in its ring."""
        try:
            return film_ring.recover(self.folder)
        except (OSError, ValueError) as error:
            log.warning("recording.not_recovered", error=type(error).__name__)
            return None

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


def timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def _after_restart(note: Note, film: Path) -> Note:
    """A recording that was running when the server was killed has ended; its film plays up to that moment."""
    if note.status is not RecordingStatus.RECORDING:
        return note
    return replace(
        note,
        status=RecordingStatus.FAILED,
        ended_at=timestamp(film.stat().st_mtime) if film.exists() else None,
        error="the server ended while it was recording",
    )
