"""`background()`, a task that lives exactly as long as a block; `Signal`, for those who wait for a change."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import anyio


@asynccontextmanager
async def background(run: Callable[[], Coroutine[object, object, None]], *, name: str) -> AsyncIterator[None]:
    """Run `run` beside the block and cancel it when the block ends.

    An exception of the block is raised as it is, not wrapped in an ExceptionGroup, so that
    `except ElementNotFound` keeps working one level up.  If `run` itself fails, the block is cancelled
    and that failure is raised.
    """
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run, name=name)
            yield
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None


def the_only_one(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The exception inside, where the group holds just one; otherwise the group."""
    if len(group.exceptions) != 1:
        return group
    inner = group.exceptions[0]
    return the_only_one(inner) if isinstance(inner, BaseExceptionGroup) else inner


class Signal:
    """Waiters are woken on every change and check for themselves; nothing is queued, nothing is lost."""

    def __init__(self) -> None:
        self._waiters: list[asyncio.Future[None]] = []

    def fire(self) -> None:
        if not self._waiters:
            return
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


async def until_any(is_true: Callable[[], bool], *signals: Signal) -> None:
    """Wait until `is_true()`, asked at once and after every change of any of `signals`."""
    async with anyio.create_task_group() as tasks:

        async def wait(signal: Signal) -> None:
            await signal.until(is_true)
            tasks.cancel_scope.cancel()

        for signal in signals:
            tasks.start_soon(wait, signal)
