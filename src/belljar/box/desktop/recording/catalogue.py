"""Recordings on disk: a film and a note about it, so that the list outlives the server."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from belljar.state import make_private_folder
from belljar.wire.desktop import Recording, RecordingStatus

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
