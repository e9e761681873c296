"""The source of what viewers see: the active tab, else the desktop, else nothing until one of them starts."""

from base64 import b64decode
from collections.abc import Callable, Mapping

import anyio

from belljar.box.browser import Browser
from belljar.box.browser.screencast import CastFrame, Screencast
from belljar.box.browser.status import viewport_of
from belljar.box.display import Display, DisplayState
from belljar.box.live.stream import Deliver, Frame, FrameSource, Wishes
from belljar.box.live.stream.hub import picture_scale
from belljar.tasks import background
from belljar.wire.desktop import DisplayMode
from belljar.wire.live import FrameViewport, LiveMode


class ActiveSource:
    """A frame source made of one for each mode, of which at most one has something to show."""

    def __init__(self, browser: Browser, display: Display, sources: Mapping[LiveMode, FrameSource]) -> None:
        self._browser = browser
        self._display = display
        self._sources = sources
        self._changed = anyio.Event()
        self._mode = LiveMode.NONE
        self.on_mode: list[Callable[[LiveMode], None]] = []

    @property
    def mode(self) -> LiveMode:
        if self._browser.current is not None:
            return LiveMode.BROWSER
        is_desktop = self._display.mode is DisplayMode.DESKTOP and self._display.state is DisplayState.READY
        return LiveMode.DESKTOP if is_desktop else LiveMode.NONE

    async def viewport(self) -> FrameViewport | None:
        """How large what is shown is now; None where nothing is, or it does not say in time."""
        if self.mode is LiveMode.DESKTOP:
            size = self._display.resolution
            return FrameViewport(w=size.width, h=size.height, dpr=1)
        page = self._browser.active_page
        found = None if page is None else await viewport_of(page)
        return None if found is None else FrameViewport(w=found.w, h=found.h, dpr=found.dpr)

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        while True:
            mode = self.mode
            source = self._sources.get(mode)
            if source is None:
                await self._until_not(mode)
                continue

            async def show(source: FrameSource = source) -> None:
                while True:
                    await source.show(deliver, wishes)
                    # Over, while the mode has not changed yet, or a new run has begun at once.
                    await anyio.sleep(0.05)

            async with background(show, name="frames"):
                await self._until_not(mode)

    async def watch(self) -> None:
        """Notices every change of mode, watched or not."""
        off = self._display.listen(lambda state: self._look())
        try:
            while True:
                self._look()
                await self._browser.changed.changed()
        finally:
            off()

    async def _until_not(self, mode: LiveMode) -> None:
        while self.mode is mode:
            await self._changed.wait()

    def _look(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()
        if self.mode is not self._mode:
            self._mode = self.mode
            for callback in tuple(self.on_mode):
                callback(self._mode)


# Characters of base64, a multiple of four, in which the head of a JPEG of Chromium's is, with its size.
_HEAD = 4096


class TabSource:
    """The active tab, by Chromium's own screencast."""

    def __init__(self, browser: Browser) -> None:
        self._screencast = Screencast(browser)

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        async def hand_on(made: CastFrame) -> None:
            scale = _scale(made)
            frame = Frame(made.width, made.height, scale, made.timestamp, encoded=made.encoded_jpeg, tab_id=made.tab_id)
            await deliver(frame)

        await self._screencast.show(hand_on, wishes)


def _scale(made: CastFrame) -> float:
    """Looked up in the picture's head: the rest of it need not be decoded for that."""
    try:
        head = b64decode(made.encoded_jpeg[:_HEAD])
    except ValueError:
        head = b""
    return picture_scale(head, made.width)
