"""Spans gathered until they are sent, or taken by a control plane: never waited for, and no more than may wait.

A box has no network where it is a container, and no business with the operator's keys anywhere: behind a control plane
it holds its spans, and that one takes them by the box's own socket.
"""

from collections import deque
from collections.abc import Sequence

import anyio
import msgspec

from belljar.server.telemetry.tracing import Span
from belljar.tasks import Signal

# Spans that may wait; the oldest go first.
MAX_WAITING = 4096
# Spans that are sent or taken at once.
BATCH = 512
# How long more are waited for once there is one.
GATHER_SECONDS = 1.0
# More than a batch has; what a box answers beyond it is not read.
_MOST_BYTES = 1 << 20

_encode = msgspec.json.Encoder().encode
_read_batch = msgspec.json.Decoder(list[msgspec.Raw]).decode
_read_span = msgspec.json.Decoder(Span).decode


class GatheredSpans:
    def __init__(self) -> None:
        self._waiting: deque[Span] = deque()
        self._arrived = Signal()
        self.lost = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, span: Span) -> None:
        """Takes a microsecond; what its caller does not want kept is not."""
        if not span.is_sampled:
            return
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft()
            self.lost += 1
        self._waiting.append(span)
        self._arrived.fire()

    async def gathered(self) -> None:
        """Wait for the first, and a moment for those that follow it."""
        await self._arrived.until(lambda: bool(self._waiting))
        await anyio.sleep(GATHER_SECONDS)

    def take(self) -> list[Span]:
        """The oldest, a batch at most."""
        return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]


def write_spans(spans: Sequence[Span]) -> bytes:
    return _encode(spans)


def read_spans(content: bytes) -> tuple[list[Span], int]:
    """Spans that another process wrote, and how many are none: an odd one costs itself alone."""
    if len(content) > _MOST_BYTES:
        return [], 1
    try:
        given = _read_batch(content)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return [], 1
    spans: list[Span] = []
    for one in given[:BATCH]:
        try:
            spans.append(_read_span(one))
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            continue
    return spans, len(given) - len(spans)
