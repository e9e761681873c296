"""Cookies, storage state, saved contexts, downloads."""

from datetime import UTC, datetime
from typing import Annotated

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.chromium.contexts import Context
from belljar.box.browser.reading import storage
from belljar.box.browser.reading.downloads import Download
from belljar.box.browser.reading.storage import export_state, import_state, origin_of
from belljar.box.parts import Box, TheBox
from belljar.problems import InvalidRequest
from belljar.problems.box import RangeNotSatisfiable
from belljar.problems.browser import (
    BrowserNotActive,
    BrowserTimeout,
    ContextInUse,
    ContextNotFound,
    DownloadNotFound,
    DownloadNotReady,
)
from belljar.server.answers import file_response
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.wire.base import Ok
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.storage import (
    ContextInfo,
    ContextList,
    Cookies,
    CreateContext,
    DeletedCookies,
    DownloadInfo,
    DownloadList,
    Restored,
    RestoreState,
    SetCookies,
    StorageState,
)

router = Router(prefix="/v1/browser", tags=["browser"])
_PROBLEMS = problems(BrowserNotActive, BrowserTimeout)
Url = Annotated[str | None, Query(max_length=20_000, description="Only those that a request there would carry.")]
Domain = Annotated[str | None, Query(max_length=1_000, description="Only those of this domain and below it.")]
Name = Annotated[str | None, Query(max_length=4_096, description="Only those of this name.")]


@router.get(
    "/cookies",
    operation_id="getBrowserCookies",
    tells=Kind.STORAGE,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def get_cookies(box: TheBox, url: Url = None) -> Cookies:
    """The cookies of all sites, or those for one address; `httpOnly` and partitioned ones too."""
    async with box.browser.use_page(OnTab(), "reading cookies") as page:
        return Cookies(cookies=await storage.read(page, url))


@router.post("/cookies", operation_id="setBrowserCookies", responses=_PROBLEMS)
@again_after_restart
async def set_cookies(body: SetCookies, box: TheBox) -> Ok:
    """Set cookies: all of them, or none when one cannot be set."""
    async with box.browser.use_page(OnTab(), "setting cookies") as page:
        await storage.write(page, body.cookies)
    return Ok()


@router.delete("/cookies", operation_id="deleteBrowserCookies", responses=_PROBLEMS)
@again_after_restart
async def delete_cookies(box: TheBox, name: Name = None, domain: Domain = None) -> DeletedCookies:
    """Delete cookies by name, by domain, by both; all of them when neither is given."""
    async with box.browser.use_page(OnTab(), "deleting cookies") as page:
        return DeletedCookies(deleted=await storage.delete(page, name, domain))


# Seconds; each origin is a page of its own.
PATIENCE = 120.0
Origins = Annotated[
    list[str] | None, Query(max_length=200, description="Origins to look at beside those that are known.")
]


@router.get(
    "/storage",
    operation_id="getBrowserStorage",
    tells=Kind.STORAGE,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def get_storage(box: TheBox, origins: Origins = None) -> StorageState:
    """Cookies, local storage and IndexedDB, in the form of Playwright's `storageState`."""
    _check(origins or [])
    async with box.browser.use_page(OnTab(), "reading the profile's storage", timeout=PATIENCE) as page:
        return await export_state(box.browser.instance.tabs, page, origins or [], box.browser.profile)


@router.post("/storage", operation_id="setBrowserStorage", response_model_exclude_none=True, responses=_PROBLEMS)
@again_after_restart
async def set_storage(body: RestoreState, box: TheBox) -> Restored:
    """Put a storage state into the profile, beside what is there.  Sites see it from their next page on."""
    _check([one.origin for one in body.origins])
    async with box.browser.use_page(OnTab(), "writing the profile's storage", timeout=PATIENCE) as page:
        return await import_state(box.browser.instance.tabs, page, body)


def _check(origins: list[str]) -> None:
    for origin in origins:
        if origin_of(origin) != origin.rstrip("/"):
            raise InvalidRequest(f"Not an origin: {origin[:100]!r}. It is like https://example.com, without a path.")


@router.get("/contexts", operation_id="getBrowserContexts", tells=Kind.STORAGE)
async def list_contexts(box: TheBox) -> ContextList:
    """Every saved context, the oldest first, with its size on disk."""

    def look() -> list[ContextInfo]:
        return [_context_info(box, context) for context in box.browser.contexts.list()]

    return ContextList(contexts=await to_thread.run_sync(look))


@router.post(
    "/contexts",
    operation_id="createBrowserContext",
    acts=False,
    status_code=201,
    responses=problems(ContextNotFound, ContextInUse),
)
async def create_context(body: CreateContext, box: TheBox) -> ContextInfo:
    """Make a context, empty or as a copy of another one that is not in use; pass its id to start."""
    if body.copy_of is not None and body.copy_of == box.browser.context_id:
        raise ContextInUse(body.copy_of)

    def make() -> ContextInfo:
        return _context_info(box, box.browser.contexts.create(body.name, body.copy_of))

    return await to_thread.run_sync(make)


@router.delete(
    "/contexts/{context_id}",
    operation_id="deleteBrowserContext",
    acts=False,
    status_code=204,
    responses=problems(ContextNotFound, ContextInUse),
)
async def delete_context(context_id: str, box: TheBox) -> Response:
    """Delete a context with all it holds; refused while the browser uses it."""
    if context_id == box.browser.context_id:
        raise ContextInUse(context_id)

    def remove() -> None:
        box.browser.contexts.delete(box.browser.contexts.get(context_id))

    await to_thread.run_sync(remove)
    return Response(status_code=204)


def _context_info(box: Box, context: Context) -> ContextInfo:
    return ContextInfo(
        id=context.id,
        name=context.name,
        created_at=context.created_at,
        size_bytes=box.browser.contexts.size_of(context),
        in_use=context.id == box.browser.context_id,
    )


@router.get("/downloads", operation_id="getBrowserDownloads", tells=Kind.FILES, response_model_exclude_none=True)
async def list_downloads(box: TheBox) -> DownloadList:
    """Downloads since the box began, in the order they were started; the last hundred are kept."""
    return DownloadList(downloads=[_download_info(download) for download in box.browser.downloads.list()])


@router.get(
    "/downloads/{download_id}",
    operation_id="readBrowserDownload",
    tells=Kind.FILES,
    response_class=Response,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file, as an attachment."},
        206: {"content": {"application/octet-stream": {}}, "description": "The bytes that `Range` asked for."},
        **problems(DownloadNotFound, DownloadNotReady, RangeNotSatisfiable),
    },
)
async def fetch_download(request: Request, download_id: str, box: TheBox) -> StreamingResponse:
    """The file itself, streamed, a part of it with `Range`; an attachment: a page's file must not run as ours."""
    downloads = box.browser.downloads
    download = downloads.get(download_id)
    file = await anyio.to_thread.run_sync(downloads.open, download)
    return file_response(request, file, download.name)


@router.delete(
    "/downloads/{download_id}", operation_id="deleteBrowserDownload", acts=False, responses=problems(DownloadNotFound)
)
async def delete_download(download_id: str, box: TheBox) -> Ok:
    """Forget a download, with its file."""
    box.browser.downloads.delete(box.browser.downloads.get(download_id))
    return Ok()


def _download_info(download: Download) -> DownloadInfo:
    return DownloadInfo(
        id=download.id,
        url=download.url,
        name=download.name,
        state=download.state,
        received_bytes=download.received,
        total_bytes=download.total,
        reason=download.reason,
        started_at=datetime.fromtimestamp(download.started_at, UTC).isoformat().replace("+00:00", "Z"),
    )
