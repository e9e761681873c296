"""One frame.  Whatever it is turned into for a viewer is made once, however many viewers there are."""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import cached_property

import msgspec

from belljar.wire.live import FRAME_HEADER, FRAME_KIND

_SMALL_FLAG = 1


@dataclass(frozen=True, eq=False)
class Picture:
    """A JPEG, as bytes or in base64, whichever it came in.

    `width` and `height` are those of what it shows, in the unit input comes in: a page's CSS pixels, a display's
    pixels.  `timestamp` is in milliseconds since 1970, and tells a stream's pictures apart.
    """

    width: int
    height: int
    dpr: float
    timestamp: float
    encoded: str | None = None
    raw: bytes | None = None
    is_small: bool = False

    @cached_property
    def jpeg(self) -> bytes:
        return self.raw if self.raw is not None else b64decode(self.encoded or "")

    @cached_property
    def base64(self) -> str:
        return self.encoded if self.encoded is not None else b64encode(self.raw or b"").decode()

    @property
    def size(self) -> int:
        """Bytes of the JPEG, without decoding it."""
        return len(self.raw) if self.raw is not None else len(self.encoded or "") * 3 // 4

    @cached_property
    def as_text(self) -> str:
        """The message `frame` of the live protocol."""
        return msgspec.json.encode(
            {
                "type": "frame",
                "format": "jpeg",
                "data": self.base64,
                "viewport": {"w": self.width, "h": self.height, "dpr": self.dpr},
                "timestamp": self.timestamp,
            }
        ).decode()

    @cached_property
    def as_bytes(self) -> bytes:
        """The binary frame of the live protocol."""
        head = FRAME_HEADER.pack(
            FRAME_KIND,
            _SMALL_FLAG if self.is_small else 0,
            min(self.width, 0xFFFF),
            min(self.height, 0xFFFF),
            min(round(self.dpr * 100), 0xFFFF),
            self.timestamp,
        )
        return head + self.jpeg
