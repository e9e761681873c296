"""Pictures of a tab for films: what viewers see of it, at a film's pace; filming is watching."""

import time
from base64 import b64decode
from collections.abc import Callable

from belljar.box.browser import Browser
from belljar.box.browser.screencast import look_at
from belljar.box.browser.states import State
from belljar.box.browser.status import viewport_of
from belljar.box.desktop.recording.picture_film import FASTEST_PICTURES, Picture
from belljar.box.live.stream import Frame, Hub
from belljar.problems.browser import BrowserNotActive
from belljar.tasks import Signal, background, until_any

# As large as viewers get it.
_MAX_WIDTH, _MAX_HEIGHT = 1920, 1080
_QUALITY = 70
IN_BACKGROUND = "the tab was in the background"
NOT_RUNNING = "the browser did not run"
_COMING = (State.STARTING, State.RESTARTING)


class TabPictures:
    """Of the tab `tab_id`, while it is in front, until it is closed; without one of the active tab, whichever it is."""

    def __init__(self, browser: Browser, hub: Hub, tab_id: str | None, size: tuple[int, int]) -> None:
        self._browser = browser
        self._hub = hub
        self._tab_id = tab_id
        self.width, self.height = size

    async def follow(self, show: Callable[[Picture], None], hide: Callable[[str], None]) -> None:
        ready = Signal()
        with self._hub.watching(ready.fire, FASTEST_PICTURES) as slot:

            async def hand_on() -> None:
                while True:
                    await ready.until(lambda: slot.is_ready)
                    frame = await self._hub.next_for(slot)
                    if frame is not None and self._tab_now in (None, frame.tab_id):
                        show(_picture(frame))

            async with background(hand_on, name="pictures of a tab"):
                await self._watch(hide)

    async def look(self) -> Picture | None:
        page = self._browser.active_page
        if page is None or self._hidden_by is not None:
            return None
        shot = await look_at(page, _QUALITY)
        return None if shot is None else Picture(b64decode(shot), time.monotonic())

    async def _watch(self, hide: Callable[[str], None]) -> None:
        """Tell when there is nothing to see; returns when there will not be."""
        was: str | None = None
        while True:
            now = self._hidden_by
            if now is not None and now != was:
                hide(now)
            was = now
            if self._is_over:
                return
            run = self._browser.current
            changes = [self._browser.changed, *([] if run is None else [run.tabs.changed])]
            await until_any(lambda was=was: self._is_over or self._hidden_by != was, *changes)  # type: ignore[misc]

    @property
    def _hidden_by(self) -> str | None:
        page = self._browser.active_page
        if page is None:
            return NOT_RUNNING
        return IN_BACKGROUND if self._tab_now not in (None, page.id) else None

    @property
    def _tab_now(self) -> str | None:
        """The tab's id; it has another one in a Chromium that was brought back."""
        run = self._browser.current
        return self._tab_id if run is None or self._tab_id is None else run.tabs.aliases.get(self._tab_id, self._tab_id)

    @property
    def _is_over(self) -> bool:
        run = self._browser.current
        if run is None:
            # One that crashed comes back with the same tabs.
            return self._browser.state not in _COMING
        return self._tab_id is not None and self._tab_now not in {page.id for page in run.tabs.list()}


async def pictures_of_tab(browser: Browser, hub: Hub, tab_id: str | None) -> TabPictures:
    """For a film, as large as the tab is now.  Raises `BrowserNotActive` and `TabNotFound`.

    A tab that waits for its next document, or hangs, does not say how large it is, and is what one wants to see.
    """
    page = await browser.page(tab_id)
    found = await viewport_of(page)
    started = browser.request
    if found is not None:
        width, height = found.w, found.h
    elif started is not None:
        width, height = started.width, started.height
    else:
        raise BrowserNotActive("The tab does not say how large it is; try again.")
    scale = min(1.0, _MAX_WIDTH / width, _MAX_HEIGHT / height)
    return TabPictures(browser, hub, tab_id, (max(2, round(width * scale)), max(2, round(height * scale))))


def _picture(frame: Frame) -> Picture:
    """Chromium tells the wall's time; it is taken for the monotonic clock's at once, before the wall's is set anew."""
    age = min(max(0.0, time.time() - frame.timestamp / 1000), 10.0)
    return Picture(frame.data, time.monotonic() - age)
