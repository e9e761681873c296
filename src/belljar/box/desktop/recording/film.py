"""A film being made: pictures go to the encoder as they come; when they came stands beside them.

A picture's place in the film is its time since the first one, by the monotonic clock: what happened at `mono` is shown
at `mono - first.mono`, whatever the film went through meanwhile.
"""

import time
from dataclasses import dataclass

import anyio

from belljar.box.desktop.recording.worker import Worker, WorkerLost
from belljar.tasks import Signal, background

# How long the encoder may take to finish; it copies the film once.
FINISH_TIMEOUT = 120.0
# Chapters that a film has at most, and how long their titles are.
MAX_CHAPTERS = 200
MAX_TITLE = 100


@dataclass
class Gap:
    """A time in which nothing could be filmed, and the picture stands still: by the monotonic clock, in seconds."""

    reason: str
    began: float
    ended: float | None = None


class Film:
    """Films until it is stopped.  What is filmed, and how it gets to the encoder, is in the classes made from this."""

    def __init__(self, worker: Worker, path: str, *, ticks_per_second: int, most_bytes: int | None) -> None:
        self._worker = worker
        self._path = path
        self._ticks_per_second = ticks_per_second
        self._most_bytes = most_bytes
        self._stopping = anyio.Event()
        self._ended = anyio.Event()
        self._chapters: list[tuple[float, str]] = []
        # Seconds that are kept of it, where that is not all; its path is a folder then.
        self.ring_seconds: float | None = None
        # When the first picture was taken, by the monotonic clock; None before that.
        self.began: float | None = None
        self.gaps: list[Gap] = []
        # Fires when one of these two has changed.
        self.timed = Signal()
        self.last_tick = -1
        self.duration = 0.0
        self.error: str | None = None

    async def run(self) -> None:
        """Film; returns when the film is finished, or could not be.  `error` says why not."""
        try:
            self._begin()
            async with background(self._listen, name="encoder"):
                await self._film()
                self._end_gap(time.monotonic())
                if not self._ended.is_set():
                    self._worker.send({"do": "stop", "chapters": self.chapters()})
                    with anyio.move_on_after(FINISH_TIMEOUT):
                        await self._ended.wait()
        except WorkerLost as error:
            self.error = str(error)
        finally:
            self._release()
        if not self._ended.is_set() and self.error is None:
            self.error = "the encoder did not finish"
        if self.began is None and self._stopping.is_set():
            self.error = "there was nothing to film"

    def stop(self) -> None:
        self._stopping.set()

    def mark(self, title: str, at: float) -> None:
        """Begin a chapter at this time of the monotonic clock."""
        if len(self._chapters) < MAX_CHAPTERS:
            self._chapters.append((at, title[:MAX_TITLE]))

    def _begin(self) -> None:
        """Tell the encoder what it gets."""
        raise NotImplementedError

    async def _film(self) -> None:
        """Send pictures until `_is_over`."""
        raise NotImplementedError

    def _sent_again(self, slot: int) -> None:
        """The encoder is done with what was sent as `slot`."""
        raise NotImplementedError

    def _release(self) -> None:
        """The film is over."""

    def _new_tick(self, at: float, *, is_news: bool = True) -> int:
        """The place of a picture taken at this time; the first of all is at nought.  An old one again ends no gap."""
        if self.began is None:
            self.began = at
            self.timed.fire()
        if is_news:
            self._end_gap(at)
        self.last_tick = max(self.last_tick + 1, int((at - self.began) * self._ticks_per_second))
        return self.last_tick

    def _begin_gap(self, reason: str, at: float) -> None:
        if self.began is not None and (not self.gaps or self.gaps[-1].ended is not None):
            self.gaps.append(Gap(reason, at))
            self.timed.fire()

    def _end_gap(self, at: float) -> None:
        if self.gaps and self.gaps[-1].ended is None:
            self.gaps[-1].ended = at
            self.timed.fire()

    def chapters(self, from_: float = 0.0) -> list[dict[str, object]]:
        """Those that begin so many seconds after the film's beginning, or later, as of then."""
        if self.began is None:
            return []
        began = self.began + from_
        return [{"ms": round((at - began) * 1000), "title": title} for at, title in self._chapters if at >= began]

    def _ring(self) -> dict[str, object]:
        """What the encoder is told of it at the start."""
        return {} if self.ring_seconds is None else {"ring": {"seconds": self.ring_seconds}}

    async def _listen(self) -> None:
        async with background(self._watch_process, name="encoder's end"):
            await self._hear()

    async def _watch_process(self) -> None:
        """The runtime keeps a copy of the encoder's end of the link: its death does not close it."""
        await self._worker.process.wait()
        self._lose()

    async def _hear(self) -> None:
        async for message in self._worker.messages():
            match message["is"]:
                case "free":
                    self._sent_again(message["slot"])
                    if self._most_bytes is not None and message["bytes"] > self._most_bytes:
                        self.error = "the recordings take all of the disk that they may"
                        self._stopping.set()
                case "stopped":
                    self.duration = message["duration"]
                    self._ended.set()
                case "failed":
                    self.duration, self.error = message["duration"], message["reason"]
                    self._ended.set()
                    self._stopping.set()
        self._lose()

    def _lose(self) -> None:
        if not self._ended.is_set():
            self.error = "the encoder has ended"
            self._ended.set()
            self._stopping.set()

    @property
    def _is_over(self) -> bool:
        return self._stopping.is_set()
