"""Films of the screen."""

from belljar.box.desktop.recording.recordings import Recordings

__all__ = ["Recordings"]
