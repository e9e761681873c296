"""From the viewer's surface to the page: pure arithmetic.

A viewer shows the picture as large as it fits into its surface, centred, with bars at two sides where the shapes
differ.  Its own device pixel ratio does not matter: point and surface are in the same unit, whichever it is.  Nor
does the page's: a page's viewport, like CDP's mouse events, is in CSS pixels.
"""

from dataclasses import dataclass

# What Chromium scrolls by for one notch of a wheel that counts in lines.
_PIXELS_PER_LINE = 100 / 3


@dataclass(frozen=True)
class Size:
    w: float
    h: float


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    # False on the bars beside the picture; the point is then the nearest one of the picture.
    is_inside: bool


def to_picture(x: float, y: float, surface: Size, picture: Size) -> Point:
    """Where a point of the surface lies in the picture."""
    scale = min(surface.w / picture.w, surface.h / picture.h)
    left, top = (surface.w - picture.w * scale) / 2, (surface.h - picture.h * scale) / 2
    across, down = (x - left) / scale, (y - top) / scale
    # The far edge belongs to nobody: the last pixel is the one before it.
    held_x, held_y = min(max(across, 0), picture.w - 1), min(max(down, 0), picture.h - 1)
    return Point(held_x, held_y, 0 <= across < picture.w and 0 <= down < picture.h)


def to_pixels(delta: float, mode: int, page: float) -> float:
    """A wheel's delta in pixels: DOM's `deltaMode` 0 counts in pixels, 1 in lines, 2 in pages of `page` pixels."""
    if mode == 1:
        return delta * _PIXELS_PER_LINE
    return delta * page if mode == 2 else delta
