"""The RANDR extension: give the running screen another size."""

from dataclasses import dataclass
from typing import Any

from Xlib.ext.randr import (
    AddOutputMode,
    CreateMode,
    GetScreenResources,
    GetScreenSizeRange,
    QueryVersion,
    SetCrtcConfig,
    SetScreenSize,
)

from belljar.box.display.x11.connection import Connection, Extension
from belljar.box.display.x11.protocol import X, request

EXTENSION = "RANDR"
_NOT_TURNED = 1
_INCH = 25.4


@dataclass(frozen=True)
class Size:
    width: int
    height: int


async def largest_size(server: Connection) -> Size:
    """What the server was started with: Xvfb can shrink its screen and grow it back, no further."""
    found = await server.ask(GetScreenSizeRange, opcode=await _opcode(server), window=server.root)
    return Size(found.max_width, found.max_height)


async def resize_screen(server: Connection, size: Size, dpi: int) -> None:
    """Make the screen `size`, which must not be larger than `largest_size`.

    The picture on the one output and the screen behind it are set apart, and the first must fit into the second at
    every moment: so a screen that grows is set before its picture, one that shrinks after it.
    """
    opcode = await _opcode(server)
    resources = await server.ask(GetScreenResources, opcode=opcode, window=server.root)
    mode = await _mode(server, opcode, resources, size)
    now = await server.ask(request.GetGeometry, drawable=server.root)
    largest = Size(max(now.width, size.width), max(now.height, size.height))
    await _set_screen(server, opcode, largest, dpi)
    await server.ask(
        SetCrtcConfig,
        opcode=opcode,
        crtc=resources.crtcs[0],
        timestamp=X.CurrentTime,
        config_timestamp=resources.config_timestamp,
        x=0,
        y=0,
        mode=mode,
        rotation=_NOT_TURNED,
        outputs=[resources.outputs[0]],
    )
    await _set_screen(server, opcode, size, dpi)


async def _mode(server: Connection, opcode: int, resources: Any, size: Size) -> int:
    """The mode of this size, made where there is none."""
    name = f"{size.width}x{size.height}-belljar"
    for mode in resources.modes:
        if (mode["width"], mode["height"]) == (size.width, size.height):
            return int(mode["id"])
    description = {
        "id": 0,
        "width": size.width,
        "height": size.height,
        "dot_clock": size.width * size.height * 60,
        "h_sync_start": size.width,
        "h_sync_end": size.width,
        "h_total": size.width,
        "h_skew": 0,
        "v_sync_start": size.height,
        "v_sync_end": size.height,
        "v_total": size.height,
        "name_length": len(name),
        "flags": 0,
    }
    made: int = (await server.ask(CreateMode, opcode=opcode, window=server.root, mode=description, name=name)).mode
    await server.do(AddOutputMode, opcode=opcode, output=resources.outputs[0], mode=made)
    return made


async def _set_screen(server: Connection, opcode: int, size: Size, dpi: int) -> None:
    await server.do(
        SetScreenSize,
        opcode=opcode,
        window=server.root,
        width=size.width,
        height=size.height,
        width_in_millimeters=max(1, round(size.width / dpi * _INCH)),
        height_in_millimeters=max(1, round(size.height / dpi * _INCH)),
    )


async def _opcode(server: Connection) -> int:
    async def prepare(extension: Extension) -> None:
        await server.ask(QueryVersion, opcode=extension.opcode, major_version=1, minor_version=4)

    return (await server.prepared(EXTENSION, prepare)).opcode
