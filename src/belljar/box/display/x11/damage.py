"""The DAMAGE extension: the X server tells when the screen has changed."""

from Xlib.ext.damage import DamageCreate, DamageDestroy, DamageNotify, DamageSubtract, QueryVersion

from belljar.box.display.x11.connection import Connection, Extension

__all__ = ["NON_EMPTY", "DamageCreate", "DamageDestroy", "DamageNotify", "DamageSubtract", "opcode"]

EXTENSION = "DAMAGE"
# One event when there is damage, and no more until it was looked at.
NON_EMPTY = 3


async def opcode(server: Connection) -> int:
    async def prepare(extension: Extension) -> None:
        await server.ask(QueryVersion, opcode=extension.opcode, major_version=1, minor_version=1)
        server.name_event(extension.first_event, DamageNotify)

    return (await server.prepared(EXTENSION, prepare)).opcode
