"""What happens to the browser as a whole."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


class EventKind(StrEnum):
    STATE = "state"  # the browser moved to another state
    TAB_OPENED = "tab_opened"
    TAB_CLOSED = "tab_closed"
    TAB_CRASHED = "tab_crashed"
    DIALOG_OPENED = "dialog_opened"
    DOWNLOAD = "download"  # began, or ended


class BrowserEvent(Model):
    kind: EventKind
    timestamp: str
    state: str | None = Field(None, description="Of the browser, or of the download.")
    tab_id: str | None = None
    download_id: str | None = None
    reason: str | None = Field(None, description="The code of the error that led to a state.")


class BrowserEvents(Model):
    events: list[BrowserEvent]
    cursor: int = Field(description="Pass it as `since` to get only what came after.")
