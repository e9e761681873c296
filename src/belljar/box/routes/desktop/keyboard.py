"""The keyboard and the clipboard."""

from typing import Annotated

from belljar.box.parts import TheBox
from belljar.box.routes.desktop.lifecycle import INPUT, new_router
from belljar.problems.box import ClipboardFailed, DesktopFailed, DesktopInactive, DesktopInvalidAction
from belljar.server.openapi import problems
from belljar.server.router import Kind
from belljar.server.signature import Query
from belljar.wire.base import Ok
from belljar.wire.desktop import Clipboard, ClipboardFormat, HoldKey, PressKey, SetClipboard, TypeText

router = new_router()

DEFAULT_DELAY_MS = 10


@router.post("/keyboard/type", operation_id="typeDesktopText", typed=("text",), responses=INPUT)
async def type_text(body: TypeText, box: TheBox) -> Ok:
    """Type text, whatever the keyboard's layout; it answers when the last key is up."""
    delay = DEFAULT_DELAY_MS if body.delay_ms is None else body.delay_ms
    await box.desktop.keyboard.type(body.text, delay / 1000)
    return Ok()


@router.post("/keyboard/press", operation_id="pressDesktopKey", responses=INPUT)
async def press(body: PressKey, box: TheBox) -> Ok:
    """Press a key or a combination and let it go."""
    await box.desktop.keyboard.press(body.key, body.modifiers)
    return Ok()


@router.post("/keyboard/down", operation_id="keyDownDesktop", responses=INPUT)
async def down(body: HoldKey, box: TheBox) -> Ok:
    """Press a key and keep it down."""
    await box.desktop.keyboard.down(body.key)
    return Ok()


@router.post("/keyboard/up", operation_id="keyUpDesktop", responses=INPUT)
async def up(body: HoldKey, box: TheBox) -> Ok:
    """Let a key or combination go."""
    await box.desktop.keyboard.up(body.key)
    return Ok()


@router.get(
    "/clipboard",
    operation_id="getDesktopClipboard",
    tells=Kind.CLIPBOARD,
    responses=problems(DesktopInactive, ClipboardFailed, DesktopFailed),
)
async def get_clipboard(
    box: TheBox,
    selection: Annotated[str, Query(description="`clipboard` or `primary`.")] = "clipboard",
    format: Annotated[ClipboardFormat, Query(description="`png` adds the picture, where there is one.")] = (
        ClipboardFormat.TEXT
    ),
) -> Clipboard:
    """The content of a selection; text is empty where it has none."""
    return await box.desktop.clipboard.get(selection, format)


@router.post(
    "/clipboard",
    operation_id="setDesktopClipboard",
    typed=("text", "image"),
    responses=problems(DesktopInvalidAction, DesktopInactive, ClipboardFailed, DesktopFailed),
)
async def set_clipboard(body: SetClipboard, box: TheBox) -> Ok:
    """Put text or a picture on a selection; it stays until another program takes its place."""
    await box.desktop.clipboard.set(body.selection or "clipboard", body.text, body.image)
    return Ok()
