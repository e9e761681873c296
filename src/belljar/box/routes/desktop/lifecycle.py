"""The desktop: start, stop, status, programs, accessibility."""

from belljar.box.parts import TheBox
from belljar.problems import Conflict, ValidationFailed
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
    DesktopProcess,
    DesktopStatus,
    DisplayInfo,
    LaunchApp,
    LaunchedApp,
    OpenedTarget,
    OpenTarget,
    ResizeDisplay,
    StartDesktop,
)

NEEDS_DISPLAY = problems(DesktopInactive, DesktopFailed)
INPUT = problems(DesktopInvalidAction, DesktopInactive, DesktopInputFailed, DesktopFailed)
# What the stream's process is called among others.
STREAMER = "streamer"


def new_router() -> Router:
    """Optional values are left out of answers, as the reference does."""
    return Router("/v1/desktop", tags=["desktop"], response_model_exclude_none=True)


router = new_router()


def check_codec(codec: str | None) -> None:
    """Whoever asks for a codec is not sent another in silence."""
    if codec not in (None, "vp8", "h264"):
        raise ValidationFailed(
            "streamVideoCodec: streams are made in vp8 and h264.",
            errors=[{"field": "streamVideoCodec", "message": "streams are made in vp8 and h264"}],
        )


@router.post(
    "/start",
    operation_id="startDesktop",
    responses=problems(DesktopInvalidAction, Conflict, DesktopDependenciesMissing, DesktopFailed, ValidationFailed),
)
async def start(body: StartDesktop, box: TheBox) -> DesktopStatus:
    """Start the desktop; active already, its status is the answer.  409 while a browser has the display."""
    check_codec(body.stream_video_codec)
    if body.stream_audio_codec not in (None, "none", "opus", "g722"):
        message = "sound is coded as opus or g722"
        raise ValidationFailed(
            f"streamAudioCodec: {message}.", errors=[{"field": "streamAudioCodec", "message": message}]
        )
    return await box.desktop.start(body)


@router.post("/stop", operation_id="stopDesktop", responses=problems(Conflict))
async def stop(box: TheBox) -> DesktopStatus:
    """Stop the desktop and all that runs on it, completing a recording."""
    return await box.desktop.stop()


@router.get("/status", operation_id="getDesktopStatus", tells=Kind.STATE)
async def status(box: TheBox) -> DesktopStatus:
    """What runs, what is missing, what went wrong last, and the windows that are open."""
    found = await box.desktop.status()
    if box.streaming.is_active:
        pid = box.live.video.pid
        found.processes.append(DesktopProcess(name=STREAMER, pid=pid, running=pid is not None))
    return found


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
