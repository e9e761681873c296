"""Starting, stopping and asking how the browser is."""

from starlette.requests import Request

from belljar.asgi.facts import Kind, may_be_told
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.browser.status import describe
from belljar.box.parts import TheBox, TheCaller
from belljar.problems.browser import (
    BrowserAlreadyActive,
    BrowserDesktopConflict,
    BrowserInstallRequired,
    BrowserStartFailed,
    ContextNotFound,
)
from belljar.problems.egress import AddressDenied
from belljar.wire.browser.lifecycle import BrowserStatus, StartRequest, StopResult

router = Router(prefix="/v1/browser", tags=["browser"])


@router.post(
    "/start",
    operation_id="startBrowser",
    response_model_exclude_none=True,
    responses=problems(
        BrowserAlreadyActive,
        BrowserDesktopConflict,
        BrowserInstallRequired,
        BrowserStartFailed,
        ContextNotFound,
        AddressDenied,
    ),
)
async def start(box: TheBox, request: Request, body: StartRequest | None = None) -> BrowserStatus:
    """Start Chromium on a display of its own, or headless, and open the first page."""
    asked = body or StartRequest()
    if asked.url is not None:
        box.addresses.check(asked.url)
    await box.browser.start(asked)
    return await describe(box.browser, cdp_url(request) if box.permissions.allows_cdp else None)


@router.post("/stop", operation_id="stopBrowser", response_model_exclude_none=True)
async def stop(box: TheBox) -> StopResult:
    """End Chromium and its display.  Not running is fine."""
    await box.browser.stop()
    return StopResult()


@router.get("/status", operation_id="getBrowserStatus", tells=Kind.STATE, response_model_exclude_none=True)
async def status(box: TheBox, request: Request, caller: TheCaller) -> BrowserStatus:
    """How the browser is; also what is missing where it cannot be started.  `stderr` is not for the role `view`."""
    found = await describe(box.browser, cdp_url(request) if box.permissions.allows_cdp else None)
    if found.last_error is not None and not may_be_told(caller.role, Kind.PROGRAMS):
        return found.model_copy(update={"last_error": found.last_error.model_copy(update={"stderr": None})})
    return found


def cdp_url(request: Request) -> str:
    """Our own relay, as the caller can reach it: scheme, host and prefix are those of the request."""
    scheme = "wss" if request.url.scheme in ("https", "wss") else "ws"
    return f"{scheme}://{request.url.netloc}{request.scope.get('root_path', '')}/v1/browser/cdp"
