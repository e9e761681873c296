"""Artifacts of a session, for as long as they are kept: its box's log and its films."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import anyio
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from belljar.plane.parts import TheControl, TheKey
from belljar.plane.routes.sessions import own_session
from belljar.problems import NotFound
from belljar.problems.plane import UnknownSession
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.sessions import SessionRecording, SessionRecordings

router = Router(prefix="/api/sessions/{id}", tags=["sessions"], is_on_its_host=True)

_RECORDING = re.compile(r"rec_\d{1,9}")


@router.get(
    "/logs", operation_id="getSessionLogs", response_class=PlainTextResponse, responses=problems(UnknownSession)
)
async def session_logs(
    id: str,
    control: TheControl,
    key: TheKey,
    tail: Annotated[int, Query(ge=1, le=10_000, description="The last so many lines.")] = 1000,
) -> Response:
    """The box's own log, also after the session's end, for as long as it is kept."""
    row = await own_session(control, key, id)
    if row.box_id is None:
        return PlainTextResponse("")
    log = control.launcher.log(row.box_id)

    def read() -> str:
        lines = log.read_text(errors="replace").splitlines(keepends=True) if log.exists() else []
        return "".join(lines[-tail:])

    return PlainTextResponse(await anyio.to_thread.run_sync(read))


@router.get("/recordings", operation_id="listSessionRecordings", responses=problems(UnknownSession))
async def session_recordings(id: str, request: Request, control: TheControl, key: TheKey) -> SessionRecordings:
    """The session's films, also after its end, for as long as they are kept."""
    row = await own_session(control, key, id)
    if row.box_id is None:
        return SessionRecordings(recordings=[])
    at = f"{control.addresses.of(request.scope).http}/api/sessions/{id}/recordings"
    folder = control.launcher.recordings(row.box_id)
    films = await anyio.to_thread.run_sync(_films, folder)
    return SessionRecordings(recordings=[_recording(film, f"{at}/{film.stem}") for film in films])


@router.get(
    "/recordings/{recording_id}",
    operation_id="downloadSessionRecording",
    response_class=FileResponse,
    responses={
        200: {"content": {"video/mp4": {}}, "description": "The film; ranges are served."},
        **problems(UnknownSession, NotFound),
    },
)
async def session_recording(id: str, recording_id: str, control: TheControl, key: TheKey) -> Response:
    """One film."""
    row = await own_session(control, key, id)
    # The id becomes a file's name, so it must look like one.
    if row.box_id is None or not _RECORDING.fullmatch(recording_id):
        raise NotFound("recording", recording_id)
    film = control.launcher.recordings(row.box_id) / f"{recording_id}.mp4"
    if not await anyio.Path(film).is_file():
        raise NotFound("recording", recording_id)
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
    return FileResponse(film, media_type="video/mp4", filename=f"{id}-{film.name}", headers=headers)


def _films(folder: Path) -> list[Path]:
    films = folder.glob("rec_*.mp4") if folder.is_dir() else ()
    return sorted((film for film in films if _RECORDING.fullmatch(film.stem)), key=lambda film: int(film.stem[4:]))


def _recording(film: Path, url: str) -> SessionRecording:
    found = film.stat()
    return SessionRecording(
        id=film.stem, bytes=found.st_size, written_at=datetime.fromtimestamp(found.st_mtime, UTC), url=url
    )
