"""Recordings of the screen."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.desktop.numbers import U32


class RecordingStatus(StrEnum):
    RECORDING = "recording"
    COMPLETED = "completed"
    FAILED = "failed"  # ended by an error; what was written up to then is kept


class StartRecording(Model):
    fps: U32 | None = Field(default=None, description="Frames a second, 1 to 60.")


class Recording(Model):
    id: str = Field(examples=["rec_1"])
    status: RecordingStatus
    process_id: str | None = Field(
        default=None, description="The encoder's. It is the box's own: the process API does not list it."
    )
    file_name: str = Field(examples=["rec_1.mp4"])
    bytes: int
    started_at: str = Field(description="RFC 3339.")
    ended_at: str | None = None
    duration_ms: int | None = Field(default=None, description="How long the film runs.")
    width: int | None = None
    height: int | None = None
    fps: int | None = None
    error: str | None = Field(default=None, description="Why it failed.")


class RecordingList(Model):
    recordings: list[Recording]
