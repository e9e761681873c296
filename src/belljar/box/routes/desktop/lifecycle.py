"""The desktop: start, stop, status, programs, accessibility; and streaming, which is not there yet."""

from starlette.websockets import WebSocket

from belljar.box.parts import TheBox
from belljar.problems import Conflict, WebSocketRequired
from belljar.problems.box import (
    AppExited,
    AppNotFound,
    DesktopDependenciesMissing,
    DesktopFailed,
    DesktopInactive,
    DesktopInputFailed,
    DesktopInvalidAction,
)
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.wire.desktop import (
    AccessibilityTree,
    DesktopStatus,
    DisplayInfo,
    LaunchApp,
    LaunchedApp,
    OpenedTarget,
    OpenTarget,
    ResizeDisplay,
    StartDesktop,
    StreamStatus,
)

NEEDS_DISPLAY = problems(DesktopInactive, DesktopFailed)
INPUT = problems(DesktopInvalidAction, DesktopInactive, DesktopInputFailed, DesktopFailed)


def new_router() -> Router:
    """Optional values are left out of answers, as the reference does."""
    return Router("/v1/desktop", tags=["desktop"], response_model_exclude_none=True)


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


@router.get("/accessibility", operation_id="getDesktopAccessibility", tells=Kind.PROGRAMS, responses=NEEDS_DISPLAY)
async def accessibility(box: TheBox) -> AccessibilityTree:
    """What the running programs tell a screen reader; `available: false` with a reason where there is no bus for it."""
    return await box.desktop.accessibility()


NOT_YET = "desktop streaming is not available in this version"


@router.get("/stream/status", operation_id="getDesktopStreamStatus", tells=Kind.STATE)
async def stream_status() -> StreamStatus:
    """Never active: streaming is not available yet."""
    return StreamStatus(active=False, reason=NOT_YET)


@router.post("/stream/start", operation_id="startDesktopStream", acts=False, responses=problems(Conflict))
async def stream_start() -> StreamStatus:
    """409: streaming is not available yet."""
    raise Conflict(NOT_YET)


@router.post("/stream/stop", operation_id="stopDesktopStream", acts=False)
async def stream_stop() -> StreamStatus:
    """Nothing to stop: streaming is not available yet."""
    return StreamStatus(active=False)


@router.get(
    "/stream/signaling", operation_id="connectDesktopStream", tells=Kind.CDP, responses=problems(WebSocketRequired)
)
async def signaling_without_upgrade() -> StreamStatus:
    """A WebSocket; a plain request is refused."""
    raise WebSocketRequired("This path is a WebSocket.")


@router.websocket("/stream/signaling")
async def signaling(socket: WebSocket) -> None:
    """409 before the handshake: streaming is not available yet."""
    raise Conflict(NOT_YET)
