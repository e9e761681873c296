"""Frames to viewers: one source, any number of viewers, each at its own pace."""

from belljar.box.live.stream.frame import Frame, FrameKind
from belljar.box.live.stream.hub import Deliver, FrameSource, Hub, Wishes
from belljar.box.live.stream.slot import Slot

__all__ = ["Deliver", "Frame", "FrameKind", "FrameSource", "Hub", "Slot", "Wishes"]
