"""Retention: how much of a record is kept, and how long; films go with the part of it that they show."""

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import anyio

from belljar.box.record.writer import Record
from belljar.logs import log
from belljar.problems import Problem
from belljar.record.segments import Segment, segments
from belljar.record.selection import PICTURES
from belljar.tasks import background
from belljar.wire.desktop import RecordingList
from belljar.wire.record import EventKind

LOOK_SECONDS = 60.0


class Films(Protocol):
    async def list(self) -> RecordingList: ...

    async def delete(self, id: str) -> None: ...


@dataclass(frozen=True)
class Retention:
    """None is no limit."""

    max_bytes: int | None
    max_seconds: float | None


@asynccontextmanager
async def retained(record: Record, films: Films, retention: Retention) -> AsyncIterator[None]:
    """Holds a record and its films to what may be kept, at once and each minute, as long as the block lasts."""

    async def keep_within() -> None:
        while True:
            try:
                await prune(record, films, retention)
            except OSError as error:
                log.warning("record.cannot_prune", error=os.strerror(error.errno or 0))
            await anyio.sleep(LOOK_SECONDS)

    async with background(keep_within, name="retention of the record"):
        yield


async def prune(record: Record, films: Films, retention: Retention) -> None:
    """Remove what is too old or too much, oldest first, by whole segments; pictures and films of that time with it."""
    if not record.is_open:
        return
    if _is_over(record.folder, retention):
        # The one that is being written can only go when another has begun.
        await record.begin_segment()
    removed = await record.in_writers_thread(lambda: _remove(record.folder, retention))
    if not removed:
        return
    kept_from = _began(segments(record.folder))
    if kept_from is not None:
        await _remove_films(films, kept_from)
    events = {"segments": len(removed), "oldest": record.reader.oldest()}
    log.info("record.pruned", **events)
    record.bus.tell(EventKind.SYSTEM, "retention", data=events)


def _is_over(folder: Path, retention: Retention) -> bool:
    """Whether all that there is, the newest segment too, has been kept for long enough."""
    found = segments(folder)
    return bool(found) and found[-1] in _expired(found, retention)


def _expired(found: list[Segment], retention: Retention) -> list[Segment]:
    if retention.max_seconds is None:
        return []
    before = time.time() - retention.max_seconds
    return [segment for segment in found if _ended(segment.path) < before]


def _remove(folder: Path, retention: Retention) -> list[Segment]:
    """What went.  The newest segment stays: the next number is read from it."""
    found = segments(folder)
    expired = _expired(found, retention)
    total = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    removed: list[Segment] = []
    for segment in found[:-1]:
        is_too_much = retention.max_bytes is not None and total > retention.max_bytes
        if segment not in expired and not is_too_much:
            break
        total -= segment.size
        total -= _remove_pictures(folder / PICTURES, until=_ended(segment.path))
        segment.path.unlink(missing_ok=True)
        removed.append(segment)
    if retention.max_bytes is not None and total > retention.max_bytes:
        _remove_oldest_pictures(folder / PICTURES, total - retention.max_bytes)
    return removed


def _remove_oldest_pictures(folder: Path, too_much: int) -> None:
    """Of the newest segment, which stays itself: its events take little beside what they show."""
    found = [(about.st_mtime, about.st_size, path) for path, about in _pictures(folder)]
    for _, size, path in sorted(found):
        if too_much <= 0:
            return
        path.unlink(missing_ok=True)
        too_much -= size


def _pictures(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """With what a killed box left half written."""
    found = []
    for path in folder.glob("*"):
        with suppress(FileNotFoundError):
            found.append((path, path.stat()))
    return found


def _remove_pictures(folder: Path, until: float) -> int:
    """How many bytes went; a picture that was taken again is as new as the last time."""
    freed = 0
    for picture, about in _pictures(folder):
        if about.st_mtime <= until:
            picture.unlink(missing_ok=True)
            freed += about.st_size
    return freed


def _began(found: list[Segment]) -> float | None:
    """When the oldest event that is left happened, in seconds since 1970."""
    for segment in found:
        if (first := segment.first_time()) is not None:
            return first / 1e6
    return None


def _ended(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


async def _remove_films(films: Films, before: float) -> None:
    for film in (await films.list()).recordings:
        if film.ended_at is not None and datetime.fromisoformat(film.ended_at).timestamp() < before:
            try:
                await films.delete(film.id)
            except Problem as problem:
                # Somebody else has, or it is being looked at.
                log.info("record.film_stays", film=film.id, reason=problem.code)
