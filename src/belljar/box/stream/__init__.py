"""Frames to viewers: one source, any number of viewers, each at its own pace."""

from belljar.box.stream.hub import Hub
from belljar.box.stream.picture import Picture
from belljar.box.stream.slot import Slot
from belljar.box.stream.source import Deliver, FrameSource, Wishes

__all__ = ["Deliver", "FrameSource", "Hub", "Picture", "Slot", "Wishes"]
