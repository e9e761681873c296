"""The mouse."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.desktop.numbers import I32, U32

Notches = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class MouseButton(StrEnum):
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


class MousePosition(Model):
    x: int
    y: int
    screen: int = 0
    window: str = Field(description="The window under the pointer, the root window where there is no other.")


class MoveMouse(Model):
    x: I32
    y: I32


class ClickMouse(Model):
    x: I32
    y: I32
    button: MouseButton | None = None
    click_count: U32 | None = Field(default=None, description="1 where none is given; 2 is a double click.")


class MouseButtonAction(Model):
    """`x` and `y` come together or not at all; where given, the pointer moves first."""

    x: I32 | None = None
    y: I32 | None = None
    button: MouseButton | None = None


class DragMouse(Model):
    start_x: I32
    start_y: I32
    end_x: I32
    end_y: I32
    button: MouseButton | None = None


class ScrollMouse(Model):
    """Deltas count wheel notches; a fraction is kept until it adds up to one."""

    x: I32
    y: I32
    delta_x: Notches | None = Field(default=None, description="To the right; negative to the left.")
    delta_y: Notches | None = Field(default=None, description="Down; negative up.", examples=[3])
