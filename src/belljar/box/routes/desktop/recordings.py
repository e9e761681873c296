"""Recordings."""

from starlette import status
from starlette.responses import FileResponse, Response

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.box.parts import Box, TheBox
from belljar.box.routes.desktop.routing import new_router
from belljar.problems import Conflict, NotFound
from belljar.problems.files import DiskFull
from belljar.wire.desktop import DisplayMode, Recording, RecordingList, StartRecording

router = new_router()


@router.post(
    "/recording/start", operation_id="startDesktopRecording", acts=False, responses=problems(Conflict, DiskFull)
)
async def start(body: StartRecording, box: TheBox) -> Recording:
    """Film the screen, at 1 to 60 frames a second; 409 while another recording is active or there is no display."""
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
