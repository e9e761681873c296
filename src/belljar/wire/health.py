"""Health, as the reference gives it."""

from typing import Literal

from belljar.wire.base import Model


class Health(Model):
    status: Literal["ok"] = "ok"
    version: str
    uptime_seconds: float
