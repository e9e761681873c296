"""Files that pages had the browser save."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


class DownloadState(StrEnum):
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELED = "canceled"  # by the page, the network, or us: `reason` says when it was us


class DownloadInfo(Model):
    id: str
    url: str
    name: str = Field(description="What the page or server called the file; a suggestion, not to be trusted.")
    state: DownloadState
    received_bytes: int
    total_bytes: int | None = None
    reason: str | None = None
    started_at: str


class DownloadList(Model):
    downloads: list[DownloadInfo]
