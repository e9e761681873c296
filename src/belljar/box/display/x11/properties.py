"""Window properties: the notes that programs and window managers leave; and a window's process."""

import asyncio
from collections.abc import Sequence

from Xlib.ext.res import LocalClientPIDMask, QueryClientIds, QueryVersion

from belljar.box.display.x11.connection import Connection, Extension
from belljar.box.display.x11.protocol import XError, event, request

# In 32-bit units: more than any title, list of windows or hint.
_WORDS = 65536


def asking_property(server: Connection, window: int, atom: int) -> "asyncio.Future[object]":
    return server.asking(
        request.GetProperty, delete=0, window=window, property=atom, type=0, long_offset=0, long_length=_WORDS
    )


async def read_property(server: Connection, window: int, name: str) -> object:
    """The reply; see `numbers` and `text` for what is in it."""
    (reply,) = await server.gather([asking_property(server, window, await server.atom(name))])
    return reply


def numbers(reply: object) -> list[int]:
    """A property of numbers, windows or atoms; empty where it is not there."""
    value = getattr(reply, "value", None)
    if value is None or value[0] != 32:
        return []
    return list(value[1])


def raw(reply: object) -> bytes:
    value = getattr(reply, "value", None)
    if value is None or value[0] != 8:
        return b""
    return bytes(value[1])


def text(reply: object) -> str:
    """A property of characters: UTF-8, or Latin-1 in old programs."""
    data = raw(reply)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def message_to_root(server: Connection, window: int, kind: int, data: Sequence[int]) -> "asyncio.Future[object]":
    """Send the window manager a client message about `window`."""
    from Xlib import X

    happened = event.ClientMessage(window=window, client_type=kind, data=(32, [*data, *[0] * (5 - len(data))]))
    mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
    return server.post(request.SendEvent, propagate=0, destination=server.root, event_mask=mask, event=happened)


def message_to_window(server: Connection, window: int, kind: int, data: Sequence[int]) -> "asyncio.Future[object]":
    """Send a program a client message."""
    happened = event.ClientMessage(window=window, client_type=kind, data=(32, [*data, *[0] * (5 - len(data))]))
    return server.post(request.SendEvent, propagate=0, destination=window, event_mask=0, event=happened)


EXTENSION = "X-Resource"


async def pids_of(server: Connection, windows: Sequence[int]) -> dict[int, int]:
    """The processes that made `windows`; those the server cannot tell are missing."""
    opcode = await _opcode(server)
    base_mask = ~server.setup.resource_id_mask & 0xFFFFFFFF
    (reply,) = await server.gather(
        [
            server.asking(
                QueryClientIds,
                opcode=opcode,
                specs=[{"client": window, "mask": LocalClientPIDMask} for window in windows],
            )
        ]
    )
    if isinstance(reply, XError):
        return {}
    by_client = {
        one["spec"]["client"] & base_mask: one["value"][0] for one in reply.ids if one["value"] and one["value"][0] > 0
    }
    return {window: by_client[window & base_mask] for window in windows if window & base_mask in by_client}


async def _opcode(server: Connection) -> int:
    async def prepare(extension: Extension) -> None:
        await server.ask(QueryVersion, opcode=extension.opcode, client_major=1, client_minor=2)

    return (await server.prepared(EXTENSION, prepare)).opcode
