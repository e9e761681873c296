"""One frame of a stream.  Whatever it is turned into for viewers is made once, however many of them there are."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

Item = TypeVar("Item")


class FrameKind(StrEnum):
    JPEG = "jpeg"  # a picture of its own
    # Frames of an encoded stream, which may need those before them.
    H264 = "h264"
    VP8 = "vp8"


@dataclass(frozen=True, eq=False)
class Frame:
    """What a source made, as bytes or in base64, whichever it came in.

    `width` and `height` are those of what it shows, in the unit input comes in: a page's CSS pixels, a display's
    pixels.  `dpr` is how many pixels the picture itself has for each of them, in width.  `timestamp` is in milliseconds
    since 1970, and tells a stream's frames apart.  `is_key` says that it can be shown without those before it.
    """

    width: int
    height: int
    dpr: float
    timestamp: float
    encoded: str | None = None
    raw: bytes | None = None
    kind: FrameKind = FrameKind.JPEG
    is_key: bool = True
    is_small: bool = False
    # What it shows, where that is a tab.
    tab_id: str | None = None
    _made: dict[Callable[["Frame"], Any], Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def data(self) -> bytes:
        """Empty where what came is no base64: Chromium sends it, and a page may have taken that over."""
        if self.raw is not None:
            return self.raw
        try:
            return b64decode(self.encoded or "")
        except ValueError:
            return b""

    @cached_property
    def base64(self) -> str:
        return self.encoded if self.encoded is not None else b64encode(self.raw or b"").decode()

    @property
    def size(self) -> int:
        """Bytes of it, without decoding them."""
        return len(self.raw) if self.raw is not None else len(self.encoded or "") * 3 // 4

    def once(self, make: Callable[["Frame"], Item]) -> Item:
        """What `make` makes of it: a transport's message, made for the first viewer and sent to all."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Item = self._made[make]
        return made
