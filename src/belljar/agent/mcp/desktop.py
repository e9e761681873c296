"""The desktop tool: a person's eyes and hands on any program."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from belljar.agent.mcp.arguments import Arguments, BadArgument
from belljar.agent.mcp.box_client import BoxClient
from belljar.agent.mcp.looking import QUALITY, scaled
from belljar.agent.mcp.report import Answer, counted, quoted

Doing = Callable[[BoxClient, Arguments], Awaitable[Answer]]


async def desktop(client: BoxClient, given: Arguments) -> Answer:
    do = given.one_of("do", tuple(DOINGS))
    return await DOINGS[do](client, given)


async def _screenshot(client: BoxClient, given: Arguments) -> Answer:
    picture = await client.desktop.screenshot(format="jpeg", quality=QUALITY, show_cursor=True)
    return Answer("Picture of the desktop.", pictures=[await scaled(picture)])


async def _click(client: BoxClient, given: Arguments) -> Answer:
    count = max(1, given.whole("count", 1, most=3))
    await client.desktop.mouse.click(*_point(given), click_count=count, **_button(given))
    return Answer("Clicked.")


async def _move(client: BoxClient, given: Arguments) -> Answer:
    await client.desktop.mouse.move(*_point(given))
    return Answer("Moved.")


async def _drag(client: BoxClient, given: Arguments) -> Answer:
    await client.desktop.mouse.drag(*_point(given), *_point(given, "x2", "y2"), **_button(given))
    return Answer("Dragged.")


async def _scroll(client: BoxClient, given: Arguments) -> Answer:
    point, notches = _point(given), given.number("notches", 3, least=-100, most=100)
    await client.desktop.mouse.scroll(*point, delta_y=notches)
    return Answer("Scrolled.")


async def _type(client: BoxClient, given: Arguments) -> Answer:
    await client.desktop.keyboard.type(given.text("text"))
    return Answer("Typed.")


async def _press(client: BoxClient, given: Arguments) -> Answer:
    await client.desktop.keyboard.press(given.text("key"))
    return Answer("Pressed.")


async def _windows(client: BoxClient, given: Arguments) -> Answer:
    found = (await client.desktop.windows.list()).windows
    lines = [
        f"{'*' if one.is_active else ' '} {one.id} {one.width}x{one.height}+{one.x}+{one.y} {quoted(one.title)}"
        for one in found
    ]
    return Answer(f"{counted(len(found), 'window')}, bottom to top, * has the keyboard.", "\n".join(lines), "desktop:")


async def _focus(client: BoxClient, given: Arguments) -> Answer:
    await client.desktop.windows.focus(_window(given))
    return Answer("Focused.")


async def _close(client: BoxClient, given: Arguments) -> Answer:
    closed = (await client.desktop.windows.close(_window(given))).closed
    return Answer("Closed." if closed else "It stays open: it may be asking something.")


async def _launch(client: BoxClient, given: Arguments) -> Answer:
    window = (await client.desktop.launch(given.text("program"), given.texts("args"), wait=True)).window_id
    return Answer(f"Started{f', window {window}' if window else ', no window yet'}.")


def _point(given: Arguments, across: str = "x", down: str = "y") -> tuple[int, int]:
    if not (given.has(across) and given.has(down)):
        raise BadArgument(f"{across} and {down} must be given.")
    return given.whole(across, most=32_767), given.whole(down, most=32_767)


def _button(given: Arguments) -> dict[str, Any]:
    return {"button": given.text("button")} if given.has("button") else {}


def _window(given: Arguments) -> str:
    id = given.text("window")
    if not re.fullmatch(r"\d{1,12}", id):
        raise BadArgument("window must be an id that windows lists.")
    return id


DOINGS: dict[str, Doing] = {
    "screenshot": _screenshot,
    "click": _click,
    "move": _move,
    "drag": _drag,
    "scroll": _scroll,
    "type": _type,
    "press": _press,
    "windows": _windows,
    "focus": _focus,
    "close": _close,
    "launch": _launch,
}
