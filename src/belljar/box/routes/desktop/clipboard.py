"""The clipboard."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.signature import Query
from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import new_router
from belljar.problems.desktop import ClipboardFailed, DesktopFailed, DesktopInactive, DesktopInvalidAction
from belljar.wire.base import Ok
from belljar.wire.desktop import Clipboard, ClipboardFormat, SetClipboard

router = new_router()


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
    responses=problems(DesktopInvalidAction, DesktopInactive, ClipboardFailed, DesktopFailed),
)
async def set_clipboard(body: SetClipboard, box: TheBox) -> Ok:
    """Put text or a picture on a selection; it stays until another program takes its place."""
    await box.desktop.clipboard.set(body.selection or "clipboard", body.text, body.image)
    return Ok()
