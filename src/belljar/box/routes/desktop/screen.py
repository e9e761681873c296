"""Pictures of the screen, recordings, and windows."""

from typing import Annotated

from starlette import status
from starlette.responses import FileResponse, Response

from belljar.box.desktop.pictures import MEDIA_TYPES
from belljar.box.desktop.pictures.screenshots import Wish
from belljar.box.desktop.recording.picture_film import FASTEST_PICTURES
from belljar.box.display.x11.pixels import Area
from belljar.box.parts import Box, TheBox
from belljar.box.routes.desktop.lifecycle import NEEDS_DISPLAY, new_router
from belljar.problems import Conflict, InvalidRequest, NotFound
from belljar.problems.box import (
    DesktopFailed,
    DesktopInactive,
    DesktopInvalidAction,
    DesktopScreenshotFailed,
    DiskFull,
    NoFocusedWindow,
    WindowNotFound,
)
from belljar.problems.browser import BrowserNotActive, TabNotFound
from belljar.server.openapi import problems
from belljar.server.router import Kind
from belljar.server.signature import Query
from belljar.wire.desktop import (
    ClosedWindow,
    DisplayMode,
    ImageFormat,
    MoveWindow,
    Recording,
    RecordingList,
    RecordingSource,
    ResizeWindow,
    StartRecording,
    WindowInfo,
    WindowList,
)

router = new_router()

PICTURE: dict[int | str, dict[str, object]] = {
    200: {"content": {media: {} for media in MEDIA_TYPES.values()}, "description": "The picture."},
    **problems(DesktopInvalidAction, DesktopInactive, DesktopScreenshotFailed, DesktopFailed),
}

Format = Annotated[ImageFormat, Query()]
Quality = Annotated[int, Query(ge=0, le=255, description="1 to 100, for jpeg and webp.")]
Scale = Annotated[float, Query(description="0.1 to 1.0; applies after a region is cut.")]
ShowCursor = Annotated[bool, Query(alias="showCursor")]
Coordinate = Annotated[int, Query(ge=-(2**31), le=2**31 - 1)]
Length = Annotated[int, Query(ge=0, le=2**32 - 1)]


@router.get(
    "/screenshot", operation_id="takeDesktopScreenshot", tells=Kind.PIXELS, responses=PICTURE, response_class=Response
)
async def screenshot(
    box: TheBox,
    format: Format = ImageFormat.PNG,
    quality: Quality = 85,
    scale: Scale = 1.0,
    show_cursor: ShowCursor = False,
) -> Response:
    """The whole screen."""
    return await _shot(box, Wish(format, quality, scale, show_cursor))


@router.get(
    "/screenshot/region",
    operation_id="takeDesktopRegionScreenshot",
    tells=Kind.PIXELS,
    responses=PICTURE,
    response_class=Response,
)
async def region(
    box: TheBox,
    x: Coordinate,
    y: Coordinate,
    width: Length,
    height: Length,
    format: Format = ImageFormat.PNG,
    quality: Quality = 85,
    scale: Scale = 1.0,
    show_cursor: ShowCursor = False,
) -> Response:
    """A part of the screen; what lies over its edge is cut off."""
    return await _shot(box, Wish(format, quality, scale, show_cursor, Area(x, y, width, height)))


async def _shot(box: TheBox, wish: Wish) -> Response:
    picture = await box.desktop.screenshots.take(wish)
    return Response(picture, media_type=MEDIA_TYPES[wish.format], headers={"Cache-Control": "no-store"})


@router.post(
    "/recording/start",
    operation_id="startDesktopRecording",
    acts=False,
    responses=problems(Conflict, DiskFull, BrowserNotActive, TabNotFound),
)
async def start(body: StartRecording, box: TheBox) -> Recording:
    """Film the screen, at 1 to 60 frames a second, or a tab, at 1 to 8; 409 while another recording is active."""
    is_display = body.source is RecordingSource.DISPLAY
    if is_display and body.tab_id is not None:
        raise InvalidRequest("A film of the display shows all of it: leave out tabId, or say source tab.")
    is_tab = body.source is RecordingSource.TAB or body.tab_id is not None
    if is_tab or (not is_display and box.display.mode is None and box.browser.is_headless):
        pictures = await box.live.pictures_of_tab(body.tab_id)
        return await box.desktop.recordings.start_pictures(pictures, body.fps or FASTEST_PICTURES, body.tab_id)
    return await box.desktop.recordings.start(_usual_fps(box) if body.fps is None else body.fps)


@router.post("/recording/stop", operation_id="stopDesktopRecording", acts=False, responses=problems(Conflict))
async def stop(box: TheBox) -> Recording:
    """Finish the film; it answers when the file is complete."""
    return await box.desktop.recordings.stop()


@router.get("/recordings", operation_id="listDesktopRecordings", tells=Kind.FILES)
async def recordings(box: TheBox) -> RecordingList:
    """Every recording in the state folder, those of earlier runs included."""
    return await box.desktop.recordings.list()


@router.get("/recordings/{id}", operation_id="getDesktopRecording", tells=Kind.FILES, responses=problems(NotFound))
async def recording(id: str, box: TheBox) -> Recording:
    """One recording; `bytes` grows while it is being made."""
    return await box.desktop.recordings.get(id)


@router.get(
    "/recordings/{id}/download",
    operation_id="downloadDesktopRecording",
    tells=Kind.FILES,
    responses={
        200: {"content": {"video/mp4": {}}, "description": "The film; ranges are served."},
        **problems(NotFound),
    },
    response_class=FileResponse,
)
async def download(id: str, box: TheBox) -> FileResponse:
    """The film; while it is being recorded, as far as it has got."""
    film = await box.desktop.recordings.film(id)
    return FileResponse(
        film,
        media_type="video/mp4",
        filename=film.name,
        headers={"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"},
    )


@router.delete(
    "/recordings/{id}",
    operation_id="deleteDesktopRecording",
    acts=False,
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(NotFound, Conflict),
)
async def delete(id: str, box: TheBox) -> Response:
    """Delete a recording and its film; 409 while it is being made."""
    await box.desktop.recordings.delete(id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


def _usual_fps(box: Box) -> int:
    """As the start of what is on the display said."""
    request = box.browser.request
    if box.display.mode is DisplayMode.BROWSER and request is not None:
        return request.recording_fps
    return box.desktop.recording_fps


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
