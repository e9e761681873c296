"""Bytes both ways that nobody reads: CONNECT, SOCKS and upgraded connections."""

import anyio

from belljar.egress.gate import OverLimit, Passage
from belljar.egress.wires import Wire, WireClosed, move


async def tunnel(client: Wire, passage: Passage, greeting: bytes) -> None:
    """Greet, then copy until both sides have ended, one has broken off, or the gate cuts it."""
    try:
        async with anyio.create_task_group() as tasks:
            passage.scope = tasks.cancel_scope
            await client.send(greeting)
            tasks.start_soon(_send, client, passage, tasks.cancel_scope)
            await move(passage.wire, client, passage.count_received)
            client.end_sending()
    except* (WireClosed, OverLimit):
        pass
    finally:
        passage.close()


async def _send(client: Wire, passage: Passage, scope: anyio.CancelScope) -> None:
    try:
        await move(client, passage.wire, passage.count_sent)
    except (WireClosed, OverLimit):
        scope.cancel()
    else:
        passage.wire.end_sending()
