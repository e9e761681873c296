"""Keeps what a box starts in: the jail, its limits, and the one way out."""

from belljar.box.sandbox.egress_process import WayOut
from belljar.box.sandbox.isolation import (
    CannotIsolate,
    CannotTighten,
    Ground,
    Isolation,
    IsolationOptions,
    open_isolation,
)
from belljar.box.sandbox.options import BadOption, read_options

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
