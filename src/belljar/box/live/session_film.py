"""A session's own film: none, all of it, or its last minutes where something failed or somebody asks for them."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from belljar.box.browser import Browser
from belljar.box.desktop.recording.picture_film import FASTEST_PICTURES
from belljar.box.desktop.recording.recordings import Recordings, Slot, Subject
from belljar.box.desktop.recording.ring_film import RingFilm
from belljar.box.display import Display, DisplayState
from belljar.box.live.stream import Hub
from belljar.box.live.tab_pictures import pictures_of_tab
from belljar.box.record.bus import Bus, Happening
from belljar.logs import log
from belljar.problems import Conflict, Problem
from belljar.tasks import Signal, background, until_any
from belljar.wire.desktop import Recording
from belljar.wire.record import EventKind, FilmMode

# Of a film that nobody looks at while it is made, frames a second.
DISPLAY_FPS = 10
# How often it is looked whether the screen has another size, or another mode is wanted.
_LOOK_SECONDS = 1.0
# Between two films, and after one that a full disk, or a dead encoder, ended.
_BREATH = 0.5
_AFTER_FAILURE = 5.0
_CLOSE_SECONDS = 10.0
# What follows a failure is shown too, for so long.
_AFTERMATH = 1.5
# Films that failures may make in one run of a box, and how far apart: a page that keeps crashing fills no disk.
MAX_KEPT = 20
_APART = 10.0

_FAILURES = frozenset(
    {
        (EventKind.SYSTEM, "browser.died"),
        (EventKind.SYSTEM, "browser.failed"),
        (EventKind.SYSTEM, "display.down"),
        (EventKind.SYSTEM, "limit.memory"),
        (EventKind.TAB, "crashed"),
    }
)


class SessionFilm:
    """`mode` may be changed at any time."""

    def __init__(
        self,
        recordings: Recordings,
        display: Display,
        browser: Browser,
        hub: Hub,
        bus: Bus,
        mode: FilmMode,
        seconds: float,
    ) -> None:
        self._recordings = recordings
        self._display = display
        self._browser = browser
        self._hub = hub
        self.mode = mode
        self.changed = Signal()
        self._ring = RingFilm(recordings, bus, seconds)
        # Failures of which no film was made yet.
        self._failed = 0
        self._kept = 0

    def set_mode(self, mode: FilmMode) -> None:
        self.mode = mode
        self.changed.fire()

    @property
    def is_filming(self) -> bool:
        return self.mode is not FilmMode.OFF and self._is_anything_shown

    async def keep(self) -> Recording | None:
        """The last minutes as a film; None where nothing was shown, or all of it is filmed anyway.

        Raises `Conflict` where nothing is filmed, and `DiskFull`.
        """
        if self.mode is FilmMode.OFF:
            raise Conflict("nothing is filmed: film is off")
        return await self._ring.keep() if self.mode is FilmMode.ON_FAILURE else None

    async def run(self) -> None:
        """Films whatever there is to see, until cancelled."""
        while True:
            # Another film would take the place of what a failure's is made of.
            await until_any(lambda: self.is_filming and not self._failed, self.changed, self._browser.changed)
            try:
                error = await self._film_once()
            except Exception:  # the top of a supervised loop: a box without a film is better than none
                log.exception("film.failed")
                error = "failed"
            if error is not None:
                log.info("film.ended", error=error)
            await anyio.sleep(_BREATH if error is None else _AFTER_FAILURE)

    async def _film_once(self) -> str | None:
        """Why it failed, where it did."""
        try:
            error = await self._film()
        except Problem as problem:
            error = problem.code
        if self.mode is not FilmMode.ON_FAILURE:
            await self._ring.remove()
        return error

    async def _film(self) -> str | None:
        mode, subject = self.mode, await self._subject()
        if mode is FilmMode.ON_FAILURE:
            async with background(lambda: self._watch(mode, subject), name="film's subject"):
                return await self._ring.film(subject)
        await self._recordings.start_for_session(subject)
        async with background(lambda: self._watch(mode, subject), name="film's subject"):
            return await self._recordings.ended(Slot.SESSION)

    async def _subject(self) -> Subject:
        if self._display.mode is not None:
            return self._recordings.of_display(DISPLAY_FPS)
        pictures = await pictures_of_tab(self._browser, self._hub, None)
        return self._recordings.of_pictures(pictures, FASTEST_PICTURES, None)

    async def _watch(self, mode: FilmMode, subject: Subject) -> None:
        """End the film where another mode is wanted, or the screen has another size."""
        while self.mode is mode and not self._is_resized(subject):
            with anyio.move_on_after(_LOOK_SECONDS):
                await self.changed.changed()
        if mode is FilmMode.ON_FAILURE:
            self._ring.stop()
        else:
            await self._recordings.stop(Slot.SESSION)
        await anyio.sleep_forever()

    def _is_resized(self, subject: Subject) -> bool:
        if self._display.mode is None or "source" in subject.about:
            return False
        size = self._display.resolution
        return (size.width, size.height) != (subject.about["width"], subject.about["height"])

    @property
    def _is_anything_shown(self) -> bool:
        if self._display.mode is not None:
            return self._display.state is DisplayState.READY
        return self._browser.is_headless and self._browser.active_page is not None

    def hear(self, event: Happening) -> None:
        if self.mode is FilmMode.ON_FAILURE and (event.kind, event.name) in _FAILURES and self._kept < MAX_KEPT:
            self._failed += 1
        self.changed.fire()

    async def keep_failures(self) -> None:
        last = -_APART
        while self._kept < MAX_KEPT:
            await self.changed.until(lambda: self._failed > 0)
            await anyio.sleep(max(_AFTERMATH, last + _APART - time.monotonic()))
            await self._keep_failure()
            last = time.monotonic()
        await anyio.sleep_forever()

    async def _keep_failure(self) -> None:
        try:
            self._kept += await self.keep() is not None
        except Problem as problem:
            log.warning("film.not_kept", reason=problem.code)
        except OSError as error:
            log.warning("film.not_kept", reason=type(error).__name__)
        self._failed = 0
        self.changed.fire()

    async def end_film(self) -> None:
        """The display is about to stop, or the server: the encoder completes what it has."""
        await self._ring.end()

    async def close(self) -> None:
        """What failed last is kept, and the rest is not."""
        if self._failed:
            await self._keep_failure()
        await self._ring.remove()


@asynccontextmanager
async def open_session_film(
    recordings: Recordings,
    display: Display,
    browser: Browser,
    hub: Hub,
    bus: Bus,
    mode: FilmMode,
    seconds: float,
) -> AsyncIterator[SessionFilm]:
    film = SessionFilm(recordings, display, browser, hub, bus, mode, seconds)
    off = bus.listen(film.hear, (EventKind.SYSTEM, EventKind.TAB))
    recordings.before_finish.append(film.end_film)
    try:
        async with background(film.run, name="session film"), background(film.keep_failures, name="films of failures"):
            yield film
    finally:
        off()
        recordings.before_finish.remove(film.end_film)
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            await film.close()
