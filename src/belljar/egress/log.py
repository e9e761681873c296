"""What went out and what was refused: records of connections, the newest kept."""

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

KEPT_RECORDS = 2_000


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

    def put(self, record: Record) -> None:
        if record.id not in self._records:
            self._order.append(record.id)
        self._records[record.id] = record
        while len(self._order) > self._size:
            del self._records[self._order.popleft()]

    def __iter__(self) -> Iterator[Record]:
        """Oldest first."""
        return iter([self._records[id] for id in self._order])

    def newest_first(self) -> Iterator[Record]:
        return iter([self._records[id] for id in reversed(self._order)])
