"""Windows on the screen."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.desktop.numbers import I32, U32


class WindowInfo(Model):
    """`x`, `y`, `width` and `height` are those of the client area, without the window manager's frame."""

    id: str = Field(description="The X window id, in decimal.", examples=["6291457"])
    title: str
    x: int
    y: int
    width: int
    height: int
    is_active: bool
    pid: int | None = None
    class_name: str | None = Field(default=None, description="The class part of WM_CLASS.", examples=["XTerm"])
    desktop: int | None = Field(default=None, description="Virtual desktop; -1 where it is on all of them.")
    is_minimized: bool = False
    is_maximized: bool = False


class WindowList(Model):
    windows: list[WindowInfo] = Field(description="From the bottom to the top.")


class MoveWindow(Model):
    """Where the upper left corner of the window's frame goes."""

    x: I32
    y: I32


class ResizeWindow(Model):
    """The size of the client area."""

    width: U32
    height: U32


class ClosedWindow(Model):
    id: str
    closed: bool = Field(description="False where the program keeps it open, to ask a question for instance.")
