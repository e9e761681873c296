"""Frames to viewers: one source, any number of viewers, each at its own pace."""

from belljar.box.live.stream.frame import Frame, FrameKind
from belljar.box.live.stream.hub import Deliver, FrameSource, Hub, Wishes
from belljar.box.live.stream.slot import Slot
from belljar.box.live.stream.video_queue import VideoQueue

__all__ = ["Deliver", "Frame", "FrameKind", "FrameSource", "Hub", "Slot", "VideoQueue", "Wishes"]
