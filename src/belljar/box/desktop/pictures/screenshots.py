"""Screenshots: requests for the same picture that wait at the same time share one grab and one encoding."""

import math
from dataclasses import dataclass

import anyio

from belljar.box.desktop.display_access import Reach
from belljar.box.desktop.pictures import PainterLost, Painters
from belljar.box.desktop.pictures.painters import read_cursor
from belljar.box.display import Connection
from belljar.box.display.x11.pixels import Area, Screen
from belljar.problems import Problem
from belljar.problems.box import DesktopInvalidAction, DesktopScreenshotFailed
from belljar.wire.desktop import ImageFormat


@dataclass(frozen=True)
class Wish:
    """What a caller wants a picture of, and how."""

    format: ImageFormat = ImageFormat.PNG
    quality: int = 85
    scale: float = 1.0
    has_cursor: bool = False
    # None: the whole screen.
    region: Area | None = None

    def check(self) -> None:
        if not 1 <= self.quality <= 100:
            raise DesktopInvalidAction("quality must be between 1 and 100.")
        if not (math.isfinite(self.scale) and 0.1 <= self.scale <= 1.0):
            raise DesktopInvalidAction("scale must be between 0.1 and 1.0.")
        if self.region is None:
            return
        if self.region.x < 0 or self.region.y < 0:
            raise DesktopInvalidAction("x and y of a region must not be negative.")
        if self.region.width == 0 or self.region.height == 0:
            raise DesktopInvalidAction("width and height of a region must be greater than 0.")


class Screenshots:
    def __init__(self, reach: Reach, painters: Painters) -> None:
        self._reach = reach
        self._painters = painters
        self._screen: Screen | None = None
        self._of: Connection | None = None
        # Shots that were asked for and not begun: who wants the same joins them.
        self._waiting: dict[Wish, _Shot] = {}
        # Encoders at work: more would only take the cores from each other.
        self._encoders = anyio.CapacityLimiter(2)

    async def take(self, wish: Wish) -> bytes:
        wish.check()
        self._reach.check_active()
        while wish in self._waiting:
            taken = await self._waiting[wish].result()
            # Nothing where whoever was to take it went away.
            if taken is not None:
                return taken
        shot = self._waiting[wish] = _Shot()
        try:
            # Others that arrive before the grab begins are served by it; after, they need a newer one.
            async with self._encoders:
                shot.taken = await self._shoot(wish)
        except Problem as problem:
            shot.problem = problem
            raise
        finally:
            if self._waiting.get(wish) is shot:
                del self._waiting[wish]
            shot.done.set()
        return shot.taken

    def close(self) -> None:
        """Give the memory back; the display has stopped."""
        if self._screen is not None:
            self._screen.close()
        self._screen = self._of = None

    async def _shoot(self, wish: Wish) -> bytes:
        async with self._reach.connection(DesktopScreenshotFailed) as server:
            area = self._area(wish.region)
            screen = self._screen_of(server)
            cursor = await read_cursor(server) if wish.has_cursor else None
            del self._waiting[wish]
            async with screen.grab(area) as frame:
                try:
                    return await self._painters.paint(frame, wish.format, wish.quality, wish.scale, cursor)
                except PainterLost as error:
                    raise DesktopScreenshotFailed(f"The picture could not be encoded: {error}.") from error

    def _screen_of(self, server: Connection) -> Screen:
        if self._screen is None or self._of is not server:
            self.close()
            self._screen, self._of = Screen(server), server
        return self._screen

    def _area(self, region: Area | None) -> Area:
        """`region` cut to the screen."""
        size = self._reach.resolution()
        if region is None:
            return Area(0, 0, size.width, size.height)
        if region.x >= size.width or region.y >= size.height:
            raise DesktopInvalidAction(
                f"The region begins outside the screen, which is {size.width} x {size.height} pixels."
            )
        return Area(
            region.x, region.y, min(region.width, size.width - region.x), min(region.height, size.height - region.y)
        )


class _Shot:
    def __init__(self) -> None:
        self.done = anyio.Event()
        self.taken: bytes | None = None
        self.problem: Problem | None = None

    async def result(self) -> bytes | None:
        await self.done.wait()
        if self.problem is not None:
            raise self.problem
        return self.taken
