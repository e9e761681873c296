"""The XFIXES extension: the pointer's picture, and who owns a selection."""

from Xlib.ext.xfixes import GetCursorImage, QueryVersion, SelectCursorInput, SelectSelectionInput
from Xlib.protocol import rq

from belljar.box.display.x11.connection import Connection, Extension

__all__ = ["GetCursorImage", "OwnerChanged", "SelectSelectionInput", "opcode", "watch_cursor"]

EXTENSION = "XFIXES"
# For SelectSelectionInput: a new owner, the owner's window or the owner itself gone.
ALL_CHANGES = 7


class OwnerChanged(rq.Event):  # type: ignore[misc]  # python-xlib is untyped
    """The event of SelectSelectionInput; `owner` is 0 where there is none left."""

    _code = None
    _fields = rq.Struct(
        rq.Card8("type"),
        rq.Card8("sub_code"),
        rq.Card16("sequence_number"),
        rq.Card32("window"),
        rq.Card32("owner"),
        rq.Card32("selection"),
        rq.Card32("timestamp"),
        rq.Card32("selection_timestamp"),
        rq.Pad(8),
    )


class CursorChanged(rq.Event):  # type: ignore[misc]  # python-xlib is untyped
    """The event of SelectCursorInput: the pointer looks different now."""

    _code = None
    _fields = rq.Struct(
        rq.Card8("type"),
        rq.Card8("sub_code"),
        rq.Card16("sequence_number"),
        rq.Card32("window"),
        rq.Card32("cursor_serial"),
        rq.Card32("timestamp"),
        rq.Card32("name"),
        rq.Pad(12),
    )


async def watch_cursor(server: Connection) -> int:
    """Ask for an event whenever the pointer's picture changes; the event's number."""
    number = await opcode(server)
    await server.do(SelectCursorInput, opcode=number, window=server.root, mask=1)
    return server.event_code(CursorChanged)


async def opcode(server: Connection) -> int:
    """XFIXES wants to be asked for its version before anything else, once for each connection."""

    async def prepare(extension: Extension) -> None:
        await server.ask(QueryVersion, opcode=extension.opcode, major_version=4, minor_version=0)
        server.name_event(extension.first_event, OwnerChanged)
        server.name_event(extension.first_event + 1, CursorChanged)

    return (await server.prepared(EXTENSION, prepare)).opcode
