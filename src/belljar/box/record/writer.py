"""The record of a box: takes what the bus has, redacts it, and writes it each second in a thread of its own.

No request ever waits for it.  What cannot be written, because a disk is full or too much comes at once, is counted, and
the count is written as an event as soon as something can be.
"""

import fcntl
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

import anyio
import msgspec

from belljar.box.record.bus import SYSTEM, Bus, Happening
from belljar.logs import log
from belljar.record.redaction import MAX_DATA_BYTES, redact, shortened
from belljar.record.segments import Event, Reader, SegmentWriter
from belljar.state import make_private_folder
from belljar.tasks import Signal, background
from belljar.wire.record import LEVELS, EventKind, RecordLevel

# What a killed box may lose of its end.
FLUSH_SECONDS = 1.0
# As often while somebody follows.
FOLLOWED_SECONDS = 0.1

T = TypeVar("T")

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Record:
    """What is written of a bus, and how it is read."""

    def __init__(self, bus: Bus, folder: Path, box: str) -> None:
        self.bus = bus
        # Links lead to where a box keeps its state, at most; below that nobody follows them.
        self.folder = folder.resolve()
        self.reader = Reader(self.folder)
        self.level = RecordLevel.NONE
        self._kinds: frozenset[str] = frozenset()
        # Fired whenever something more can be read.
        self.written = Signal()
        # Called in the writer's thread after each write, with the last number and its chain.
        self.on_flush: list[Callable[[int, str], None]] = []
        self.followers = 0
        self._box = box
        self._segments: SegmentWriter | None = None
        self._lock = anyio.Lock()
        self._thread = anyio.CapacityLimiter(1)
        # What a disk refused, by kind.
        self._refused: Counter[str] = Counter()

    @property
    def is_open(self) -> bool:
        """Whether the folder is this box's to write."""
        return self._segments is not None

    @property
    def newest(self) -> int:
        """The last number that was written; 0 before there is one."""
        return 0 if self._segments is None else self._segments.seq

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Somebody reads along: what happens is written sooner."""
        self.followers += 1
        try:
            yield
        finally:
            self.followers -= 1

    def writes(self, kind: EventKind) -> bool:
        return self.level is not RecordLevel.NONE and kind in self._kinds

    def set_level(self, level: RecordLevel, kinds: Collection[str]) -> None:
        """From now on write these kinds, at this level.  Where the folder is another box's, nothing is."""
        if self._segments is None:
            return
        self.level, self._kinds = level, frozenset(kinds)
        self.bus.write_kinds(() if level is RecordLevel.NONE else self._kinds)

    def tighten(self, level: RecordLevel, kinds: Collection[str] | None) -> None:
        """Write no more than this from now on; what was written stays."""
        fewer = self._kinds if kinds is None else self._kinds.intersection(kinds)
        self.set_level(min(self.level, level, key=LEVELS.index), fewer)

    def open(self) -> None:
        """Go on after what is there.  Raises `OSError` where nothing can be written."""
        make_private_folder(self.folder)
        self._segments = SegmentWriter(self.folder, self.bus.clock.origin, self._box)

    async def run(self) -> None:
        """Writes, until cancelled; idle while nothing comes."""
        while True:
            await self.bus.arrived.until(lambda: bool(self.bus.waiting))
            await anyio.sleep(FOLLOWED_SECONDS if self.followers else FLUSH_SECONDS)
            await self.flush()

    async def flush(self) -> None:
        """Write what waits: for who reads, and at the end.  Returns when it can be read, or was refused."""
        if self._segments is None:
            return
        async with self._lock:
            if not self.bus.waiting and not self.bus.lost:
                return
            taken, lost = self.bus.take(), self.bus.lost
            self.bus.lost = Counter()
            await anyio.to_thread.run_sync(self._write, taken, lost, limiter=self._thread)
        self.written.fire()

    async def begin_segment(self) -> None:
        """Have the next event begin another segment, and tell one: what was written before can go then."""
        async with self._lock:
            if self._segments is not None:
                self._segments.close()
        self.bus.tell(EventKind.SYSTEM, "segment.begun")
        await self.flush()

    async def in_writers_thread(self, work: Callable[[], T]) -> T:
        """Run `work` while nothing is written."""
        return await anyio.to_thread.run_sync(work, limiter=self._thread)

    def _write(self, taken: list[Happening], lost: Mapping[str, int]) -> None:
        assert self._segments is not None
        reports = [*_loss("disk", self._refused, self.bus), *_loss("rate", lost, self.bus)]
        try:
            self._segments.write(self._made([*reports, *taken]))
        except OSError as error:
            if not self._refused:
                log.warning("record.cannot_write", error=os.strerror(error.errno or 0))
            self._refused.update(one.kind for one in taken)
            self._refused.update(lost)
            return
        if self._refused:
            log.info("record.writes_again", lost=sum(self._refused.values()))
            self._refused.clear()
        for callback in self.on_flush:
            callback(self._segments.seq, self._segments.chain)

    def _made(self, taken: Iterable[Happening]) -> list[Event]:
        origin = self.bus.clock.origin.wall
        level = self.level
        made = []
        for one in taken:
            try:
                data = _data(one, level)
            except Exception as error:  # noqa: BLE001  # what callers and pages send ends neither the record nor the box
                log.warning("record.data_left_out", kind=one.kind, event_name=one.name, error=type(error).__name__)
                data = {"cut": True}
            made.append(
                Event(
                    0,
                    origin + one.mono,
                    one.mono,
                    one.kind,
                    one.name,
                    one.actor,
                    one.request_id,
                    one.tab_id,
                    data,
                    one.trace_id,
                )
            )
        return made

    def close(self) -> None:
        if self._segments is not None:
            self._segments.close()


def _data(one: Happening, level: RecordLevel) -> dict[str, object]:
    """What is written of it."""
    told = one.data() if callable(one.data) else one.data
    data = redact(told, level) if told else {}
    return shortened(data, _encode) if len(_encode(data)) > MAX_DATA_BYTES else data


def _loss(reason: str, lost: Mapping[str, int], bus: Bus) -> list[Happening]:
    if not lost:
        return []
    counts: dict[str, object] = {"reason": reason, "total": sum(lost.values()), **lost}
    return [Happening(bus.clock.now(), EventKind.SYSTEM, "lost", SYSTEM, None, None, counts)]


@asynccontextmanager
async def open_record(
    bus: Bus, state_dir: Path, *, box: str, level: RecordLevel, kinds: Collection[str]
) -> AsyncIterator[Record]:
    """The record in `state_dir`; what waits at the end is written.  One box has it, others of the same folder none."""
    record = Record(bus, state_dir / "record", box)
    lock = None
    try:
        lock = _open_record(record)
    except OSError as error:
        log.warning("record.unavailable", error=os.strerror(error.errno or 0))
    record.set_level(level, kinds)
    bus.tell(EventKind.SYSTEM, "box.started", data={"level": level.value})
    try:
        async with background(record.run, name="record"):
            yield record
    finally:
        bus.tell(EventKind.SYSTEM, "box.stopped")
        with anyio.move_on_after(5, shield=True):
            await record.flush()
        record.close()
        if lock is not None:
            os.close(lock)


def _open_record(record: Record) -> int:
    make_private_folder(record.folder)
    lock = os.open(record.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        record.open()
    except OSError:
        os.close(lock)
        raise
    return lock
