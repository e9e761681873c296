"""Hand the content of a selection to whoever asks, in pieces where it is large."""

from collections.abc import Mapping

import anyio

from belljar.box.display import Connection
from belljar.box.display.events import Event
from belljar.box.display.protocol import X, event, request

# What fits into one request of any X server, with room for its head.
PIECE = 200_000
# How long a requestor may leave a piece unread.
_PIECE_TIMEOUT = 10.0

PNG = "image/png"
# The names under which programs ask for text, by preference.
TEXT_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING", "TEXT", "text/plain")


def text_offer(text: str) -> dict[str, bytes]:
    encoded = text.encode()
    return {name: encoded for name in TEXT_TARGETS if name != "STRING"} | {"STRING": text.encode("latin-1", "replace")}


async def serve(server: Connection, asked: Event, data: Mapping[str, bytes]) -> None:
    """Answer one request; a type that is not on offer is refused."""
    target = await server.atom_name(asked.target)
    # Old programs leave the choice of the property to us.
    place = asked.property or asked.target
    if target == "TARGETS":
        atoms = await server.atoms("TARGETS", "MULTIPLE", *data)
        await _write(server, asked.requestor, place, await server.atom("ATOM"), atoms)
        _notify(server, asked, place)
    elif target == "MULTIPLE":
        await _serve_several(server, asked, place, data)
        _notify(server, asked, place)
    elif target not in data:
        _notify(server, asked, X.NONE)
    elif len(data[target]) <= PIECE:
        await _write(server, asked.requestor, place, await _type(server, target), data[target])
        _notify(server, asked, place)
    else:
        await _serve_in_pieces(server, asked, place, target, data[target])
    await server.sync()


async def _serve_several(server: Connection, asked: Event, place: int, data: Mapping[str, bytes]) -> None:
    """MULTIPLE: pairs of type and property, of which those that cannot be had are struck out."""
    pair = await server.atom("ATOM_PAIR")
    reply = await server.ask(
        request.GetProperty, delete=0, window=asked.requestor, property=place, type=0, long_offset=0, long_length=256
    )
    wanted = list(reply.value[1]) if reply.value else []
    done = []
    for target, where in zip(wanted[::2], wanted[1::2], strict=False):
        name = await server.atom_name(target)
        is_there = name in data and len(data[name]) <= PIECE
        if is_there:
            await _write(server, asked.requestor, where, await _type(server, name), data[name])
        done += [target, where if is_there else X.NONE]
    await _write(server, asked.requestor, place, pair, done)


async def _serve_in_pieces(server: Connection, asked: Event, place: int, target: str, data: bytes) -> None:
    """INCR: the requestor deletes each piece when it has read it, and gets the next; an empty one ends it."""
    deleted = anyio.Event()

    def look(happened: Event) -> None:
        if happened.type == X.PropertyNotify and happened.window == asked.requestor and happened.atom == place:
            if happened.state == X.PropertyDelete:
                deleted.set()

    off = server.listen(look)
    try:
        watch = {"event_mask": X.PropertyChangeMask}
        await server.do(request.ChangeWindowAttributes, window=asked.requestor, attrs=watch)
        await _write(server, asked.requestor, place, await server.atom("INCR"), [len(data)])
        _notify(server, asked, place)
        kind = await _type(server, target)
        for start in range(0, len(data) + PIECE, PIECE):
            with anyio.move_on_after(_PIECE_TIMEOUT) as patience:
                await deleted.wait()
            if patience.cancelled_caught:
                return
            deleted = anyio.Event()
            await _write(server, asked.requestor, place, kind, data[start : start + PIECE])
    finally:
        off()
        if not server.closed.is_set():
            server.post(request.ChangeWindowAttributes, window=asked.requestor, attrs={"event_mask": 0})


async def _type(server: Connection, target: str) -> int:
    """TEXT leaves the type to us."""
    return await server.atom("UTF8_STRING" if target == "TEXT" else target)


async def _write(server: Connection, window: int, place: int, kind: int, data: bytes | list[int]) -> None:
    await server.do(
        request.ChangeProperty,
        mode=X.PropModeReplace,
        window=window,
        property=place,
        type=kind,
        data=(8, data) if isinstance(data, bytes) else (32, data),
    )


def _notify(server: Connection, asked: Event, place: int) -> None:
    happened = event.SelectionNotify(
        time=asked.time, requestor=asked.requestor, selection=asked.selection, target=asked.target, property=place
    )
    server.post(request.SendEvent, propagate=0, destination=asked.requestor, event_mask=0, event=happened)
