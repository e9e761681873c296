"""Pictures of a page: what is in view, an element, or all of it, as Chromium encodes them; and prints."""

import base64
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import anyio

from belljar.box.browser.acting.locate import owner_of
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.cdp.replies import EncodedPicture, LayoutMetrics, Picture
from belljar.box.browser.cdp.session import PendingCommand
from belljar.box.browser.page.frames import Frame, Handle, library
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.snapshot import Subject
from belljar.problems.browser import ElementNotReady, ScreenshotTooLarge
from belljar.tasks import background
from belljar.wire.browser.reading import ImageFormat, PaperFormat, PdfQuery

DEFAULT_QUALITY = 80
# Four bytes each while Chromium works on them.
MOST_PIXELS = 128_000_000
# What the formats themselves can hold.
MOST_SIDE = {ImageFormat.PNG: 1_000_000, ImageFormat.JPEG: 65_535, ImageFormat.WEBP: 16_383}
# Where a GPU (or its emulation) draws, one texture is no larger; beyond it the picture repeats itself.
TEXTURE_SIDE = 8_192
# Seconds after which a picture should have come.
PATIENCE = 0.5
PATIENCE_BEYOND = 4.0
# Inches.
_PAPER = {PaperFormat.A4: (8.27, 11.7), PaperFormat.LETTER: (8.5, 11.0), PaperFormat.LEGAL: (8.5, 14.0)}
_STITCH = library("stitch")
# Where what a frame's element shows begins.
_CONTENT_CORNER = """(element) => {
  const box = element.getBoundingClientRect(), style = getComputedStyle(element);
  return [box.x + element.clientLeft + parseFloat(style.paddingLeft),
          box.y + element.clientTop + parseFloat(style.paddingTop), scrollX, scrollY, innerWidth, innerHeight];
}"""
# A frame that is in view is drawn once more and that is shown; one that is not, behind another tab, may never be.
_WHEN_DRAWN = """(most) => new Promise((done) => {
  setTimeout(done, most);
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


Answer = TypeVar("Answer", Picture, EncodedPicture)


@dataclass(frozen=True)
class Shot:
    """How a picture is wanted."""

    format: ImageFormat = ImageFormat.PNG
    quality: int = DEFAULT_QUALITY

    @property
    def options(self) -> dict[str, object]:
        is_png = self.format is ImageFormat.PNG
        return {"format": "png"} if is_png else {"format": self.format, "quality": self.quality}


@dataclass(frozen=True)
class Area:
    """Part of a page, in CSS pixels from the page's beginning."""

    x: float
    y: float
    width: float
    height: float
    # All of it: the page need not be made larger for the picture, which leaves frames of other processes undrawn.
    is_in_view: bool = False

    def tiles(self, side: int) -> "list[Area]":
        """Itself in pieces, none of them wider or higher than `side`."""
        return [
            Area(self.x + x, self.y + y, min(side, self.width - x), min(side, self.height - y))
            for y in range(0, round(self.height + 0.5), side)
            for x in range(0, round(self.width + 0.5), side)
            if y < self.height and x < self.width
        ]

    @property
    def options(self) -> dict[str, object]:
        clip = {"x": self.x, "y": self.y, "width": self.width, "height": self.height, "scale": 1}
        return {"clip": clip, "captureBeyondViewport": not self.is_in_view}


@dataclass(frozen=True)
class Camera:
    """Takes pictures of one page.  With `has_textures` something like a GPU draws it, with its limit on sizes."""

    page: Page
    has_textures: bool = False

    async def view(self, shot: Shot) -> bytes:
        """What a person would see of the page now."""
        return await self._capture(shot, {})

    async def full(self, shot: Shot) -> bytes:
        """The whole page as far as it scrolls."""
        asked = self.page.session.send_as(LayoutMetrics, "Page.getLayoutMetrics")
        size = (await self.page.unless_dialog(asked)).css_content_size
        return await self._area(shot, Area(0, 0, size.width, size.height))

    async def element(self, shot: Shot, subject: Subject) -> bytes:
        """One element, scrolled into view first; also where it is larger than the view."""
        assert subject.root is not None
        await subject.frame.call(
            "(element) => element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })",
            subject.root,
        )
        if subject.frame.session is not self.page.main.session:
            # It has a process of its own: what is around it scrolls, and it is drawn, when that process hears of it.
            await subject.frame.call(_WHEN_DRAWN, PATIENCE_BEYOND * 1000)
        return await self._area(shot, await _area_of(subject.frame, subject.root))

    async def _area(self, shot: Shot, area: Area) -> bytes:
        ratio = await self.page.main.evaluate("devicePixelRatio", float, retry=True)
        _check_size(area.width * ratio, area.height * ratio, shot.format)
        side = int(TEXTURE_SIDE / ratio)
        if not self.has_textures or max(area.width, area.height) <= side:
            return await self._capture(shot, area.options)
        return await self._tiled(shot, area, side)

    async def _tiled(self, shot: Shot, area: Area, side: int) -> bytes:
        """Piece by piece, then put together by the page itself, which has an encoder for each format."""
        await self.page.main.use(_STITCH, "begin", area.width, area.height)
        for tile in area.tiles(side):
            piece = await self._ask(EncodedPicture, format="png", **tile.options)
            await self.page.main.use(_STITCH, "add", piece.data, tile.x - area.x, tile.y - area.y)
        as_wished = f"image/{shot.format}", shot.quality / 100
        return base64.b64decode(await self.page.main.use(_STITCH, "end", *as_wished, kind=str))

    async def _capture(self, shot: Shot, options: dict[str, object]) -> bytes:
        return (await self._ask(Picture, **shot.options, **options)).data

    async def _ask(self, kind: type[Answer], **options: object) -> Answer:
        """One at a time for a page, and none left under way: one of another size would spoil the picture."""
        async with self.page.picture_turn:
            nudges: list[PendingCommand] = []
            async with background(partial(self._nudge, options, nudges), name="a picture that does not come"):
                send = self.page.session.send_as(kind, "Page.captureScreenshot", **options)
                answer = await self.page.unless_dialog(send)
            await _let_pass(nudges)
            return answer

    async def _nudge(self, options: dict[str, object], nudges: list[PendingCommand]) -> None:
        """A page behind another may draw nothing for a picture; the same request again brings both."""
        while not self.page.session.is_gone:
            await anyio.sleep(PATIENCE_BEYOND if "clip" in options else PATIENCE)
            nudges.append(self.page.session.post("Page.captureScreenshot", **options))
        await anyio.sleep_forever()


async def _let_pass(nudges: list[PendingCommand]) -> None:
    """Wait for pictures that nobody needs any more."""
    with anyio.move_on_after(2 * PATIENCE_BEYOND):
        while nudges:
            with suppress(CdpError, CdpGone):
                await nudges.pop()
    for nudge in nudges:
        nudge.drop()


async def print_pdf(page: Page, query: PdfQuery) -> bytes:
    width, height = _PAPER[query.format]
    send = page.session.send_as(
        Picture,
        "Page.printToPDF",
        landscape=query.landscape,
        printBackground=query.print_background,
        scale=query.scale,
        paperWidth=width,
        paperHeight=height,
    )
    return (await page.unless_dialog(send)).data


def _check_size(width: float, height: float, format: ImageFormat) -> None:
    most = MOST_SIDE[format]
    if width > most or height > most or width * height > MOST_PIXELS:
        raise ScreenshotTooLarge(
            f"The picture would have {width:.0f}×{height:.0f} pixels; {format} can have {most} a side, "
            f"and a picture {MOST_PIXELS} in all.",
            width=round(width),
            height=round(height),
        )


async def _area_of(frame: Frame, element: Handle) -> Area:
    """The box of an element, from the beginning of the page, through frames of whatever process."""
    own_session = frame.session
    x, y, width, height, *view = await frame.call(
        "(element) => { const box = element.getBoundingClientRect();"
        " return [box.x, box.y, box.width, box.height, scrollX, scrollY, innerWidth, innerHeight] }",
        element,
        kind=list[float],
    )
    if width < 1 or height < 1:
        raise ElementNotReady("hidden", "The element has no size, so there is nothing to take a picture of.")
    while frame.parent is not None:
        owner = await owner_of(frame)
        left, top, *view = await frame.parent.call(_CONTENT_CORNER, owner, kind=list[float])
        owner.release()
        x, y, frame = x + left, y + top, frame.parent
    across, down, most_x, most_y = view
    is_in_view = x >= 0 and y >= 0 and x + width <= most_x and y + height <= most_y
    is_elsewhere = own_session is not frame.session
    return Area(x + across, y + down, width, height, is_in_view=is_in_view and is_elsewhere)
