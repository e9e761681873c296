"""Live streaming of the desktop."""

from pydantic import Field

from belljar.wire.base import Model


class StreamStatus(Model):
    active: bool
    process_id: str | None = None
    window_id: str | None = None
    reason: str | None = Field(default=None, description="Why there is no stream.")
