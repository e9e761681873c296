"""The log of a process: a ring of what it wrote, numbered, bounded, followed by any number of readers."""

import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from itertools import islice

import anyio

from belljar.wire.processes import LogStream

# An entry costs memory beside its bytes; a program that writes single bytes must not cost more than one that floods.
BYTES_PER_ENTRY = 256
FEWEST_ENTRIES = 64
# What a follower is given at once: a slow one holds on to no more.
BATCH_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One chunk, as it was read."""

    sequence: int
    stream: LogStream
    timestamp_ms: int
    data: bytes


class LogRing:
    """The newest `limit` bytes, in chunks numbered from 1.  The oldest are dropped and counted.

    Readers hold a sequence number and no buffer, so one that is slow costs nothing: what was dropped meanwhile is
    missing from what it sees.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._most_entries = max(FEWEST_ENTRIES, limit // BYTES_PER_ENTRY)
        self._entries: deque[Entry] = deque()
        self._changed: anyio.Event | None = None
        self.is_closed = False
        self.size = 0
        self.dropped = 0
        self.last_sequence = 0

    def append(self, stream: LogStream, data: bytes) -> None:
        self.last_sequence += 1
        self._entries.append(Entry(self.last_sequence, stream, time.time_ns() // 1_000_000, data))
        self.size += len(data)
        while self.size > self._limit or len(self._entries) > self._most_entries:
            self._drop()
        self._wake()

    def clear(self) -> None:
        """Drop everything; numbering goes on."""
        while self._entries:
            self._drop()

    def close(self) -> None:
        """End all followers, once they have seen what there is."""
        self.is_closed = True
        self._wake()

    def wake(self) -> None:
        """Let followers look again: something about the process changed that is not a chunk."""
        self._wake()

    def read(self, *, streams: Iterable[LogStream], since: int = 0, tail: int | None = None) -> list[Entry]:
        """Entries of `streams` after the sequence `since`; of those the last `tail`."""
        wanted = frozenset(streams)
        found: deque[Entry] = deque(maxlen=tail)
        for entry in reversed(self._entries):
            if entry.sequence <= since or (tail is not None and len(found) == tail):
                break
            if entry.stream in wanted:
                found.appendleft(entry)
        return list(found)

    async def changed(self) -> None:
        """Wait for the next chunk, the end of the log, or a wake-up."""
        if self.is_closed:
            return
        if self._changed is None:
            self._changed = anyio.Event()
        await self._changed.wait()

    async def follow(
        self,
        *,
        streams: Iterable[LogStream],
        since: int = 0,
        tail: int | None = None,
        idle: float | None = None,
        until: Callable[[], bool] = lambda: False,
    ) -> AsyncIterator[list[Entry]]:
        """Batches of entries as they come, until the log is closed or `until` holds (asked at each wake-up).

        An empty batch comes after each `idle` seconds of none.
        """
        wanted = frozenset(streams)
        if tail is not None:
            kept = self.read(streams=wanted, since=since, tail=tail)
            since = kept[0].sequence - 1 if kept else self.last_sequence
        while True:
            batch, since = self._batch(wanted, since)
            if batch:
                yield batch
            elif self.is_closed or until():
                return
            elif await self._wait(since, idle):
                yield []

    def text(self) -> str:
        """Everything that is kept, as text, for error messages and log lines of our own."""
        return b"".join(entry.data for entry in self._entries).decode(errors="replace")

    def _batch(self, wanted: frozenset[LogStream], since: int) -> tuple[list[Entry], int]:
        """The next entries after `since`, a handful at most, and the sequence up to which this has looked."""
        batch: list[Entry] = []
        size = 0
        # What is kept is numbered without gaps and ends with the newest.
        first = self.last_sequence - len(self._entries) + 1
        for entry in islice(self._entries, max(0, since + 1 - first), None):
            since = entry.sequence
            if entry.stream in wanted:
                batch.append(entry)
                size += len(entry.data)
            if size >= BATCH_BYTES:
                break
        return batch, max(since, first - 1)

    async def _wait(self, seen: int, idle: float | None) -> bool:
        """Whether `idle` seconds went by without anything after `seen`."""
        if self.last_sequence > seen:
            return False
        with anyio.move_on_after(idle) as scope:
            await self.changed()
        return scope.cancelled_caught

    def _drop(self) -> None:
        self.size -= len(self._entries.popleft().data)
        self.dropped += 1

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = None
