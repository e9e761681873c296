"""Live sessions: one WebSocket for each viewer, with frames, input, commands and events."""

from belljar.box.live.live import Live, open_live

__all__ = ["Live", "open_live"]
