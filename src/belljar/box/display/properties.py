"""Window properties: the notes that programs and window managers leave on windows."""

import asyncio
from collections.abc import Sequence
from typing import Any

from belljar.box.display.connection import Connection
from belljar.box.display.protocol import event, request

# In 32-bit units: more than any title, list of windows or hint.
_WORDS = 65536


def asking_property(server: Connection, window: int, atom: int) -> "asyncio.Future[Any]":
    return server.asking(
        request.GetProperty, delete=0, window=window, property=atom, type=0, long_offset=0, long_length=_WORDS
    )


async def read_property(server: Connection, window: int, name: str) -> Any:
    """The reply; see `numbers` and `text` for what is in it."""
    (reply,) = await server.gather([asking_property(server, window, await server.atom(name))])
    return reply


def numbers(reply: Any) -> list[int]:
    """A property of numbers, windows or atoms; empty where it is not there."""
    value = getattr(reply, "value", None)
    if value is None or value[0] != 32:
        return []
    return list(value[1])


def raw(reply: Any) -> bytes:
    value = getattr(reply, "value", None)
    if value is None or value[0] != 8:
        return b""
    return bytes(value[1])


def text(reply: Any) -> str:
    """A property of characters: UTF-8, or Latin-1 in old programs."""
    data = raw(reply)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def message_to_root(server: Connection, window: int, kind: int, data: Sequence[int]) -> "asyncio.Future[Any]":
    """Send the window manager a client message about `window`."""
    from Xlib import X

    happened = event.ClientMessage(window=window, client_type=kind, data=(32, [*data, *[0] * (5 - len(data))]))
    mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
    return server.post(request.SendEvent, propagate=0, destination=server.root, event_mask=mask, event=happened)


def message_to_window(server: Connection, window: int, kind: int, data: Sequence[int]) -> "asyncio.Future[Any]":
    """Send a program a client message."""
    happened = event.ClientMessage(window=window, client_type=kind, data=(32, [*data, *[0] * (5 - len(data))]))
    return server.post(request.SendEvent, propagate=0, destination=window, event_mask=0, event=happened)
