"""Pixels as the X server has them, through memory that it cannot take away."""

import fcntl
import os

import pytest

from belljar.box.display import Connection, Display
from belljar.box.display.x11.pixels import Area, Memory, Screen, attach
from belljar.box.display.x11.protocol import X, request
from belljar.wire.desktop import DisplayMode


async def paint(x: Connection, area: Area, colour: int) -> None:
    gc = x.new_id()
    await x.do(request.CreateGC, cid=gc, drawable=x.root, attrs={"foreground": colour, "subwindow_mode": 1})
    rectangle = {"x": area.x, "y": area.y, "width": area.width, "height": area.height}
    await x.do(request.PolyFillRectangle, drawable=x.root, gc=gc, rectangles=[rectangle])


@pytest.fixture
async def x(display: Display) -> Connection:
    await display.start(DisplayMode.DESKTOP, 101, 51)
    return await display.connection()


async def test_a_grab_has_the_pixels_of_the_screen(x: Connection) -> None:
    await paint(x, Area(0, 0, 101, 51), 0x102030)
    await paint(x, Area(10, 20, 5, 4), 0xFF8040)
    screen = Screen(x)
    async with screen.grab(Area(9, 19, 7, 6)) as frame:
        rows = [bytes(frame.pixels[i * frame.stride : (i + 1) * frame.stride]) for i in range(6)]
    plain, painted = bytes((0x30, 0x20, 0x10)), bytes((0x40, 0x80, 0xFF))
    assert [row[0:3] for row in rows] == [plain] * 6
    assert [row[4:7] for row in rows] == [plain] + [painted] * 4 + [plain]
    screen.close()


async def test_grabs_at_once_do_not_share_memory(x: Connection) -> None:
    screen = Screen(x)
    await paint(x, Area(0, 0, 101, 51), 0x111111)
    async with screen.grab(Area(0, 0, 101, 51)) as first:
        await paint(x, Area(0, 0, 101, 51), 0x222222)
        async with screen.grab(Area(0, 0, 101, 51)) as second:
            assert first.pixels[0] == 0x11
            assert second.pixels[0] == 0x22
    screen.close()


async def test_the_memory_cannot_be_cut_short(x: Connection) -> None:
    memory = Memory(4096)
    segment = await attach(x, memory)
    await x.sync()
    with pytest.raises(PermissionError):
        os.ftruncate(memory.descriptor, 0)
    with pytest.raises(PermissionError):
        fcntl.fcntl(memory.descriptor, fcntl.F_ADD_SEALS, 8)
    segment.close()
    await x.sync()
    memory.close()


async def test_a_root_window_is_there(x: Connection) -> None:
    attributes = await x.ask(request.GetWindowAttributes, window=x.root)
    assert attributes.map_state == X.IsViewable
