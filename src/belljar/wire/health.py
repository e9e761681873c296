"""Health, as the reference gives it."""

from datetime import datetime
from typing import Literal

from belljar.wire.base import Model
from belljar.wire.isolation import Isolation


class Health(Model):
    status: Literal["ok"] = "ok"
    version: str
    uptime_seconds: float
    last_activity: datetime | None = None
    open_streams: int = 0
    egress_bytes: int = 0
    expires_at: datetime | None = None
    isolation: Isolation | None = None
