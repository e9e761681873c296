"""The desktop as a frame source: a JPEG whenever the X server tells of damage, or the pointer has moved."""

import time

import anyio

from belljar.box.desktop import Desktop
from belljar.box.desktop.pictures.screenshots import Wish
from belljar.box.desktop.recording.take import Watch
from belljar.box.display import Display, DisplayError
from belljar.box.live.stream import Deliver, Frame, Wishes
from belljar.box.live.stream.hub import picture_scale
from belljar.problems import Problem
from belljar.wire.desktop import ImageFormat

# Moves of the pointer raise no event: it is looked at this often.
_LOOKS_PER_SECOND = 30


class ScreenSource:
    def __init__(self, display: Display, desktop: Desktop) -> None:
        self._display = display
        self._desktop = desktop

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        """Until the display stops or its X server dies."""
        try:
            async with Watch(await self._display.connection()) as watch:
                size = None
                while True:
                    began = time.monotonic()
                    if await watch.has_changed() or size != (wishes.max_width, wishes.max_height):
                        size = (wishes.max_width, wishes.max_height)
                        # Taking note of its picture is what makes a new one news again.
                        await watch.new_cursor()
                        await deliver(await self._picture(wishes))
                    gap = 1 / min(_LOOKS_PER_SECOND, wishes.pace)
                    await anyio.sleep(max(0.0, gap - (time.monotonic() - began)))
        except (DisplayError, Problem):
            return

    async def _picture(self, wishes: Wishes) -> Frame:
        size = self._display.resolution
        scale = max(0.1, min(1.0, wishes.max_width / size.width, wishes.max_height / size.height))
        timestamp = time.time() * 1000
        jpeg = await self._desktop.screenshots.take(
            Wish(ImageFormat.JPEG, quality=wishes.quality, scale=scale, has_cursor=True)
        )
        dpr = picture_scale(jpeg, size.width)
        return Frame(size.width, size.height, dpr, timestamp=round(timestamp, 3), raw=jpeg)
