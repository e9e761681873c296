"""Rings as server-sent events."""

from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import anyio
from starlette.responses import StreamingResponse

from belljar.box.browser.ring import Ring
from belljar.limits import whole_number
from belljar.tasks import background
from belljar.wire.base import Model

Item = TypeVar("Item")
# A comment this often keeps proxies from closing a quiet stream, and tells us of clients that vanished.
COMMENT_SECONDS = 15.0


def event_stream(
    ring: Ring[Item],
    since: int,
    wants: Callable[[Item], bool],
    told: Callable[[Item], Model],
    *,
    name: str,
    stopping: anyio.Event,
    ending: Callable[[], Model] | None = None,
) -> StreamingResponse:
    """What is in the ring after `since`, then what comes, until the ring closes or the server stops.

    `ending` gives a last event, `end`, for a ring that was closed.
    """

    async def events() -> AsyncIterator[bytes]:
        seen = since
        while not stopping.is_set():
            batch, seen = ring.read(seen, wants), ring.cursor
            if batch:
                yield b"".join(event(name, seen, told(item)) for item in batch)
            elif ring.is_closed:
                if ending is not None:
                    yield event("end", seen, ending())
                return
            if not await _changed(ring, seen, stopping):
                yield b":\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-cache"})


def event(name: str, id: int, model: Model) -> bytes:
    body = model.model_dump_json(by_alias=True, exclude_none=True)
    return f"event: {name}\nid: {id}\ndata: {body}\n\n".encode()


def event_number(last_event_id: str | None) -> int:
    """Where a client that lost its stream goes on; anything that is not a number of ours is the beginning."""
    return whole_number(last_event_id) or 0


async def _changed(ring: Ring[Item], seen: int, stopping: anyio.Event) -> bool:
    """Wait for something new; false after a while of nothing.  The server's stop ends it too."""
    with anyio.move_on_after(COMMENT_SECONDS) as scope:

        async def end() -> None:
            await stopping.wait()
            scope.cancel()
            await anyio.sleep_forever()

        async with background(end, name="the server's stop"):
            await ring.changed(seen)
    return not scope.cancelled_caught or stopping.is_set()
