"""Windows."""

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import NEEDS_DISPLAY, new_router
from belljar.problems.desktop import (
    DesktopFailed,
    DesktopInactive,
    DesktopInvalidAction,
    NoFocusedWindow,
    WindowNotFound,
)
from belljar.wire.desktop import ClosedWindow, MoveWindow, ResizeWindow, WindowInfo, WindowList

router = new_router()

ONE_WINDOW = problems(DesktopInvalidAction, WindowNotFound, DesktopInactive, DesktopFailed)


@router.get("/windows", operation_id="listDesktopWindows", tells=Kind.TEXT, responses=NEEDS_DISPLAY)
async def windows(box: TheBox) -> WindowList:
    """Every window, from the bottom to the top."""
    return WindowList(windows=await box.desktop.windows.list())


@router.get(
    "/windows/focused",
    operation_id="getDesktopFocusedWindow",
    tells=Kind.TEXT,
    responses=problems(NoFocusedWindow, DesktopInactive, DesktopFailed),
)
async def focused(box: TheBox) -> WindowInfo:
    """The window that has the keyboard."""
    return await box.desktop.windows.focused()


@router.post("/windows/{id}/focus", operation_id="focusDesktopWindow", responses=ONE_WINDOW)
async def focus(id: str, box: TheBox) -> WindowInfo:
    """Bring a window to the front and give it the keyboard; a minimised one is shown again."""
    return await box.desktop.windows.focus(id)


@router.post("/windows/{id}/move", operation_id="moveDesktopWindow", responses=ONE_WINDOW)
async def move(id: str, body: MoveWindow, box: TheBox) -> WindowInfo:
    """Move a window: the upper left corner of its frame goes to this place."""
    return await box.desktop.windows.move(id, body.x, body.y)


@router.post("/windows/{id}/resize", operation_id="resizeDesktopWindow", responses=ONE_WINDOW)
async def resize(id: str, body: ResizeWindow, box: TheBox) -> WindowInfo:
    """Give a window another size; a terminal snaps to its cells."""
    return await box.desktop.windows.resize(id, body.width, body.height)


@router.post("/windows/{id}/minimize", operation_id="minimizeDesktopWindow", responses=ONE_WINDOW)
async def minimize(id: str, box: TheBox) -> WindowInfo:
    """Hide a window; `focus` shows it again."""
    return await box.desktop.windows.minimize(id)


@router.post("/windows/{id}/maximize", operation_id="maximizeDesktopWindow", responses=ONE_WINDOW)
async def maximize(id: str, box: TheBox) -> WindowInfo:
    """Let a window fill the screen."""
    return await box.desktop.windows.maximize(id)


@router.post("/windows/{id}/close", operation_id="closeDesktopWindow", responses=ONE_WINDOW)
async def close(id: str, box: TheBox) -> ClosedWindow:
    """Ask a window to close, as its close button would."""
    return ClosedWindow(id=id, closed=await box.desktop.windows.close(id))
