"""Which requests may be sent again, and when: pure decisions."""

import random
from collections.abc import Mapping

from httpx2 import ConnectError, ConnectTimeout, RequestError, TimeoutException

# What HTTP says may be done twice; DELETE is left out, whose second answer would be another.
REPEATABLE = frozenset({"GET", "HEAD", "PUT"})
ATTEMPTS = 3
# Nobody waits longer than this for a server that says when to come back; then its answer is raised.
MAX_WAIT_SECONDS = 30.0
_FIRST_PAUSE = 0.1


def is_repeatable(method: str, headers: Mapping[str, str] | None) -> bool:
    """Whether doing it twice is as good as once; with an Idempotency-Key the server sees to that."""
    return method in REPEATABLE or (headers is not None and "Idempotency-Key" in headers)


def may_repeat(error: RequestError, *, can_resend: bool, is_repeatable: bool) -> bool:
    """After a failure without an answer: what never left may go again, what may have arrived only if twice is once.

    A server that takes too long is not asked again: that would only add to what it has to do.
    """
    if isinstance(error, (ConnectError, ConnectTimeout)):
        return can_resend
    return can_resend and is_repeatable and not isinstance(error, TimeoutException)


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
