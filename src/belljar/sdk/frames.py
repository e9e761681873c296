"""Frames of the live view, as they come over the wire."""

from dataclasses import dataclass, field

from belljar.wire.live import FRAME_HEADER, FrameViewport


@dataclass(frozen=True)
class LiveFrame:
    """A picture of what is shown: a JPEG, and what of the page it shows."""

    jpeg: bytes = field(repr=False)
    viewport: FrameViewport
    # Milliseconds since 1970.
    timestamp: float
    is_small: bool


def read_frame(message: bytes) -> LiveFrame:
    _, flags, width, height, ratio, timestamp = FRAME_HEADER.unpack_from(message)
    viewport = FrameViewport(w=width, h=height, dpr=ratio / 100)
    return LiveFrame(message[FRAME_HEADER.size :], viewport, timestamp, bool(flags & 1))
