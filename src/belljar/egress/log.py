"""What went out and what was refused: records of connections, the newest kept."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

KEPT_RECORDS = 2_000
# Records that one reader may be behind.
WATCHER_BUFFER = 1_000


@dataclass
class Record:
    """One connection to somewhere, or one refusal.  It is announced when decided and again when it ends."""

    id: int
    host: str
    port: int
    scheme: str
    decision: str
    rule: str
    reason: str = ""
    address: str | None = None
    upstream: str | None = None
    requests: int = 1
    bytes_sent: int = 0
    bytes_received: int = 0
    time: float = field(default_factory=time.time)
    # Seconds; None while the connection is open.
    duration: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Ring:
    """The newest records by id; an update of one that is still here replaces it."""

    def __init__(self, size: int = KEPT_RECORDS) -> None:
        self._order: deque[int] = deque()
        self._records: dict[int, Record] = {}
        self._size = size
        self._watchers: set[MemoryObjectSendStream[Record]] = set()
        # Both ways, of connections that have ended.
        self._bytes = 0

    @property
    def total_bytes(self) -> int:
        """Everything that went through since the beginning, both ways; what is still open as far as it was said."""
        still_open = (one for one in self._records.values() if one.duration is None)
        return self._bytes + sum(one.bytes_sent + one.bytes_received for one in still_open)

    @contextmanager
    def watch(self) -> Iterator[MemoryObjectReceiveStream[Record]]:
        """Records as they come: each when it is decided and again when it ends.  Who is too slow misses some."""
        send, receive = anyio.create_memory_object_stream[Record](WATCHER_BUFFER)
        self._watchers.add(send)
        try:
            with receive:
                yield receive
        finally:
            self._watchers.discard(send)
            send.close()

    def last_denial(self, host: str, port: int, since: float) -> Record | None:
        """The newest refusal of this host since a point in time."""
        for record in self.newest_first():
            if record.decision == "deny" and record.time >= since and (record.host, record.port) == (host, port):
                return record
        return None

    def put(self, record: Record) -> None:
        if record.id not in self._records:
            self._order.append(record.id)
        self._records[record.id] = record
        if record.duration is not None:
            self._bytes += record.bytes_sent + record.bytes_received
        while len(self._order) > self._size:
            del self._records[self._order.popleft()]
        for watcher in self._watchers:
            try:
                watcher.send_nowait(record)
            except anyio.WouldBlock:
                continue

    def __iter__(self) -> Iterator[Record]:
        """Oldest first."""
        return iter([self._records[id] for id in self._order])

    def newest_first(self) -> Iterator[Record]:
        return iter([self._records[id] for id in reversed(self._order)])
