"""Gives memory back to the system once the box is idle: large answers leave tens of megabytes that nobody uses."""

import ctypes
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from belljar.box.activity import Activity
from belljar.tasks import background

# So long after the last request nobody is kept waiting by it.
IDLE_SECONDS = 2.0


@asynccontextmanager
async def memory_given_back(activity: Activity, idle: float = IDLE_SECONDS) -> AsyncIterator[None]:
    """The allocator keeps what was freed, in case it is needed again; while the box is used that is as it should be."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None:
        # Only glibc keeps so much.
        yield
        return

    # What the start has left; a fifth of a millisecond.
    trim(0)

    async def give_back_when_idle() -> None:
        trimmed = 0.0
        while True:
            await anyio.sleep(idle)
            if trimmed < activity.last < time.time() - idle:
                await anyio.to_thread.run_sync(trim, 0)
                trimmed = time.time()

    async with background(give_back_when_idle, name="memory"):
        yield
