"""Work that is worth doing only while its client is there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from starlette.requests import Request

from belljar.problems import ClientGone
from belljar.tasks import the_only_one


@asynccontextmanager
async def until_gone(request: Request) -> AsyncIterator[None]:
    """Cancel the block when the client hangs up, and raise `ClientGone`.  The body must have been read."""
    is_gone = False
    try:
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                nonlocal is_gone
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                is_gone = True
                tasks.cancel_scope.cancel()

            tasks.start_soon(watch, name="client watch")
            yield
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
    if is_gone:
        raise ClientGone("the client hung up before it was answered")
