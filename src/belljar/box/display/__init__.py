"""Xvfb and the X connection: start, mode, restart, pixels.  Nothing else in the box imports python-xlib."""

from belljar.box.display.display import Display, DisplayState, Resolution, open_display, read_size
from belljar.box.display.x11.connection import Connection
from belljar.box.display.x11.protocol import (
    DisplayError,
    DisplayInactive,
    DisplayStartFailed,
    ModeTaken,
    XClosed,
    XError,
    XTimeout,
)

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
    "read_size",
]
