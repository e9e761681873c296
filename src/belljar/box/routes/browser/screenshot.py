"""Pictures and prints of a page."""

from typing import Annotated, Any

from starlette.responses import Response

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.acting.action import GRACE, again_after_restart
from belljar.box.browser.looking import wait_for
from belljar.box.browser.screenshot import DEFAULT_QUALITY, Camera, Shot, print_pdf
from belljar.box.parts import TheBox
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    ElementNotFound,
    ElementNotReady,
    FrameNotFound,
    ScreenshotTooLarge,
    TabNotFound,
)
from belljar.wire.browser.screenshot import PdfQuery, ScreenshotQuery

router = Router(prefix="/v1/browser", tags=["browser"])
_USUAL = (BrowserNotActive, DialogOpen, TabNotFound, BrowserTimeout)
_BINARY = {"type": "string", "format": "binary"}
_PICTURES: dict[int | str, dict[str, Any]] = {
    200: {"content": {f"image/{kind}": {"schema": _BINARY} for kind in ("png", "jpeg", "webp")}}
}
_PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {"schema": _BINARY}}}}


@router.get(
    "/screenshot",
    operation_id="takeBrowserScreenshot",
    tells=Kind.PIXELS,
    live="screenshot",
    response_class=Response,
    responses=_PICTURES
    | problems(*_USUAL, FrameNotFound, ElementNotFound, BrowserInvalidSelector, ScreenshotTooLarge, ElementNotReady),
)
@again_after_restart
async def screenshot(query: Annotated[ScreenshotQuery, Query()], box: TheBox) -> Response:
    """A picture of what is in view, of an element, or of the whole page.  The tab need not be in front."""
    seconds = query.seconds or box.browser.timeouts.navigation
    async with box.browser.use_page(query, "taking a picture", timeout=seconds, grace=GRACE) as page:
        page.check_can_run()
        request = box.browser.request
        camera = Camera(page, has_textures=request is not None and request.webgl)
        shot = Shot(query.format, DEFAULT_QUALITY if query.quality is None else query.quality)
        if query.selector is not None:
            patience = query.seconds or box.browser.timeouts.action
            subject = await wait_for(page, selector=query.selector, frame=query.frame, seconds=patience)
            picture = await camera.element(shot, subject)
        else:
            picture = await (camera.full(shot) if query.full_page else camera.view(shot))
    return Response(picture, media_type=f"image/{query.format}")


@router.get(
    "/pdf", operation_id="getBrowserPdf", tells=Kind.MARKUP, response_class=Response, responses=_PDF | problems(*_USUAL)
)
@again_after_restart
async def pdf(query: Annotated[PdfQuery, Query()], box: TheBox) -> Response:
    """The page as a PDF, as it would be printed."""
    seconds = query.seconds or box.browser.timeouts.navigation
    async with box.browser.use_page(query, "printing the page", timeout=seconds) as page:
        page.check_can_run()
        printed = await print_pdf(page, query)
    return Response(printed, media_type="application/pdf")
