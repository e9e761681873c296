"""`background()`: a task that lives exactly as long as a block."""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import anyio


@asynccontextmanager
async def background(run: Callable[[], Coroutine[Any, Any, None]], *, name: str) -> AsyncIterator[None]:
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
