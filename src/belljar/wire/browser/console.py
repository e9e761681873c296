"""What a tab's console holds."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


class ConsoleLevel(StrEnum):
    LOG = "log"
    WARN = "warn"
    ERROR = "error"
    INFO = "info"
    DEBUG = "debug"


class ConsoleQuery(Model):
    tab_id: str | None = Field(None, description="The tab; the active one where absent.")
    level: ConsoleLevel | None = None
    pattern: str | None = Field(None, max_length=1_000, description="Only texts with a match (RE2's syntax).")
    limit: int = Field(100, ge=1, le=1_000, description="The last so many.")
    since: int = Field(0, ge=0, description="Only what came after this cursor.")
    follow: bool = Field(False, description="Answer with an event stream.")


class ConsoleMessage(Model):
    level: ConsoleLevel = Field(description="Uncaught exceptions and unhandled rejections are `error`.")
    text: str
    url: str | None = None
    line: int | None = Field(None, description="1-based.")
    timestamp: datetime


class ConsoleMessages(Model):
    """Oldest first."""

    messages: list[ConsoleMessage]
    cursor: int = Field(description="Give it as `since` to get only what comes after this answer.")
