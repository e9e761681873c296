"""What a stream of video is of, and as what it is made: each is encoded once, however many watch it."""

from dataclasses import dataclass

from belljar.box.display.x11.pixels import Area
from belljar.box.live.stream import FrameKind
from belljar.box.live.stream.pace import Rendition
from belljar.box.live.video.capture import Size
from belljar.video.rates import full_bits, small_bits

# A viewer that shows it no larger than this, of its whole width or height, needs the smaller rendition alone.
_SMALL_ENOUGH = 0.55
_SHORTEST_SIDE = 16


@dataclass(frozen=True)
class VideoFormat:
    kind: FrameKind
    rendition: Rendition = Rendition.FULL
    # Of a browser's display, its page alone.
    is_cropped: bool = False

    def area(self, display: Size, page: Area | None) -> Area:
        """What of the display it shows, with even sides."""
        whole = Area(0, 0, display.width, display.height)
        area = _common(whole, page) if self.is_cropped and page is not None else whole
        even = Size(area.width, area.height).even
        if min(even.width, even.height) < _SHORTEST_SIDE:
            return whole
        return Area(area.x, area.y, even.width, even.height)

    def coded(self, area: Area) -> Size:
        if self.rendition is Rendition.FULL:
            return Size(area.width, area.height)
        half = Size(area.width // 2, area.height // 2).even
        return Size(max(_SHORTEST_SIDE, half.width), max(_SHORTEST_SIDE, half.height))

    def bits(self, area: Area) -> int:
        bits = full_bits if self.rendition is Rendition.FULL else small_bits
        return bits(area.width, area.height)


def is_small(area: Area, surface: tuple[float, float]) -> bool:
    """Whether a viewer that shows it on a surface of so many pixels has no use for more than half of them."""
    return min(surface[0] / area.width, surface[1] / area.height) <= _SMALL_ENOUGH


def _common(one: Area, other: Area) -> Area:
    left, top = max(one.x, other.x), max(one.y, other.y)
    right = min(one.x + one.width, other.x + other.width)
    bottom = min(one.y + one.height, other.y + other.height)
    return Area(left, top, max(0, right - left), max(0, bottom - top))
