"""The display as video: grabbed when it changes, encoded once in a process of its own, for all who watch."""

from belljar.box.live.video.formats import VideoFormat
from belljar.box.live.video.video import Video, open_video

__all__ = ["Video", "VideoFormat", "open_video"]
