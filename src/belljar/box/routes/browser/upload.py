"""Giving files to a page: files of the box by their paths, or files sent along."""

import json
import secrets
from pathlib import Path

import anyio
from pydantic import ValidationError
from starlette.requests import Request

from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.acting.locate import Target
from belljar.box.browser.acting.upload import upload
from belljar.box.browser.asking.asks import Asks
from belljar.box.files.files import find_files
from belljar.box.parts import Box, TheBox
from belljar.box.record.bus import whoever_acts
from belljar.box.routes.browser.acting import ELEMENT_PROBLEMS
from belljar.box.sandbox.folders import Folders
from belljar.limits import check_json_depth
from belljar.problems import BodyTooLarge, InvalidRequest, UnsupportedMediaType, ValidationFailed
from belljar.problems.browser import AskNotFound, ChooserNotOpen, UploadFileNotFound
from belljar.safe_files import remove_folder
from belljar.server.multipart import Form, receive_form
from belljar.server.openapi import SchemaOf, problems
from belljar.server.router import Router
from belljar.server.signature import InvalidArguments
from belljar.wire.browser.acting import UploadRequest, UploadResult
from belljar.wire.record import EventKind

router = Router(prefix="/v1/browser", tags=["browser"])
_BODY: dict[str, object] = {
    "required": True,
    "content": {
        "application/json": {"schema": SchemaOf(UploadRequest)},
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "description": "The fields of the JSON body but `path` and `paths`, and any number of files.",
                "properties": {
                    "file": {"type": "array", "items": {"type": "string", "format": "binary"}},
                    "selector": {"type": "string"},
                    "ref": {"type": "string"},
                    "ask": {"type": "string"},
                },
            }
        },
    },
}


@router.post(
    "/upload",
    operation_id="browserUpload",
    takes_files=True,
    response_model_exclude_none=True,
    responses=problems(
        *ELEMENT_PROBLEMS,
        ChooserNotOpen,
        AskNotFound,
        UploadFileNotFound,
        BodyTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
    ),
    openapi_extra={"requestBody": _BODY},
)
async def upload_files(request: Request, box: TheBox) -> UploadResult:
    """Give files to a file input, to what opens one, or without an element to the chooser that is open.

    As JSON with the `path` of a file in the box, or as multipart with the files themselves.
    """
    body, files = await _received(request, box)
    try:
        return await _give(box, body, files)
    except (AskNotFound, ChooserNotOpen):
        if body.paths == [] and files:
            # Nobody got what was sent along: no program of the box is to find it either.
            await anyio.to_thread.run_sync(remove_folder, box.browser.folders.uploads / _sent_as(box, files[0]))
        raise


def _sent_as(box: Box, file: Path) -> str:
    return file.relative_to(box.browser.folders.uploads).parts[0]


@again_after_restart
async def _give(box: Box, body: UploadRequest, files: list[Path]) -> UploadResult:
    async with box.browser.action(body, "uploading") as act:
        target = Target.if_named(body)
        if body.ask is not None:
            if target is not None:
                raise InvalidRequest("ask: name an element or what the page asks, not both.")
            # The page may ask for something else by now, or be another: files are for whoever was seen to ask.
            act.page.watcher(Asks).check_files(body.ask)
        await upload(act.page, target, files, fail_fast=body.fail_fast, deadline=act.deadline)
        given = {"files": [path.name for path in files], "count": len(files)}
        box.record.bus.tell(EventKind.UPLOAD, "given", actor=whoever_acts(), tab=act.page.id, data=given)
    return UploadResult(**dict(act.result), files=[str(path) for path in files])


async def _received(request: Request, box: Box) -> tuple[UploadRequest, list[Path]]:
    folders = box.browser.folders
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        # Before a large body is taken in for nothing.
        await box.browser.running()
        form = await _received_form(request, folders)
        return _checked({**form.fields, "paths": []}), form.files
    if kind != "application/json" and not kind.endswith("+json"):
        raise UnsupportedMediaType("Send JSON with a path, or multipart/form-data with the files.")
    body = _checked(await _json(request, box.settings.max_body))
    # Before files are looked for in a browser's folders.
    await box.browser.running()
    paths = [*([body.path] if body.path is not None else []), *(body.paths or [])]
    return body, await anyio.to_thread.run_sync(find_files, box.files, paths)


async def _received_form(request: Request, folders: Folders) -> Form:
    """Taken in where programs cannot meddle with what we write, and given to them whole."""
    name = secrets.token_hex(8)
    folder = folders.staging / name
    await anyio.to_thread.run_sync(folder.mkdir, 0o700)
    try:
        form = await receive_form(request, folder)
        if not form.files:
            raise InvalidRequest("The form holds no file: a file's part has a filename.")
        await anyio.to_thread.run_sync(folders.give_all, folder)
        await anyio.to_thread.run_sync(folder.rename, folders.uploads / name)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(remove_folder, folder)
        raise
    return Form(form.fields, [folders.uploads / path.relative_to(folders.staging) for path in form.files])


async def _json(request: Request, most: int) -> object:
    """The body, which on this path alone may be longer than JSON ever should."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise BodyTooLarge(f"The request body is over the limit of {most} bytes.", max_body_bytes=most)
    try:
        value = json.loads(bytes(body))
        check_json_depth(value)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("The request body is not JSON that can be read.") from error
    return value


def _checked(body: object) -> UploadRequest:
    try:
        return UploadRequest.model_validate(body)
    except ValidationError as error:
        details = [
            {**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False, include_input=False)
        ]
        raise InvalidArguments(details) from error
