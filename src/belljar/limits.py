"""Every limit on what a request may be, in one place; and a token bucket for what a connection may send."""

from collections.abc import Callable
from time import monotonic
from typing import Final

MAX_BODY_BYTES: Final = 10 * 1024 * 1024
MAX_UPLOAD_BYTES: Final = 256 * 1024 * 1024
MAX_HEADER_BYTES: Final = 64 * 1024
# Connections that one address may have open: as many as a host with a crowd of agents may need, and a small part of
# what a server can hold.
MAX_CONNECTIONS_PER_ADDRESS: Final = 500
# How long a request's head may take to come, in seconds.
HEAD_SECONDS: Final = 20.0
# How long no byte of its body may come while somebody waits for it.
BODY_SECONDS: Final = 30.0
MAX_JSON_DEPTH: Final = 64
MAX_WEBSOCKET_MESSAGE_BYTES: Final = 16 * 1024 * 1024
MAX_DOWNLOAD_BYTES: Final = 1024 * 1024 * 1024
MAX_PATTERN_CHARS: Final = 1_000

# Command, arguments and environment of a program together.
MAX_PROGRAM_BYTES: Final = 2 * 1024 * 1024
# Programs that are run for their output at the same time.
MAX_RUNS: Final = 64
# Ended processes that are remembered, and the bytes of their logs that are kept; the oldest go first.
MAX_ENDED_PROCESSES: Final = 1_000
MAX_ENDED_LOG_BYTES: Final = 64 * 1024 * 1024
# Nobody waits longer than this for a stop or a kill, whatever was asked for.
MAX_WAIT_MS: Final = 600_000


# Digits of a whole number in a header or query: Python itself refuses to read some thousands of them.
_MAX_DIGITS = 18


def whole_number(text: str | None) -> int | None:
    """What `text` says if it is a whole number that anybody could mean; None for everything else."""
    is_number = text and len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit()
    return int(text) if text and is_number else None


class TooDeep(ValueError):
    """A JSON value is nested deeper than `MAX_JSON_DEPTH`."""


def check_json_depth(value: object, limit: int = MAX_JSON_DEPTH) -> None:
    """Raise `TooDeep` when arrays and objects nest deeper than `limit`.  One pass, without recursion."""
    level: list[object] = [value]
    for _ in range(limit + 1):
        level = [
            inner
            for container in level
            if isinstance(container, (dict, list))
            for inner in (container.values() if isinstance(container, dict) else container)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise TooDeep(f"nested deeper than {limit} levels")


def is_shallow(text: bytes) -> bool:
    """Whether JSON is so short of brackets that it cannot nest too deeply, without reading it."""
    return text.count(b"{") + text.count(b"[") <= MAX_JSON_DEPTH


class Bucket:
    """Fills with `rate` tokens a second up to `burst`; each message takes one."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._filled_at = clock()

    def take(self) -> bool:
        """Take a token, if there is one."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    @property
    def seconds_until_next(self) -> float:
        return max(0.0, 1 - self._tokens) / self._rate
