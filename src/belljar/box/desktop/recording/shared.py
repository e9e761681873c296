"""What a film takes of the screen's video that is encoded for others: the same pictures are not encoded twice."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from belljar.tasks import Signal

# How often a film can be entered, in seconds, while it is made of others' video: a key frame is a burden to them.
KEY_SECONDS = 5.0
# Video of which nothing has come for so long, in seconds, is not relied on any more.
PATIENCE = 2.0


@dataclass(frozen=True)
class VideoPacket:
    """A frame of H.264, and when what it shows was taken, by the monotonic clock."""

    data: bytes
    is_key: bool
    taken_at: float


class VideoListener(Protocol):
    """Hears what is encoded for others as long as they want it, and has nothing encoded for itself."""

    width: int
    height: int
    fps: int

    def put(self, packet: VideoPacket) -> None:
        """A packet of a stream of this size, and of a pace that will do."""

    def ended(self) -> None:
        """There is no such stream any more; the next one begins with a key frame."""


class SharedVideo(Protocol):
    """The screen as H.264.  At least once a second there is a packet while somebody watches."""

    def overheard_by(self, listener: VideoListener) -> AbstractContextManager[Callable[[], None]]:
        """Within the block `listener` is told; it is given what has a key frame made."""


class Overhearing:
    """A film's listener: `take` gets packets from a key frame on, and says whether it could do with this one."""

    def __init__(self, width: int, height: int, fps: int, take: Callable[[VideoPacket], bool]) -> None:
        self.width, self.height, self.fps = width, height, fps
        self._take = take
        self.want_key: Callable[[], None] = lambda: None
        self._heard_at = 0.0
        self._key_at = 0.0
        self._is_on = False
        # Fires when it begins or ends.
        self.changed = Signal()

    @property
    def is_on(self) -> bool:
        """Whether the film is made of others' video just now."""
        return self._is_on and time.monotonic() - self._heard_at < PATIENCE

    def put(self, packet: VideoPacket) -> None:
        if not packet.is_key and not self.is_on:
            if self._is_on:
                self.ended()
            self.want_key()
            return
        if not self._take(packet):
            self.ended()
            return
        now = self._heard_at = time.monotonic()
        if packet.is_key:
            self._key_at = now
        elif now - self._key_at > KEY_SECONDS:
            self.want_key()
        if not self._is_on:
            self._is_on = True
            self.changed.fire()

    def ended(self) -> None:
        self._is_on = False
        self.changed.fire()
