"""Artifacts of a session, for as long as they are kept: its box's log and its films."""

from collections import deque
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from belljar.plane.boxes.launchers.base import Recording
from belljar.plane.parts import TheControl, TheKey
from belljar.plane.routes.sessions import own_session
from belljar.problems import NotFound
from belljar.problems.plane import ArtifactsUnavailable, UnknownSession
from belljar.server.answers import Artifact, artifact_response
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.sessions import SessionRecording, SessionRecordings

# Bytes of a log that are looked through for its last lines.
MOST_LOG = 16 << 20

router = Router(prefix="/api/sessions/{id}", tags=["sessions"], is_on_its_host=True)


@router.get(
    "/logs",
    operation_id="getSessionLogs",
    response_class=PlainTextResponse,
    responses=problems(UnknownSession, ArtifactsUnavailable),
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
    return PlainTextResponse(await last_lines(control.artifacts.log(row.box_id), tail))


@router.get(
    "/recordings", operation_id="listSessionRecordings", responses=problems(UnknownSession, ArtifactsUnavailable)
)
async def session_recordings(id: str, request: Request, control: TheControl, key: TheKey) -> SessionRecordings:
    """The session's films, also after its end, for as long as they are kept."""
    row = await own_session(control, key, id)
    if row.box_id is None:
        return SessionRecordings(recordings=[])
    at = f"{control.addresses.of(request.scope).http}/api/sessions/{id}/recordings"
    films = await control.artifacts.recordings(row.box_id)
    return SessionRecordings(recordings=[_view(film, f"{at}/{film.id}") for film in films])


@router.get(
    "/recordings/{recording_id}",
    operation_id="downloadSessionRecording",
    response_class=FileResponse,
    responses={
        200: {"content": {"video/mp4": {}}, "description": "The film; ranges are served."},
        **problems(UnknownSession, NotFound, ArtifactsUnavailable),
    },
)
async def session_recording(id: str, recording_id: str, request: Request, control: TheControl, key: TheKey) -> Response:
    """One film."""
    row = await own_session(control, key, id)
    films = () if row.box_id is None else await control.artifacts.recordings(row.box_id)
    for film in films:
        if row.box_id is not None and film.id == recording_id:
            about = Artifact(f"{id}-{film.id}.mp4", film.bytes, film.written_at, "video/mp4")
            response = artifact_response(request, about, partial(control.artifacts.recording, row.box_id, film.id))
            response.headers["Content-Disposition"] = f'attachment; filename="{about.name}"'
            return response
    raise NotFound("recording", recording_id)


async def last_lines(log: AsyncIterator[bytes], number: int) -> str:
    """However long the log is, or a line of it, no more than `MOST_LOG` and a piece are in memory: its end."""
    pieces: deque[bytes] = deque()
    held = 0
    async for piece in log:
        pieces.append(piece)
        held += len(piece)
        while held - len(pieces[0]) >= MOST_LOG:
            held -= len(pieces.popleft())
    text = b"".join(pieces)[-MOST_LOG:]
    lines = text.removesuffix(b"\n").rsplit(b"\n", number)[-number:]
    ending = b"\n" if text.endswith(b"\n") else b""
    return (b"\n".join(lines) + ending).decode(errors="replace")


def _view(film: Recording, url: str) -> SessionRecording:
    return SessionRecording(
        id=film.id, bytes=film.bytes, written_at=datetime.fromtimestamp(film.written_at, UTC), url=url
    )
