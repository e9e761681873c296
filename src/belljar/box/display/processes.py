"""Which process a window belongs to, as the X server knows it."""

from collections.abc import Sequence

from Xlib.ext.res import LocalClientPIDMask, QueryClientIds, QueryVersion

from belljar.box.display.connection import Connection
from belljar.box.display.errors import XError

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
    if EXTENSION not in server.known_extensions:
        extension = await server.extension(EXTENSION)
        await server.ask(QueryVersion, opcode=extension.opcode, client_major=1, client_minor=2)
    return (await server.extension(EXTENSION)).opcode
