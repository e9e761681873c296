"""The browser: start, stop, status, events, emulation."""

from collections.abc import Callable
from typing import Annotated

import anyio
from starlette.requests import Request
from starlette.responses import Response

from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.page.emulation import Emulation, Viewport
from belljar.box.browser.status import describe
from belljar.box.parts import Box, TheBox, TheCaller
from belljar.box.routes.browser.following import event_number, event_stream
from belljar.box.routes.desktop.lifecycle import STREAMER, check_codec
from belljar.problems.box import AddressDenied
from belljar.problems.browser import (
    BrowserAlreadyActive,
    BrowserDesktopConflict,
    BrowserInstallRequired,
    BrowserNotActive,
    BrowserStartFailed,
    BrowserTimeout,
    ContextNotFound,
)
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router, may_be_told
from belljar.server.signature import Header, Query
from belljar.wire.base import Ok
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.lifecycle import (
    BrowserEvent,
    BrowserEvents,
    BrowserState,
    BrowserStatus,
    EmulationFields,
    ProcessState,
    StartRequest,
    StopResult,
    ViewportSize,
)

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
    if not asked.headless:
        check_codec(asked.stream_video_codec)
    if asked.url is not None:
        box.addresses.check(asked.url)
    await box.browser.start(asked)
    return await _describe(box, request)


@router.post("/stop", operation_id="stopBrowser", response_model_exclude_none=True)
async def stop(box: TheBox) -> StopResult:
    """End Chromium and its display.  Not running is fine."""
    await box.browser.stop()
    return StopResult()


@router.get("/status", operation_id="getBrowserStatus", tells=Kind.STATE, response_model_exclude_none=True)
async def status(box: TheBox, request: Request, caller: TheCaller) -> BrowserStatus:
    """How the browser is; also what is missing where it cannot be started.  `stderr` is not for the role `view`."""
    found = await _describe(box, request)
    if found.last_error is not None and not may_be_told(caller.role, Kind.PROGRAMS):
        return found.model_copy(update={"last_error": found.last_error.model_copy(update={"stderr": None})})
    return found


async def _describe(box: Box, request: Request) -> BrowserStatus:
    """With the process of the stream, which is there whoever watches, and has a pid while somebody does."""
    found = await describe(box.browser, cdp_url(request) if box.permissions.allows_cdp else None)
    if found.state is BrowserState.ACTIVE and box.streaming.is_active:
        pid = box.live.video.pid
        found.processes.append(ProcessState(name=STREAMER, pid=pid, running=pid is not None))
    return found


def cdp_url(request: Request) -> str:
    """Our own relay, as the caller can reach it: scheme, host and prefix are those of the request."""
    scheme = "wss" if request.url.scheme in ("https", "wss") else "ws"
    return f"{scheme}://{request.url.netloc}{request.scope.get('root_path', '')}/v1/browser/cdp"


@router.get(
    "/events",
    operation_id="getBrowserEvents",
    tells=Kind.HISTORY,
    events={"browser": BrowserEvent},
    response_model=BrowserEvents,
    response_model_exclude_none=True,
)
async def read_events(
    box: TheBox,
    since: Annotated[int, Query(ge=0)] = 0,
    follow: Annotated[bool, Query(description="Answer with an event stream.")] = False,
    timeout: Annotated[
        float, Query(ge=0, le=600_000, description="Milliseconds to wait for something to tell, at most.")
    ] = 0,
    last_event_id: Annotated[str | None, Header()] = None,
) -> BrowserEvents | Response:
    """States, tabs, crashes, dialogs and downloads, the last 1,000; also over stops and starts."""
    ring = box.browser.announcements.ring
    if follow:
        since = max(since, event_number(last_event_id))
        return event_stream(ring, since, lambda _: True, lambda one: one, name="browser", stopping=box.stopping)
    with anyio.move_on_after(timeout / 1000):
        await ring.changed(since)
    return BrowserEvents(events=ring.read(since, lambda _: True), cursor=ring.cursor)


@router.post("/emulation", operation_id="emulateBrowser", responses=problems(BrowserNotActive, BrowserTimeout))
async def emulate(body: EmulationFields, box: TheBox) -> Ok:
    """Change locale, time zone, user agent and the like for every tab, those to come included.

    What is left out stays as it is.  Init scripts are added, and run from each page's next document on.
    """
    await _change(box, lambda now: now.with_fields(body), "changing the emulation")
    return Ok()


@router.post(
    "/viewport",
    operation_id="setBrowserViewport",
    live="setViewport",
    responses=problems(BrowserNotActive, BrowserTimeout),
)
async def resize(body: ViewportSize, box: TheBox) -> Ok:
    """Set the size of every tab's page, headful and headless."""
    size = Viewport(body.width, body.height, body.device_scale_factor or 0)
    await _change(box, lambda now: now.with_viewport(size), "changing the viewport")
    return Ok()


@again_after_restart
async def _change(box: Box, changed: Callable[[Emulation], Emulation], doing: str) -> None:
    async with box.browser.use_page(OnTab(), doing):
        tabs = box.browser.instance.tabs
        await tabs.emulate(changed(tabs.emulation))
