"""`Signal`: something changed; whoever waits looks again."""

import asyncio
from collections.abc import Callable


class Signal:
    """Waiters are woken on every change and check for themselves; nothing is queued, nothing is lost."""

    def __init__(self) -> None:
        self._waiters: list[asyncio.Future[None]] = []

    def fire(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def changed(self) -> None:
        """Wait for the next change."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until `is_true()`.  It is asked at once and after each change, so it may raise to end the wait."""
        while not is_true():
            await self.changed()
