"""Files that pages had the browser save."""

from datetime import UTC, datetime

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.asgi.attachments import file_response
from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.downloads import Download
from belljar.box.parts import TheBox
from belljar.problems.browser import DownloadNotFound, DownloadNotReady
from belljar.problems.files import RangeNotSatisfiable
from belljar.wire.base import Ok
from belljar.wire.browser.downloads import DownloadInfo, DownloadList

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get("/downloads", operation_id="getBrowserDownloads", tells=Kind.FILES, response_model_exclude_none=True)
async def list_downloads(box: TheBox) -> DownloadList:
    """Downloads since the box began, in the order they were started; the last hundred are kept."""
    return DownloadList(downloads=[_info(download) for download in box.browser.downloads.list()])


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


def _info(download: Download) -> DownloadInfo:
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
