"""The mouse."""

from belljar.box.parts import TheBox
from belljar.box.routes.desktop.lifecycle import INPUT, NEEDS_DISPLAY, new_router
from belljar.problems.box import DesktopInvalidAction
from belljar.server.router import Kind
from belljar.wire.desktop import (
    ClickMouse,
    DragMouse,
    MouseButton,
    MouseButtonAction,
    MousePosition,
    MoveMouse,
    ScrollMouse,
)

router = new_router()


@router.get("/mouse/position", operation_id="getDesktopMousePosition", tells=Kind.STATE, responses=NEEDS_DISPLAY)
async def position(box: TheBox) -> MousePosition:
    """Where the pointer is, and over which window."""
    return await box.desktop.mouse.position()


@router.post("/mouse/move", operation_id="moveDesktopMouse", responses=INPUT)
async def move(body: MoveMouse, box: TheBox) -> MousePosition:
    """Move the pointer to a pixel of the screen."""
    return await box.desktop.mouse.move(body.x, body.y)


@router.post("/mouse/click", operation_id="clickDesktop", responses=INPUT)
async def click(body: ClickMouse, box: TheBox) -> MousePosition:
    """Move there and click, once or several times."""
    count = 1 if body.click_count is None else body.click_count
    return await box.desktop.mouse.click(body.x, body.y, body.button or MouseButton.LEFT, count)


@router.post("/mouse/down", operation_id="mouseDownDesktop", responses=INPUT)
async def down(body: MouseButtonAction, box: TheBox) -> MousePosition:
    """Press a button and keep it down."""
    return await box.desktop.mouse.down(_point(body), body.button or MouseButton.LEFT)


@router.post("/mouse/up", operation_id="mouseUpDesktop", responses=INPUT)
async def up(body: MouseButtonAction, box: TheBox) -> MousePosition:
    """Let a button go, after moving there where a place is given."""
    return await box.desktop.mouse.up(_point(body), body.button or MouseButton.LEFT)


@router.post("/mouse/drag", operation_id="dragDesktopMouse", responses=INPUT)
async def drag(body: DragMouse, box: TheBox) -> MousePosition:
    """Press at the start, move to the end in steps, and let go."""
    start, end = (body.start_x, body.start_y), (body.end_x, body.end_y)
    return await box.desktop.mouse.drag(start, end, body.button or MouseButton.LEFT)


@router.post("/mouse/scroll", operation_id="scrollDesktop", responses=INPUT)
async def scroll(body: ScrollMouse, box: TheBox) -> MousePosition:
    """Turn the wheel: deltas are notches, fractions add up."""
    return await box.desktop.mouse.scroll(body.x, body.y, body.delta_x or 0.0, body.delta_y or 0.0)


def _point(body: MouseButtonAction) -> tuple[int, int] | None:
    if body.x is None and body.y is None:
        return None
    if body.x is None or body.y is None:
        raise DesktopInvalidAction("x and y come together or not at all.")
    return body.x, body.y
