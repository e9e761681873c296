"""The desktop tool: a person's eyes and hands on any program."""

import re
from collections.abc import Awaitable, Callable

from belljar.agent.mcp.answers import Answer
from belljar.agent.mcp.api import Json, Query
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.desk import BadArgument, Desk
from belljar.agent.mcp.pictures import QUALITY, scaled
from belljar.agent.mcp.told import counted, quoted

Doing = Callable[[Desk, Arguments], Awaitable[Answer]]


async def desktop(desk: Desk, given: Arguments) -> Answer:
    do = given.one_of("do", tuple(DOINGS))
    return await DOINGS[do](desk, given)


async def _screenshot(desk: Desk, given: Arguments) -> Answer:
    query: Query = {"format": "jpeg", "quality": QUALITY, "showCursor": True}
    reply = await desk.desktop("GET", "screenshot", query=query)
    return Answer("Picture of the desktop.", pictures=[await scaled(reply)])


async def _click(desk: Desk, given: Arguments) -> Answer:
    body = {**_point(given), "clickCount": max(1, given.whole("count", 1, most=3)), **_button(given)}
    await desk.desktop("POST", "mouse/click", body)
    return Answer("Clicked.")


async def _move(desk: Desk, given: Arguments) -> Answer:
    await desk.desktop("POST", "mouse/move", _point(given))
    return Answer("Moved.")


async def _drag(desk: Desk, given: Arguments) -> Answer:
    start, end = _point(given), _point(given, "x2", "y2")
    body = {"startX": start["x"], "startY": start["y"], "endX": end["x"], "endY": end["y"], **_button(given)}
    await desk.desktop("POST", "mouse/drag", body)
    return Answer("Dragged.")


async def _scroll(desk: Desk, given: Arguments) -> Answer:
    await desk.desktop(
        "POST", "mouse/scroll", {**_point(given), "deltaY": given.number("notches", 3, least=-100, most=100)}
    )
    return Answer("Scrolled.")


async def _type(desk: Desk, given: Arguments) -> Answer:
    await desk.desktop("POST", "keyboard/type", {"text": given.text("text")})
    return Answer("Typed.")


async def _press(desk: Desk, given: Arguments) -> Answer:
    await desk.desktop("POST", "keyboard/press", {"key": given.text("key")})
    return Answer("Pressed.")


async def _windows(desk: Desk, given: Arguments) -> Answer:
    found = (await desk.desktop("GET", "windows")).json()["windows"]
    lines = [
        f"{'*' if one['isActive'] else ' '} {one['id']} {one['width']}x{one['height']}+{one['x']}+{one['y']} "
        f"{quoted(one['title'])}"
        for one in found
    ]
    return Answer(f"{counted(len(found), 'window')}, bottom to top, * has the keyboard.", "\n".join(lines), "desktop:")


async def _focus(desk: Desk, given: Arguments) -> Answer:
    await desk.desktop("POST", f"windows/{_window(given)}/focus")
    return Answer("Focused.")


async def _close(desk: Desk, given: Arguments) -> Answer:
    closed = (await desk.desktop("POST", f"windows/{_window(given)}/close")).json()["closed"]
    return Answer("Closed." if closed else "It stays open: it may be asking something.")


async def _launch(desk: Desk, given: Arguments) -> Answer:
    body: Json = {"app": given.text("program"), "args": given.texts("args"), "wait": True}
    launched = (await desk.desktop("POST", "launch", body)).json()
    window = launched.get("windowId")
    return Answer(f"Started{f', window {window}' if window else ', no window yet'}.")


def _point(given: Arguments, across: str = "x", down: str = "y") -> Json:
    if not (given.has(across) and given.has(down)):
        raise BadArgument(f"{across} and {down} must be given.")
    return {"x": given.whole(across, most=32_767), "y": given.whole(down, most=32_767)}


def _button(given: Arguments) -> Json:
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
