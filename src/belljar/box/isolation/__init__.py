"""Keeps what a box starts in: the jail, its limits, and the one way out."""

from belljar.box.isolation.isolation import (
    CannotIsolate,
    CannotTighten,
    Ground,
    Isolation,
    IsolationOptions,
    open_isolation,
)
from belljar.box.isolation.options import BadOption, read_options
from belljar.box.isolation.wayout import WayOut

__all__ = [
    "BadOption",
    "CannotIsolate",
    "CannotTighten",
    "Ground",
    "Isolation",
    "IsolationOptions",
    "WayOut",
    "open_isolation",
    "read_options",
]
