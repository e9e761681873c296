"""The pointer's picture, as the X server would draw it: it is not part of the screen's pixels."""

import struct
from dataclasses import dataclass

from belljar.box.display import Connection, xfixes


@dataclass(frozen=True)
class Cursor:
    """`x` and `y` are where its upper left corner lies; pixels are blue, green, red, alpha, premultiplied."""

    x: int
    y: int
    width: int
    height: int
    # Where in it the point lies that it points with.
    hot_x: int
    hot_y: int
    pixels: bytes


async def read_cursor(server: Connection) -> Cursor:
    opcode = await xfixes.opcode(server)
    image = await server.ask(xfixes.GetCursorImage, opcode=opcode)
    return Cursor(
        x=image.x - image.xhot,
        y=image.y - image.yhot,
        width=image.width,
        height=image.height,
        hot_x=image.xhot,
        hot_y=image.yhot,
        pixels=struct.pack(f"<{len(image.cursor_image)}I", *image.cursor_image),
    )
