"""Start, stop, status."""

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import NEEDS_DISPLAY, new_router
from belljar.problems import Conflict
from belljar.problems.desktop import (
    DesktopDependenciesMissing,
    DesktopFailed,
    DesktopInactive,
    DesktopInvalidAction,
)
from belljar.wire.desktop import DesktopStatus, DisplayInfo, ResizeDisplay, StartDesktop

router = new_router()


@router.post(
    "/start",
    operation_id="startDesktop",
    responses=problems(DesktopInvalidAction, Conflict, DesktopDependenciesMissing, DesktopFailed),
)
async def start(body: StartDesktop, box: TheBox) -> DesktopStatus:
    """Start the desktop; active already, its status is the answer.  409 while a browser has the display."""
    return await box.desktop.start(body)


@router.post("/stop", operation_id="stopDesktop", responses=problems(Conflict))
async def stop(box: TheBox) -> DesktopStatus:
    """Stop the desktop and all that runs on it, completing a recording."""
    return await box.desktop.stop()


@router.get("/status", operation_id="getDesktopStatus", tells=Kind.STATE)
async def status(box: TheBox) -> DesktopStatus:
    """What runs, what is missing, what went wrong last, and the windows that are open."""
    return await box.desktop.status()


@router.get("/display/info", operation_id="getDesktopDisplayInfo", tells=Kind.STATE, responses=NEEDS_DISPLAY)
async def display_info(box: TheBox) -> DisplayInfo:
    """The display, its size, and what it is used for."""
    return await box.desktop.display_info()


@router.post(
    "/display/resize",
    operation_id="resizeDesktopDisplay",
    responses=problems(DesktopInvalidAction, DesktopInactive, Conflict, DesktopFailed),
)
async def resize_display(body: ResizeDisplay, box: TheBox) -> DisplayInfo:
    """Give the running screen another size, up to the one it was started with, without a restart."""
    return await box.desktop.resize(body)
