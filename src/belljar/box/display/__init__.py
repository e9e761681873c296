"""Xvfb and the X connection: start, mode, restart, pixels.  Nothing else in the box imports python-xlib."""

from belljar.box.display.connection import Connection
from belljar.box.display.errors import (
    DisplayError,
    DisplayInactive,
    DisplayStartFailed,
    ModeTaken,
    XClosed,
    XError,
    XTimeout,
)
from belljar.box.display.runtime import Display, DisplayState, Resolution, open_display

__all__ = [
    "Connection",
    "Display",
    "DisplayError",
    "DisplayInactive",
    "DisplayStartFailed",
    "DisplayState",
    "ModeTaken",
    "Resolution",
    "XClosed",
    "XError",
    "XTimeout",
    "open_display",
]
