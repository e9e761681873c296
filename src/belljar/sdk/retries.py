"""Which requests may be sent again, and when: pure decisions."""

import random
from collections.abc import Mapping

from httpx2 import ConnectError, ConnectTimeout, RequestError

# Sent again even though the server may have done it: twice is as good as once.
REPEATABLE = frozenset({"GET", "HEAD", "PUT"})
ATTEMPTS = 3
# Nobody waits longer than this for a server that says when to come back; then its answer is raised.
MAX_WAIT_SECONDS = 30.0
_FIRST_PAUSE = 0.1


def may_repeat(method: str, error: RequestError, *, can_resend: bool) -> bool:
    """After a failure without an answer: what never left may go again, what may have arrived only if twice is once."""
    if isinstance(error, (ConnectError, ConnectTimeout)):
        return can_resend
    return can_resend and method in REPEATABLE


def pause_before(attempt: int) -> float:
    """Seconds; grows with the attempts, and differs between clients that failed together."""
    return float(_FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1.5))


def told_pause(status: int, headers: Mapping[str, str]) -> float | None:
    """Seconds after which the server says to come back: it refused, so nothing was done.  None: do not."""
    if status != 429:
        return None
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds <= MAX_WAIT_SECONDS else None
