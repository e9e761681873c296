"""Whose turn it is: two calls on one profile wait for each other, across processes, within their deadlines."""

import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from belljar.agent.tool.failure import ToolFailure

# The kernel has no way to wait for a lock that can be given up: it is asked again.
_PAUSE = 0.02


@asynccontextmanager
async def turn(lock: Path, seconds: float) -> AsyncIterator[None]:
    """Alone with what `lock` stands for.  Raises `ToolFailure` when the others take too long.

    The lock goes with the process that holds it, however that ends.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with anyio.move_on_after(seconds) as scope:
            while True:
                if _taken(descriptor):
                    break
                await anyio.sleep(_PAUSE)
        if scope.cancelled_caught:
            raise ToolFailure(
                f"Another call was still using this profile after {seconds:.0f} s.",
                "Wait for it to end, or raise timeout_ms. Calls with different workspaces do not wait for each other.",
            )
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
