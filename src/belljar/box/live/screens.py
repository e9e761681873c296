"""Pictures before and after each act, for the record: taken from what viewers would be sent, outside of any request.

Chromium tells of every change of what it shows, so its last frame is how the page looked when an act began; how it
looks after one is its next frame, or the last where none comes.  Nothing waits for a picture.  A page that moves all
the time is looked at once a second and after each act, unless somebody is sent pictures of it anyway.
"""

import hashlib
import math
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import anyio
import msgspec

from belljar.box.browser import Browser
from belljar.box.browser.reading.snapshot import digest_of
from belljar.box.live.stream import Frame, Hub
from belljar.box.live.stream.hub import jpeg_size
from belljar.box.record import Record
from belljar.box.record.bus import SYSTEM, Happening
from belljar.logs import log
from belljar.record.segments import Actor
from belljar.record.selection import PICTURES
from belljar.state import make_private_folder
from belljar.tasks import Signal, background, until_any
from belljar.wire.record import ActorKind, EventKind, RecordLevel

# Frames a second that are looked at.
_PACE = 8
# How long after an act a change of the page is waited for, in seconds.
_SETTLE = 0.3
# And the first picture of all, which Chromium sends when it has painted something.
_FIRST_FRAME = 5.0
# How long a page may take to say what is on it.
_DIGEST_SECONDS = 1.0
# Acts that may wait for their pictures; those beyond have none, which is counted.
_MOST_WAITING = 64
_AFTER_FAILURE = 1.0
# So long a picture that was written need not be looked for again: it goes when it is too old, not sooner.
_WRITTEN_SECONDS = 10.0
# With these, what is filmed or shown may have changed.
_CHANGES = (EventKind.SYSTEM, EventKind.TAB, EventKind.FILM)
# What a person does that is worth a picture: pressing, not moving.
_PRESSES = frozenset({"mouse.down", "key.down", "text"})


class _Act(msgspec.Struct, gc=False):
    name: str
    actor: Actor
    request_id: str | None
    mono: int
    frame: Frame | None
    # Of what the frame shows, where it is known.
    digest: str | None = None
    ended: float | None = None


class _Picture(NamedTuple):
    """Of a frame, as it was written at a moment of the monotonic clock."""

    frame: Frame
    at: float
    name: str
    width: int
    height: int


class Screens:
    """`operations` are those that act on what is shown; `is_filming` says whether pictures are taken at any level.

    Acts are heard of while pictures are wanted: a box that takes none pays nothing for them.
    """

    def __init__(
        self,
        record: Record,
        hub: Hub,
        browser: Browser,
        operations: Collection[str],
        is_filming: Callable[[], bool],
        film_changed: Signal,
    ) -> None:
        self._record = record
        self._bus = record.bus
        self._hub = hub
        self._browser = browser
        # Which moment of which operation an event's name is.
        self._moments = {
            f"{operation}.{end}": (moment, operation)
            for operation in operations
            for end, moment in (("begin", "before"), ("end", "after"))
        }
        self._is_filming = is_filming
        self._film_changed = film_changed
        self._folder = record.folder / PICTURES
        self._changed = Signal()
        self._latest: Frame | None = None
        self._came_at = -math.inf
        # The last digest, and the frame that was the latest then and after it was taken.
        self._digest: tuple[Frame, str] | None = None
        self._acts: deque[tuple[str, _Act]] = deque()
        # The last that was written.
        self._picture: _Picture | None = None

    @property
    def is_wanted(self) -> bool:
        record = self._record
        return record.writes(EventKind.SCREEN) and (record.level is RecordLevel.CONTENT or self._is_filming())

    def hear_change(self, _: Happening) -> None:
        self._changed.fire()

    def _hear_act(self, event: Happening) -> None:
        """Called with every call and all input: quick."""
        if event.kind == EventKind.CALL:
            found = self._moments.get(event.name)
            if found is not None and self.is_wanted:
                self._add(*found, event)
        elif event.name in _PRESSES and event.actor.kind == ActorKind.VIEWER and self.is_wanted:
            self._add("before", event.name, event)
            self._add("after", event.name, event)

    def _add(self, moment: str, name: str, event: Happening) -> None:
        if len(self._acts) >= _MOST_WAITING:
            self._bus.lose(EventKind.SCREEN)
            return
        act = _Act(name, event.actor, event.request_id, event.mono, None)
        if moment == "before":
            act.frame = self._latest
            if self._digest is not None and self._digest[0] is self._latest:
                act.digest = self._digest[1]
        else:
            act.ended = time.monotonic()
            self._hub.hurry()
        self._acts.append((moment, act))
        self._changed.fire()

    async def run(self) -> None:
        while True:
            await until_any(lambda: self.is_wanted, self._changed, self._film_changed)
            off = self._bus.listen(self._hear_act, (EventKind.CALL, EventKind.INPUT))
            try:
                async with background(self._look, name="frames for the record"):
                    while self.is_wanted:
                        await self._changed.until(lambda: bool(self._acts) or not self.is_wanted)
                        await self._work_off()
            except Exception:  # the top of a supervised loop: a record without pictures is better than no box
                log.exception("screens.failed")
                self._acts.clear()
                await anyio.sleep(_AFTER_FAILURE)
            finally:
                off()
            self._latest = self._digest = self._picture = None

    async def _look(self) -> None:
        ready = Signal()
        with self._hub.watching(ready.fire, _PACE, is_small=True) as slot:
            while True:
                await ready.until(lambda: slot.is_ready)
                frame = await self._hub.next_for(slot)
                if frame is not None:
                    self._latest, self._came_at = frame, time.monotonic()
                    self._changed.fire()

    async def _work_off(self) -> None:
        while self._acts:
            moment, act = self._acts[0]
            if act.ended is not None:
                await self._settle(act.ended)
                act.frame, act.digest = self._latest, await self._look_closer()
            self._acts.popleft()
            if act.frame is not None:
                await self._keep(moment, act, act.frame)

    async def _settle(self, ended: float) -> None:
        """Wait for what an act changed; the next act ends the wait, for its picture before is this one's after."""
        if self._latest is None:
            with anyio.move_on_after(max(0.0, ended + _FIRST_FRAME - time.monotonic())):
                await self._changed.until(lambda: self._latest is not None or not self.is_wanted)
        with anyio.move_on_after(max(0.0, ended + _SETTLE - time.monotonic())):
            await self._changed.until(lambda: self._came_at > ended or len(self._acts) > 1)

    async def _look_closer(self) -> str | None:
        """A digest of what is on the page, unless somebody acts on it again or it changes meanwhile."""
        frame, page = self._latest, self._browser.active_page
        if frame is None or page is None or frame.tab_id != page.id or len(self._acts) > 1:
            return None
        if self._digest is not None and self._digest[0] is frame:
            return self._digest[1]
        if self._bus.act_on(page.id) is not None:
            return None
        digest = await digest_of(page, _DIGEST_SECONDS)
        if digest is None or self._latest is not frame:
            return None
        self._digest = (frame, digest)
        return digest

    async def _written(self, frame: Frame) -> "_Picture":
        """The picture of a frame, on disk; a page that stands still is written once in a while.

        Raises `OSError` and `ValueError`.
        """
        now = time.monotonic()
        if self._picture is None or self._picture.frame is not frame or now - self._picture.at > _WRITTEN_SECONDS:
            small = await self._hub.small(frame)
            name, size = await anyio.to_thread.run_sync(_write, self._folder, small.data)
            self._picture = _Picture(frame, now, name, *size)
        return self._picture

    async def _keep(self, moment: str, act: _Act, frame: Frame) -> None:
        try:
            picture = await self._written(frame)
        except (OSError, ValueError):
            self._bus.lose(EventKind.SCREEN)
            return
        data = {"sha256": picture.name, "width": picture.width, "height": picture.height, "operation": act.name}
        if act.digest is not None:
            data["snapshotDigest"] = act.digest
        self._bus.tell(
            EventKind.SCREEN,
            moment,
            actor=SYSTEM,
            tab=frame.tab_id,
            data=data,
            request_id=act.request_id,
            mono=act.mono if moment == "before" else None,
        )


def _write(folder: Path, jpeg: bytes) -> tuple[str, tuple[int, int]]:
    """Each picture once, by what is in it; one that is there already is as new as now."""
    size = jpeg_size(jpeg)
    name = hashlib.sha256(jpeg).hexdigest()
    path = folder / f"{name}.jpg"
    try:
        os.utime(path)
    except FileNotFoundError:
        make_private_folder(folder)
        part = folder / f".{name}"
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(jpeg)
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
    return name, size


@asynccontextmanager
async def open_screens(
    record: Record,
    hub: Hub,
    browser: Browser,
    operations: Collection[str],
    is_filming: Callable[[], bool],
    film_changed: Signal,
) -> AsyncIterator[None]:
    """Where this box's record has no pictures, now or ever, nobody listens."""
    if not record.writes(EventKind.SCREEN):
        yield
        return
    screens = Screens(record, hub, browser, operations, is_filming, film_changed)
    off = record.bus.listen(screens.hear_change, _CHANGES)
    try:
        async with background(screens.run, name="pictures for the record"):
            yield
    finally:
        off()
