"""Pictures of the screen."""

from typing import Annotated, Any

from starlette.responses import Response

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.signature import Query
from belljar.box.desktop.pictures import MEDIA_TYPES
from belljar.box.desktop.screenshots import Wish
from belljar.box.display.pixels import Area
from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import new_router
from belljar.problems.desktop import DesktopFailed, DesktopInactive, DesktopInvalidAction, DesktopScreenshotFailed
from belljar.wire.desktop import ImageFormat

router = new_router()

PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"content": {media: {} for media in MEDIA_TYPES.values()}, "description": "The picture."},
    **problems(DesktopInvalidAction, DesktopInactive, DesktopScreenshotFailed, DesktopFailed),
}

Format = Annotated[ImageFormat, Query()]
Quality = Annotated[int, Query(ge=0, le=255, description="1 to 100, for jpeg and webp.")]
Scale = Annotated[float, Query(description="0.1 to 1.0; applies after a region is cut.")]
ShowCursor = Annotated[bool, Query(alias="showCursor")]
Coordinate = Annotated[int, Query(ge=-(2**31), le=2**31 - 1)]
Length = Annotated[int, Query(ge=0, le=2**32 - 1)]


@router.get(
    "/screenshot", operation_id="takeDesktopScreenshot", tells=Kind.PIXELS, responses=PICTURE, response_class=Response
)
async def screenshot(
    box: TheBox,
    format: Format = ImageFormat.PNG,
    quality: Quality = 85,
    scale: Scale = 1.0,
    show_cursor: ShowCursor = False,
) -> Response:
    """The whole screen."""
    return await _shot(box, Wish(format, quality, scale, show_cursor))


@router.get(
    "/screenshot/region",
    operation_id="takeDesktopRegionScreenshot",
    tells=Kind.PIXELS,
    responses=PICTURE,
    response_class=Response,
)
async def region(
    box: TheBox,
    x: Coordinate,
    y: Coordinate,
    width: Length,
    height: Length,
    format: Format = ImageFormat.PNG,
    quality: Quality = 85,
    scale: Scale = 1.0,
    show_cursor: ShowCursor = False,
) -> Response:
    """A part of the screen; what lies over its edge is cut off."""
    return await _shot(box, Wish(format, quality, scale, show_cursor, Area(x, y, width, height)))


async def _shot(box: TheBox, wish: Wish) -> Response:
    picture = await box.desktop.screenshots.take(wish)
    return Response(picture, media_type=MEDIA_TYPES[wish.format], headers={"Cache-Control": "no-store"})
