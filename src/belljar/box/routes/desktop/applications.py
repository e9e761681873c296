"""Launch and open."""

from belljar.asgi.openapi import problems
from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import new_router
from belljar.problems.desktop import AppExited, AppNotFound, DesktopFailed, DesktopInactive, DesktopInvalidAction
from belljar.wire.desktop import LaunchApp, LaunchedApp, OpenedTarget, OpenTarget

router = new_router()


@router.post(
    "/launch",
    operation_id="launchDesktopApp",
    responses=problems(AppNotFound, DesktopInactive, AppExited, DesktopFailed),
)
async def launch(body: LaunchApp, box: TheBox) -> LaunchedApp:
    """Start a program on the desktop; with `wait`, answer when its window is there, or after 5 s."""
    return await box.desktop.applications.launch(body)


@router.post(
    "/open",
    operation_id="openDesktopTarget",
    responses=problems(DesktopInvalidAction, DesktopInactive, AppExited, DesktopFailed),
)
async def open_target(body: OpenTarget, box: TheBox) -> OpenedTarget:
    """Open a file or an address with the program that is meant for it."""
    return await box.desktop.applications.open(body.target)
