"""`/api/download/{path}`: files out of the workspace, for whoever an agent gave a link to one."""

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.asgi.attachments import file_response
from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.files.places import clean_relative
from belljar.box.parts import TheBox
from belljar.box.process.jail import WORKSPACE
from belljar.problems import InvalidRequest, NotFound
from belljar.problems.files import PathDenied, RangeNotSatisfiable

router = Router(prefix="/api", tags=["files"], acts=False)


@router.get(
    "/download/{path:path}",
    operation_id="downloadWorkspaceFile",
    tells=Kind.FILES,
    response_class=Response,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file, as an attachment."},
        206: {"content": {"application/octet-stream": {}}, "description": "The bytes that `Range` asked for."},
        **problems(NotFound, PathDenied, RangeNotSatisfiable),
    },
)
async def download(path: str, request: Request, box: TheBox) -> StreamingResponse:
    """A file of the workspace and of nowhere else; symbolic links are not followed."""
    place = box.files.find(f"{WORKSPACE}/{clean_relative(path)}")
    try:
        file = await anyio.to_thread.run_sync(box.files.open, place)
    except InvalidRequest as error:
        raise NotFound("file", path) from error
    return file_response(request, file, place.name)
